import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Latency } from '../model/chain.js'
import { quantileMs, shareWithin } from '../model/latency.js'
import { createRandom } from './random.js'
import { createSampler } from './sampling.js'

const byInversion: Latency[] = [
  { kind: 'constant', valueMs: 7 },
  { kind: 'exponential', meanMs: 20, shiftMs: 5 },
  { kind: 'lognormal', p50Ms: 10, p99Ms: 90 },
  { kind: 'percentiles', p50Ms: 5, p99Ms: 60 },
  { kind: 'percentiles', p50Ms: 5, p90Ms: 8, p99Ms: 60, p999Ms: 300, maxMs: 500 },
]

describe('a sampler', () => {
  it.each(byInversion)('of $kind draws what the law says of the random number', (law) => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 0.9995, noNaN: true }), (u) => {
        expect(createSampler(law, () => u)()).toBeCloseTo(quantileMs(law, u), 6)
      }),
    )
  })

  it('of a histogram draws each bucket as often as it was counted', () => {
    const law: Latency = { kind: 'histogram', file: 'h.json', boundsMs: [1, 2, 5, 10, 100], counts: [5, 0, 60, 30, 5] }
    const sample = createSampler(law, createRandom(1, 'histogram'))
    const values = Array.from({ length: 100_000 }, sample)
    for (const ms of [1, 2, 3, 5, 7, 10, 50, 100]) {
      const seen = values.filter((value) => value <= ms).length / values.length
      expect(Math.abs(seen - shareWithin(law, ms))).toBeLessThan(0.006)
    }
  })

  it('without a law takes no time', () => {
    expect(createSampler(undefined, () => 0.5)()).toBe(0)
  })
})
