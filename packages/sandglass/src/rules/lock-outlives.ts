import { formatDuration } from '@sandglass/runtime/core'
import { heldByOneAttempt, msOf } from '../model/arithmetic.js'
import { advice, anyOf, changeLimit } from '../model/change.js'
import type { Diagnostic, Suggestion } from '../model/diagnostic.js'
import { factor, layerFactors, limitFactor } from '../model/factors.js'
import { findingAt, type Rule, visitsWhere, worstVisits } from '../model/rule.js'
import type { Visit } from '../model/situations.js'
import type { View } from '../model/view.js'
import { exceeds } from './measure/exceeds.js'
import { type Left, leftBefore } from './measure/left.js'
import { boundSpot, heldFactors } from './measure/limit-spot.js'

interface LockWait {
  /** Infinite where the lock may be waited for without end. */
  readonly lockMs: number
  readonly leftMs: number
  /** True where a budget leaves less than the call's own limit. */
  readonly isBudget: boolean
}

/** A lock wait of at least what is left for one attempt of the call. */
function lockWaitOf({ call, own, bound }: Visit, left: Left | undefined): LockWait | null {
  const lock = call.callee?.limits?.lockMs?.value
  const held = heldByOneAttempt(own, bound)
  if (lock === undefined || lock === 'unknown' || held.state !== 'bounded') return null
  const budgetMs = left?.isBudget ? Math.max(0, left.typicalMs) : Number.POSITIVE_INFINITY
  const leftMs = Math.min(held.ms, budgetMs)
  const lockMs = lock === 'none' ? Number.POSITIVE_INFINITY : lock
  return exceeds(leftMs, lockMs) ? null : { lockMs, leftMs, isBudget: budgetMs < held.ms }
}

function* check(view: View): Iterable<Diagnostic> {
  if (!view.chain.calls.some(({ callee }) => callee?.limits?.lockMs)) return
  const lefts = leftBefore(view)
  const measure = (visit: Visit): number | null => {
    const wait = lockWaitOf(visit, lefts.get(visit))
    return wait && 0 - wait.leftMs
  }
  for (const visit of worstVisits(
    visitsWhere(view, ({ callee }) => callee?.limits?.lockMs !== undefined),
    measure,
  )) {
    const wait = lockWaitOf(visit, lefts.get(visit))
    if (wait) yield findingOf(visit, wait)
  }
}

function findingOf(visit: Visit, wait: LockWait): Diagnostic {
  const { call, arrival } = visit
  const lock = call.callee?.limits?.lockMs
  const { lockMs, leftMs, isBudget } = wait
  const has = isBudget
    ? `typically only ${formatDuration(leftMs)} of the budget is left for the call`
    : `${call.from.id} waits ${formatDuration(leftMs)}`
  const lockText = Number.isFinite(lockMs) ? `for ${formatDuration(lockMs)}` : 'without end'
  return findingAt(visit, {
    rule: 'lock-outlives',
    severity: 'error',
    message: `${call.to.value} may wait ${lockText} for a lock, but ${has}`,
    arithmetic: `lock ${formatDuration(lockMs)} ${lockMs === leftMs ? '=' : '>'} ${formatDuration(leftMs)} left`,
    why: 'The request has failed while its transaction still queues for the lock; the user tries again, and one more queues behind it.',
    spot: (lock ?? call.to).origin.spot,
    label: 'the wait for a lock',
    related: [{ ...boundSpot(visit), label: 'all that the caller waits' }],
    values: { lockMs: Number.isFinite(lockMs) ? lockMs : null, leftMs },
    factors: [
      ...limitFactor(`${call.to.value} limits.lock`, lock),
      ...heldFactors(visit),
      ...(isBudget && !visit.inherited && arrival.caller ? [...layerFactors(arrival.caller), factor('reserve', call.reserveMs, 'ms')] : []),
    ],
    suggestion: suggest(visit, wait),
  })
}

/** What is left, less the hop and the reserve; without them no number is invented. */
function suggest({ call }: Visit, { leftMs }: LockWait): Suggestion | null {
  const lock = call.callee?.limits?.lockMs
  const marginMs = msOf(call.networkMs) + msOf(call.reserveMs)
  const change = marginMs > 0 ? changeLimit('limits.lock', lock, leftMs - marginMs) : null
  return anyOf([
    change ?? advice(`a limits.lock clearly shorter than ${formatDuration(leftMs)}, so that the failure can still be answered`),
  ])
}

/** A lock may be waited for longer than the call has. */
export const lockOutlives: Rule = { id: 'lock-outlives', severity: 'error', summary: "a lock wait longer than the request's budget", check }
