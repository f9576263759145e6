import { describe, expect, test } from 'vitest'
import { BREAKER_DEFAULTS, resolveBreaker } from './breaker-options.js'

describe('which triggers run', () => {
  test('with nothing declared, consecutive failures and the failure rate with their defaults', () => {
    const rules = resolveBreaker({})
    expect(rules).toMatchObject({ consecutive: 5, failureRate: 0.5, minCalls: 20, slowMs: Infinity, probes: 3, leaseMs: 10_000 })
    expect(rules.window).toEqual({ windowMs: 10_000 })
    expect(rules.open).toEqual({ baseMs: 1_000, maxMs: 60_000, jitter: 0.2 })
  })

  test('once one is declared, only what is declared', () => {
    expect(resolveBreaker({ failureRate: 0.4 })).toMatchObject({ failureRate: 0.4, consecutive: Infinity })
    expect(resolveBreaker({ consecutive: 2 })).toMatchObject({ failureRate: Infinity, consecutive: 2 })
    expect(resolveBreaker({ slowMs: 300 })).toMatchObject({ failureRate: Infinity, consecutive: Infinity, slowMs: 300, slowRate: 0.5 })
  })

  test('other fields leave the default triggers on', () => {
    expect(resolveBreaker({ openMs: 5_000, probes: 1, windowCalls: 100, minCalls: 10 })).toMatchObject({ consecutive: 5, failureRate: 0.5 })
  })
})

test('a declared open time is exact, a pair doubles with the default jitter', () => {
  expect(resolveBreaker({ openMs: 10_000 }).open).toEqual({ baseMs: 10_000, maxMs: 10_000, jitter: 0 })
  expect(resolveBreaker({ openMs: { baseMs: 100, maxMs: 900 } }).open).toEqual({
    baseMs: 100,
    maxMs: 900,
    jitter: BREAKER_DEFAULTS.openMs.jitter,
  })
})

test('a window of calls lowers the fewest calls judged to its own length', () => {
  expect(resolveBreaker({ windowCalls: 10 }).minCalls).toBe(10)
  expect(resolveBreaker({ windowMs: 10 }).minCalls).toBe(20)
})

test.each([
  [{ windowMs: 1_000, windowCalls: 5 }, RangeError],
  [{ slowRate: 0.2 }, RangeError],
  [{ failureRate: 0 }, RangeError],
  [{ failureRate: 1.1 }, RangeError],
  [{ failureRate: Number.NaN }, TypeError],
  [{ consecutive: 0 }, RangeError],
  [{ consecutive: 2.5 }, RangeError],
  [{ openMs: 0 }, RangeError],
  [{ openMs: Infinity }, RangeError],
  [{ openMs: { baseMs: 10, maxMs: 5 } }, RangeError],
  [{ openMs: '10s' as unknown as number }, TypeError],
  [{ probes: 0 }, RangeError],
  [{ leaseMs: Infinity }, RangeError],
  [{ slowMs: 0 }, RangeError],
])('refuses %o at creation', (options, error) => {
  expect(() => resolveBreaker(options)).toThrow(error)
})
