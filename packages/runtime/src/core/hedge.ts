import { advanceSketch, createLatencySketch, type LatencySketch, recentP95Ms, recordLatency } from './latency-sketch.js'
import { optionCount, optionInRange } from './option-range.js'
import { advanceRateWindow, createRateWindow, type RateWindow, recordRate } from './rate-window.js'
import { type RetryBudget, spendRetry } from './retry-budget.js'

/** When a second copy of a slow read is sent. */
export interface HedgeOptions {
  /** Wait before the second copy, ms; absent: the recent p95. */
  readonly afterMs?: number
  /** Most extra calls as a share of all, above 0, at most 1; default 0.1. */
  readonly maxExtra?: number
  /** Fewest samples the p95 is taken from; default 20. */
  readonly minSamples?: number
  /** Window of p95 and share, ms; default 10 000. */
  readonly windowMs?: number
}

/** The defaults of {@link HedgeOptions}. */
export const HEDGE_DEFAULTS: Readonly<{ maxExtra: number; minSamples: number; windowMs: number }> = Object.freeze({
  maxExtra: 0.1,
  minSamples: 20,
  windowMs: 10_000,
})

/** One callee's hedging (reads only: ask `mayHedge` first): plain state, changed only by the functions of this file. */
export interface Hedge {
  readonly afterMs: number | null
  readonly maxExtra: number
  readonly minSamples: number
  readonly latencies: LatencySketch
  /** First copies, marked where a second was sent. */
  readonly calls: RateWindow
  /** Losers so far: cancelled, so how long they would have taken is not known. */
  censored: number
}

/** Makes one that has seen nothing. @throws TypeError or RangeError for an option outside its range */
export function createHedge(options: HedgeOptions = {}): Hedge {
  const windowMs = options.windowMs ?? HEDGE_DEFAULTS.windowMs
  return {
    afterMs: options.afterMs === undefined ? null : optionInRange('hedge.afterMs', options.afterMs, 0, 86_400_000),
    maxExtra: optionInRange('hedge.maxExtra', options.maxExtra ?? HEDGE_DEFAULTS.maxExtra, Number.MIN_VALUE, 1),
    minSamples: optionCount('hedge.minSamples', options.minSamples ?? HEDGE_DEFAULTS.minSamples, 1),
    latencies: createLatencySketch({ windowMs }),
    calls: createRateWindow({ windowMs }),
    censored: 0,
  }
}

/** How long to wait for the first copy before asking {@link tryHedge}, ms; `Infinity` while there are too few samples. Counts the call. */
export function startHedgeable(hedge: Hedge, nowAt: number): number {
  recordRate(hedge.calls, 0, nowAt)
  if (hedge.afterMs !== null) return hedge.afterMs
  advanceSketch(hedge.latencies, nowAt)
  return hedge.latencies.count < hedge.minSamples ? Infinity : recentP95Ms(hedge.latencies, nowAt)
}

/**
 * Asks to send the second copy at `nowAt`, with `budget` the retry budget it shares (null for none).
 * @returns the tokens spent (see `spendRetry`; 0 without a budget), or -1: do not send
 */
export function tryHedge(hedge: Hedge, budget: RetryBudget | null, nowAt: number): number {
  advanceRateWindow(hedge.calls, nowAt)
  const { total, marked } = hedge.calls
  if (marked + 1 > hedge.maxExtra * total) return -1
  const spent = budget === null ? 0 : spendRetry(budget, 'error')
  if (budget !== null && spent === 0) return -1
  // The call itself is already in the window: mark one without adding one.
  markOne(hedge.calls)
  return spent
}

/** A copy answered after `tookMs`. */
export function recordHedgeWinner(hedge: Hedge, tookMs: number, nowAt: number): void {
  recordLatency(hedge.latencies, tookMs, nowAt)
}

/**
 * A copy was cancelled after `tookMs` because the other one won: all that is known is that it takes longer. One that had
 * already passed the recent p95 counts as beyond it, any other is left out, so losing never makes the callee look quick.
 */
export function recordHedgeLoser(hedge: Hedge, tookMs: number, nowAt: number): void {
  hedge.censored += 1
  if (tookMs >= recentP95Ms(hedge.latencies, nowAt)) recordLatency(hedge.latencies, tookMs, nowAt)
}

function markOne(window: RateWindow): void {
  window.marks[window.bucketIndex % window.marks.length]! += 1
  window.marked += 1
}
