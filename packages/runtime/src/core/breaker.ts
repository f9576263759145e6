import { type BreakerOptions, type BreakerRules, resolveBreaker } from './breaker-options.js'
import { advanceRateWindow, clearRateWindow, createRateWindow, type RateWindow, recordRate } from './rate-window.js'
import { createSlowWatch, resetSlowWatch, type SlowWatch, takeSlow, watchEnd, watchStart } from './slow-watch.js'

/**
 * What a finished call says about its callee. `overload` (the callee refused because it is busy) counts in the rate only,
 * never as one of the consecutive failures; `neutral` says nothing (cancelled, refused before sending, budget too short).
 */
export type BreakerClass = 'success' | 'failure' | 'overload' | 'neutral'

/** Where a breaker is. `open` and `half-open` refuse calls; `half-open` lets a few probes through. */
export type BreakerState = 'closed' | 'open' | 'half-open'

/** What {@link enterBreaker} returns instead of a ticket when the call must not be made. */
export const BREAKER_REFUSED = -1

/** Half-open ends undecided after this many leases: closed when a probe succeeded, open again when none said anything. */
export const HALF_OPEN_LEASES = 3

/**
 * One callee's breaker: plain state, changed only by the functions of this file. Every transition is a comparison with
 * `nowAt` made when it is next touched, so no timer is needed and none can be lost.
 */
export interface Breaker {
  readonly rules: BreakerRules
  readonly random: () => number
  readonly failures: RateWindow
  readonly slow: RateWindow
  readonly watch: SlowWatch | null
  /** As of the last touch; {@link breakerStateAt} is the state as of now. */
  state: BreakerState
  sinceAt: number
  openUntilAt: number
  /** Failed probes since it was last closed, the first opening included. */
  openings: number
  openedMs: number
  consecutive: number
  nextTicket: number
  /** First ticket of the present generation: results of older ones are ignored. */
  firstTicket: number
  readonly leaseTickets: Float64Array
  readonly leaseExpiresAt: Float64Array
  leased: number
  probesPassed: number
}

/**
 * Makes a closed breaker.
 * @param random a source of numbers in [0, 1), used for the jitter of the open periods
 * @throws TypeError or RangeError for an option outside its range
 */
export function createBreaker(options: BreakerOptions, random: () => number): Breaker {
  const rules = resolveBreaker(options)
  return {
    rules,
    random,
    failures: createRateWindow(rules.window),
    slow: createRateWindow(rules.window),
    watch: rules.slowMs === Infinity ? null : createSlowWatch(rules.slowMs),
    state: 'closed',
    sinceAt: 0,
    openUntilAt: 0,
    openings: 0,
    openedMs: 0,
    consecutive: 0,
    nextTicket: 0,
    firstTicket: 0,
    leaseTickets: new Float64Array(rules.probes).fill(BREAKER_REFUSED),
    leaseExpiresAt: new Float64Array(rules.probes),
    leased: 0,
    probesPassed: 0,
  }
}

/**
 * Asks to start a call at `nowAt` (ms, monotonic).
 * @returns a ticket to hand to {@link leaveBreaker} exactly once, or {@link BREAKER_REFUSED}
 */
export function enterBreaker(breaker: Breaker, nowAt: number): number {
  if (breaker.state !== 'closed') return enterAsProbe(breaker, nowAt)
  if (breaker.watch !== null) {
    countSlow(breaker, breaker.watch, nowAt)
    if (tripsBySlow(breaker)) {
      trip(breaker, nowAt)
      return BREAKER_REFUSED
    }
    watchStart(breaker.watch, breaker.nextTicket, nowAt)
  }
  return breaker.nextTicket++
}

/**
 * Tells how the call with `ticket` ended, at `nowAt`. Constant time. A result of an earlier generation, a refused ticket and
 * a probe's second result are ignored; `neutral` gives a probe's lease back, which is also what an inner layer's refusal is.
 */
export function leaveBreaker(breaker: Breaker, ticket: number, ended: BreakerClass, nowAt: number): void {
  if (ticket < breaker.firstTicket || ticket >= breaker.nextTicket) return
  if (breaker.state === 'closed') leaveClosed(breaker, ticket, ended, nowAt)
  else leaveProbe(breaker, ticket, ended, nowAt)
}

/** The state as of `nowAt`: an open period that has run out reads `half-open`, and an undecided half-open is settled. */
export function breakerStateAt(breaker: Breaker, nowAt: number): BreakerState {
  if (breaker.state === 'closed') return 'closed'
  if (breaker.state === 'half-open') settleHalfOpen(breaker, nowAt)
  return breaker.state === 'open' && nowAt >= breaker.openUntilAt ? 'half-open' : breaker.state
}

/** How long until a probe may be tried, ms: what `retry-after` of a refusal says; 0 when closed or half-open. */
export function breakerRetryAfterMs(breaker: Breaker, nowAt: number): number {
  return breaker.state === 'open' ? Math.max(0, breaker.openUntilAt - nowAt) : 0
}

/** Total time spent open so far, ms; half-open is not open. */
export function breakerOpenMs(breaker: Breaker, nowAt: number): number {
  if (breaker.state !== 'open') return breaker.openedMs
  return breaker.openedMs + Math.max(0, Math.min(nowAt, breaker.openUntilAt) - breaker.sinceAt)
}

function leaveClosed(breaker: Breaker, ticket: number, ended: BreakerClass, nowAt: number): void {
  if (breaker.watch !== null) leaveWatch(breaker, breaker.watch, ticket, ended, nowAt)
  if (ended !== 'neutral') recordOutcome(breaker, ended, nowAt)
  if (breaker.consecutive >= breaker.rules.consecutive || tripsByFailures(breaker) || tripsBySlow(breaker)) trip(breaker, nowAt)
}

function leaveWatch(breaker: Breaker, watch: SlowWatch, ticket: number, ended: BreakerClass, nowAt: number): void {
  countSlow(breaker, watch, nowAt)
  if (watchEnd(watch, ticket) && ended !== 'neutral') recordRate(breaker.slow, 0, nowAt)
}

function recordOutcome(breaker: Breaker, ended: BreakerClass, nowAt: number): void {
  if (ended === 'success') breaker.consecutive = 0
  else if (ended === 'failure') breaker.consecutive += 1
  recordRate(breaker.failures, ended === 'success' ? 0 : 1, nowAt)
}

function countSlow(breaker: Breaker, watch: SlowWatch, nowAt: number): void {
  while (takeSlow(watch, nowAt)) recordRate(breaker.slow, 1, nowAt)
  advanceRateWindow(breaker.slow, nowAt)
}

function tripsByFailures(breaker: Breaker): boolean {
  const { total, marked } = breaker.failures
  return total >= breaker.rules.minCalls && marked >= breaker.rules.failureRate * total
}

function tripsBySlow(breaker: Breaker): boolean {
  const { total, marked } = breaker.slow
  return total >= breaker.rules.minCalls && marked >= breaker.rules.slowRate * total
}

function enterAsProbe(breaker: Breaker, nowAt: number): number {
  if (breaker.state === 'half-open') settleHalfOpen(breaker, nowAt)
  if (breaker.state === 'open' && nowAt >= breaker.openUntilAt) startHalfOpen(breaker, nowAt)
  if (breaker.state === 'closed') return enterBreaker(breaker, nowAt)
  if (breaker.state === 'open' || breaker.leased + breaker.probesPassed >= breaker.rules.probes) return BREAKER_REFUSED
  const ticket = breaker.nextTicket++
  const slot = breaker.leaseTickets.indexOf(BREAKER_REFUSED)
  breaker.leaseTickets[slot] = ticket
  breaker.leaseExpiresAt[slot] = nowAt + breaker.rules.leaseMs
  breaker.leased += 1
  return ticket
}

function leaveProbe(breaker: Breaker, ticket: number, ended: BreakerClass, nowAt: number): void {
  settleHalfOpen(breaker, nowAt)
  const slot = breaker.leaseTickets.indexOf(ticket)
  if (breaker.state !== 'half-open' || slot === -1) return
  const tookMs = nowAt - (breaker.leaseExpiresAt[slot]! - breaker.rules.leaseMs)
  breaker.leaseTickets[slot] = BREAKER_REFUSED
  breaker.leased -= 1
  if (ended === 'neutral') return
  if (ended !== 'success' || tookMs >= breaker.rules.slowMs) {
    trip(breaker, nowAt)
    return
  }
  breaker.probesPassed += 1
  if (breaker.probesPassed >= breaker.rules.probes) close(breaker, nowAt)
}

// Half-open is left by the clock alone: a lease that ran out has failed, and the phase itself has an end.
function settleHalfOpen(breaker: Breaker, nowAt: number): void {
  if (breaker.state !== 'half-open') return
  const phaseEndsAt = breaker.sinceAt + HALF_OPEN_LEASES * breaker.rules.leaseMs
  const expiredAt = firstLeaseEndsAt(breaker)
  if (expiredAt <= nowAt && expiredAt <= phaseEndsAt) trip(breaker, expiredAt)
  else if (nowAt >= phaseEndsAt) endUndecided(breaker, phaseEndsAt)
}

function endUndecided(breaker: Breaker, phaseEndsAt: number): void {
  if (breaker.probesPassed > 0) {
    close(breaker, phaseEndsAt)
    return
  }
  // No probe said anything, so the callee is not to blame: the same open period again, not twice as long.
  breaker.openings -= 1
  trip(breaker, phaseEndsAt)
}

function firstLeaseEndsAt(breaker: Breaker): number {
  let firstAt = Infinity
  if (breaker.leased === 0) return firstAt
  for (let slot = 0; slot < breaker.rules.probes; slot += 1) {
    if (breaker.leaseTickets[slot] !== BREAKER_REFUSED) firstAt = Math.min(firstAt, breaker.leaseExpiresAt[slot]!)
  }
  return firstAt
}

function trip(breaker: Breaker, tripsAt: number): void {
  const { baseMs, maxMs, jitter } = breaker.rules.open
  const periodMs = Math.min(maxMs, baseMs * 2 ** Math.min(breaker.openings, 52))
  breaker.state = 'open'
  breaker.sinceAt = tripsAt
  breaker.openUntilAt = tripsAt + (jitter === 0 ? periodMs : periodMs * (1 - jitter * breaker.random()))
  breaker.openings += 1
  startGeneration(breaker)
}

function startHalfOpen(breaker: Breaker, nowAt: number): void {
  breaker.openedMs += breaker.openUntilAt - breaker.sinceAt
  breaker.state = 'half-open'
  breaker.sinceAt = nowAt
}

function close(breaker: Breaker, closesAt: number): void {
  breaker.state = 'closed'
  breaker.sinceAt = closesAt
  breaker.openings = 0
  breaker.consecutive = 0
  clearRateWindow(breaker.failures)
  clearRateWindow(breaker.slow)
  startGeneration(breaker)
}

function startGeneration(breaker: Breaker): void {
  breaker.firstTicket = breaker.nextTicket
  breaker.leased = 0
  breaker.probesPassed = 0
  breaker.leaseTickets.fill(BREAKER_REFUSED)
  if (breaker.watch !== null) resetSlowWatch(breaker.watch, breaker.nextTicket)
}
