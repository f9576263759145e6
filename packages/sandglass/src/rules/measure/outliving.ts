import { type Bound, boundedBy, earliestBound } from '@sandglass/runtime/core'
import { heldByOneAttempt, isLeaf, ownBounds, requestLimit } from '../../model/arithmetic.js'
import type { Call, Operation } from '../../model/chain.js'
import type { Factor } from '../../model/diagnostic.js'
import { boundFactors, limitFactor, ownTimeFactors } from '../../model/factors.js'
import { quantileMs } from '../../model/latency.js'
import { visitsWhere } from '../../model/rule.js'
import type { Arrival, Visit } from '../../model/situations.js'
import type { View } from '../../model/view.js'
import { exceeds } from './exceeds.js'
import { oncePerView } from './once-per-view.js'

/** A callee that may go on after its caller has given up. */
export interface Outliving {
  /** What one attempt of the caller gets. */
  readonly callerBoundMs: number
  /** When the callee ends at the latest. */
  readonly calleeBoundMs: number
  readonly overMs: number
}

/** How far a callee outlives one attempt of its caller; null where it does not, or nobody knows. Async calls have no caller that waits. */
export function outlivingOf(view: View, visit: Visit): Outliving | null {
  const { call, own, bound } = visit
  const { callee } = call
  if (!callee || call.async.value) return null
  const held = heldByOneAttempt(own, bound)
  const ends = isLeaf(callee) ? leafEnd(callee) : innerEnd(view, callee, visit.into)
  if (held.state !== 'bounded' || ends?.state !== 'bounded' || !exceeds(ends.ms, held.ms)) return null
  return { callerBoundMs: held.ms, calleeBoundMs: ends.ms, overMs: ends.ms - held.ms }
}

/** The visits, in all situations, of calls that may have {@link outlivingOf} in one. */
export const mayOutlive: (view: View) => readonly Visit[] = oncePerView((view) =>
  visitsWhere(view, (call) => call.cancel.value === 'stops-here' && canOutlive(view, call)),
)

/** Where no budget is handed down, all situations of a call have the same bounds. */
function canOutlive(view: View, call: Call): boolean {
  const { callee, from, async } = call
  if (!callee || async.value) return false
  const own = ownBounds(call)
  const held = heldByOneAttempt(own, own.total)
  if (from.service.deadline.value === 'propagate') return true
  const ends = isLeaf(callee) ? leafEnd(callee) : endWithoutBudget(view, callee)
  return held.state === 'bounded' && (ends === 'depends' || (ends?.state === 'bounded' && exceeds(ends.ms, held.ms)))
}

function endWithoutBudget(view: View, callee: Operation): Bound | null | 'depends' {
  if (callee.service.deadline.value === 'propagate') return 'depends'
  return innerEnd(view, callee, view.situations.arrivals.get(callee)?.[0] ?? null)
}

/** worst(o), at most its budget, and at most what the handler allows itself. */
function innerEnd(view: View, callee: Operation, arrival: Arrival | null): Bound | null {
  if (!arrival) return null
  const worst = view.worst(arrival)
  const cut = arrival.budget ? earliestBound(worst, boundedBy(arrival.budget.ms, 'total')) : worst
  return earliestBound(cut, requestLimit(callee))
}

/** The slowest answers of a leaf (its maximum, else its p99.9), at most the limits of its server; null where no time is known. */
function leafEnd(callee: Operation): Bound | null {
  const law = callee.latency ?? callee.work
  if (!law) return null
  const maximum = law.value.kind === 'percentiles' ? law.value.maxMs : undefined
  const slowest = boundedBy(maximum ?? quantileMs(law.value, 0.999), 'total')
  const limits = [callee.limits?.statementMs?.value, callee.limits?.requestMs?.value]
  if (limits.includes('unknown')) return null
  return limits.reduce<Bound>(
    (end, limit) => (typeof limit === 'number' ? earliestBound(end, boundedBy(limit, 'statement')) : end),
    slowest,
  )
}

/** What the end of a callee consists of. */
export function calleeFactors(callee: Operation): Factor[] {
  if (isLeaf(callee)) return [...slowestFactor(callee), ...limitFactor(`${callee.id} limits.statement`, callee.limits?.statementMs)]
  return [
    ...ownTimeFactors(callee),
    ...callee.calls
      .filter((call) => !call.async.value)
      .flatMap((call) => boundFactors(call).map((part) => ({ ...part, name: `${call.to.value} ${part.name}` }))),
    ...limitFactor(`${callee.id} limits.request`, callee.limits?.requestMs),
  ]
}

function slowestFactor(callee: Operation): Factor[] {
  const law = callee.latency ?? callee.work
  if (!law) return []
  const maximum = law.value.kind === 'percentiles' ? law.value.maxMs : undefined
  return [
    {
      name: `${callee.id} ${maximum === undefined ? 'p99.9' : 'max'}`,
      value: maximum ?? quantileMs(law.value, 0.999),
      unit: 'ms',
      origin: law.origin,
    },
  ]
}
