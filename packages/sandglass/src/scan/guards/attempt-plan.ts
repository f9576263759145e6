import type { Spot } from '../../model/sourced.js'
import type { SeenCall } from '../scan-view.js'
import type { RetryGuard } from './guard.js'
import { guarded, isShared, isSharedBy } from './guarded.js'

/** A retry around a call with what one attempt may take. */
export interface AttemptPlan {
  readonly retry: RetryGuard
  /** The most that one attempt takes, with all that is inside of it. */
  readonly attemptMs: number
  /** A condition chooses what one attempt takes, and may choose less. */
  readonly isMost: boolean
  /** Where the clock of one attempt is set; null where it is the client's own default. */
  readonly clock: Spot | null
  /** All attempts and waits: at most, in ms; null where it never gives up or a wait is not known. */
  readonly worstMs: number | null
  /** The attempts alone; what is not known of the waits comes on top. Null where it never gives up. */
  readonly leastWorstMs: number | null
}

/** The outermost retry around a call that nothing outside of it ends, each attempt with a clock of its own; null where there is none. */
export function attemptPlanOf({ guards, own }: SeenCall): AttemptPlan | null {
  const index = guards.findLastIndex(({ kind }) => kind === 'retry')
  const retry = guards[index]
  if (retry?.kind !== 'retry' || retry.isEndedTogether || guards.slice(index + 1).some(({ kind }) => kind === 'limit')) return null
  const inside = guards.slice(0, index)
  const attempt = guarded(own, inside)
  if (attempt.outcome.state !== 'bounded' || attempt.worstMs === null || isShared(attempt, retry)) return null
  // What a clock from before the first attempt leaves for the others is not known: it may be cleared.
  if (attempt.limits.some((limit) => isSharedBy(limit, retry))) return null
  const hasLimit = inside.some(({ kind }) => kind === 'limit')
  if (attempt.isDefault && !hasLimit) return null
  const attemptMs = attempt.worstMs[1]
  const leastWorstMs = retry.count === null ? null : attemptMs * retry.count
  const clock = attempt.limits.find(({ origin }) => origin.kind === 'declared')?.origin.spot ?? null
  return {
    retry,
    attemptMs,
    isMost: attempt.limits.some(({ isMost }) => isMost),
    clock,
    leastWorstMs,
    worstMs: leastWorstMs === null || retry.waitMs === null ? null : leastWorstMs + retry.waitMs[1],
  }
}

/** When each attempt starts and ends at the latest, and whether there is time left for it. */
export interface AttemptTime {
  readonly startMs: number
  readonly endMs: number
}

/** The times of the attempts one after the other; empty where the waits are not known. */
export function attemptTimes({ retry, attemptMs }: AttemptPlan): readonly AttemptTime[] {
  const { waits, count } = retry
  if (waits === null || count === null) return []
  let startMs = 0
  return Array.from({ length: count }, (_, k) => {
    const time = { startMs, endMs: startMs + attemptMs }
    startMs = time.endMs + (waits[k]?.[1] ?? 0)
    return time
  })
}
