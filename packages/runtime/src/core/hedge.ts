import { censoredQuantileMs } from './censored-quantile.js'
import { advanceSketch, createLatencySketch, type LatencySketch, recordLatency } from './latency-sketch.js'
import { optionCount, optionInRange } from './option-range.js'
import { advanceRateWindow, createRateWindow, markNewest, type RateWindow, recordRate } from './rate-window.js'
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
  /** How long copies took that ended. */
  readonly ended: LatencySketch
  /** How long losers had taken when they were cancelled: censored, their end is not known. */
  readonly cut: LatencySketch
  /** First copies, marked where a second was sent. */
  readonly calls: RateWindow
  p95Ms: number
  recordsUntilRefresh: number
  refreshAt: number
}

/** Makes one that has seen nothing. @throws TypeError or RangeError for an option outside its range */
export function createHedge(options: HedgeOptions = {}): Hedge {
  const windowMs = options.windowMs ?? HEDGE_DEFAULTS.windowMs
  return {
    afterMs: options.afterMs === undefined ? null : optionInRange('hedge.afterMs', options.afterMs, 0, 86_400_000),
    maxExtra: optionInRange('hedge.maxExtra', options.maxExtra ?? HEDGE_DEFAULTS.maxExtra, Number.MIN_VALUE, 1),
    minSamples: optionCount('hedge.minSamples', options.minSamples ?? HEDGE_DEFAULTS.minSamples, 1),
    ended: createLatencySketch({ windowMs }),
    cut: createLatencySketch({ windowMs }),
    calls: createRateWindow({ windowMs }),
    p95Ms: Number.NaN,
    recordsUntilRefresh: 0,
    refreshAt: -Infinity,
  }
}

/** How long to wait for the first copy before asking {@link tryHedge}, ms; `Infinity` while there are too few samples. Counts the call. */
export function startHedgeable(hedge: Hedge, nowAt: number): number {
  recordRate(hedge.calls, 0, nowAt)
  if (hedge.afterMs !== null) return hedge.afterMs
  advanceSketch(hedge.ended, nowAt)
  return hedge.ended.count < hedge.minSamples ? Infinity : recentHedgeP95Ms(hedge, nowAt)
}

/** The recent p95 with losers counted as censored, ms, at constant cost on average: recomputed each slice and each 1/16 more records. */
export function recentHedgeP95Ms(hedge: Hedge, nowAt: number): number {
  if (hedge.recordsUntilRefresh <= 0 || nowAt >= hedge.refreshAt) {
    hedge.p95Ms = censoredQuantileMs(hedge.ended, hedge.cut, 0.95, nowAt)
    hedge.recordsUntilRefresh = Math.max(1, (hedge.ended.count + hedge.cut.count) >>> 4)
    hedge.refreshAt = hedge.ended.sliceEndsAt
  }
  return hedge.p95Ms
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
  markNewest(hedge.calls)
  return spent
}

/** A copy answered after `tookMs`. */
export function recordHedgeWinner(hedge: Hedge, tookMs: number, nowAt: number): void {
  hedge.recordsUntilRefresh -= 1
  recordLatency(hedge.ended, tookMs, nowAt)
}

/** A copy was cancelled after `tookMs` because the other one won: all that is known is that it takes longer than that. */
export function recordHedgeLoser(hedge: Hedge, tookMs: number, nowAt: number): void {
  hedge.recordsUntilRefresh -= 1
  recordLatency(hedge.cut, tookMs, nowAt)
}
