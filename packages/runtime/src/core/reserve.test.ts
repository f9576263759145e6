import fc from 'fast-check'
import { expect, test } from 'vitest'
import { grantMs, mayStart, reserveMs } from './reserve.js'

test('the reserve is what is declared, else 5 %, at least 5 ms', () => {
  expect([reserveMs(1000), reserveMs(40), reserveMs(0), reserveMs(1000, 0), reserveMs(1000, 20)]).toEqual([50, 5, 5, 0, 20])
})

test('without a deadline nothing is kept back', () => {
  expect(reserveMs(Number.POSITIVE_INFINITY)).toBe(0)
  expect(grantMs(500, Number.POSITIVE_INFINITY, reserveMs(Number.POSITIVE_INFINITY))).toBe(500)
})

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('a declared reserve of %d ms is refused', (declaredMs) => {
  expect(() => reserveMs(1000, declaredMs)).toThrow(RangeError)
})

test('a spend starts when what is left after the reserve reaches the floor', () => {
  expect(mayStart(150, 50, 100)).toBe(true)
  expect(mayStart(149, 50, 100)).toBe(false)
})

test('nothing left is not enough, even for a floor of 0', () => {
  expect(mayStart(50, 50)).toBe(false)
  expect(mayStart(0, 0, 0)).toBe(false)
  expect(mayStart(50.1, 50)).toBe(true)
})

test('a grant is the timeout or what is left, and never negative', () => {
  expect([grantMs(1000, 630, 30), grantMs(300, 630, 30), grantMs(undefined, 630, 30), grantMs(300, 20, 30)]).toEqual([600, 300, 600, 0])
})

test('whatever may start is granted at least its floor or its own timeout', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.nat(100), fc.nat(200), fc.integer({ min: 1, max: 500 }), (remainingMs, reserve, floorMs, timeoutMs) => {
      if (!mayStart(remainingMs, reserve, floorMs)) return
      const grantedMs = grantMs(timeoutMs, remainingMs, reserve)
      expect(grantedMs).toBeGreaterThan(0)
      expect(grantedMs).toBeGreaterThanOrEqual(Math.min(floorMs, timeoutMs))
      expect(grantedMs + reserve).toBeLessThanOrEqual(remainingMs)
    }),
  )
})
