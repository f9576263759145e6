import { optionCount, optionInRange } from './option-range.js'

/** How an adaptive limit of calls in flight moves. */
export interface LimiterOptions {
  /** First limit; default 20. */
  readonly initial?: number
  /** Lowest limit; default 1. */
  readonly min?: number
  /** Highest limit; default 200. */
  readonly max?: number
  /** How many times the latency of an idle callee is still fine, 1 to 10; default 1.5. */
  readonly tolerance?: number
  /** Calls beyond that, so that it is noticed when the callee gets quicker; default 4. */
  readonly headroom?: number
  /** Share (above 0, at most 1) of each step that is taken; default 0.2. */
  readonly smoothing?: number
  /** After so many rounds the limit is lowered for two, to see the callee without a queue; default 50. */
  readonly probeRounds?: number
}

/** The defaults of {@link LimiterOptions}; the first six are those of Netflix concurrency-limits. */
export const LIMITER_DEFAULTS: Readonly<Required<LimiterOptions>> = Object.freeze({
  initial: 20,
  min: 1,
  max: 200,
  tolerance: 1.5,
  headroom: 4,
  smoothing: 0.2,
  probeRounds: 50,
})

/** The fewest calls a round's mean is taken from. */
export const LIMITER_ROUND_SAMPLES = 10

/**
 * An adaptive limit, opt-in. Once a round (as many calls as the limit): limit <- limit x gradient + headroom, smoothed, with
 * gradient = tolerance x idle latency / mean latency of the round, within 0.5 and 1 (the gradient of Netflix
 * concurrency-limits). The idle latency is the least mean of a round, measured anew at a lowered limit (BBR's `ProbeRTT`,
 * ACM Queue 14(5), 2016), so a standing queue never becomes the usual. A callee that bears C calls gets
 * tolerance x C + headroom.
 */
export interface Limiter {
  readonly options: Readonly<Required<LimiterOptions>>
  /** The limit before rounding down. */
  estimate: number
  inFlight: number
  idleMs: number
  /** 0 in normal rounds; 1 while a lowered limit drains the queue, 2 while it measures. */
  probing: 0 | 1 | 2
  rounds: number
  roundSize: number
  roundCalls: number
  roundAnswered: number
  roundMs: number
  roundPeak: number
}

/** Makes one at its first limit. @throws TypeError or RangeError for an option outside its range */
export function createLimiter(options: LimiterOptions = {}): Limiter {
  const given = { ...LIMITER_DEFAULTS, ...options }
  const min = optionCount('limiter.min', given.min, 1, 1_000_000)
  const max = optionCount('limiter.max', given.max, min, 1_000_000)
  const initial = optionCount('limiter.initial', given.initial, min, max)
  return {
    options: {
      initial,
      min,
      max,
      tolerance: optionInRange('limiter.tolerance', given.tolerance, 1, 10),
      headroom: optionInRange('limiter.headroom', given.headroom, 0, max),
      smoothing: optionInRange('limiter.smoothing', given.smoothing, 0.001, 1),
      probeRounds: optionCount('limiter.probeRounds', given.probeRounds, 1),
    },
    estimate: initial,
    inFlight: 0,
    idleMs: Infinity,
    probing: 0,
    rounds: 0,
    roundSize: Math.max(LIMITER_ROUND_SAMPLES, initial),
    roundCalls: 0,
    roundAnswered: 0,
    roundMs: 0,
    roundPeak: 0,
  }
}

/** The limit now, a whole number from `min` to `max`. */
export function limiterLimit(limiter: Limiter): number {
  const { min, tolerance } = limiter.options
  return Math.floor(limiter.probing === 0 ? limiter.estimate : Math.max(min, limiter.estimate / (2 * tolerance)))
}

/** Starts a call when there is room: true, and {@link leaveLimiter} is owed. */
export function enterLimiter(limiter: Limiter): boolean {
  if (limiter.inFlight >= limiterLimit(limiter)) return false
  limiter.inFlight += 1
  if (limiter.inFlight > limiter.roundPeak) limiter.roundPeak = limiter.inFlight
  return true
}

/**
 * Ends a call that took `tookMs`. `ended`: `answered` gives a sample, `dropped` (timed out or throttled) makes the round shrink
 * the limit as the smallest gradient does, `ignored` (cancelled, refused elsewhere) does neither. Constant time.
 */
export function leaveLimiter(limiter: Limiter, tookMs: number, ended: 'answered' | 'dropped' | 'ignored'): void {
  limiter.inFlight = Math.max(0, limiter.inFlight - 1)
  if (ended === 'ignored') return
  limiter.roundCalls += 1
  if (ended === 'answered') {
    limiter.roundAnswered += 1
    limiter.roundMs += Math.max(tookMs, 0.001)
  }
  if (limiter.roundCalls >= limiter.roundSize) endRound(limiter)
}

function endRound(limiter: Limiter): void {
  const { min, max, headroom, smoothing, probeRounds } = limiter.options
  const meanMs = limiter.roundMs / limiter.roundAnswered
  const dropped = limiter.roundAnswered < limiter.roundCalls
  if (limiter.probing === 2 && limiter.roundAnswered > 0) limiter.idleMs = meanMs
  if (limiter.probing === 0) {
    limiter.idleMs = Math.min(limiter.idleMs, limiter.roundAnswered > 0 ? meanMs : Infinity)
    const gradient = dropped ? 0.5 : Math.max(0.5, Math.min(1, (limiter.options.tolerance * limiter.idleMs) / meanMs))
    const aim = limiter.estimate * gradient + (dropped ? 0 : headroom)
    const moved = limiter.estimate * (1 - smoothing) + aim * smoothing
    // A limit that is not reached proves nothing about what the callee could bear.
    const isIdle = limiter.roundPeak < limiter.estimate / 2
    limiter.estimate = Math.max(min, Math.min(max, isIdle ? Math.min(moved, limiter.estimate) : moved))
    limiter.rounds += 1
  }
  startRound(limiter, limiter.rounds >= probeRounds)
}

function startRound(limiter: Limiter, wantsProbe: boolean): void {
  if (limiter.probing === 1) limiter.probing = 2
  else if (limiter.probing === 0 && wantsProbe) limiter.probing = 1
  else limiter.probing = 0
  if (limiter.probing === 1) limiter.rounds = 0
  // What is in flight when the limit is lowered was queued under the old one: it has to be out before the measurement.
  limiter.roundSize = Math.max(LIMITER_ROUND_SAMPLES, limiter.probing === 1 ? limiter.inFlight : limiterLimit(limiter))
  limiter.roundCalls = 0
  limiter.roundAnswered = 0
  limiter.roundMs = 0
  limiter.roundPeak = limiter.inFlight
}
