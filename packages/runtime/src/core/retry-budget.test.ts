import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createRetryBudget,
  RETRY_BUDGET_DEFAULTS,
  RETRY_SHARE_DEFAULTS,
  type RetryBudget,
  type RetryCause,
  retryTokens,
  settleRetryBudget,
  spendRetry,
} from './retry-budget.js'

// A small generator of known quality (mulberry32), so that the numbers below are the same in every run.
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

interface RunningCall {
  attempts: number
  spent: number
}

interface Tally {
  made: number
  succeeded: number
}

// One call a millisecond, each attempt takes 100 ms and a retry starts at once: so attempts end in the order they began.
function runCalls(
  budget: RetryBudget,
  calls: number,
  attempts: number,
  failureShare: number,
): { attemptsPerCall: number; successShare: number } {
  const random = seeded(7)
  const endingAt: RunningCall[][] = Array.from({ length: 100 }, () => [])
  const tally: Tally = { made: 0, succeeded: 0 }
  for (let nowAt = 0; nowAt < calls + 100 * attempts; nowAt += 1) {
    const going = endingAt[nowAt % 100]!.filter((call) => goesOn(budget, tally, call, attempts, random() >= failureShare))
    if (nowAt < calls) going.push({ attempts: 0, spent: 0 })
    for (const call of going) call.attempts += 1
    tally.made += going.length
    endingAt[nowAt % 100] = going
  }
  return { attemptsPerCall: tally.made / calls, successShare: tally.succeeded / calls }
}

function goesOn(budget: RetryBudget, tally: Tally, call: RunningCall, attempts: number, isGood: boolean): boolean {
  const price = isGood || call.attempts === attempts ? 0 : spendRetry(budget, 'error')
  call.spent += price
  if (price > 0) return true
  settleRetryBudget(budget, call.spent, isGood)
  tally.succeeded += isGood ? 1 : 0
  return false
}

describe('the token bucket', () => {
  test.each([
    [0.2, 1.24, 0.992],
    [0.25, 1.31, 0.984],
    [0.5, 1.07, 0.54],
    [1, 1.0, 0],
  ])(
    'at independent failures of %d and three attempts, 1000 calls a second, makes the known number of attempts',
    (failureShare, attemptsPerCall, successShare) => {
      const got = runCalls(createRetryBudget(), 600_000, 3, failureShare)
      expect(got.attemptsPerCall).toBeCloseTo(attemptsPerCall, 2)
      expect(got.successShare).toBeCloseTo(successShare, 2)
    },
  )

  test('starts full and grants 33 retries after errors, 16 after timeouts, 100 after throttling', () => {
    const granted = (cause: RetryCause): number => {
      const budget = createRetryBudget()
      let count = 0
      while (spendRetry(budget, cause) > 0) count += 1
      return count
    }
    expect([granted('error'), granted('timeout'), granted('throttled')]).toEqual([33, 16, 100])
  })

  test('gives back all a call spent when it succeeds, nothing when it fails, and a fifth of a token for a first try', () => {
    const budget = createRetryBudget()
    const spent = spendRetry(budget, 'timeout') + spendRetry(budget, 'error')
    expect(retryTokens(budget)).toBe(91)
    settleRetryBudget(budget, spent, false)
    expect(retryTokens(budget)).toBe(91)
    settleRetryBudget(budget, 0, true)
    expect(retryTokens(budget)).toBe(91.2)
    settleRetryBudget(budget, spent, true)
    expect(retryTokens(budget)).toBe(100)
  })

  test('an empty bucket grants the next retry after exactly 15 first-try successes', () => {
    const budget = createRetryBudget()
    while (spendRetry(budget, 'throttled') > 0);
    for (let success = 0; success < 14; success += 1) settleRetryBudget(budget, 0, true)
    expect(spendRetry(budget, 'error')).toBe(0)
    settleRetryBudget(budget, 0, true)
    expect(spendRetry(budget, 'error')).toBe(3)
  })
})

describe('the earned share', () => {
  test.each([
    [0.1, 1.098901],
    [0.5, 1.052632],
    [1, 1.0],
  ])('of a tenth without a cap, four attempts, makes the known attempts a request at failures of %d', (failureShare, attemptsPerCall) => {
    const got = runCalls(createRetryBudget({ share: 0.1, cap: 'none' }), 1_000_000, 4, failureShare)
    expect(Math.abs(got.attemptsPerCall - attemptsPerCall)).toBeLessThan(0.0005)
  })

  test('starts empty and pays for one retry after exactly ten successes', () => {
    const budget = createRetryBudget({ share: 0.1 })
    for (let success = 0; success < 9; success += 1) settleRetryBudget(budget, 0, true)
    expect(spendRetry(budget, 'error')).toBe(0)
    settleRetryBudget(budget, 0, true)
    expect(spendRetry(budget, 'timeout')).toBe(1)
    expect(retryTokens(budget)).toBe(0)
  })

  test('a retry that helped earns its share and does not come back', () => {
    const budget = createRetryBudget({ share: 0.5 })
    for (let success = 0; success < 4; success += 1) settleRetryBudget(budget, 0, true)
    settleRetryBudget(budget, spendRetry(budget, 'error'), true)
    expect(retryTokens(budget)).toBe(1.5)
  })

  test('holds at most its cap, and ten retries unless told otherwise', () => {
    const capped = createRetryBudget({ share: 1, cap: 3 })
    const usual = createRetryBudget({ share: 1 })
    const uncapped = createRetryBudget({ share: 1, cap: Infinity })
    for (let success = 0; success < 500; success += 1) {
      for (const budget of [capped, usual, uncapped]) settleRetryBudget(budget, 0, true)
    }
    expect([capped, usual, uncapped].map(retryTokens)).toEqual([3, RETRY_SHARE_DEFAULTS.cap, 500])
  })
})

test('tokens stay between nothing and the capacity whatever calls do, and every grant is paid for', () => {
  const event = fc.oneof(
    fc.constantFrom<RetryCause>('error', 'timeout', 'throttled').map((cause) => ({ cause })),
    fc.record({ succeeded: fc.boolean() }),
  )
  const anyBudget = fc.oneof(
    fc.constant({}),
    fc.record({ capacity: fc.integer({ min: 1, max: 20 }), firstTryGain: fc.double({ min: 0, max: 1, noNaN: true }) }),
    fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }), cap: fc.integer({ min: 0, max: 5 }) }),
  )
  fc.assert(
    fc.property(anyBudget, fc.array(event, { maxLength: 300 }), (options, events) => {
      const budget = createRetryBudget(options)
      const capacity = 'share' in options ? options.cap : ((options as { capacity?: number }).capacity ?? RETRY_BUDGET_DEFAULTS.capacity)
      let spent = 0
      for (const step of events) {
        const before = retryTokens(budget)
        if ('cause' in step) {
          const price = spendRetry(budget, step.cause)
          spent += price
          expect(retryTokens(budget)).toBeCloseTo(before - price, 6)
        } else {
          settleRetryBudget(budget, spent, step.succeeded)
          spent = 0
          expect(retryTokens(budget)).toBeGreaterThanOrEqual(step.succeeded ? Math.min(before, capacity) : before)
        }
        expect(retryTokens(budget)).toBeGreaterThanOrEqual(0)
        expect(retryTokens(budget)).toBeLessThanOrEqual(capacity)
      }
    }),
  )
})

test('options outside their range are refused at creation', () => {
  expect(() => createRetryBudget({ share: 1.5 })).toThrow(RangeError)
  expect(() => createRetryBudget({ share: Number.NaN })).toThrow(TypeError)
  expect(() => createRetryBudget({ share: 0.1, cap: -1 })).toThrow(RangeError)
  expect(() => createRetryBudget({ errorCost: 0 })).toThrow(RangeError)
  expect(() => createRetryBudget({ capacity: '100' as unknown as number })).toThrow(TypeError)
})
