import { expect, it } from 'vitest'
import { intervalOf } from './interval.js'
import { studentQuantile } from './student.js'

it.each([
  [0.995, 1, 63.657],
  [0.995, 4, 4.604],
  [0.995, 19, 2.861],
  [0.995, 29, 2.756],
  [0.975, 10, 2.228],
  [0.95, 2, 2.92],
])('the t quantile %d of %d degrees is %d, as in the tables', (p, degrees, expected) => {
  expect(studentQuantile(p, degrees)).toBeCloseTo(expected, 3)
})

it('an interval is the mean and t times its standard error to both sides', () => {
  const { mean, low, high } = intervalOf([2, 4, 4, 6])
  expect(mean).toBe(4)
  expect(high - mean).toBeCloseTo((5.841 * Math.sqrt(8 / 3)) / 2, 2)
  expect(mean - low).toBeCloseTo(high - mean, 10)
})

it('one value alone has no width', () => {
  expect(intervalOf([3])).toEqual({ mean: 3, low: 3, high: 3 })
})
