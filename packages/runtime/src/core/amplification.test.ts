import { expect, test } from 'vitest'
import { expectedAttempts, expectedLayeredCalls, failsAfter, pathAmplification, retryFactor } from './amplification.js'

test('three layers of three are 27 calls, and 7 where chains stop', () => {
  expect(pathAmplification([3, 3, 3], false)).toBe(27)
  expect(pathAmplification([3, 3, 3], true)).toBe(7)
  expect(pathAmplification([], false)).toBe(1)
  expect(pathAmplification([], true)).toBe(1)
})

test('a retry budget limits the factor of its call, and never raises it', () => {
  expect(retryFactor(3)).toBe(3)
  expect(retryFactor(3, 'none')).toBe(3)
  expect(retryFactor(3, 0.1)).toBe(1.1)
  expect(retryFactor(3, 'default')).toBe(1.31)
  expect(retryFactor(1, 'default')).toBe(1)
  expect(retryFactor(2, 5)).toBe(2)
})

test('four attempts that fail half the time are 1.875 on average and all fail in .0625', () => {
  expect(expectedAttempts(4, 0.5)).toBe(1.875)
  expect(failsAfter(4, 0.5)).toBe(0.0625)
})

test('three layers of three make 27 calls when everything fails and 23.76573 at .99', () => {
  expect(expectedLayeredCalls([3, 3, 3], 1)).toBe(27)
  expect(expectedLayeredCalls([3, 3, 3], 0.99)).toBeCloseTo(23.76573, 5)
  expect(expectedLayeredCalls([3, 3, 3], 0)).toBe(1)
})
