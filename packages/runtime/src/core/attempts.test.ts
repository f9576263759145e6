import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AttemptPlan, type AttemptResult, type AttemptStep, beginAgain, beginAttempts, nextStep, refuseRetry } from './attempts.js'
import { deadlineAfter, noDeadline } from './deadline.js'

const timedOut: AttemptResult = { ended: 'failed', cause: 'timeout', reason: 'slow' }
const unavailable: AttemptResult = { ended: 'failed', cause: 503, reason: 'unavailable' }
const reading: AttemptPlan = { does: 'read', attempts: 3, reserveMs: 0, backoff: { baseMs: 50, jitter: 'none' } }

/** Begins a call with `leftMs` left, starts its first attempt and lets it fail after `tookMs`. */
const afterFirst = (plan: AttemptPlan, leftMs: number, result: AttemptResult, tookMs = 10, isRetry = false): AttemptStep => {
  const run = beginAttempts(plan, deadlineAfter(0, leftMs), 0, isRetry)
  nextStep(run, 0, 0.5)
  return nextStep(run, tookMs, 0.5, result)
}

describe('one deadline for all attempts', () => {
  test('630 ms, two tries of at most 300: the second gets the 280 left after a back-off of 50', () => {
    const run = beginAttempts(
      { does: 'read', attempts: 2, attemptMs: 300, reserveMs: 0, backoff: { baseMs: 50, jitter: 'none' } },
      deadlineAfter(0, 630),
      0,
    )
    expect(nextStep(run, 0, 0.5)).toEqual({ do: 'start', attempt: 1, grantMs: 300, last: false })
    expect(nextStep(run, 300, 0.5, timedOut)).toEqual({ do: 'wait', waitMs: 50, beforeAttempt: 2 })
    expect(nextStep(run, 350, 0.5)).toEqual({ do: 'start', attempt: 2, grantMs: 280, last: true })
    expect(nextStep(run, 630, 0.5, timedOut)).toEqual({ do: 'stop', why: 'attempts-used', started: 2, lastFailure: timedOut })
  })

  test('without an attempt limit an attempt gets everything left', () => {
    const run = beginAttempts({ does: 'read', attempts: 2, reserveMs: 30 }, deadlineAfter(0, 630), 0)
    expect(nextStep(run, 100, 0.5)).toMatchObject({ do: 'start', grantMs: 500 })
  })

  test('ends at the own timeout or at the deadline less the reserve, and says whose it is', () => {
    expect(beginAttempts({ timeoutMs: 200, reserveMs: 20 }, deadlineAfter(0, 500), 0)).toMatchObject({ endsAt: 200, whose: 'own' })
    expect(beginAttempts({ timeoutMs: 1000, reserveMs: 20 }, deadlineAfter(0, 500), 0)).toMatchObject({ endsAt: 480, whose: 'inherited' })
    expect(beginAttempts({ timeoutMs: 1000 }, deadlineAfter(0, 500), 0)).toMatchObject({ endsAt: 475, whose: 'inherited' })
    expect(beginAttempts({ timeoutMs: 480, reserveMs: 20 }, deadlineAfter(0, 500), 0)).toMatchObject({ endsAt: 480, whose: 'inherited' })
    expect(beginAttempts({}, noDeadline, 0)).toMatchObject({ endsAt: Number.POSITIVE_INFINITY })
  })

  test('an expired budget, or one below the floor, starts nothing', () => {
    const start = (leftMs: number, plan: AttemptPlan) => nextStep(beginAttempts(plan, deadlineAfter(0, leftMs), 0), 0, 0.5)
    const nothing = { do: 'stop', why: 'no-time', started: 0, lastFailure: undefined }
    expect(start(0, { reserveMs: 0 })).toEqual(nothing)
    expect(start(-3, { reserveMs: 0 })).toEqual(nothing)
    expect(start(4, {})).toEqual(nothing)
    expect(start(119, { reserveMs: 20, floorMs: 100 })).toEqual(nothing)
    expect(start(120, { reserveMs: 20, floorMs: 100 })).toMatchObject({ do: 'start', grantMs: 100 })
  })
})

describe('it stops before sleeping', () => {
  test('when back-off and floor do not fit, with the last real error', () => {
    expect(afterFirst({ ...reading, floorMs: 50 }, 109, unavailable)).toEqual({
      do: 'stop',
      why: 'no-time',
      started: 1,
      lastFailure: unavailable,
    })
    expect(afterFirst({ ...reading, floorMs: 50 }, 110, unavailable)).toMatchObject({ do: 'wait', waitMs: 50 })
  })

  test('when the wait would use everything that is left', () => {
    expect(afterFirst(reading, 60, unavailable)).toMatchObject({ do: 'stop', why: 'no-time' })
  })

  test('and asks again when the wait was over too late', () => {
    const run = beginAttempts({ ...reading, floorMs: 50 }, deadlineAfter(0, 200), 0)
    nextStep(run, 0, 0.5)
    nextStep(run, 10, 0.5, unavailable)
    expect(nextStep(run, 170, 0.5)).toEqual({ do: 'stop', why: 'no-time', started: 1, lastFailure: unavailable })
  })
})

describe('the wait', () => {
  test('is random x the largest, from 50 ms, and from 1 s after a throttling answer', () => {
    const plan: AttemptPlan = { does: 'read', attempts: 3 }
    expect(afterFirst(plan, 10_000, unavailable)).toMatchObject({ do: 'wait', waitMs: 25 })
    expect(afterFirst(plan, 10_000, { ended: 'failed', cause: 429 })).toMatchObject({ do: 'wait', waitMs: 500 })
  })

  test('is exactly what the callee asked for, or the call ends', () => {
    const busy: AttemptResult = { ended: 'failed', cause: 503, retryAfterMs: 300 }
    expect(afterFirst(reading, 1000, busy)).toMatchObject({ do: 'wait', waitMs: 300 })
    expect(afterFirst(reading, 305, busy)).toEqual({ do: 'stop', why: 'retry-after', started: 1, lastFailure: busy })
  })

  test('ignores a retry-after that is no time', () => {
    for (const retryAfterMs of [Number.NaN, -1])
      expect(afterFirst(reading, 1000, { ended: 'failed', cause: 503, retryAfterMs })).toMatchObject({ do: 'wait', waitMs: 50 })
  })
})

describe('what is not repeated', () => {
  test.each<[AttemptPlan['does'], boolean, string]>([
    ['write', true, 'unsafe'],
    ['idempotent-write', false, 'unsafe'],
    ['idempotent-write', true, 'wait'],
    ['external-effect', false, 'unsafe'],
    ['external-effect', true, 'wait'],
    ['manual', true, 'unsafe'],
    ['compensation', true, 'wait'],
    ['read', false, 'wait'],
    [undefined, false, 'unsafe'],
  ])('%s with key %s after a timeout: %s', (does, idempotencyKey, expected) => {
    const step = afterFirst({ ...reading, ...(does !== undefined ? { does } : { does: 'write' }), idempotencyKey }, 10_000, timedOut)
    expect(step.do === 'stop' ? step.why : step.do).toBe(expected)
  })

  test('a plan that does not say what it does is a write', () => {
    expect(afterFirst({ attempts: 3 }, 10_000, timedOut)).toMatchObject({ do: 'stop', why: 'unsafe' })
  })

  test('but a write that certainly was not sent may be sent again; work of people not even then', () => {
    const refused: AttemptResult = { ended: 'failed', cause: 'connect', sent: false }
    expect(afterFirst({ ...reading, does: 'write' }, 10_000, refused)).toMatchObject({ do: 'wait' })
    expect(afterFirst({ ...reading, does: 'write' }, 10_000, { ended: 'failed', cause: 'connect' })).toMatchObject({
      do: 'stop',
      why: 'unsafe',
    })
    expect(afterFirst({ ...reading, does: 'manual' }, 10_000, refused)).toMatchObject({ do: 'stop', why: 'unsafe' })
  })

  test('a failure outside retryOn', () => {
    expect(afterFirst({ ...reading, retryOn: [503] }, 10_000, timedOut)).toMatchObject({ do: 'stop', why: 'not-retried-on' })
    expect(afterFirst(reading, 10_000, { ended: 'failed', cause: 404 })).toMatchObject({ do: 'stop', why: 'not-retried-on' })
  })

  test('a request that is itself a retry, unless chain stop is off', () => {
    expect(afterFirst(reading, 10_000, unavailable, 10, true)).toMatchObject({ do: 'stop', why: 'chain-stop', lastFailure: unavailable })
    expect(afterFirst({ ...reading, chainStop: false }, 10_000, unavailable, 10, true)).toMatchObject({ do: 'wait' })
  })

  test('a call past its retry window, also when the wait ended late', () => {
    expect(afterFirst({ ...reading, retryStartWithinMs: 59 }, 10_000, unavailable)).toMatchObject({ do: 'stop', why: 'retry-start-within' })
    const run = beginAttempts({ ...reading, retryStartWithinMs: 60 }, noDeadline, 1000)
    nextStep(run, 1000, 0.5)
    expect(nextStep(run, 1010, 0.5, unavailable)).toMatchObject({ do: 'wait' })
    expect(nextStep(run, 1061, 0.5)).toMatchObject({ do: 'stop', why: 'retry-start-within' })
  })

  test.each(['retry-budget', 'breaker'] as const)('what the %s refuses, keeping the last real error', (why) => {
    const run = beginAttempts(reading, noDeadline, 0)
    nextStep(run, 0, 0.5)
    nextStep(run, 10, 0.5, unavailable)
    expect(refuseRetry(run, why)).toEqual({ do: 'stop', why, started: 1, lastFailure: unavailable })
  })
})

describe('an abort', () => {
  test('is terminal while an attempt runs and while one is waited for, and keeps the last real error', () => {
    const run = beginAttempts(reading, noDeadline, 0)
    nextStep(run, 0, 0.5)
    nextStep(run, 10, 0.5, unavailable)
    const stop = nextStep(run, 20, 0.5, { ended: 'aborted' })
    expect(stop).toEqual({ do: 'stop', why: 'aborted', started: 1, lastFailure: unavailable })
    expect(nextStep(run, 60, 0.5)).toBe(stop)
    expect(nextStep(run, 60, 0.5, { ended: 'succeeded' })).toBe(stop)
    expect(refuseRetry(run, 'breaker')).toBe(stop)
  })
})

describe('a misuse', () => {
  test('of the order of steps throws instead of sending twice', () => {
    const run = beginAttempts(reading, noDeadline, 0)
    expect(() => nextStep(run, 0, 0.5, unavailable)).toThrow('not running')
    nextStep(run, 0, 0.5)
    expect(() => nextStep(run, 0, 0.5)).toThrow('has not ended')
  })

  test.each<[AttemptPlan, string]>([
    [{ attempts: 0 }, 'attempts'],
    [{ attempts: 1.5 }, 'attempts'],
    [{ attempts: Number.NaN }, 'attempts'],
    [{ attemptMs: 0 }, 'attemptMs'],
    [{ attemptMs: Number.NaN }, 'attemptMs'],
    [{ timeoutMs: Number.NaN }, 'timeoutMs'],
    [{ floorMs: -1 }, 'floorMs'],
    [{ reserveMs: Number.NaN }, 'reserveMs'],
  ])('%j is refused when the call begins', (plan, name) => {
    expect(() => beginAttempts(plan, noDeadline, 0)).toThrow(new RegExp(`^${name} must`))
  })
})

test('whatever happens, it starts at most its attempts, grants only time that is left, and never waits past its end', () => {
  const time = fc.nat(400)
  const plans = fc.record(
    {
      does: fc.constantFrom('read' as const, 'write' as const),
      attempts: fc.integer({ min: 1, max: 5 }),
      attemptMs: fc.integer({ min: 1, max: 400 }),
      timeoutMs: time,
      floorMs: fc.nat(50),
      backoff: fc.record({ baseMs: fc.nat(100), maxMs: fc.nat(200) }),
    },
    { requiredKeys: ['does', 'attempts'] },
  )
  const results: fc.Arbitrary<AttemptResult> = fc.oneof(
    fc.record(
      {
        ended: fc.constant('failed' as const),
        cause: fc.constantFrom('timeout', 503, 429, 404) as fc.Arbitrary<'timeout' | number>,
        retryAfterMs: fc.oneof(fc.nat(300), fc.constant(Number.NaN)),
      },
      { requiredKeys: ['ended', 'cause'] },
    ),
    fc.constant<AttemptResult>({ ended: 'succeeded' }),
  )
  fc.assert(
    fc.property(
      plans,
      fc.nat(1000),
      fc.infiniteStream(fc.tuple(results, time, fc.double({ min: 0, max: 0.999, noNaN: true }))),
      (plan, leftMs, happenings) => {
        const run = beginAttempts(plan, deadlineAfter(0, leftMs), 0)
        let now = 0
        let steps = 0
        let step = nextStep(run, now, 0.5)
        while (step.do !== 'stop') {
          const [result, tookMs, random] = happenings.next().value as [AttemptResult, number, number]
          steps += 1
          expect(steps).toBeLessThanOrEqual(2 * plan.attempts)
          if (step.do === 'start') {
            expect(step.grantMs).toBeGreaterThan(0)
            expect(now + step.grantMs).toBeLessThanOrEqual(run.endsAt)
            now += Math.min(tookMs, step.grantMs)
            step = nextStep(run, now, random, result)
          } else {
            expect(now + step.waitMs).toBeLessThan(run.endsAt)
            now += step.waitMs
            step = nextStep(run, now, random)
          }
        }
        expect(step.started).toBeLessThanOrEqual(plan.does === 'write' ? 1 : plan.attempts)
        expect(now).toBeLessThanOrEqual(Math.max(0, run.endsAt))
      },
    ),
    { numRuns: 500 },
  )
})

test('four attempts at failure .5 make 1.875 tries a call and fail in .0625, over every possible sequence', () => {
  let tries = 0
  let failures = 0
  for (let sequence = 0; sequence < 16; sequence += 1) {
    const run = beginAttempts({ does: 'read', attempts: 4 }, noDeadline, 0)
    let step = nextStep(run, 0, 0)
    while (step.do !== 'stop') {
      const failed = step.do === 'start' && ((sequence >> (step.attempt - 1)) & 1) === 1
      step = nextStep(run, 0, 0, step.do === 'wait' ? undefined : failed ? unavailable : { ended: 'succeeded' })
    }
    tries += step.started
    failures += step.why === 'succeeded' ? 0 : 1
  }
  expect(tries / 16).toBe(1.875)
  expect(failures / 16).toBe(0.0625)
})

test.each([
  [true, 7],
  [false, 27],
])('three layers of three over a callee that always fails, chain stop %s, reach it %d times', (chainStop, expected) => {
  let reached = 0
  const callLayer = (layer: number, isRetry: boolean): AttemptResult => {
    if (layer === 0) {
      reached += 1
      return unavailable
    }
    const run = beginAttempts({ does: 'read', attempts: 3, chainStop }, noDeadline, 0, isRetry)
    let step = nextStep(run, 0, 0)
    while (step.do !== 'stop')
      step = nextStep(run, 0, 0, step.do === 'start' ? callLayer(layer - 1, isRetry || step.attempt > 1) : undefined)
    return step.lastFailure ?? { ended: 'succeeded' }
  }
  callLayer(3, false)
  expect(reached).toBe(expected)
})

describe('a run that is begun again', () => {
  test('goes as a new one would, whatever became of the first', () => {
    const result = fc.constantFrom<AttemptResult>(
      { ended: 'succeeded' },
      { ended: 'failed', cause: 'timeout' },
      { ended: 'failed', cause: 503 },
      { ended: 'aborted' },
    )
    fc.assert(
      fc.property(fc.array(result, { maxLength: 4 }), fc.integer({ min: 0, max: 500 }), fc.boolean(), (results, budgetMs, isRetry) => {
        const plan: AttemptPlan = { does: 'read', attempts: 3, attemptMs: 40, timeoutMs: 90, reserveMs: 5 }
        const used = beginAttempts(plan, noDeadline, 0)
        nextStep(used, 0, 0)
        for (const one of results) if (used.phase === 'running') nextStep(used, 10, 0.5, one)
        beginAgain(used, deadlineAfter(100, budgetMs), 100, isRetry)
        expect(used).toEqual(beginAttempts(plan, deadlineAfter(100, budgetMs), 100, isRetry))
      }),
    )
  })
})
