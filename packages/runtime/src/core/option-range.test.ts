import { expect, test } from 'vitest'
import { optionCount, optionInRange } from './option-range.js'

test('the bounds themselves are legal, and the message names option, range and value', () => {
  expect([optionInRange('x', 1, 1, 2), optionInRange('x', 2, 1, 2), optionInRange('x', Infinity, 0)]).toEqual([1, 2, Infinity])
  expect(() => optionInRange('breaker.probes', 3, 1, 2)).toThrow('breaker.probes must be between 1 and 2, not 3')
})

test('what is no number is a TypeError, what is out of range a RangeError', () => {
  for (const wrong of ['1', null, {}, Number.NaN]) expect(() => optionInRange('x', wrong, 0)).toThrow(TypeError)
  for (const wrong of [-1, -Infinity]) expect(() => optionInRange('x', wrong, 0)).toThrow(RangeError)
})

test('a count is whole, or Infinity where there is no upper limit', () => {
  expect(optionCount('x', Infinity, 1)).toBe(Infinity)
  expect(() => optionCount('x', Infinity, 1, 5)).toThrow(RangeError)
  expect(() => optionCount('x', 1.5, 1)).toThrow('x must be a whole number, not 1.5')
})
