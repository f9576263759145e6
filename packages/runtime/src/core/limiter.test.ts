import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLimiter, enterLimiter, LIMITER_DEFAULTS, type Limiter, leaveLimiter, limiterLimit } from './limiter.js'

// A callee with so many workers of 10 ms each, asked as much as the limit allows: what is beyond the workers waits its turn.
function runAgainst(limiter: Limiter, workers: number, calls: number): number {
  const startedAt: number[] = []
  let nowAt = 0
  for (let call = 0; call < calls; call += 1) {
    while (enterLimiter(limiter)) startedAt.push(nowAt)
    nowAt += 10 / Math.min(startedAt.length, workers)
    leaveLimiter(limiter, Math.max(10, nowAt - startedAt.shift()!), 'answered')
  }
  while (startedAt.pop() !== undefined) leaveLimiter(limiter, 10, 'ignored')
  return limiterLimit(limiter)
}

test('grows to the highest limit while latency stays as usual', () => {
  expect(runAgainst(createLimiter(), 10_000, 60_000)).toBe(LIMITER_DEFAULTS.max)
})

test.each([20, 50, 100])('settles at tolerance x what the callee bears + headroom: %d workers', (workers) => {
  for (const calls of [20_000, 60_000]) {
    const limiter = createLimiter()
    runAgainst(limiter, workers, calls)
    expect(Math.abs(limiter.estimate - (1.5 * workers + 4))).toBeLessThan(0.1 * workers)
  }
})

test('follows a callee that loses most of its workers, and its recovery', () => {
  const limiter = createLimiter()
  runAgainst(limiter, 100, 20_000)
  runAgainst(limiter, 10, 20_000)
  expect(Math.abs(limiter.estimate - 19)).toBeLessThan(3)
  runAgainst(limiter, 100, 20_000)
  expect(Math.abs(limiter.estimate - 154)).toBeLessThan(10)
})

test('drops shrink it to the lowest limit, from which it recovers', () => {
  const limiter = createLimiter({ min: 2 })
  for (let call = 0; call < 1_000; call += 1) {
    enterLimiter(limiter)
    leaveLimiter(limiter, 1_000, 'dropped')
  }
  expect(limiterLimit(limiter)).toBe(2)
  expect(runAgainst(limiter, 10_000, 2_000)).toBeGreaterThan(20)
})

test('one step is limit x (1 - smoothing) + (limit x gradient + headroom) x smoothing', () => {
  const limiter = createLimiter({ initial: 20 })
  const round = (tookMs: number, ended: 'answered' | 'dropped'): number => {
    while (enterLimiter(limiter));
    for (let calls = limiter.roundSize; calls > 0; calls -= 1) {
      leaveLimiter(limiter, tookMs, ended)
      enterLimiter(limiter)
    }
    return limiter.estimate
  }
  expect(round(10, 'answered')).toBeCloseTo(20 * 0.8 + (20 + 4) * 0.2, 10)
  expect(round(20, 'answered')).toBeCloseTo(20.8 * 0.8 + (20.8 * 0.75 + 4) * 0.2, 10)
  expect(round(10, 'dropped')).toBeCloseTo(20.56 * 0.8 + 10.28 * 0.2, 10)
})

test('probes at a lowered limit after its rounds, and never below the lowest', () => {
  const limiter = createLimiter({ initial: 30, min: 2, probeRounds: 1 })
  for (let calls = limiter.roundSize; calls > 0; calls -= 1) leaveLimiter(limiter, 10, 'answered')
  expect([limiter.probing, limiterLimit(limiter)]).toEqual([1, 10])
  const lowest = createLimiter({ initial: 5, min: 5, probeRounds: 1 })
  for (let calls = lowest.roundSize; calls > 0; calls -= 1) leaveLimiter(lowest, 10, 'answered')
  expect([lowest.probing, limiterLimit(lowest)]).toEqual([1, 5])
})

test('a limit that is not used does not grow, and what is ignored moves nothing', () => {
  const limiter = createLimiter()
  for (let call = 0; call < 100; call += 1) {
    enterLimiter(limiter)
    leaveLimiter(limiter, 10, 'answered')
    enterLimiter(limiter)
    leaveLimiter(limiter, 9_999, 'ignored')
  }
  expect(limiter.estimate).toBe(LIMITER_DEFAULTS.initial)
})

test('in flight and limit keep their ranges in any interleaving', () => {
  const event = fc.oneof(
    fc.constant('enter' as const),
    fc.record({ tookMs: fc.double({ min: -1, max: 1e6, noNaN: true }), ended: fc.constantFrom('answered', 'dropped', 'ignored') }),
  )
  fc.assert(
    fc.property(fc.array(event, { maxLength: 300 }), (events) => {
      const limiter = createLimiter({ initial: 5, min: 2, max: 30 })
      let held = 0
      for (const next of events) {
        if (next === 'enter') {
          const free = held < limiterLimit(limiter)
          expect(enterLimiter(limiter)).toBe(free)
          if (free) held += 1
        } else if (held > 0) {
          leaveLimiter(limiter, next.tookMs, next.ended as 'answered')
          held -= 1
        }
        expect(limiter.inFlight).toBe(held)
        expect(limiterLimit(limiter)).toBeGreaterThanOrEqual(2)
        expect(limiterLimit(limiter)).toBeLessThanOrEqual(30)
      }
    }),
  )
})

test('limits that contradict each other are refused', () => {
  expect(() => createLimiter({ min: 10, max: 5 })).toThrow(RangeError)
  expect(() => createLimiter({ initial: 500 })).toThrow(RangeError)
  expect(() => createLimiter({ smoothing: Number.NaN })).toThrow(TypeError)
})
