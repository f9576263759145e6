import type { Arrival } from '../../model/situations.js'
import type { View } from '../../model/view.js'
import { marginOf } from './ladder.js'
import { oncePerView } from './once-per-view.js'

/** Above the rounding that {@link exceeds} allows for. */
const SLACK_MS = 0.001

/**
 * The situations in which something may not fit: a step, all steps, or either with its margin. In all others the steps together,
 * network and reserve added, end before the caller gives up, and no rule about a caller's time has to look at them.
 */
export const tightArrivals: (view: View) => readonly Arrival[] = oncePerView((view) => {
  const tight: Arrival[] = []
  for (const arrivals of view.situations.arrivals.values()) {
    for (const arrival of arrivals) if (isTight(view, arrival)) tight.push(arrival)
  }
  return tight
})

function isTight(view: View, arrival: Arrival): boolean {
  const { callerBound, operation } = arrival
  if (callerBound.state !== 'bounded' || operation.calls.length === 0) return false
  const worst = view.worst(arrival)
  return worst.state !== 'bounded' || worst.ms + marginOf(arrival) + SLACK_MS > callerBound.ms
}
