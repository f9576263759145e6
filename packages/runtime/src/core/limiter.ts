import { optionCount, optionInRange } from './option-range.js'

/** How an adaptive limit of calls in flight moves. */
export interface LimiterOptions {
  /** First limit; default 20. */
  readonly initial?: number
  /** Lowest limit; default 1. */
  readonly min?: number
  /** Highest limit; default 200. */
  readonly max?: number
  /** How much slower than usual is still fine, 1 and more; default 1.5. */
  readonly tolerance?: number
  /** Calls that may queue at the callee so that it is found when it gets quicker; default 4. */
  readonly headroom?: number
  /** Share (above 0, at most 1) of each step that is taken; default 0.2. */
  readonly smoothing?: number
  /** Samples over which the usual latency is averaged; default 600. */
  readonly longSamples?: number
}

/** The defaults of {@link LimiterOptions}, those of Netflix concurrency-limits' `Gradient2Limit`. */
export const LIMITER_DEFAULTS: Readonly<Required<LimiterOptions>> = Object.freeze({
  initial: 20,
  min: 1,
  max: 200,
  tolerance: 1.5,
  headroom: 4,
  smoothing: 0.2,
  longSamples: 600,
})

/**
 * An adaptive limit, opt-in: limit <- limit x gradient + headroom, gradient = tolerance x usual / last latency within
 * [0.5, 1], smoothed (Netflix concurrency-limits, `Gradient2Limit`, Apache-2.0; the formula, not the code).
 */
export interface Limiter {
  readonly min: number
  readonly max: number
  readonly tolerance: number
  readonly headroom: number
  readonly smoothing: number
  readonly longSamples: number
  /** The limit before rounding down. */
  estimate: number
  inFlight: number
  usualMs: number
  samples: number
}

/** Makes one at its first limit. @throws TypeError or RangeError for an option outside its range */
export function createLimiter(options: LimiterOptions = {}): Limiter {
  const given = { ...LIMITER_DEFAULTS, ...options }
  const min = optionCount('limiter.min', given.min, 1, 1_000_000)
  const max = optionCount('limiter.max', given.max, min, 1_000_000)
  return {
    min,
    max,
    tolerance: optionInRange('limiter.tolerance', given.tolerance, 1, 100),
    headroom: optionInRange('limiter.headroom', given.headroom, 0, max),
    smoothing: optionInRange('limiter.smoothing', given.smoothing, 0.001, 1),
    longSamples: optionCount('limiter.longSamples', given.longSamples, 1, 1_000_000),
    estimate: optionCount('limiter.initial', given.initial, min, max),
    inFlight: 0,
    usualMs: 0,
    samples: 0,
  }
}

/** The limit now, a whole number from `min` to `max`. */
export function limiterLimit(limiter: Limiter): number {
  return Math.floor(limiter.estimate)
}

/** Starts a call when there is room: true, and {@link leaveLimiter} is owed. */
export function enterLimiter(limiter: Limiter): boolean {
  if (limiter.inFlight >= limiterLimit(limiter)) return false
  limiter.inFlight += 1
  return true
}

/**
 * Ends a call that took `tookMs`. `ended`: `answered` moves the limit, `dropped` (timed out or throttled) shrinks it as the
 * smallest gradient does, `ignored` (cancelled, refused elsewhere) does neither.
 */
export function leaveLimiter(limiter: Limiter, tookMs: number, ended: 'answered' | 'dropped' | 'ignored'): void {
  const inFlight = limiter.inFlight
  limiter.inFlight = Math.max(0, inFlight - 1)
  if (ended === 'ignored') return
  const gradient = ended === 'dropped' ? 0.5 : learnGradient(limiter, tookMs)
  // A limit that is not reached proves nothing about what the callee could bear.
  if (gradient === 1 && inFlight < limiter.estimate / 2) return
  const aim = limiter.estimate * gradient + (ended === 'dropped' ? 0 : limiter.headroom)
  const moved = limiter.estimate * (1 - limiter.smoothing) + aim * limiter.smoothing
  limiter.estimate = Math.min(limiter.max, Math.max(limiter.min, moved))
}

function learnGradient(limiter: Limiter, tookMs: number): number {
  const sampleMs = Math.max(tookMs, 0.001)
  limiter.samples += 1
  limiter.usualMs += (sampleMs - limiter.usualMs) / Math.min(limiter.samples, limiter.longSamples)
  // After a long slow spell the average would stay high and let everything through: let it come down quickly.
  if (limiter.usualMs > 2 * sampleMs) limiter.usualMs *= 0.95
  return Math.max(0.5, Math.min(1, (limiter.tolerance * limiter.usualMs) / sampleMs))
}
