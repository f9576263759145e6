import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Backoff, defaultBackoff, largestWaitMs, largestWaitsMs, throttledBackoff, waitMs } from './backoff.js'

const someBackoff: fc.Arbitrary<Backoff> = fc.oneof(
  fc.record({
    baseMs: fc.nat(1000),
    maxMs: fc.nat(20_000),
    factor: fc.double({ min: 1, max: 4, noNaN: true }),
    jitter: fc.constantFrom('full', 'equal', 'none'),
  }),
  fc.record({ waitsMs: fc.array(fc.nat(1000), { maxLength: 5 }), jitter: fc.constantFrom('full', 'equal', 'none') }),
)

test('a growing back-off doubles from its base up to its cap', () => {
  expect([1, 2, 3, 4].map((retry) => largestWaitMs({ baseMs: 50, maxMs: 300 }, retry))).toEqual([50, 100, 200, 300])
})

test('a listed back-off repeats its last wait and an empty list waits for nothing', () => {
  expect([1, 2, 3, 9].map((retry) => largestWaitMs({ waitsMs: [25, 75, 175] }, retry))).toEqual([25, 75, 175, 175])
  expect(largestWaitMs({ waitsMs: [] }, 3)).toBe(0)
})

test("four tries of Envoy's back-off wait at most 275 ms together", () => {
  expect(largestWaitsMs({ waitsMs: [25, 75, 175] }, 4)).toBe(275)
})

test('one attempt, or no back-off, waits for nothing', () => {
  expect(largestWaitsMs({ baseMs: 50 }, 1)).toBe(0)
  expect(largestWaitsMs(undefined, 5)).toBe(0)
  expect(waitMs(undefined, 1, 0.5)).toBe(0)
})

test('a base of 0 stays 0 however far the factor grows', () => {
  expect(largestWaitMs({ baseMs: 0 }, 5000)).toBe(0)
})

test('an absurd number of attempts is summed in bounded time and never too low', () => {
  expect(largestWaitsMs({ baseMs: 50, maxMs: 100 }, 1_000_000_001)).toBe(50 + 999_999_999 * 100)
  expect(largestWaitsMs({ baseMs: 50 }, 1_000_000_001)).toBe(Number.POSITIVE_INFINITY)
})

test('the defaults are 50 ms, 1 s after throttling, doubled to 20 s, full jitter', () => {
  expect(largestWaitsMs(defaultBackoff, 4)).toBe(350)
  expect(largestWaitMs(throttledBackoff, 1)).toBe(1000)
  expect(largestWaitMs(defaultBackoff, 30)).toBe(20_000)
  expect(waitMs(defaultBackoff, 2, 0.25)).toBe(25)
})

test('jitter is random x largest, at least half of it for equal, all of it for none', () => {
  const waits = (jitter: 'full' | 'equal' | 'none') => waitMs({ baseMs: 100, jitter }, 1, 0.5)
  expect([waits('full'), waits('equal'), waits('none')]).toEqual([50, 75, 100])
})

test('no wait is longer than the largest, and all of them together not than the sum', () => {
  fc.assert(
    fc.property(
      someBackoff,
      fc.integer({ min: 1, max: 20 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (backoff, attempts, random) => {
        let sumMs = 0
        for (let retry = 1; retry < attempts; retry += 1) {
          const oneMs = waitMs(backoff, retry, random)
          expect(oneMs).toBeGreaterThanOrEqual(0)
          expect(oneMs).toBeLessThanOrEqual(largestWaitMs(backoff, retry))
          sumMs += oneMs
        }
        expect(sumMs).toBeLessThanOrEqual(largestWaitsMs(backoff, attempts) * (1 + 1e-12))
      },
    ),
  )
})
