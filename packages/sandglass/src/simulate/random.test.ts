import { expect, it } from 'vitest'
import { createRandom } from './random.js'

const draws = (seed: number, stream: string, count: number) => {
  const random = createRandom(seed, stream)
  return Array.from({ length: count }, random)
}

it('the same seed and stream give the same numbers, for ever', () => {
  expect(draws(1, 'work a.x', 5)).toEqual(draws(1, 'work a.x', 5))
  expect(draws(1, 'work a.x', 3).map((value) => value.toFixed(6))).toMatchInlineSnapshot(`
    [
      "0.401104",
      "0.285019",
      "0.582832",
    ]
  `)
})

it('another seed or stream gives others', () => {
  const seen = new Set([draws(1, 'a', 1)[0], draws(2, 'a', 1)[0], draws(1, 'b', 1)[0], draws(4_294_967_297, 'a', 1)[0], draws(0, '', 1)[0]])
  expect(seen.size).toBe(5)
})

it('numbers are spread evenly over [0, 1) and do not follow from each other', () => {
  const values = draws(3, 'evenness', 100_000)
  const buckets = new Array<number>(20).fill(0)
  let product = 0
  values.forEach((value, i) => {
    buckets[Math.floor(value * 20)]! += 1
    product += (value - 0.5) * ((values[i + 1] ?? 0.5) - 0.5)
  })
  const chiSquare = buckets.reduce((sum, count) => sum + (count - 5000) ** 2 / 5000, 0)
  // 99.9 % of a chi-square of 19 degrees of freedom are below 43.8.
  expect(chiSquare).toBeLessThan(43.8)
  expect(Math.abs(product / 100_000)).toBeLessThan(0.001)
  expect(values.every((value) => value >= 0 && value < 1)).toBe(true)
})

it('streams of neighbouring seeds are independent', () => {
  const [a, b] = [draws(1, 'x', 50_000), draws(2, 'x', 50_000)]
  const covariance = a.reduce((sum, value, i) => sum + (value - 0.5) * (b[i]! - 0.5), 0) / 50_000
  expect(Math.abs(covariance)).toBeLessThan(0.0015)
})
