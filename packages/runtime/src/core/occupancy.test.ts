import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fullAfterMs, largestBoundMs, saturatesAtPerS, slotsHeld } from './occupancy.js'

test('200 slots complete 66.667 calls a second at 3 s and 6.667 at 30 s', () => {
  expect(saturatesAtPerS(200, 3000)).toBeCloseTo(66.667, 3)
  expect(saturatesAtPerS(200, 30_000)).toBeCloseTo(6.667, 3)
})

test('60 calls a second of 3 s each hold 180 slots, and 200 slots are full after 3.33 s', () => {
  expect(slotsHeld(60, 3000)).toBe(180)
  expect(fullAfterMs(200, 60)).toBeCloseTo(3333.333, 3)
})

test('the largest bound fills exactly 80 % of the slots', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000 }), fc.double({ min: 0.01, max: 1e5, noNaN: true }), (slots, ratePerS) => {
      expect(slotsHeld(ratePerS, largestBoundMs(slots, ratePerS)) / slots).toBeCloseTo(0.8, 9)
    }),
  )
})

test('a pool nobody calls is never full', () => {
  expect(fullAfterMs(10, 0)).toBe(Number.POSITIVE_INFINITY)
})
