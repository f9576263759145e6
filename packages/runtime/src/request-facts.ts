import type { DegradedCall } from './core/wire-degraded.js'

/** What is known about the request a piece of work belongs to; made once per request and shared by all scopes below it. */
export interface RequestFacts {
  /** Counts the requests of this process from 1; 0 for work that no request came in for. */
  readonly request: number
  /** When it entered this process (monotonic ms). */
  readonly enteredAt: number
  /** Hops from the entry of the chain, 0 at the entry. */
  readonly hop: number
  /** Number of the attempt the caller is making, from 1: above 1 this request is itself a retry. */
  readonly inboundAttempt: number
  /** What this hop keeps of the budget (ms); absent: max(5 ms, 5 %). */
  readonly reserveMs: number | undefined
  /** What was degraded so far, here and further down; at most 32 are kept. */
  readonly degraded: DegradedCall[]
}

/** More marks than this per request are not kept: what comes from outside must not grow without bound. */
const MOST_MARKS = 32

/** Facts of work that no request came in for. */
export function entryFacts(enteredAt: number, reserveMs?: number): RequestFacts {
  return { request: 0, enteredAt, hop: 0, inboundAttempt: 1, reserveMs, degraded: [] }
}

/** Adds a mark once; a mark for the same call and tier keeps the greater age. */
export function addMark(facts: RequestFacts | undefined, mark: DegradedCall): void {
  if (facts === undefined) return
  const at = facts.degraded.findIndex((known) => known.call === mark.call && known.tier === mark.tier)
  const known = facts.degraded[at]
  if (known !== undefined) {
    if ((mark.ageMs ?? 0) > (known.ageMs ?? 0)) facts.degraded[at] = mark
    return
  }
  if (facts.degraded.length < MOST_MARKS) facts.degraded.push(mark)
}
