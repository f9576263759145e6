import { msOf } from '../../model/arithmetic.js'
import type { Arrival, Visit } from '../../model/situations.js'
import type { View } from '../../model/view.js'
import { decidingLimit } from './limit-spot.js'
import { oncePerView } from './once-per-view.js'

/** The bound of a call that leaves room in every layer around it, each shortened in its turn. */
export interface Rung {
  readonly ms: number
  /** What the layer outside has, after its own shortening; null where nothing outside is limited. */
  readonly outerMs: number | null
  /** Network and reserve of the call the operation was reached by. */
  readonly marginMs: number
}

/** The rung of each call in each situation. */
export interface Ladder {
  readonly get: (visit: Visit) => Rung | undefined
}

/**
 * Shortens a chain from the outside in: bound = what the caller has (already shortened) - network - reserve, where it is longer.
 * Limits that a platform fixes stay. Calls without a known bound have no rung.
 */
export const ladderOf: (view: View) => Ladder = oncePerView((view) => {
  const rungs = new Array<Rung | undefined>(view.situations.visitCount)
  const ladder: Ladder = { get: ({ index }) => rungs[index] }
  for (const visit of view.situations.visits) {
    const { bound, arrival } = visit
    if (bound.state !== 'bounded') continue
    const outerMs = outerOf(arrival, ladder)
    const marginMs = marginOf(arrival)
    const isFixed = decidingLimit(visit)?.limit.fixed === true
    const ms = outerMs === null || isFixed ? bound.ms : Math.min(bound.ms, Math.max(0, outerMs - marginMs))
    rungs[visit.index] = { ms, outerMs, marginMs }
  }
  return ladder
})

/** Network and reserve of the call that leads into an arrival, in ms; 0 at the start. */
export function marginOf({ via }: Arrival): number {
  return via ? msOf(via.call.networkMs) + msOf(via.call.reserveMs) : 0
}

function outerOf(arrival: Arrival, ladder: Ladder): number | null {
  const { via, operation } = arrival
  const request = operation.limits?.requestMs?.value
  const limits = typeof request === 'number' ? [request] : []
  const given = via && !via.call.async.value ? ladder.get(via)?.ms : undefined
  if (via && given !== undefined && via.own.attempt.state !== 'unknown') {
    limits.push(via.own.attempt.state === 'bounded' ? Math.min(via.own.attempt.ms, given) : given)
  }
  return limits.length === 0 ? null : Math.min(...limits)
}
