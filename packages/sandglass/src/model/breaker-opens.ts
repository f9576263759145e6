import { BREAKER_DEFAULTS } from '@sandglass/runtime/core'
import { boundMs, heldByOneAttempt } from './arithmetic.js'
import type { Breaker } from './chain.js'
import type { Visit } from './situations.js'

/** What opens a breaker by failures: so many in a row, or a rate over a window. */
interface Triggers {
  readonly consecutive: number | null
  readonly failureRate: number | null
  readonly minCalls: number
  readonly window: { readonly ms: number } | { readonly calls: number }
}

function triggersOf(breaker: Breaker): Triggers {
  const none = !breaker.consecutive && !breaker.failureRate && !breaker.slowMs
  return {
    consecutive: breaker.consecutive?.value ?? (none ? BREAKER_DEFAULTS.consecutive : null),
    failureRate: breaker.failureRate?.value ?? (none ? BREAKER_DEFAULTS.failureRate : null),
    minCalls: breaker.minCalls?.value ?? BREAKER_DEFAULTS.minCalls,
    window: breaker.window?.value ?? { ms: BREAKER_DEFAULTS.windowMs },
  }
}

/** When the n-th hung attempt ends: they start one after the other at the rate, and each ends `heldMs` later. */
function nthEndMs(n: number, heldMs: number, ratePerS: number): number {
  return heldMs + ((n - 1) * 1000) / ratePerS
}

/** By a window of time: what was healthy before moves out of it while failures move in. */
function byTimeMs(windowMs: number, rate: number, minCalls: number, heldMs: number, ratePerS: number): number | null {
  if (minCalls > (ratePerS * windowMs) / 1000) return null
  const healthyMs = Math.max(0, windowMs - heldMs)
  const enoughShareMs = heldMs + rate * healthyMs
  const judgedInWindow = (ratePerS * healthyMs) / 1000 >= minCalls
  return judgedInWindow ? enoughShareMs : Math.max(enoughShareMs, nthEndMs(minCalls, heldMs, ratePerS))
}

function byRateMs({ failureRate, minCalls, window }: Triggers, heldMs: number, ratePerS: number): number | null {
  if (failureRate === null) return null
  if ('calls' in window) return nthEndMs(Math.max(1, Math.ceil(failureRate * window.calls - 1e-9)), heldMs, ratePerS)
  return byTimeMs(window.ms, failureRate, minCalls, heldMs, ratePerS)
}

/**
 * How long after its callee starts to hang a breaker opens, in ms: calls arrive at `ratePerS` in one instance, each failing
 * when its attempt ends; the window was full of healthy calls before.
 *
 * Null where it cannot be told: no bound, a slowness trigger, a window that never holds enough calls, or more failures needed than `slots` can start.
 */
export function breakerOpensAfterMs(visit: Visit, ratePerS: number, slots: number): number | null {
  const { breaker } = visit.call
  const heldMs = boundMs(heldByOneAttempt(visit.own, visit.bound))
  if (!breaker || breaker.slowMs || heldMs === null || !(ratePerS > 0)) return null
  const triggers = triggersOf(breaker)
  const inARow = triggers.consecutive === null ? null : nthEndMs(triggers.consecutive, heldMs, ratePerS)
  const times = [inARow, byRateMs(triggers, heldMs, ratePerS)].filter((ms) => ms !== null)
  if (times.length === 0) return null
  const opensMs = Math.min(...times)
  const startedUntilMs = (slots * 1000) / ratePerS
  return opensMs - heldMs <= startedUntilMs ? opensMs : null
}
