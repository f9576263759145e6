import type { Guard } from '../guards/guard.js'
import { guarded } from '../guards/guarded.js'
import { type Judged, judge } from '../limits/outcome.js'
import type { Site } from '../models/library-model.js'
import type { Caller, SeenCall } from '../scan-view.js'
import type { CallNode, Module } from '../syntax/module.js'
import type { FunctionNode } from '../syntax/scope.js'
import { argsOf } from '../terms/args-of.js'
import type { Evaluator } from '../terms/evaluator.js'
import { isAsked } from '../terms/fold.js'
import { substitute } from '../terms/substitute.js'
import type { Term } from '../terms/term.js'
import { mayMakeIt } from './ancestors.js'
import type { CallersOf } from './callers.js'
import type { SiteFinder } from './find-site.js'
import { handedIn } from './handed-in.js'

/** What seeing calls needs. */
export interface Seeing {
  readonly evaluator: Evaluator
  readonly finder: SiteFinder
  readonly callersOf: CallersOf
  readonly guardsOf: (site: Site, caller: Caller | null) => readonly Guard[]
}

/** A function with more callers than this is looked at with the first ones. */
const MAX_CALLERS = 50

/** Wrappers in wrappers are followed so far. */
const MAX_PASSED = 4

/** Every call of a library in a module, once for each caller where its limits depend on the caller. */
export function seeCalls(module: Module, seeing: Seeing): SeenCall[] {
  return module.calls.flatMap((node) => seeCall(node, module, seeing))
}

function seeCall(node: CallNode, module: Module, seeing: Seeing): SeenCall[] {
  const callee = seeing.evaluator.termOf(node.type === 'TaggedTemplateExpression' ? node.tag : node.callee, module)
  return casesOf(callee, seeing.finder, 0).flatMap((each) => seeCase(node, each, module, seeing))
}

/** The most clients of one name that are told apart. */
const MAX_CASES = 4

/** A call on a name that holds one of several clients is a call of each of them: they are made at different places, with limits of their own. */
function casesOf(callee: Term, finder: SiteFinder, depth: number): readonly Term[] {
  if (depth > 6) return [callee]
  if (callee.kind === 'member') return casesOf(callee.object, finder, depth + 1).map((object) => ({ ...callee, object }))
  if (callee.kind === 'made' && callee.callee.kind === 'member')
    return casesOf(callee.callee, finder, depth + 1).map((made) => ({ ...callee, callee: made }))
  if (callee.kind !== 'either') return [callee]
  const clients = new Map(
    callee.of.flatMap((each) => {
      const identity = finder.reach(each)?.client?.identity
      return identity ? [[identity, each] as const] : []
    }),
  )
  return clients.size > 1 ? [...clients.values()].slice(0, MAX_CASES) : [callee]
}

function seeCase(node: CallNode, callee: Term, module: Module, seeing: Seeing): SeenCall[] {
  const { evaluator, finder } = seeing
  const args = argsOf(node, module, evaluator)
  const site = finder.siteAt(node, callee, args, module)
  if (!site) {
    return handedIn(callee, args, seeing.callersOf, evaluator).flatMap(({ caller, ...there }) => {
      const found = finder.siteAt(node, there.callee, there.args, module)
      return found ? seenForCallers({ node, module, ...there, seen: seenCall(found, caller, seeing), passed: [] }, seeing) : []
    })
  }
  const seen = seenCall(site, null, seeing)
  return seenForCallers({ node, module, callee, args, seen, passed: [] }, seeing)
}

/** A call as it is with what the callers up to here give. */
interface Given {
  readonly node: CallNode
  readonly module: Module
  readonly callee: Term
  readonly args: readonly Term[]
  readonly seen: SeenCall
  /** The functions that were left on the way to a caller. */
  readonly passed: readonly FunctionNode[]
}

/** Once for each caller of the function whose parameters decide, and for theirs where those decide in turn. */
function seenForCallers(given: Given, seeing: Seeing): SeenCall[] {
  const { node, callee, args, seen, passed } = given
  if (passed.length >= MAX_PASSED || !dependsOnCaller(seen)) return [seen]
  for (const of of ownersFrom([callee, ...args], node)) {
    const found = passed.includes(of) ? [] : seenForCallersOf(of, given, seeing)
    if (found.length > 0) return found
  }
  return [seen]
}

function seenForCallersOf(of: FunctionNode, { node, module, callee, args, seen, passed }: Given, seeing: Seeing): SeenCall[] {
  const terms = [callee, ...args]
  const asked = askedOf(of, terms)
  const isMeant = (caller: Caller) =>
    !takesOtherWay(asked, caller) && !passesOn(of, terms, caller) && mayMakeIt(caller, of, { node, module }, seeing.evaluator)
  const callers = seeing.callersOf(of).filter(isMeant).slice(0, MAX_CALLERS)
  const found = callers.flatMap((caller) => {
    const frame = { of, args: caller.args, self: caller.self }
    const there = {
      callee: substitute(callee, frame, seeing.evaluator),
      args: args.map((term) => substitute(term, frame, seeing.evaluator)),
    }
    const site = seeing.finder.siteAt(node, there.callee, there.args, module)
    if (!site) return []
    // What stands around is told from the nearest caller on.
    const call = seenCall(site, seen.caller ?? caller, seeing)
    return seenForCallers({ node, module, ...there, seen: call, passed: [...passed, of] }, seeing)
  })
  return found.slice(0, MAX_CALLERS)
}

function seenCall(site: Site, caller: Caller | null, { guardsOf }: Seeing): SeenCall {
  const reading = site.model.read(site)
  const own = judge(reading)
  const guards = guardsOf(site, caller)
  return { site, reading, own, judged: guarded(own, guards), guards, caller, isClient: site.method === 'new' }
}

function dependsOnCaller({ own, site }: SeenCall): boolean {
  return own.outcome.state !== 'bounded' || hasParameter(site.options, 0)
}

/** The functions whose parameters a call is made with, the innermost around it first, then the first of others: only what all of them belong to can be asked of one caller. */
function ownersFrom(terms: readonly Term[], { start, end }: CallNode): readonly FunctionNode[] {
  const owners = [...new Set(terms.flatMap((term) => parametersOf(term, 0).map(({ of }) => of)))]
  const isAround = (each: FunctionNode) => each.start <= start && end <= each.end
  const others = owners.filter((each) => !isAround(each))
  return [...owners.filter(isAround).sort((a, b) => b.start - a.start), ...others.slice(0, 1)]
}

/** The members of each parameter of a function that some terms are made of: `opts.host`, `opts.timeout`. */
function askedOf(of: FunctionNode, terms: readonly Term[]): ReadonlyMap<number, ReadonlySet<string>> {
  const asked = new Map<number, Set<string>>()
  const visit = (term: Term, depth: number): void => {
    if (depth > 8) return
    if (term.kind === 'member' && term.object.kind === 'parameter' && term.object.of === of)
      asked.set(term.object.index, (asked.get(term.object.index) ?? new Set()).add(term.name))
    // What has a default need not be given.
    const isOptional = term.kind === 'either' && term.isFallback && !hasParameter(term.of.at(-1), 0)
    if (isOptional) return
    // What is only asked for need not be given.
    const parts = term.kind === 'made' && isAsked(term) ? term.args.slice(1) : partsOf(term)
    for (const part of parts) visit(part, depth + 1)
  }
  for (const term of terms) visit(term, 0)
  return asked
}

/** A caller whose object has nothing of what the call is made of means another branch of the function: `{ driver }` for `opts.host`. */
function takesOtherWay(asked: ReadonlyMap<number, ReadonlySet<string>>, { args }: Caller): boolean {
  return [...asked].some(([index, names]) => {
    const given = args[index]
    if (given?.kind !== 'object' || given.parts.length === 0) return false
    return given.parts.every((part) => 'name' in part && !names.has(part.name))
  })
}

function partsOf(term: Term): readonly Term[] {
  switch (term.kind) {
    case 'member':
      return [term.object]
    case 'made':
      return [term.callee, ...term.args]
    case 'either':
      return term.of
    case 'object':
      return term.parts.map((part) => ('name' in part ? part.value : part.spread))
    case 'list':
      return term.items
    default:
      return []
  }
}

/** `send(url, options, retries - 1)` inside of `send`: asks again with what it was given itself. */
function passesOn(of: FunctionNode, terms: readonly Term[], { args }: Caller): boolean {
  const own = terms.flatMap((term) => parametersOf(term, 0)).filter((each) => each.of === of)
  return own.every(({ index }) => {
    const given = args[index]
    return given?.kind === 'parameter' && given.of === of && given.index === index
  })
}

function hasParameter(term: Term | undefined, depth: number): boolean {
  return term !== undefined && parametersOf(term, depth).length > 0
}

function parametersOf(term: Term, depth: number): readonly (Term & { readonly kind: 'parameter' })[] {
  if (depth > 8) return []
  return term.kind === 'parameter' ? [term] : partsOf(term).flatMap((part) => parametersOf(part, depth + 1))
}

/** Of the same call seen for several callers, the one that may take longest. */
export function weakestOf(seen: readonly SeenCall[]): SeenCall | null {
  const rank = ({ judged }: SeenCall) => [weight(judged), judged.worstMs?.[1] ?? 0] as const
  return seen.reduce<SeenCall | null>((a, b) => {
    if (!a) return b
    const [x, y] = [rank(a), rank(b)]
    return y[0] > x[0] || (y[0] === x[0] && y[1] > x[1]) ? b : a
  }, null)
}

function weight({ outcome }: Judged): number {
  return { bounded: 0, unknown: 1, unbounded: 2 }[outcome.state]
}
