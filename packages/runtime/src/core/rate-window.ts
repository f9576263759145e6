import { optionCount, optionInRange } from './option-range.js'

/** How many buckets a window measured in time is made of. */
export const RATE_WINDOW_BUCKETS = 10

/** The longest window measured in calls that is accepted (one byte each). */
export const RATE_WINDOW_MAX_CALLS = 1_000_000

/** Either a window in time (ms, 1 and more) or one in the number of calls (1 to {@link RATE_WINDOW_MAX_CALLS}). */
export type RateWindowOptions = { readonly windowMs: number } | { readonly windowCalls: number }

/**
 * Counts how many of the recent events were marked. Over time it holds the running bucket and the nine before it, so it
 * looks back between 90 % and 100 % of `windowMs`; over calls it holds exactly the last `windowCalls`.
 */
export interface RateWindow {
  /** Events in the window; read it after {@link advanceRateWindow}. */
  total: number
  /** Marked events in the window, never more than `total`. */
  marked: number
  readonly bucketMs: number
  readonly totals: Int32Array
  readonly marks: Int32Array
  bucketIndex: number
  bucketEndsAt: number
  readonly lastCalls: Uint8Array
  callIndex: number
}

/**
 * Makes an empty window.
 * @throws TypeError or RangeError for a length outside its range
 */
export function createRateWindow(options: RateWindowOptions): RateWindow {
  const byTime = 'windowMs' in options
  const bucketMs = byTime ? optionInRange('windowMs', options.windowMs, 1, 86_400_000) / RATE_WINDOW_BUCKETS : 0
  const calls = byTime ? 0 : optionCount('windowCalls', options.windowCalls, 1, RATE_WINDOW_MAX_CALLS)
  return {
    total: 0,
    marked: 0,
    bucketMs,
    totals: new Int32Array(byTime ? RATE_WINDOW_BUCKETS : 0),
    marks: new Int32Array(byTime ? RATE_WINDOW_BUCKETS : 0),
    bucketIndex: 0,
    bucketEndsAt: -Infinity,
    lastCalls: new Uint8Array(calls),
    callIndex: 0,
  }
}

/** Adds one event at `nowAt`, marked (1) or not (0); constant time. An instant before the newest bucket counts in the newest. */
export function recordRate(window: RateWindow, mark: 0 | 1, nowAt: number): void {
  if (window.bucketMs === 0) {
    recordCall(window, mark)
    return
  }
  if (nowAt >= window.bucketEndsAt) turnBuckets(window, nowAt)
  const slot = window.bucketIndex % RATE_WINDOW_BUCKETS
  window.totals[slot]! += 1
  window.marks[slot]! += mark
  window.total += 1
  window.marked += mark
}

/** Marks one event more of those already in a window of time, as if it were the newest; never more marks than events, so false when all are. */
export function markNewest(window: RateWindow): boolean {
  if (window.marked >= window.total) return false
  window.marks[window.bucketIndex % RATE_WINDOW_BUCKETS]! += 1
  window.marked += 1
  return true
}

/** Forgets what has left the window by `nowAt`; a window of calls forgets nothing by time. */
export function advanceRateWindow(window: RateWindow, nowAt: number): void {
  if (window.bucketMs !== 0 && nowAt >= window.bucketEndsAt) turnBuckets(window, nowAt)
}

/** Empties the window. */
export function clearRateWindow(window: RateWindow): void {
  window.total = 0
  window.marked = 0
  window.totals.fill(0)
  window.marks.fill(0)
  window.callIndex = 0
}

function recordCall(window: RateWindow, mark: 0 | 1): void {
  const calls = window.lastCalls
  const at = window.callIndex
  if (window.total === calls.length) window.marked -= calls[at]!
  else window.total += 1
  calls[at] = mark
  window.marked += mark
  window.callIndex = at + 1 === calls.length ? 0 : at + 1
}

function turnBuckets(window: RateWindow, nowAt: number): void {
  const index = Math.max(0, Math.floor(nowAt / window.bucketMs))
  const passed = window.bucketEndsAt === -Infinity ? RATE_WINDOW_BUCKETS : Math.min(index - window.bucketIndex, RATE_WINDOW_BUCKETS)
  for (let step = 0; step < passed; step += 1) {
    const slot = (index - step + RATE_WINDOW_BUCKETS) % RATE_WINDOW_BUCKETS
    window.total -= window.totals[slot]!
    window.marked -= window.marks[slot]!
    window.totals[slot] = 0
    window.marks[slot] = 0
  }
  window.bucketIndex = index
  window.bucketEndsAt = (index + 1) * window.bucketMs
}
