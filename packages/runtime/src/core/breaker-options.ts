import { optionCount, optionInRange } from './option-range.js'
import type { RateWindowOptions } from './rate-window.js'

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

/** {@link BreakerOptions} with nothing left open; a trigger that is off is `Infinity`. */
export interface BreakerRules {
  readonly window: RateWindowOptions
  readonly consecutive: number
  readonly failureRate: number
  readonly slowMs: number
  readonly slowRate: number
  readonly minCalls: number
  readonly open: Readonly<Required<BreakerOpenPeriods>>
  readonly probes: number
  readonly leaseMs: number
}

/**
 * Fills in the defaults and checks every field.
 * @throws TypeError or RangeError for a field outside its range, two windows, or a `slowRate` without `slowMs`
 */
export function resolveBreaker(options: BreakerOptions): BreakerRules {
  const { windowMs, windowCalls } = options
  if (windowMs !== undefined && windowCalls !== undefined)
    throw new RangeError('breaker.windowMs and breaker.windowCalls exclude each other')
  const minCalls = optionCount('breaker.minCalls', options.minCalls ?? BREAKER_DEFAULTS.minCalls, 1)
  return {
    ...triggers(options),
    window: windowCalls === undefined ? { windowMs: windowMs ?? BREAKER_DEFAULTS.windowMs } : { windowCalls },
    minCalls: windowCalls === undefined ? minCalls : Math.min(minCalls, windowCalls),
    open: openPeriods(options.openMs ?? BREAKER_DEFAULTS.openMs),
    probes: optionCount('breaker.probes', options.probes ?? BREAKER_DEFAULTS.probes, 1, 1_000),
    leaseMs: optionInRange('breaker.leaseMs', options.leaseMs ?? BREAKER_DEFAULTS.leaseMs, 1, 86_400_000),
  }
}

function triggers(options: BreakerOptions): Pick<BreakerRules, 'consecutive' | 'failureRate' | 'slowMs' | 'slowRate'> {
  const { slowMs = BREAKER_DEFAULTS.slowMs, slowRate = BREAKER_DEFAULTS.slowRate } = options
  if (options.slowRate !== undefined && slowMs === Infinity) throw new RangeError('breaker.slowRate needs breaker.slowMs')
  const byDefault = options.consecutive === undefined && options.failureRate === undefined && options.slowMs === undefined
  const {
    consecutive = byDefault ? BREAKER_DEFAULTS.consecutive : Infinity,
    failureRate = byDefault ? BREAKER_DEFAULTS.failureRate : Infinity,
  } = options
  return {
    consecutive: optionCount('breaker.consecutive', consecutive, 1),
    failureRate: failureRate === Infinity ? Infinity : optionInRange('breaker.failureRate', failureRate, Number.MIN_VALUE, 1),
    slowMs: optionInRange('breaker.slowMs', slowMs, 0.001),
    slowRate: optionInRange('breaker.slowRate', slowRate, Number.MIN_VALUE, 1),
  }
}

function openPeriods(openMs: number | BreakerOpenPeriods): Readonly<Required<BreakerOpenPeriods>> {
  if (typeof openMs !== 'object') {
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
