import { advanceSketch, type LatencySketch, SKETCH_BUCKETS, sketchValueMs } from './latency-sketch.js'

/**
 * The quantile (0 to 1) of a latency of which some observations were cut short: `ended` holds those that ended, `cut` how long
 * the others had taken when they were cancelled. The product-limit estimate of Kaplan and Meier (JASA 53, 1958), to within
 * half a bucket. When too many were cut to tell, the largest value seen, which is a lower bound; NaN when both are empty.
 */
export function censoredQuantileMs(ended: LatencySketch, cut: LatencySketch, quantile: number, nowAt: number): number {
  advanceSketch(ended, nowAt)
  advanceSketch(cut, nowAt)
  let atRisk = ended.count + cut.count
  let surviving = 1
  let largestMs = Number.NaN
  for (let bucket = 0; bucket < SKETCH_BUCKETS && atRisk > 0; bucket += 1) {
    const here = ended.totals[bucket]!
    const cutHere = cut.totals[bucket]!
    if (here + cutHere === 0) continue
    largestMs = sketchValueMs(bucket)
    surviving *= 1 - here / atRisk
    // Rounding must not push the quantile that is met exactly into the next bucket.
    if (here > 0 && 1 - surviving >= quantile - 1e-12) return largestMs
    atRisk -= here + cutHere
  }
  return largestMs
}
