import type { Node } from 'oxc-parser'
import type { FunctionNode } from '../syntax/scope.js'
import type { Evaluator } from './evaluator.js'
import { constant, isReckoned } from './fold.js'
import { eitherOf, isGlobal, type MadeTerm, type ObjectPart, type ParameterTerm, type Term, unknownTerm } from './term.js'
import { withinSize } from './term-size.js'

/** What a call gives to a function. */
export interface Frame {
  readonly of: FunctionNode
  readonly args: readonly Term[]
  /** What `this` is inside; null where it is not known. */
  readonly self: Term | null
}

const MAX_DEPTH = 24

/** A term with the parameters of one function replaced by what a call gives for them. What is too much to follow becomes unknown. */
export function substitute(term: Term, frame: Frame, evaluator: Evaluator): Term {
  return evaluator.within(() => withinSize(replaced(term, { frame, evaluator, known: new Map() }, 0)))
}

interface Substituting {
  readonly frame: Frame
  readonly evaluator: Evaluator
  /** Terms share their parts: each is done once. */
  readonly known: Map<Term, Term>
}

function replaced(term: Term, substituting: Substituting, depth: number): Term {
  if (term.kind === 'constant' || term.kind === 'external' || term.kind === 'unknown' || term.kind === 'class') return term
  const before = substituting.known.get(term)
  if (before) return before
  if (depth > MAX_DEPTH || !substituting.evaluator.spend()) return unknownTerm('too much to follow')
  const after = replacedParts(term, substituting, (part) => replaced(part, substituting, depth + 1))
  substituting.known.set(term, after)
  return after
}

function replacedParts(term: Term, { frame, evaluator }: Substituting, inner: (part: Term) => Term): Term {
  switch (term.kind) {
    case 'parameter':
      return term.of === frame.of ? given(term, frame) : term
    case 'this':
      return frame.self ?? term
    case 'object': {
      const parts = term.parts.map((part) => substitutePart(part, inner))
      return changed(term.parts, parts) ? { ...term, parts } : term
    }
    case 'list': {
      const items = term.items.map(inner)
      return changed(term.items, items) ? { ...term, items } : term
    }
    case 'either': {
      const of = term.of.map(inner)
      return changed(term.of, of) ? settle(of, term.isFallback) : term
    }
    case 'member': {
      const object = inner(term.object)
      return object === term.object ? term : evaluator.memberOf(object, term.name)
    }
    case 'made': {
      const callee = inner(term.callee)
      const args = term.args.map(inner)
      if (isGlobal(callee, 'AbortController')) return controllerFor(term, frame, inner)
      if (callee === term.callee && !changed(term.args, args)) return term
      // A client that is made anew for each caller is another client for each of them; what is only called stays the same call.
      return evaluator.called(callee, args, term.isNew, term.at)
    }
    case 'function': {
      const self = term.self && inner(term.self)
      return self === term.self ? term : { ...term, self }
    }
    default:
      return term
  }
}

/** A timer beside a controller may have its time from the caller: the controller keeps what that gives. */
function controllerFor(term: MadeTerm, frame: Frame, inner: (term: Term) => Term): Term {
  if (term.within) return { ...term, within: { ...term.within, args: term.within.args.map(inner) } }
  return isIn(term.at.node, frame.of) ? { ...term, within: frame } : term
}

function isIn(node: Node, of: FunctionNode): boolean {
  for (let here: Node | null | undefined = node; here; here = here.parent) if (here === of) return true
  return false
}

function changed(before: readonly unknown[], after: readonly unknown[]): boolean {
  return before.some((part, k) => part !== after[k])
}

function substitutePart(part: ObjectPart, inner: (term: Term) => Term): ObjectPart {
  if ('name' in part) {
    const value = inner(part.value)
    return value === part.value ? part : { ...part, value }
  }
  const spread = inner(part.spread)
  return spread === part.spread ? part : { ...part, spread }
}

function given(term: ParameterTerm, { args, of }: Frame): Term {
  if (term.isRest) return unknownTerm('the rest of the arguments')
  const arg = args[term.index]
  const isMissing = arg === undefined || (arg.kind === 'constant' && arg.value === undefined)
  if (!isMissing) return arg
  return term.fallback ?? constant(undefined, { node: of, module: term.module })
}

/** `init.signal ?? timeout` after `init` is known: what is missing is passed over, what is there ends it. */
function settle(terms: readonly Term[], isFallback: boolean): Term {
  if (!isFallback) return eitherOf(terms)
  const left: Term[] = []
  for (const [k, term] of terms.entries()) {
    const isMissing = term.kind === 'constant' && (term.value === undefined || term.value === null)
    if (isMissing && k < terms.length - 1) continue
    left.push(term)
    const isThere =
      term.kind === 'constant' || term.kind === 'object' || term.kind === 'function' || (term.kind === 'made' && !isReckoned(term))
    if (isThere && !isMissing) break
  }
  return eitherOf(left, true)
}
