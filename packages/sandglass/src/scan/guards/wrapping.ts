import type { Node } from 'oxc-parser'
import type { Spot } from '../../model/sourced.js'
import { longestTimerMs } from '../limits/longest-timer.js'
import { type CallNode, spotOf } from '../syntax/module.js'
import type { Term } from '../terms/term.js'
import type { Guard, LimitGuard, RetryGuard } from './guard.js'
import type { Reckoning, Span } from './reckon.js'

/** A call or `new` that is given work: a promise, or the function that makes it. */
export interface Wrapping {
  readonly callee: Term
  readonly args: readonly Term[]
  readonly node: Exclude<CallNode, { type: 'TaggedTemplateExpression' }>
  /** Which argument the work is in. */
  readonly index: number
  /** The name under which it stands in that argument: `{ promise: work() }`. */
  readonly under?: string
  /** The work as it stands there: an item of a list, the argument itself. */
  readonly item: Node
  readonly reckoning: Reckoning
  /** The call inside is given something that can stop it. */
  readonly isTold: boolean
  /** The library of the call inside. */
  readonly library: string
  /** Code that runs anew with the work. */
  readonly repeats: readonly Spot[]
}

/** What a wrapper does to the work it is given, from the inside out; null where it is another wrapper. */
export type ReadWrapper = (wrapping: Wrapping) => readonly Guard[] | null

/** Where a term leads to: `p-retry:`, `cockatiel:timeout`; null for what is not from outside. */
export function outsideName(term: Term): string | null {
  return term.kind === 'external' ? `${term.package}:${term.path.join('.')}` : null
}

/** A wrapper that is one of several, as each of them; what is kept elsewhere (`known.get(key)`) is one of the others. */
export function onesOfSeveral(wrapping: Wrapping): readonly Wrapping[] {
  const { callee } = wrapping
  if (callee.kind !== 'either') return [wrapping]
  const others = callee.of.filter((each) => !isKept(each))
  return others.map((each) => ({ ...wrapping, callee: each }))
}

function isKept(term: Term): boolean {
  const from = term.kind === 'member' ? term.object : null
  return from?.kind === 'made' && from.callee.kind === 'member' && from.callee.name === 'get'
}

/** A limit around some work; one that no timer holds is none that is known. */
export function limitGuard(wrapping: Wrapping, name: string, ms: number | null, parts: Partial<LimitGuard> = {}): LimitGuard {
  const { node, item, reckoning, isTold } = wrapping
  const { module } = reckoning
  return {
    kind: 'limit',
    name,
    ms: ms !== null && ms > longestTimerMs ? null : ms,
    at: { node, module },
    spot: spotOf(node, module),
    work: spotOf(item, module),
    cancels: isTold,
    isDefault: false,
    timerLeft: null,
    ...parts,
  }
}

/** What a retry is made of. */
export interface Retrying {
  readonly name: string
  /** All attempts; `Infinity` for one that never gives up, null where nobody can tell. */
  readonly count: number | null
  readonly waits: readonly Span[] | null
  readonly isDefault: boolean
  /** Default: false. */
  readonly isEndedTogether?: boolean
}

/** Attempts around some work. */
export function retryGuard({ node, reckoning, repeats }: Wrapping, retrying: Retrying): RetryGuard {
  return { ...retryParts(retrying), at: { node, module: reckoning.module }, spot: spotOf(node, reckoning.module), repeats }
}

/** The numbers of a retry guard. */
export function retryParts({
  name,
  count,
  waits,
  isDefault,
  isEndedTogether = false,
}: Retrying): Omit<RetryGuard, 'at' | 'spot' | 'repeats'> {
  const isEndless = count === Number.POSITIVE_INFINITY && !isEndedTogether
  const sum = waits?.reduce<Span>(([low, high], wait) => [low + wait[0], high + wait[1]], [0, 0]) ?? null
  return {
    kind: 'retry',
    name,
    count: count === Number.POSITIVE_INFINITY ? null : count,
    waitMs: sum,
    waits,
    isDefault,
    isEndless,
    isEndedTogether,
  }
}
