import { msOf, nothing, ownP99Ms } from './arithmetic.js'
import type { Call, Step } from './chain.js'
import { type Arrival, stepBound, type Visit } from './situations.js'
import type { View } from './view.js'

/**
 * The longest bound in ms with which a call still fits in every situation it is made in; null where nobody outside is limited.
 *
 * The caller's bound (the tightest layer outside, the promise where a journey starts) - network - reserve - the other steps, shared
 * with the other steps that have no limit yet; 0 where nothing is left.
 */
export function roomMs(view: View, visit: Visit): number | null {
  return roomOf(view, visit)?.ms ?? null
}

/** The time that is left for a call, and among how many steps without a limit it is shared, the call's own one included. */
export interface Room {
  readonly ms: number
  readonly steps: number
}

/** What {@link roomMs} is, and how many share it. */
export function roomOf(view: View, { call }: Visit): Room | null {
  let least: Room | null = null
  for (const arrival of view.situations.arrivals.get(call.from) ?? []) {
    const room = roomIn(view, arrival, call)
    if (room && (!least || room.ms < least.ms)) least = room
  }
  return least
}

function roomIn(view: View, arrival: Arrival, call: Call): Room | null {
  const outerMs = outerLimitMs(arrival)
  if (outerMs === null || call.async.value) return null
  const into = arrival.via?.call
  const { usedMs, unlimited } = besides(view, arrival, call)
  const leftMs = Math.max(0, outerMs - msOf(into?.networkMs) - msOf(into?.reserveMs) - usedMs)
  return { ms: leftMs / (1 + unlimited), steps: 1 + unlimited }
}

function outerLimitMs({ callerBound, tightest, via, journey }: Arrival): number | null {
  const promise = via === null ? journey?.promiseMs?.value : undefined
  const limits = [callerBound.state === 'bounded' ? callerBound.ms : null, tightest?.ms, promise].filter((ms) => typeof ms === 'number')
  return limits.length === 0 ? null : Math.min(...limits)
}

/** What the other steps take when each uses its whole bound, own work included, and how many of them have no limit; the call's own group counts 0. */
function besides(view: View, arrival: Arrival, call: Call): { usedMs: number; unlimited: number } {
  const visits = new Map(view.visitsIn(arrival).map((visit) => [visit.call, visit]))
  let usedMs = ownP99Ms(arrival.operation)
  let unlimited = 0
  for (const step of arrival.operation.steps) {
    if (callsOf(step).includes(call)) continue
    // A budget ends by itself what only it limits.
    const bound = stepBound(step, (other) => (visits.get(other)?.inherited ? nothing : (visits.get(other)?.bound ?? nothing)))
    if (bound.state === 'bounded') usedMs += bound.ms
    if (bound.state === 'unbounded') unlimited++
  }
  return { usedMs, unlimited }
}

function callsOf(step: Step): readonly Call[] {
  return step.kind === 'call' ? [step.call] : step.calls
}
