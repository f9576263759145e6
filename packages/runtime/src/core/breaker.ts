import { optionCount, optionInRange } from './option-range.js'
import { type RateWindow, advanceRateWindow, clearRateWindow, createRateWindow, recordRate } from './rate-window.js'
import { type SlowWatch, createSlowWatch, resetSlowWatch, takeSlow, watchEnd, watchStart } from './slow-watch.js'

/**
 * What a finished call says about its callee. `overload` (the callee refused because it is busy) counts in the rate only,
 * never as one of the consecutive failures; `neutral` says nothing (cancelled, refused before sending, budget too short).
 */
export type BreakerClass = 'success' | 'failure' | 'overload' | 'neutral'

/** Where a breaker is. `open` and `half-open` refuse calls; `half-open` lets a few probes through. */
export type BreakerState = 'closed' | 'open' | 'half-open'

/** An open period that doubles each time a probe fails: `baseMs`, 2 x `baseMs` … at most `maxMs`, shortened by up to `jitter` (share, 0 to 1). */
export interface BreakerOpenPeriods {
  readonly baseMs: number
  readonly maxMs: number
  /** Default 0.2: each period is between 80 % and 100 % of its length. */
  readonly jitter?: number
}

/**
 * When a breaker opens and how it closes again. With none of `consecutive`, `failureRate`, `slowMs` given, consecutive
 * failures and failure rate apply with their defaults; as soon as one of the three is given, only the given ones do:
 * what is declared is what runs.
 */
export interface BreakerOptions {
  /** Length of the rate windows, ms; default 10 000. Not together with `windowCalls`. */
  readonly windowMs?: number
  /** Length of the rate windows in calls instead of time. */
  readonly windowCalls?: number
  /** Opens when at least this share (above 0, at most 1) of the window failed; default 0.5. */
  readonly failureRate?: number
  /** No rate is judged on fewer calls than this; default 20, at most `windowCalls`. */
  readonly minCalls?: number
  /** Opens after this many failures in a row; default 5. */
  readonly consecutive?: number
  /** How long it stays open, ms: exactly this, or periods that double; default 1 s doubling to 60 s. */
  readonly openMs?: number | BreakerOpenPeriods
  /** Half-open lets so many probes decide: all must succeed, one failure opens again; default 3. */
  readonly probes?: number
  /** A call that takes so long (ms) is slow, even before it has ended; default `Infinity`, nothing is slow. */
  readonly slowMs?: number
  /** Opens when at least this share (above 0, at most 1) of the window was slow; default 0.5. */
  readonly slowRate?: number
  /** A probe that has not come back after so long (ms, finite) has failed; default 10 000; give it the call's timeout. */
  readonly leaseMs?: number
}

/** The defaults of {@link BreakerOptions}. */
export const BREAKER_DEFAULTS: Readonly<{
  windowMs: number
  failureRate: number
  minCalls: number
  consecutive: number
  openMs: Readonly<Required<BreakerOpenPeriods>>
  probes: number
  slowMs: number
  slowRate: number
  leaseMs: number
}> = Object.freeze({
  windowMs: 10_000,
  failureRate: 0.5,
  minCalls: 20,
  consecutive: 5,
  openMs: Object.freeze({ baseMs: 1_000, maxMs: 60_000, jitter: 0.2 }),
  probes: 3,
  slowMs: Infinity,
  slowRate: 0.5,
  leaseMs: 10_000,
})

/** What {@link enterBreaker} returns instead of a ticket when the call must not be made. */
export const BREAKER_REFUSED = -1

/** Half-open ends undecided after this many leases: closed when a probe succeeded, open again when none said anything. */
export const HALF_OPEN_LEASES = 3

/**
 * One callee's breaker: plain state, changed only by the functions of this file. Every transition is a comparison with
 * `nowAt` made when it is next touched, so no timer is needed and none can be lost.
 */
export interface Breaker {
  readonly random: () => number
  readonly consecutiveLimit: number
  readonly failureRate: number
  readonly slowRate: number
  readonly minCalls: number
  readonly open: Readonly<Required<BreakerOpenPeriods>>
  readonly probes: number
  readonly leaseMs: number
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
  const chosen = options.consecutive ?? options.failureRate ?? options.slowMs ?? options.slowRate
  const otherwise = <T>(value: T): T | number => (chosen === undefined ? value : Infinity)
  const windowCalls = options.windowCalls
  const window = windowCalls === undefined ? { windowMs: options.windowMs ?? BREAKER_DEFAULTS.windowMs } : { windowCalls }
  const slowMs = optionInRange('breaker.slowMs', options.slowMs ?? BREAKER_DEFAULTS.slowMs, 0.001)
  const minCalls = optionCount('breaker.minCalls', options.minCalls ?? BREAKER_DEFAULTS.minCalls, 1)
  const probes = optionCount('breaker.probes', options.probes ?? BREAKER_DEFAULTS.probes, 1, 1_000)
  return {
    random,
    consecutiveLimit: optionCount('breaker.consecutive', options.consecutive ?? otherwise(BREAKER_DEFAULTS.consecutive), 1),
    failureRate: rateLimit('breaker.failureRate', options.failureRate ?? otherwise(BREAKER_DEFAULTS.failureRate)),
    slowRate: rateLimit('breaker.slowRate', options.slowRate ?? BREAKER_DEFAULTS.slowRate),
    minCalls: windowCalls === undefined ? minCalls : Math.min(minCalls, windowCalls),
    open: openPeriods(options.openMs ?? BREAKER_DEFAULTS.openMs),
    probes,
    leaseMs: optionInRange('breaker.leaseMs', options.leaseMs ?? BREAKER_DEFAULTS.leaseMs, 1, 86_400_000),
    failures: createRateWindow(window),
    slow: createRateWindow(window),
    watch: slowMs === Infinity ? null : createSlowWatch(slowMs),
    state: 'closed',
    sinceAt: 0,
    openUntilAt: 0,
    openings: 0,
    openedMs: 0,
    consecutive: 0,
    nextTicket: 0,
    firstTicket: 0,
    leaseTickets: new Float64Array(probes).fill(BREAKER_REFUSED),
    leaseExpiresAt: new Float64Array(probes),
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
      return enterAsProbe(breaker, nowAt)
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

/** The state as of `nowAt`, without changing it: an open period that has run out reads `half-open`. */
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

function rateLimit(name: string, rate: number): number {
  if (rate === Infinity) return rate
  return optionInRange(name, rate, Number.MIN_VALUE, 1)
}

function openPeriods(openMs: number | BreakerOpenPeriods): Readonly<Required<BreakerOpenPeriods>> {
  if (typeof openMs === 'number') {
    const fixedMs = optionInRange('breaker.openMs', openMs, 1, 86_400_000)
    return { baseMs: fixedMs, maxMs: fixedMs, jitter: 0 }
  }
  const baseMs = optionInRange('breaker.openMs.baseMs', openMs.baseMs, 1, 86_400_000)
  return {
    baseMs,
    maxMs: optionInRange('breaker.openMs.maxMs', openMs.maxMs, baseMs, 86_400_000),
    jitter: optionInRange('breaker.openMs.jitter', openMs.jitter ?? BREAKER_DEFAULTS.openMs.jitter, 0, 1),
  }
}

function leaveClosed(breaker: Breaker, ticket: number, ended: BreakerClass, nowAt: number): void {
  if (breaker.watch !== null) leaveWatch(breaker, breaker.watch, ticket, ended, nowAt)
  if (ended !== 'neutral') recordOutcome(breaker, ended, nowAt)
  if (breaker.consecutive >= breaker.consecutiveLimit || tripsByFailures(breaker) || tripsBySlow(breaker)) trip(breaker, nowAt)
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
  return total >= breaker.minCalls && marked >= breaker.failureRate * total
}

function tripsBySlow(breaker: Breaker): boolean {
  const { total, marked } = breaker.slow
  return total >= breaker.minCalls && marked >= breaker.slowRate * total
}

function enterAsProbe(breaker: Breaker, nowAt: number): number {
  if (breaker.state === 'half-open') settleHalfOpen(breaker, nowAt)
  if (breaker.state === 'open' && nowAt >= breaker.openUntilAt) startHalfOpen(breaker, nowAt)
  if (breaker.state === 'closed') return enterBreaker(breaker, nowAt)
  if (breaker.state === 'open' || breaker.leased + breaker.probesPassed >= breaker.probes) return BREAKER_REFUSED
  const ticket = breaker.nextTicket++
  const slot = breaker.leaseTickets.indexOf(BREAKER_REFUSED)
  breaker.leaseTickets[slot] = ticket
  breaker.leaseExpiresAt[slot] = nowAt + breaker.leaseMs
  breaker.leased += 1
  return ticket
}

function leaveProbe(breaker: Breaker, ticket: number, ended: BreakerClass, nowAt: number): void {
  settleHalfOpen(breaker, nowAt)
  const slot = breaker.leaseTickets.indexOf(ticket)
  if (breaker.state !== 'half-open' || slot === -1) return
  const tookMs = nowAt - (breaker.leaseExpiresAt[slot]! - breaker.leaseMs)
  breaker.leaseTickets[slot] = BREAKER_REFUSED
  breaker.leased -= 1
  if (ended === 'neutral') return
  if (ended !== 'success' || (breaker.watch !== null && tookMs >= breaker.watch.slowMs)) return trip(breaker, nowAt)
  breaker.probesPassed += 1
  if (breaker.probesPassed >= breaker.probes) close(breaker, nowAt)
}

// Half-open is left by the clock alone: a lease that ran out has failed, and the phase itself has an end.
function settleHalfOpen(breaker: Breaker, nowAt: number): void {
  if (breaker.state !== 'half-open') return
  const phaseEndsAt = breaker.sinceAt + HALF_OPEN_LEASES * breaker.leaseMs
  const expiredAt = firstLeaseEndsAt(breaker)
  if (expiredAt <= nowAt && expiredAt <= phaseEndsAt) return trip(breaker, expiredAt)
  if (phaseEndsAt > nowAt) return
  if (breaker.probesPassed > 0) return close(breaker, phaseEndsAt)
  breaker.openings -= 1
  trip(breaker, phaseEndsAt)
}

function firstLeaseEndsAt(breaker: Breaker): number {
  let firstAt = Infinity
  if (breaker.leased === 0) return firstAt
  for (let slot = 0; slot < breaker.probes; slot += 1) {
    if (breaker.leaseTickets[slot] !== BREAKER_REFUSED) firstAt = Math.min(firstAt, breaker.leaseExpiresAt[slot]!)
  }
  return firstAt
}

function trip(breaker: Breaker, atAt: number): void {
  const { baseMs, maxMs, jitter } = breaker.open
  const periodMs = Math.min(maxMs, baseMs * 2 ** Math.min(breaker.openings, 52))
  breaker.state = 'open'
  breaker.sinceAt = atAt
  breaker.openUntilAt = atAt + (jitter === 0 ? periodMs : periodMs * (1 - jitter * breaker.random()))
  breaker.openings += 1
  startGeneration(breaker)
}

function startHalfOpen(breaker: Breaker, nowAt: number): void {
  breaker.openedMs += breaker.openUntilAt - breaker.sinceAt
  breaker.state = 'half-open'
  breaker.sinceAt = nowAt
  startGeneration(breaker)
}

function close(breaker: Breaker, atAt: number): void {
  breaker.state = 'closed'
  breaker.sinceAt = atAt
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
