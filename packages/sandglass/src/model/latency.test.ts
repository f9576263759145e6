import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Latency } from './chain.js'
import { normalCdf, normalQuantile, quantileMs, shareWithin } from './latency.js'

const percentiles: Latency = { kind: 'percentiles', p50Ms: 20, p90Ms: 60, p99Ms: 180, p999Ms: 400, maxMs: 1000 }
const histogram: Latency = { kind: 'histogram', file: 'h.json', boundsMs: [10, 20, 50, 100], counts: [10, 60, 25, 5] }
const laws: readonly Latency[] = [
  percentiles,
  { kind: 'percentiles', p50Ms: 5, p99Ms: 60 },
  { kind: 'lognormal', p50Ms: 20, p99Ms: 180 },
  { kind: 'exponential', meanMs: 20, shiftMs: 5 },
  histogram,
]

describe('the normal distribution', () => {
  test('has its known quantiles and areas', () => {
    expect(normalQuantile(0.5)).toBe(0)
    expect(normalQuantile(0.9)).toBeCloseTo(1.2815515655, 8)
    expect(normalQuantile(0.99)).toBeCloseTo(2.326347874, 8)
    expect(normalQuantile(0.001)).toBeCloseTo(-3.0902323062, 7)
    expect([normalQuantile(0), normalQuantile(1)]).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY])
    expect(normalCdf(0)).toBeCloseTo(0.5, 14)
    expect(normalCdf(1.96)).toBeCloseTo(0.9750021048517795, 12)
    expect(normalCdf(-1.96)).toBeCloseTo(0.0249978951482205, 12)
    expect([normalCdf(40), normalCdf(-40)]).toEqual([1, 0])
  })

  test('quantile and area are inverse', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true }), (p) => {
        expect(normalCdf(normalQuantile(p))).toBeCloseTo(p, 8)
      }),
    )
  })
})

describe('quantiles', () => {
  test('are exactly what is written where it is written', () => {
    expect([0.5, 0.9, 0.99, 0.999, 1].map((p) => quantileMs(percentiles, p))).toEqual([20, 60, 180, 400, 1000])
    expect(quantileMs({ kind: 'lognormal', p50Ms: 20, p99Ms: 180 }, 0.99)).toBe(180)
  })

  test('follow each law', () => {
    expect(quantileMs({ kind: 'constant', valueMs: 20 }, 0.99)).toBe(20)
    expect(quantileMs({ kind: 'exponential', meanMs: 20, shiftMs: 5 }, 0.99)).toBeCloseTo(5 + 20 * Math.log(100), 9)
    expect(quantileMs(histogram, 0.1)).toBe(10)
    expect(quantileMs(histogram, 0.4)).toBeCloseTo(15, 9)
    expect(quantileMs(histogram, 1)).toBe(100)
  })

  test('have no end without a maximum', () => {
    expect(quantileMs({ kind: 'exponential', meanMs: 20, shiftMs: 0 }, 1)).toBe(Number.POSITIVE_INFINITY)
    expect(quantileMs({ kind: 'lognormal', p50Ms: 20, p99Ms: 180 }, 1)).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('shares', () => {
  test('follow each law', () => {
    expect(shareWithin(percentiles, 20)).toBeCloseTo(0.5, 8)
    expect(shareWithin(percentiles, 180)).toBeCloseTo(0.99, 8)
    expect(shareWithin(percentiles, 1000)).toBe(1)
    expect([shareWithin({ kind: 'constant', valueMs: 20 }, 20), shareWithin({ kind: 'constant', valueMs: 20 }, 19.9)]).toEqual([1, 0])
    expect(shareWithin({ kind: 'exponential', meanMs: 20, shiftMs: 5 }, 25)).toBeCloseTo(1 - Math.exp(-1), 12)
    expect(shareWithin({ kind: 'exponential', meanMs: 20, shiftMs: 5 }, 5)).toBe(0)
    expect(shareWithin(histogram, 15)).toBeCloseTo(0.4, 12)
    expect(shareWithin(histogram, 0)).toBe(0)
  })

  test('of equal percentiles jump there', () => {
    const flat: Latency = { kind: 'percentiles', p50Ms: 10, p99Ms: 10 }
    expect([shareWithin(flat, 9.99), shareWithin(flat, 10)]).toEqual([0, 1])
    expect(quantileMs(flat, 0.7)).toBeCloseTo(10, 9)
  })

  test('of times of 0 are numbers', () => {
    const zero: Latency = { kind: 'percentiles', p50Ms: 0, p99Ms: 0 }
    expect([shareWithin(zero, 0), shareWithin(zero, 1), quantileMs(zero, 0.99)]).toEqual([1, 1, 0])
  })
})

describe('every law', () => {
  const law = fc.constantFrom(...laws)
  const share = fc.double({ min: 0.001, max: 0.998, noNaN: true })

  test('never falls', () => {
    fc.assert(
      fc.property(law, share, share, (each, a, b) => {
        const [low, high] = a <= b ? [a, b] : [b, a]
        expect(quantileMs(each, low)).toBeLessThanOrEqual(quantileMs(each, high) + 1e-9)
        expect(shareWithin(each, low * 500)).toBeLessThanOrEqual(shareWithin(each, high * 500) + 1e-12)
      }),
    )
  })

  test('has the share of its quantile', () => {
    fc.assert(
      fc.property(law, share, (each, p) => {
        expect(shareWithin(each, quantileMs(each, p))).toBeCloseTo(p, 6)
      }),
    )
  })
})
