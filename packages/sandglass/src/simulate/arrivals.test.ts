import { describe, expect, it } from 'vitest'
import { createArrivals } from './arrivals.js'
import { createRandom } from './random.js'

function until(endAt: number, next: () => number): number[] {
  const out: number[] = []
  for (let at = next(); at < endAt; at = next()) out.push(at)
  return out
}

describe('arrivals', () => {
  it('that are constant come evenly, the first when the load begins', () => {
    expect(until(1000, createArrivals([{ atMs: 100, ratePerS: 4 }], 'constant', Math.random))).toEqual([100, 350, 600, 850])
  })

  it('that are constant keep what is left of a pause when the rate changes', () => {
    // Half of a pause of 400 ms has passed at 600 ms; the other half takes 50 ms at ten a second.
    expect(
      until(
        800,
        createArrivals(
          [
            { atMs: 0, ratePerS: 2.5 },
            { atMs: 600, ratePerS: 10 },
          ],
          'constant',
          Math.random,
        ),
      ),
    ).toEqual([0, 400, 650, 750])
  })

  it('stop while a rate is 0 and go on after it', () => {
    const steps = [
      { atMs: 0, ratePerS: 10 },
      { atMs: 1000, ratePerS: 0 },
      { atMs: 5000, ratePerS: 10 },
    ]
    const at = until(6000, createArrivals(steps, 'poisson', createRandom(1, 'x')))
    expect(at.filter((ms) => ms > 1000 && ms < 5000)).toEqual([])
    expect(at.filter((ms) => ms >= 5000).length).toBeGreaterThan(3)
  })

  it('end where the last rate is 0', () => {
    const next = createArrivals(
      [
        { atMs: 0, ratePerS: 1000 },
        { atMs: 10, ratePerS: 0 },
      ],
      'poisson',
      createRandom(1, 'x'),
    )
    expect(until(Number.POSITIVE_INFINITY, next).length).toBeLessThan(40)
    expect(next()).toBe(Number.POSITIVE_INFINITY)
  })

  it('that are Poisson have the mean and the variance of their rate, before and after a step', () => {
    const at = until(
      200_000,
      createArrivals(
        [
          { atMs: 0, ratePerS: 50 },
          { atMs: 100_000, ratePerS: 200 },
        ],
        'poisson',
        createRandom(5, 'x'),
      ),
    )
    const perS = Array.from({ length: 200 }, (_, s) => at.filter((ms) => ms >= s * 1000 && ms < (s + 1) * 1000).length)
    for (const [from, to, rate] of [
      [0, 100, 50],
      [100, 200, 200],
    ] as const) {
      const part = perS.slice(from, to)
      const mean = part.reduce((sum, count) => sum + count, 0) / part.length
      const variance = part.reduce((sum, count) => sum + (count - mean) ** 2, 0) / (part.length - 1)
      expect(Math.abs(mean - rate)).toBeLessThan(4 * Math.sqrt(rate / 100))
      expect(variance / mean).toBeGreaterThan(0.6)
      expect(variance / mean).toBeLessThan(1.5)
    }
  })
})
