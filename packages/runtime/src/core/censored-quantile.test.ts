import fc from 'fast-check'
import { expect, test } from 'vitest'
import { censoredQuantileMs } from './censored-quantile.js'
import { createLatencySketch, type LatencySketch, quantileMs, recordLatency, sketchBucketOf, sketchValueMs } from './latency-sketch.js'

function sketchOf(values: readonly number[]): LatencySketch {
  const sketch = createLatencySketch()
  for (const ms of values) recordLatency(sketch, ms, 0)
  return sketch
}

const bucketMs = (ms: number): number => sketchValueMs(sketchBucketOf(ms))

test('without censoring it is the ordinary quantile', () => {
  const values = fc.array(fc.nat(5_000), { minLength: 1, maxLength: 100 })
  fc.assert(
    fc.property(values, fc.double({ min: 0.01, max: 1, noNaN: true }), (ended, quantile) => {
      expect(censoredQuantileMs(sketchOf(ended), sketchOf([]), quantile, 0)).toBe(quantileMs(sketchOf(ended), quantile, 0))
    }),
  )
})

test('the textbook example: 6 6 6 7 10 13 16 22 23 weeks ended, 6 9 10 11 17 19 20 25 32 32 34 35 cut (Freireich 1963)', () => {
  const ended = sketchOf([6, 6, 6, 7, 10, 13, 16, 22, 23])
  const cut = sketchOf([6.3, 9, 10.4, 11, 17, 19, 20, 25, 32, 32, 34, 35])
  // Its survival: .857 at 6, .807 at 7, .753 at 10, .690 at 13, .627 at 16, .538 at 22, .448 at 23.
  for (const [quantile, weeks] of [
    [0.14, 6],
    [0.19, 7],
    [0.24, 10],
    [0.3, 13],
    [0.37, 16],
    [0.46, 22],
    [0.5, 23],
  ] as const) {
    expect(censoredQuantileMs(ended, cut, quantile, 0)).toBe(bucketMs(weeks))
  }
})

test('beyond what can be told it is the largest value seen, and of nothing NaN', () => {
  expect(censoredQuantileMs(sketchOf([10]), sketchOf([20, 30]), 0.9, 0)).toBe(bucketMs(30))
  expect(censoredQuantileMs(sketchOf([]), sketchOf([]), 0.5, 0)).toBeNaN()
})
