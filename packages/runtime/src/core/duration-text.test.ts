import fc from 'fast-check'
import { expect, test } from 'vitest'
import { longestDurationMs, parseDuration } from './duration.js'
import { durationText, formatDuration } from './duration-text.js'

test.each([
  [0, '0 ms'],
  [0.25, '0.25 ms'],
  [700, '700 ms'],
  [66.6667, '66.667 ms'],
  [999.9999, '1 s'],
  [2800, '2.8 s'],
  [4600, '4.6 s'],
  [1234.4, '1.234 s'],
  [119_999, '119.999 s'],
  [119_999.7, '2m'],
  [150_000, '2m30s'],
  [150_500, '2m30.5s'],
  [7_200_000, '2h'],
  [3_900_000, '1h5m'],
  [93_600_000, '1d2h'],
  [-50, '-50 ms'],
  [Number.POSITIVE_INFINITY, 'no limit'],
  [Number.NaN, 'unknown'],
])('%d ms reads %s to people', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test.each([
  [0, '0ms'],
  [700, '700ms'],
  [1000, '1s'],
  [2800, '2.8s'],
  [1450, '1.45s'],
  [90_000, '90s'],
  [150_000, '2m30s'],
  [86_400_000, '1d'],
  [0.25, '0.25ms'],
  [2800.5, '2800.5ms'],
])('%d ms is written %s into a file', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, longestDurationMs + 1])('%d ms cannot be written', (ms) => {
  expect(() => durationText(ms)).toThrow(RangeError)
})

test('every whole number of ms is read back as it was written', () => {
  fc.assert(
    fc.property(fc.oneof(fc.integer({ min: 0, max: longestDurationMs }), fc.integer({ min: 0, max: 200_000 })), (ms) => {
      expect(parseDuration(durationText(ms))).toEqual({ ok: true, ms })
    }),
    { numRuns: 2000 },
  )
})
