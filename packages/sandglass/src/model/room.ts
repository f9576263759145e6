import { addBounds, type Bound, boundedBy } from '@sandglass/runtime/core'
import { msOf, nothing, ownP99Ms } from './arithmetic.js'
import type { Call } from './chain.js'
import { type Arrival, stepBound, type Visit } from './situations.js'
import type { View } from './view.js'

/** What the other steps of an operation take when each uses its whole bound, own work included; a call's own group counts 0. */
function besides(view: View, arrival: Arrival, call: Call): Bound {
  const bounds = new Map(view.visitsIn(arrival).map((visit) => [visit.call, visit.bound]))
  let sum: Bound = boundedBy(ownP99Ms(arrival.operation), 'total')
  for (const step of arrival.operation.steps) {
    const isOwn = step.kind === 'call' ? step.call === call : step.calls.includes(call)
    if (!isOwn)
      sum = addBounds(
        sum,
        stepBound(step, (other) => bounds.get(other) ?? nothing),
      )
  }
  return sum
}

/**
 * The longest bound in ms with which a call still fits into what its caller has: callerBound - network - reserve - the
 * other steps; null where that is not known or nothing is left.
 */
export function roomMs(view: View, visit: Visit): number | null {
  const { arrival, call } = visit
  if (arrival.callerBound.state !== 'bounded') return null
  const others = besides(view, arrival, call)
  if (others.state !== 'bounded') return null
  const into = arrival.via?.call
  const left = arrival.callerBound.ms - msOf(into?.networkMs) - msOf(into?.reserveMs) - others.ms
  return left > 0 ? left : null
}
