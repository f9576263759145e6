import type { Node } from 'oxc-parser'
import { holds, type Limit, type LimitState } from '../limits/limit-state.js'
import { longestTimerMs } from '../limits/longest-timer.js'
import { settingOf } from '../limits/settings.js'
import type { Site } from '../models/library-model.js'
import { type Module, spotOf } from '../syntax/module.js'
import { isFunctionNode } from '../syntax/scope.js'
import { walk } from '../syntax/walk.js'
import type { Evaluator } from '../terms/evaluator.js'
import { substitute } from '../terms/substitute.js'
import { GATHERED, identityOf, isGlobal, type MadeTerm, type Term } from '../terms/term.js'

/** What a signal does to the call that gets it. */
export type SignalReading =
  | { readonly kind: 'limit'; readonly limit: Limit }
  /** It can end the call when somebody says so, but not by the clock. */
  | { readonly kind: 'cancel-only'; readonly term: Term }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly why: string }

/** Reads a signal: by the clock, only by hand, or not known. */
export function readSignal(term: Term | null | undefined, evaluator: Evaluator): SignalReading {
  if (!term) return { kind: 'absent' }
  switch (term.kind) {
    case 'constant':
      return { kind: 'absent' }
    case 'made':
      return ofCall(term, evaluator)
    case 'member':
      if (isSignalOf(term) && term.object.kind === 'made') return ofController(term.object, evaluator)
      return { kind: 'unknown', why: 'the signal is handed in' }
    case 'either': {
      const all = term.of.map((each) => readSignal(each, evaluator))
      return term.isFallback ? firstOf(all) : weakest(all)
    }
    default:
      return { kind: 'unknown', why: term.kind === 'unknown' && term.why === GATHERED ? GATHERED : 'the signal is handed in' }
  }
}

function ofCall(term: MadeTerm, evaluator: Evaluator): SignalReading {
  const [first] = term.args
  if (isGlobal(term.callee, 'AbortSignal.timeout')) return first ? timed(first, term) : { kind: 'unknown', why: 'it has no number' }
  if (isGlobal(term.callee, 'AbortSignal.any') && first?.kind === 'list')
    return strongest(first.items.map((each) => readSignal(each, evaluator)))
  return { kind: 'unknown', why: 'the signal comes from a call that is not known' }
}

function timed(ms: Term, term: MadeTerm): SignalReading {
  const setting = settingOf(ms)
  if (setting.state !== 'given' || typeof setting.value !== 'number') return { kind: 'unknown', why: 'its time is only known at run time' }
  return limited('AbortSignal.timeout', setting.value, spotOf(term.at.node, term.at.module), setting.isAssumed)
}

function limited(name: string, ms: number, spot: ReturnType<typeof spotOf>, isAssumed: boolean): SignalReading {
  if (ms > longestTimerMs) return { kind: 'unknown', why: 'it is more than a timer can hold' }
  const limit: Limit = { state: 'written', name, kind: 'total', ms, origin: { kind: 'declared', spot }, cancels: true, isAssumed }
  return { kind: 'limit', limit }
}

/** `a ?? b`: what is handed in decides, and where nothing is, the last one. */
function firstOf(all: readonly SignalReading[]): SignalReading {
  const first = all.find(({ kind }) => kind !== 'absent')
  return first ?? { kind: 'absent' }
}

/** One of several by a condition: as weak as the weakest. Where signals are gathered, the one for an empty list may never hold. */
function weakest(all: readonly SignalReading[]): SignalReading {
  const gathered = all.find((each) => each.kind === 'unknown' && each.why === GATHERED)
  if (gathered) return gathered
  const rank = { limit: 0, unknown: 1, 'cancel-only': 2, absent: 3 }
  return all.reduce((a, b) => {
    if (a.kind === 'limit' && b.kind === 'limit') return b.limit.ms > a.limit.ms ? b : a
    return rank[b.kind] > rank[a.kind] ? b : a
  })
}

/** All of them together: the first that ends it. */
function strongest(all: readonly SignalReading[]): SignalReading {
  const limits = all.flatMap((each) => (each.kind === 'limit' ? [each] : [])).sort((a, b) => a.limit.ms - b.limit.ms)
  if (limits[0]) return limits[0]
  return all.find(({ kind }) => kind === 'unknown') ?? all.find(({ kind }) => kind === 'cancel-only') ?? { kind: 'absent' }
}

/** `controller.signal`, and the token that older versions of axios have for it. */
function isSignalOf({ object, name }: Extract<Term, { kind: 'member' }>): boolean {
  if (object.kind !== 'made') return false
  return name === 'signal' ? isGlobal(object.callee, 'AbortController') : name === 'token' && isTokenSource(object)
}

/** `axios.CancelToken.source()`. */
function isTokenSource({ callee }: MadeTerm): boolean {
  return callee.kind === 'external' && callee.package === 'axios' && callee.path.join('.') === 'CancelToken.source'
}

/** A controller ends a call by the clock where a timer of the same module aborts it. */
function ofController(controller: MadeTerm, evaluator: Evaluator): SignalReading {
  const { module } = controller.at
  const timer = abortingTimer(controller, evaluator)
  if (!timer) return { kind: 'cancel-only', term: controller }
  const ms = timer.arguments[1]
  const written = ms && ms.type !== 'SpreadElement' ? evaluator.termOf(ms, module) : null
  const setting = written && settingOf(controller.within ? substitute(written, controller.within, evaluator) : written)
  if (setting?.state !== 'given' || typeof setting.value !== 'number') return { kind: 'unknown', why: 'its time is only known at run time' }
  return limited('setTimeout and abort', setting.value, spotOf(timer, module), setting.isAssumed)
}

/** The `setTimeout` that aborts a controller, or cancels a token, in the same module; null where there is none. */
export function abortingTimer(controller: MadeTerm, evaluator: Evaluator): Extract<Node, { type: 'CallExpression' }> | null {
  const identity = identityOf(controller)
  const { module } = controller.at
  for (const node of module.calls) {
    if (node.type !== 'CallExpression' || !isGlobal(evaluator.termOf(node.callee, module), 'setTimeout')) continue
    const [callback] = node.arguments
    const name = isTokenSource(controller) ? 'cancel' : 'abort'
    if (callback && callback.type !== 'SpreadElement' && aborts(callback, { name, identity }, module, evaluator)) return node
  }
  return null
}

function aborts(
  callback: Parameters<Evaluator['termOf']>[0],
  { name, identity }: { readonly name: string; readonly identity: string | null },
  module: Module,
  evaluator: Evaluator,
): boolean {
  const isAbort = (term: Term): boolean => term.kind === 'member' && term.name === name && identityOf(term.object) === identity
  // Without what it belongs to, `abort` throws in the timer.
  const isBound = (term: Term): boolean =>
    term.kind === 'made' && term.callee.kind === 'member' && term.callee.name === 'bind' && isAbort(term.callee.object)
  if (!isFunctionNode(callback)) {
    const given = evaluator.termOf(callback, module)
    return isBound(given) || (name === 'cancel' && isAbort(given))
  }
  let found = false
  walk(callback.body ?? callback, (node) => {
    if (node.type === 'CallExpression' && isAbort(evaluator.termOf(node.callee, module))) found = true
    return !found
  })
  return found
}

/** The limit that a signal among the options gives; `none` where there is no signal, or one without a clock. */
export function signalState(site: Site, signal: Term | null | undefined, name = 'signal'): LimitState {
  const reading = readSignal(signal, site.evaluator)
  switch (reading.kind) {
    case 'limit':
      return reading.limit
    case 'unknown':
      return { state: 'unknown', name, why: reading.why }
    default:
      return { state: 'none', name, spot: site.spot, isOff: false }
  }
}

/** The earlier of two limits over the same stretch; what is unknown may only make it shorter. */
export function earlier(a: LimitState | null, b: LimitState | null): LimitState | null {
  if (!a || !b) return a ?? b
  if (holds(a) && holds(b)) return b.ms < a.ms ? b : a
  if (holds(a)) return a
  if (holds(b)) return b
  return a.state === 'unknown' ? a : b.state === 'unknown' ? b : a
}
