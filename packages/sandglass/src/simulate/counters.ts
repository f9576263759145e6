import { SKETCH_BUCKETS, sketchBucketOf, sketchValueMs } from '@sandglass/runtime/core'

/** Counters of a journey, by their place. */
export const JOURNEY = { offered: 0, succeeded: 1, degraded: 2, late: 3, failed: 4, calls: 5, attempts: 6, size: 7 } as const

/**
 * Counters of an operation, by their place. A pair of `…Now` and `…Sum` is an integral over time: on entering `now` is added
 * to the sum, on leaving it is taken off, so that at any instant the time spent so far is now x count - sum.
 */
export const OPERATION = {
  arrivals: 0,
  started: 1,
  completed: 2,
  useful: 3,
  rejected: 4,
  dropped: 5,
  entered: 6,
  waited: 7,
  waitMs: 8,
  busyNow: 9,
  busySum: 10,
  queuedNow: 11,
  queuedSum: 12,
  orphanNow: 13,
  orphanSum: 14,
  size: 15,
} as const

/** All numbers that are counted, in two arrays: taking stock is copying them. */
export interface Counters {
  readonly counts: Float64Array
  readonly histograms: Uint32Array
}

/** The counters at an instant. */
export interface Stock {
  readonly at: number
  readonly taken: number
  readonly counts: Float64Array
  readonly histograms: Uint32Array
  /** Time spent open by the breakers on calls to each operation. */
  readonly breakerOpenMs: Float64Array
}

/** Makes counters that are all 0. */
export function createCounters(journeys: number, operations: number): Counters {
  return {
    counts: new Float64Array(journeys * JOURNEY.size + operations * OPERATION.size),
    histograms: new Uint32Array((journeys + operations) * SKETCH_BUCKETS),
  }
}

/** Adds a time to the histogram that begins at `start`. */
export function countTime(counters: Counters, start: number, ms: number): void {
  counters.histograms[start + sketchBucketOf(ms)]! += 1
}

/** Something began at `now` whose time is to be summed. */
export function countIn(counts: Float64Array, place: number, now: number): void {
  counts[place]! += 1
  counts[place + 1]! += now
}

/** It ended. */
export function countOut(counts: Float64Array, place: number, now: number): void {
  counts[place]! -= 1
  counts[place + 1]! -= now
}

/** The time (ms) spent between two stocks, summed over all that was under way: divided by the distance it is their mean number. */
export function spentMs(from: Stock, to: Stock, place: number): number {
  return to.counts[place]! * to.at - to.counts[place + 1]! - (from.counts[place]! * from.at - from.counts[place + 1]!)
}

/** What was added to a counter between two stocks. */
export function added(from: Stock, to: Stock, place: number): number {
  return to.counts[place]! - from.counts[place]!
}

/** A quantile (0 to 1) of the times counted between two stocks, ms, to within 1.6 %; null when there are none. */
export function timeQuantile(from: Stock, to: Stock, start: number, quantile: number): number | null {
  let total = 0
  for (let bucket = 0; bucket < SKETCH_BUCKETS; bucket++) total += to.histograms[start + bucket]! - from.histograms[start + bucket]!
  if (total === 0) return null
  const rank = Math.max(1, Math.ceil(quantile * total))
  let below = 0
  for (let bucket = 0; bucket < SKETCH_BUCKETS; bucket++) {
    below += to.histograms[start + bucket]! - from.histograms[start + bucket]!
    if (below >= rank) return bucket === 0 ? 0 : sketchValueMs(bucket)
  }
  return null
}
