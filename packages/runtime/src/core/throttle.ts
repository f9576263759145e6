import { optionCount, optionInRange } from './option-range.js'
import { advanceRateWindow, createRateWindow, type RateWindow, recordRate } from './rate-window.js'

/** When a client stops sending what would be refused anyway. */
export interface ThrottleOptions {
  /** K, 1 and more: so many requests are sent per one that is accepted; default 2. */
  readonly multiplier?: number
  /** Window, ms; default 120 000. */
  readonly windowMs?: number
  /** Fewer requests than this in the window are never throttled; default 1. */
  readonly minRequests?: number
}

/** The defaults of {@link ThrottleOptions}. */
export const THROTTLE_DEFAULTS: Readonly<Required<ThrottleOptions>> = Object.freeze({ multiplier: 2, windowMs: 120_000, minRequests: 1 })

/** One callee's client-side throttle (Site Reliability Engineering, O'Reilly 2016, chapter 21, equation 21-1). */
export interface Throttle {
  readonly multiplier: number
  readonly minRequests: number
  /** Requests tried, marked where the callee accepted. */
  readonly requests: RateWindow
}

/** Makes one that has seen nothing. @throws TypeError or RangeError for an option outside its range */
export function createThrottle(options: ThrottleOptions = {}): Throttle {
  return {
    multiplier: optionInRange('throttle.multiplier', options.multiplier ?? THROTTLE_DEFAULTS.multiplier, 1, 1_000),
    minRequests: optionCount('throttle.minRequests', options.minRequests ?? THROTTLE_DEFAULTS.minRequests, 1),
    requests: createRateWindow({ windowMs: options.windowMs ?? THROTTLE_DEFAULTS.windowMs }),
  }
}

/** The probability with which the next request is to be refused here: max(0, (requests - K x accepts) / (requests + 1)). */
export function throttleProbability(throttle: Throttle, nowAt: number): number {
  advanceRateWindow(throttle.requests, nowAt)
  const { total, marked } = throttle.requests
  if (total < throttle.minRequests) return 0
  return Math.max(0, (total - throttle.multiplier * marked) / (total + 1))
}

/** Whether to refuse now, `random` in [0, 1). A refused request counts as tried and not accepted: do not record it again. */
export function throttleRefuses(throttle: Throttle, nowAt: number, random: number): boolean {
  if (random >= throttleProbability(throttle, nowAt)) return false
  recordRate(throttle.requests, 0, nowAt)
  return true
}

/** Tells whether a request that was sent was accepted: anything but a throttling answer or no answer is. */
export function recordThrottle(throttle: Throttle, accepted: boolean, nowAt: number): void {
  recordRate(throttle.requests, accepted ? 1 : 0, nowAt)
}
