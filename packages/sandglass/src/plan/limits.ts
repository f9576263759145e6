import type { PlanCall } from './plan-call.js'
import type { Decision } from './static-success.js'

/** The limits of one call at one place of a journey, exact; what is written is rounded down to whole ms. */
export interface Limit extends Decision {
  readonly floorMs: number
  /** Declared tries of fast failures that stay; 1 where there are none. */
  readonly keptAttempts: number
}

/** A decision with the floor of its call. */
export function limitOf(decision: Decision, floorMs: number): Limit {
  return { ...decision, floorMs, keptAttempts: decision.planned.keptAttempts }
}

/** The limits of every call of a journey. */
export type Limits = ReadonlyMap<PlanCall, Limit>

/** Calls that stand at one place of a file share its limits, however often and by whatever aliases they are reached. */
export function placeKey({ call }: PlanCall): string {
  return `${call.spot.source.file} ${call.spot.start}`
}

/**
 * One set of limits for each place of a file: the smallest of every number over all places of all journeys. Sums and
 * retries that fit before fit after, because no number grew. A journey that does not fit has no say.
 */
export function mergedLimits(all: readonly { readonly limits: Limits; readonly fits: boolean }[]): Limits[] {
  const smallest = new Map<string, Limit>()
  for (const limit of all.flatMap(({ limits, fits }) => (fits ? [...limits.values()] : []))) {
    const key = placeKey(limit.planned)
    const before = smallest.get(key)
    smallest.set(key, before ? smaller(before, limit) : limit)
  }
  return all.map(
    ({ limits }) => new Map([...limits].map(([planned, own]) => [planned, { ...(smallest.get(placeKey(planned)) ?? own), planned }])),
  )
}

function smaller(one: Limit, other: Limit): Limit {
  const attempts = Math.min(one.attempts, other.attempts)
  const timeoutMs = Math.min(one.timeoutMs, other.timeoutMs)
  return {
    planned: one.planned,
    timeoutMs,
    attempts,
    attemptMs: attempts === 1 ? timeoutMs : Math.min(one.attemptMs, other.attemptMs),
    reserveMs: Math.min(one.reserveMs, other.reserveMs),
    floorMs: Math.min(one.floorMs, other.floorMs),
    keptAttempts: Math.min(one.keptAttempts, other.keptAttempts),
  }
}

/** True where merging changed what a journey planned for itself. */
export function differs(one: Limit, other: Limit): boolean {
  return one.timeoutMs !== other.timeoutMs || one.attemptMs !== other.attemptMs || one.attempts !== other.attempts
}
