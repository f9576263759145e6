import { optionCount, optionInRange } from './option-range.js'

/** Buckets per doubling; a value is known to within half a bucket, so at most 1/64 (1.6 %) of itself. */
export const SKETCH_STEPS = 32

/** The finest step, ms (1/64): below half a millisecond buckets are this wide, so the error there is at most 1/128 ms. */
export const SKETCH_UNIT_MS: number = 1 / 64

/** What is longer counts as this long, ms: 2^22 - 1/64, about 70 minutes. */
export const SKETCH_MAX_MS: number = 4_194_304 - 1 / 64

/** Number of buckets. */
export const SKETCH_BUCKETS = 768

/** How far back a sketch looks, and how exactly it forgets. */
export interface SketchOptions {
  /** Length of the window, ms; default 10 000; `Infinity` never forgets. */
  readonly windowMs?: number
  /** Parts the window is forgotten in, 1 to 60; default 10: it looks back between 90 % and 100 % of the window. */
  readonly slices?: number
}

/** The defaults of {@link SketchOptions}. */
export const SKETCH_DEFAULTS: Readonly<Required<SketchOptions>> = Object.freeze({ windowMs: 10_000, slices: 10 })

/**
 * The latencies of a recent window as a log-linear histogram (HdrHistogram's layout). Recording takes constant time and
 * allocates nothing; two sketches merge by adding. About 34 kB with ten slices.
 */
export interface LatencySketch {
  /** Values in the window; read it after {@link advanceSketch}. */
  count: number
  readonly sliceMs: number
  readonly slices: number
  /** Per bucket, over the whole window. */
  readonly totals: Uint32Array
  /** Per slice and bucket. */
  readonly parts: Uint32Array
  readonly partCounts: Uint32Array
  sliceIndex: number
  sliceEndsAt: number
  p50Ms: number
  p95Ms: number
  p99Ms: number
  recordsUntilRefresh: number
}

/** A sketch as JSON: pairs of bucket and count, in the order of the buckets. */
export interface SketchData {
  readonly schemaVersion: 1
  readonly count: number
  readonly buckets: readonly (readonly [bucket: number, count: number])[]
}

/** Makes an empty sketch. @throws TypeError or RangeError for an option outside its range */
export function createLatencySketch(options: SketchOptions = {}): LatencySketch {
  const windowMs = optionInRange('sketch.windowMs', options.windowMs ?? SKETCH_DEFAULTS.windowMs, 1)
  const slices = windowMs === Infinity ? 1 : optionCount('sketch.slices', options.slices ?? SKETCH_DEFAULTS.slices, 1, 60)
  return {
    count: 0,
    sliceMs: windowMs / slices,
    slices,
    totals: new Uint32Array(SKETCH_BUCKETS),
    parts: new Uint32Array(windowMs === Infinity ? 0 : SKETCH_BUCKETS * slices),
    partCounts: new Uint32Array(slices),
    sliceIndex: 0,
    sliceEndsAt: -Infinity,
    p50Ms: Number.NaN,
    p95Ms: Number.NaN,
    p99Ms: Number.NaN,
    recordsUntilRefresh: 0,
  }
}

/** The bucket of a latency in ms; what is negative or NaN falls into the first. */
export function sketchBucketOf(latencyMs: number): number {
  if (latencyMs >= SKETCH_MAX_MS) return SKETCH_BUCKETS - 1
  const units = (latencyMs * 64) | 0
  if (units < SKETCH_STEPS) return Math.max(0, units)
  const shift = 26 - Math.clz32(units)
  return shift * SKETCH_STEPS + (units >>> shift)
}

/** The middle of a bucket, ms. */
export function sketchValueMs(bucket: number): number {
  if (bucket < 2 * SKETCH_STEPS) return (bucket + 0.5) * SKETCH_UNIT_MS
  const shift = Math.floor(bucket / SKETCH_STEPS) - 1
  return (bucket - shift * SKETCH_STEPS + 0.5) * 2 ** shift * SKETCH_UNIT_MS
}

/** Adds one latency (ms) seen at `nowAt`. */
export function recordLatency(sketch: LatencySketch, latencyMs: number, nowAt: number): void {
  if (nowAt >= sketch.sliceEndsAt) turnSlices(sketch, nowAt)
  const bucket = sketchBucketOf(latencyMs)
  sketch.totals[bucket]! += 1
  sketch.count += 1
  sketch.recordsUntilRefresh -= 1
  if (sketch.parts.length === 0) return
  const slot = sketch.sliceIndex % sketch.slices
  sketch.parts[slot * SKETCH_BUCKETS + bucket]! += 1
  sketch.partCounts[slot]! += 1
}

/** Forgets what has left the window by `nowAt`. */
export function advanceSketch(sketch: LatencySketch, nowAt: number): void {
  if (nowAt >= sketch.sliceEndsAt) turnSlices(sketch, nowAt)
}

/** The latency (ms) below or at which a share `quantile` (0 to 1) of the window lies, exact to half a bucket; NaN when empty. Looks at all buckets. */
export function quantileMs(sketch: LatencySketch, quantile: number, nowAt: number): number {
  advanceSketch(sketch, nowAt)
  return valueAtRank(sketch, Math.max(1, Math.ceil(quantile * sketch.count)))
}

/** As {@link quantileMs} for 0.5, at constant cost on average: recomputed when a slice is forgotten or 1/16 more came in. */
export function recentMedianMs(sketch: LatencySketch, nowAt: number): number {
  refresh(sketch, nowAt)
  return sketch.p50Ms
}

/** As {@link recentMedianMs} for 0.95. */
export function recentP95Ms(sketch: LatencySketch, nowAt: number): number {
  refresh(sketch, nowAt)
  return sketch.p95Ms
}

/** As {@link recentMedianMs} for 0.99. */
export function recentP99Ms(sketch: LatencySketch, nowAt: number): number {
  refresh(sketch, nowAt)
  return sketch.p99Ms
}

/** Adds all of `from`'s window to `into`, as if seen at `nowAt`. */
export function mergeSketch(into: LatencySketch, from: LatencySketch, nowAt: number): void {
  advanceSketch(into, nowAt)
  for (let bucket = 0; bucket < SKETCH_BUCKETS; bucket += 1) {
    const count = from.totals[bucket]!
    if (count > 0) addToBucket(into, bucket, count)
  }
}

/** The window as plain data. */
export function sketchToData(sketch: LatencySketch): SketchData {
  const buckets: (readonly [number, number])[] = []
  for (let bucket = 0; bucket < SKETCH_BUCKETS; bucket += 1) {
    const count = sketch.totals[bucket]!
    if (count > 0) buckets.push([bucket, count])
  }
  return { schemaVersion: 1, count: sketch.count, buckets }
}

/** Adds plain data to a sketch, as if seen at `nowAt`: false, and nothing added, when the data is not a sketch's. */
export function addSketchData(into: LatencySketch, data: SketchData, nowAt: number): boolean {
  const legal = (n: unknown, most: number): boolean => typeof n === 'number' && Number.isInteger(n) && n >= 0 && n <= most
  if (data?.schemaVersion !== 1 || !Array.isArray(data.buckets)) return false
  const pairs: SketchData['buckets'] = data.buckets
  if (!pairs.every((pair) => Array.isArray(pair) && legal(pair[0], SKETCH_BUCKETS - 1) && legal(pair[1], 0xffff_ffff))) return false
  advanceSketch(into, nowAt)
  for (const [bucket, count] of pairs) addToBucket(into, bucket, count)
  return true
}

function addToBucket(sketch: LatencySketch, bucket: number, count: number): void {
  sketch.totals[bucket]! += count
  sketch.count += count
  sketch.recordsUntilRefresh = 0
  if (sketch.parts.length === 0) return
  const slot = sketch.sliceIndex % sketch.slices
  sketch.parts[slot * SKETCH_BUCKETS + bucket]! += count
  sketch.partCounts[slot]! += count
}

function turnSlices(sketch: LatencySketch, nowAt: number): void {
  if (sketch.sliceMs === Infinity) {
    sketch.sliceEndsAt = Infinity
    return
  }
  const index = Math.max(0, Math.floor(nowAt / sketch.sliceMs))
  const passed = sketch.sliceEndsAt === -Infinity ? sketch.slices : Math.min(index - sketch.sliceIndex, sketch.slices)
  for (let step = 0; step < passed; step += 1) forgetSlice(sketch, (index - step + sketch.slices) % sketch.slices)
  sketch.sliceIndex = index
  sketch.sliceEndsAt = (index + 1) * sketch.sliceMs
  sketch.recordsUntilRefresh = 0
}

function forgetSlice(sketch: LatencySketch, slot: number): void {
  const forgotten = sketch.partCounts[slot]!
  if (forgotten === 0) return
  const { totals, parts } = sketch
  const start = slot * SKETCH_BUCKETS
  for (let bucket = 0; bucket < SKETCH_BUCKETS; bucket += 1) totals[bucket]! -= parts[start + bucket]!
  parts.fill(0, start, start + SKETCH_BUCKETS)
  sketch.partCounts[slot] = 0
  sketch.count -= forgotten
}

function valueAtRank(sketch: LatencySketch, rank: number): number {
  let below = 0
  for (let bucket = 0; bucket < SKETCH_BUCKETS; bucket += 1) {
    below += sketch.totals[bucket]!
    if (below >= rank) return sketchValueMs(bucket)
  }
  return Number.NaN
}

function refresh(sketch: LatencySketch, nowAt: number): void {
  advanceSketch(sketch, nowAt)
  if (sketch.recordsUntilRefresh > 0) return
  const count = sketch.count
  sketch.p50Ms = valueAtRank(sketch, Math.max(1, Math.ceil(0.5 * count)))
  sketch.p95Ms = valueAtRank(sketch, Math.max(1, Math.ceil(0.95 * count)))
  sketch.p99Ms = valueAtRank(sketch, Math.max(1, Math.ceil(0.99 * count)))
  sketch.recordsUntilRefresh = Math.max(1, count >>> 4)
}
