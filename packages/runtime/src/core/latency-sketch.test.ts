import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addSketchData,
  advanceSketch,
  createLatencySketch,
  mergeSketch,
  quantileMs,
  recentMedianMs,
  recentP95Ms,
  recentP99Ms,
  recordLatency,
  SKETCH_BUCKETS,
  SKETCH_MAX_MS,
  SKETCH_STEPS,
  SKETCH_UNIT_MS,
  type SketchData,
  sketchBucketOf,
  sketchToData,
  sketchValueMs,
} from './latency-sketch.js'

const latency = fc.oneof(fc.double({ min: 0, max: 100, noNaN: true }), fc.double({ min: 0, max: SKETCH_MAX_MS, noNaN: true }))

// The documented error: half a step of the finest unit, or half of a 32nd of the value.
const errorMs = (valueMs: number): number => Math.max(SKETCH_UNIT_MS / 2, valueMs / (2 * SKETCH_STEPS))

describe('buckets', () => {
  test('a value is known to within half a bucket', () => {
    fc.assert(
      fc.property(latency, (ms) => {
        expect(Math.abs(sketchValueMs(sketchBucketOf(ms)) - ms)).toBeLessThanOrEqual(errorMs(ms) + 1e-9)
      }),
      { numRuns: 2_000 },
    )
  })

  test('every bucket holds its own middle, and middles grow', () => {
    for (let bucket = 0; bucket < SKETCH_BUCKETS; bucket += 1) {
      expect(sketchBucketOf(sketchValueMs(bucket))).toBe(bucket)
      if (bucket > 0) expect(sketchValueMs(bucket)).toBeGreaterThan(sketchValueMs(bucket - 1))
    }
  })

  test('what is no latency falls into the first, what is too long into the last', () => {
    expect([-1, -Infinity, Number.NaN].map(sketchBucketOf)).toEqual([0, 0, 0])
    expect([SKETCH_MAX_MS, 1e12, Infinity].map(sketchBucketOf)).toEqual([SKETCH_BUCKETS - 1, SKETCH_BUCKETS - 1, SKETCH_BUCKETS - 1])
  })
})

describe('quantiles', () => {
  test('of 1 to 1000 ms are known to within the error of their bucket', () => {
    const sketch = createLatencySketch()
    for (let ms = 1; ms <= 1_000; ms += 1) recordLatency(sketch, ms, 0)
    for (const [quantile, exactMs] of [
      [0.5, 500],
      [0.95, 950],
      [0.99, 990],
      [0, 1],
      [1, 1_000],
    ] as const) {
      expect(Math.abs(quantileMs(sketch, quantile, 0) - exactMs)).toBeLessThanOrEqual(errorMs(exactMs))
    }
  })

  test('are those of the sorted values, whatever the values', () => {
    fc.assert(
      fc.property(fc.array(latency, { minLength: 1, maxLength: 200 }), fc.double({ min: 0, max: 1, noNaN: true }), (values, quantile) => {
        const sketch = createLatencySketch()
        for (const ms of values) recordLatency(sketch, ms, 0)
        const sorted = values.toSorted((a, b) => a - b)
        const exactMs = sorted[Math.max(1, Math.ceil(quantile * values.length)) - 1]!
        expect(Math.abs(quantileMs(sketch, quantile, 0) - exactMs)).toBeLessThanOrEqual(errorMs(exactMs) + 1e-9)
      }),
    )
  })

  test('of an empty window are NaN', () => {
    const sketch = createLatencySketch()
    expect([quantileMs(sketch, 0.5, 0), recentMedianMs(sketch, 0), recentP99Ms(sketch, 0)]).toEqual([Number.NaN, Number.NaN, Number.NaN])
    recordLatency(sketch, 5, 0)
    expect(recentMedianMs(sketch, 0)).toBeCloseTo(5, 0)
    expect(recentMedianMs(sketch, 20_000)).toBeNaN()
  })

  test('the recent ones lag by at most a sixteenth of the records', () => {
    const sketch = createLatencySketch()
    for (let record = 0; record < 1_600; record += 1) recordLatency(sketch, 10, 0)
    expect(recentP95Ms(sketch, 0)).toBeCloseTo(10, 0)
    for (let record = 0; record < 100; record += 1) recordLatency(sketch, 1_000, 0)
    expect(recentP95Ms(sketch, 0)).toBeGreaterThan(900)
    expect(recentMedianMs(sketch, 0)).toBeCloseTo(10, 0)
  })

  test('the recent ones are not computed again for every record', () => {
    const sketch = createLatencySketch()
    for (let record = 0; record < 1_600; record += 1) recordLatency(sketch, 10, 0)
    expect(recentP99Ms(sketch, 0)).toBeCloseTo(10, 0)
    for (let record = 0; record < 99; record += 1) recordLatency(sketch, 1_000, 0)
    expect(recentP99Ms(sketch, 0)).toBeCloseTo(10, 0)
    recordLatency(sketch, 1_000, 0)
    expect(recentP99Ms(sketch, 0)).toBeGreaterThan(900)
  })

  test('median, p95 and p99 are told apart', () => {
    const sketch = createLatencySketch()
    for (let ms = 1; ms <= 1_000; ms += 1) recordLatency(sketch, ms, 0)
    const recent = [recentP99Ms, recentP95Ms, recentMedianMs].map((read) => read(sketch, 0))
    for (const [at, exactMs] of [990, 950, 500].entries()) expect(Math.abs(recent[at]! - exactMs)).toBeLessThanOrEqual(errorMs(exactMs))
  })
})

describe('the window', () => {
  test('forgets what is ten slices back', () => {
    const sketch = createLatencySketch()
    recordLatency(sketch, 100, 500)
    recordLatency(sketch, 1, 1_500)
    advanceSketch(sketch, 9_999)
    expect(sketch.count).toBe(2)
    expect(quantileMs(sketch, 1, 10_000)).toBeCloseTo(1, 1)
    advanceSketch(sketch, 11_000)
    expect(sketch.count).toBe(0)
  })

  test('always holds exactly the records of the newest slices', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(4_000), fc.nat(1_000)), { maxLength: 80 }), fc.integer({ min: 1, max: 12 }), (steps, slices) => {
        const sketch = createLatencySketch({ windowMs: 10_000, slices })
        const seen: { slice: number; ms: number }[] = []
        let nowAt = 0
        for (const [waitMs, ms] of steps) {
          nowAt += waitMs
          const slice = Math.floor(nowAt / (10_000 / slices))
          recordLatency(sketch, ms, nowAt)
          seen.push({ slice, ms })
          const expected = new Uint32Array(SKETCH_BUCKETS)
          for (const record of seen) if (record.slice > slice - slices) expected[sketchBucketOf(record.ms)]! += 1
          expect(sketch.totals).toEqual(expected)
        }
      }),
      { numRuns: 40 },
    )
  })

  test('of Infinity never forgets', () => {
    const sketch = createLatencySketch({ windowMs: Infinity })
    recordLatency(sketch, 7, 0)
    recordLatency(sketch, 7, 1e12)
    expect(sketch.count).toBe(2)
    expect(quantileMs(sketch, 0.5, 1e13)).toBeCloseTo(7, 0)
  })
})

describe('merging', () => {
  const recorded = (values: readonly number[]): ReturnType<typeof createLatencySketch> => {
    const sketch = createLatencySketch({ windowMs: Infinity })
    for (const ms of values) recordLatency(sketch, ms, 0)
    return sketch
  }

  test('two sketches give the sketch of both, also by way of JSON, in either order', () => {
    const values = fc.array(latency, { maxLength: 60 })
    fc.assert(
      fc.property(values, values, (one, other) => {
        const whole = sketchToData(recorded([...one, ...other]))
        const merged = recorded(one)
        mergeSketch(merged, recorded(other), 0)
        const sent = recorded(other)
        expect(addSketchData(sent, JSON.parse(JSON.stringify(sketchToData(recorded(one)))) as SketchData, 0)).toBe(true)
        expect(sketchToData(merged)).toEqual(whole)
        expect(sketchToData(sent)).toEqual(whole)
      }),
    )
  })

  test('what was merged is forgotten with the slice it was merged in', () => {
    const sketch = createLatencySketch()
    recordLatency(sketch, 50, 3_000)
    mergeSketch(sketch, recorded([1, 2, 3]), 4_000)
    addSketchData(sketch, sketchToData(recorded([4])), 5_000)
    expect(sketch.count).toBe(5)
    advanceSketch(sketch, 14_000)
    expect(sketchToData(sketch)).toEqual(sketchToData(recorded([4])))
    advanceSketch(sketch, 15_000)
    expect(sketchToData(sketch)).toEqual(sketchToData(recorded([])))
    recordLatency(sketch, 5, 15_000)
    advanceSketch(sketch, 25_000)
    expect(sketch.count).toBe(0)
  })

  test.each([
    [null],
    [{}],
    [{ schemaVersion: 2, count: 0, buckets: [] }],
    [{ schemaVersion: 1, count: 1, buckets: [[SKETCH_BUCKETS, 1]] }],
    [{ schemaVersion: 1, count: 1, buckets: [[0, -1]] }],
    [{ schemaVersion: 1, count: 1, buckets: [[0, 0.5]] }],
    [{ schemaVersion: 1, count: 1, buckets: [5] }],
  ])('data that is no sketch, %j, is refused and adds nothing', (data) => {
    const sketch = createLatencySketch()
    expect(addSketchData(sketch, data as unknown as SketchData, 0)).toBe(false)
    expect(sketch.count).toBe(0)
  })
})
