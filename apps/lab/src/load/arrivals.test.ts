import { describe, expect, it } from 'vitest'
import { poissonArrivals, seededRandom } from './arrivals.js'

function instants(next: () => number, endAt: number): number[] {
  const all: number[] = []
  for (let at = next(); at < endAt; at = next()) all.push(at)
  return all
}

describe('arrivals', () => {
  const steps = [
    { atMs: 0, ratePerS: 50 },
    { atMs: 100_000, ratePerS: 200 },
    { atMs: 200_000, ratePerS: 0 },
  ]

  it('follow the rate of each step, and stop where it is 0', () => {
    const all = instants(poissonArrivals(0, steps, seededRandom(7)), Infinity)
    const slow = all.filter((at) => at < 100_000).length
    // Four standard deviations of a Poisson count.
    expect(Math.abs(slow - 5000)).toBeLessThan(4 * Math.sqrt(5000))
    expect(Math.abs(all.length - slow - 20_000)).toBeLessThan(4 * Math.sqrt(20_000))
    expect(all.at(-1)).toBeLessThan(200_000)
  })

  it('are the same for the same seed, and others for another', () => {
    const of = (seed: number) => instants(poissonArrivals(1000, steps, seededRandom(seed)), 3000)
    expect(of(3)).toEqual(of(3))
    expect(of(3)).not.toEqual(of(4))
    expect(of(3)[0]).toBeGreaterThan(1000)
  })

  it('vary as much as they should: the pauses have as much spread as mean', () => {
    const all = instants(poissonArrivals(0, [{ atMs: 0, ratePerS: 100 }], seededRandom(5)), 500_000)
    const pauses = all.slice(1).map((at, i) => at - all[i]!)
    const mean = pauses.reduce((sum, one) => sum + one, 0) / pauses.length
    const spread = Math.sqrt(pauses.reduce((sum, one) => sum + (one - mean) ** 2, 0) / pauses.length)
    expect(spread / mean).toBeCloseTo(1, 1)
  })
})
