import { describe, expect, it } from 'vitest'
import { seededRandom } from '../load/arrivals.js'
import { quantile } from '../measure/quantile.js'
import { createSampler } from './sampler.js'

function drawn(law: Parameters<typeof createSampler>[0]): number[] {
  const sample = createSampler(law, seededRandom(9))
  return Array.from({ length: 200_000 }, sample).sort((a, b) => a - b)
}

describe('a sampler', () => {
  it('has the percentiles that the chain file names', () => {
    const all = drawn({ kind: 'percentiles', p50Ms: 80, p90Ms: 130, p99Ms: 230, p999Ms: 1500, maxMs: 8000 })
    // Of 200 000 draws only 200 lie above the p999, and the law is steep there.
    for (const [share, ms, near] of [
      [0.5, 80, 0.02],
      [0.9, 130, 0.02],
      [0.99, 230, 0.03],
      [0.999, 1500, 0.2],
    ] as const)
      expect(Math.abs(quantile(all, share)! / ms - 1)).toBeLessThan(near)
    expect(all.at(-1)).toBeLessThanOrEqual(8000)
  })

  it('joins two percentiles by a log-normal law, whose mean is known', () => {
    const all = drawn({ kind: 'percentiles', p50Ms: 5, p99Ms: 120 })
    const sigma = Math.log(24) / 2.3263478740408408
    expect(all.reduce((sum, ms) => sum + ms, 0) / all.length / (5 * Math.exp(sigma ** 2 / 2))).toBeCloseTo(1, 1)
  })

  it('knows the other laws', () => {
    expect(drawn({ kind: 'constant', valueMs: 7 })[0]).toBe(7)
    expect(quantile(drawn({ kind: 'exponential', meanMs: 20, shiftMs: 5 }), 0.5)).toBeCloseTo(5 + 20 * Math.LN2, 0)
    expect(quantile(drawn({ kind: 'histogram', file: '', boundsMs: [10, 20, 40], counts: [1, 2, 1] }), 0.5)).toBeCloseTo(15, 0)
    expect(createSampler(null)()).toBe(0)
  })
})
