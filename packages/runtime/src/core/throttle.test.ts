import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createThrottle, recordThrottle, throttleProbability, throttleRefuses } from './throttle.js'

test('the probability is that of the book: (requests - K x accepts) / (requests + 1)', () => {
  const throttle = createThrottle()
  for (let request = 0; request < 100; request += 1) recordThrottle(throttle, request < 20, 0)
  expect(throttleProbability(throttle, 0)).toBeCloseTo((100 - 2 * 20) / 101, 10)
  expect(throttleRefuses(throttle, 0, 0.59)).toBe(true)
  expect(throttleRefuses(throttle, 0, 0.61)).toBe(false)
})

test('refuses nothing while at least every second request is accepted, and nothing before the first', () => {
  const throttle = createThrottle()
  expect(throttleProbability(throttle, 0)).toBe(0)
  for (let request = 0; request < 100; request += 1) recordThrottle(throttle, request % 2 === 0, 0)
  expect(throttleRefuses(throttle, 0, 0)).toBe(false)
})

test('a request refused here counts as one more that was not accepted', () => {
  const throttle = createThrottle()
  for (let request = 0; request < 10; request += 1) recordThrottle(throttle, false, 0)
  const before = throttleProbability(throttle, 0)
  expect(throttleRefuses(throttle, 0, 0)).toBe(true)
  expect(throttleProbability(throttle, 0)).toBeGreaterThan(before)
})

test('is silent below the fewest requests it judges and speaks from there on', () => {
  const throttle = createThrottle({ minRequests: 10 })
  for (let request = 0; request < 9; request += 1) recordThrottle(throttle, false, 0)
  expect(throttleProbability(throttle, 0)).toBe(0)
  recordThrottle(throttle, false, 0)
  expect(throttleProbability(throttle, 0)).toBeCloseTo(10 / 11, 10)
})

test('forgets after two minutes', () => {
  const throttle = createThrottle()
  for (let request = 0; request < 100; request += 1) recordThrottle(throttle, false, 0)
  expect(throttleProbability(throttle, 119_000)).toBeGreaterThan(0.9)
  expect(throttleProbability(throttle, 120_000)).toBe(0)
})

test('with a callee that refuses everything a trickle still goes through: about one request in N', () => {
  const throttle = createThrottle()
  let sent = 0
  for (let request = 0; request < 10_000; request += 1) {
    const random = ((request * 7919) % 10_007) / 10_007
    if (throttleRefuses(throttle, 0, random)) continue
    sent += 1
    recordThrottle(throttle, false, 0)
  }
  // The sum of 1/(n+1): the harmonic series, 9.8 for 10 000.
  expect(sent).toBeGreaterThan(3)
  expect(sent).toBeLessThan(30)
})

test('the probability is always at least 0 and below 1, and grows with K going down', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 100 }), fc.double({ min: 1, max: 5, noNaN: true }), (answers, multiplier) => {
      const [given, generous] = [createThrottle({ multiplier }), createThrottle({ multiplier: multiplier + 1 })]
      for (const accepted of answers) for (const throttle of [given, generous]) recordThrottle(throttle, accepted, 0)
      const probability = throttleProbability(given, 0)
      expect(probability).toBeGreaterThanOrEqual(throttleProbability(generous, 0))
      expect(throttleProbability(generous, 0)).toBeGreaterThanOrEqual(0)
      expect(probability).toBeLessThan(1)
    }),
  )
})
