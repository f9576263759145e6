import { holds, type LimitState } from './limit-state.js'
import { longestTimerMs } from './longest-timer.js'

/** A limit that its library keeps by a timer of JavaScript: what no timer holds is none that is known. Sockets hold it, they cut it down. */
export function heldByTimer(limit: LimitState): LimitState {
  return holds(limit) && limit.ms > longestTimerMs ? { state: 'unknown', name: limit.name, why: 'it is more than a timer can hold' } : limit
}
