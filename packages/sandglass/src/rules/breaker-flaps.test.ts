import { describe, expect, test } from 'vitest'
import { breakerFlaps } from './breaker-flaps.js'
import { factorLines, findings, mended, onlyFinding, underlined } from './rule-run.fixture.js'

const chain = (call: string, callee = 'does: read'): string => `services:
  a: { operations: { ask: { calls: [{ to: b.answer, ${call} }] } } }
  b: { operations: { answer: { ${callee} } } }
`

describe('breaker-flaps', () => {
  test('warns where few calls decide: 5 x 50 % = 2.5 is less than 3 failures', () => {
    const text = chain('timeout: 1s, breaker: { failureRate: 50%, minCalls: 5, window: 100 }')
    const found = onlyFinding(breakerFlaps, text)
    expect(found.severity).toBe('warning')
    expect(found.message).toBe('the breaker on b.answer opens after 3 failures in 5 calls')
    expect(found.arithmetic).toBe('minCalls 5 x failureRate 50 % = 2.5 < 3')
    expect(found.values).toEqual({ minCalls: 5, failureRate: 0.5, failures: 2.5 })
    expect(underlined(found.spot)).toBe('5')
    expect(found.suggestion?.text).toBe('minCalls 5 -> at least 6 (3 failures)')
    expect(findings(breakerFlaps, mended(found, text))).toEqual([])
  })

  test('accepts exactly 3 failures', () => {
    for (const breaker of [
      'failureRate: 30%, minCalls: 10',
      'failureRate: 50%, minCalls: 6',
      'failureRate: 10%, minCalls: 30',
      'failureRate: 15%, minCalls: 20',
    ]) {
      expect(findings(breakerFlaps, chain(`timeout: 1s, breaker: { ${breaker} }`))).toEqual([])
    }
    expect(findings(breakerFlaps, chain('timeout: 1s, breaker: { failureRate: 29%, minCalls: 10 }'))).toHaveLength(1)
  })

  test('judges no more calls than the window holds, and fills in the defaults that run', () => {
    const small = onlyFinding(breakerFlaps, chain('timeout: 1s, breaker: { failureRate: 50%, minCalls: 20, window: 4 }'))
    expect(small.values).toEqual({ minCalls: 4, failureRate: 0.5, failures: 2 })
    expect(small.suggestion?.edits).toEqual([])
    expect(findings(breakerFlaps, chain('timeout: 1s, breaker: {}'))).toEqual([])
    const rate = onlyFinding(breakerFlaps, chain('timeout: 1s, breaker: { failureRate: 10% }'))
    expect(rate.values).toEqual({ minCalls: 20, failureRate: 0.1, failures: 2 })
    expect(factorLines(rate)).toEqual(['minCalls = 20 (default)', 'failureRate = 0.1 (declared)'])
  })

  test('does not judge a rate where failures in a row alone open it', () => {
    expect(findings(breakerFlaps, chain('timeout: 1s, breaker: { consecutive: 2 }'))).toEqual([])
  })

  test('warns where the bound makes more healthy answers late than the rate allows', () => {
    const found = onlyFinding(
      breakerFlaps,
      chain('timeout: 50ms, breaker: { failureRate: 40%, minCalls: 100 }', 'does: read, latency: { p50: 50ms, p99: 180ms }'),
    )
    expect(found.message).toBe('50 % of healthy calls of b.answer fail for this breaker, which opens above 40 %')
    expect(found.values['failureShare']).toBeCloseTo(0.5, 6)
    expect(found.suggestion?.text).toBe('let an attempt take at least 180 ms (p99 of b.answer: 1 % would fail)')
    expect(factorLines(found)).toEqual(['timeout = 50 (declared)', 'failureRate = 0.4 (declared)', 'b.answer p99 = 180 (declared)'])
  })

  test('is silent where the share is exactly the rate', () => {
    const callee = (errors: string): string => `does: read, errors: ${errors}`
    expect(findings(breakerFlaps, chain('timeout: 1s, breaker: { failureRate: 10%, minCalls: 100 }', callee('10%')))).toEqual([])
    expect(findings(breakerFlaps, chain('timeout: 1s, breaker: { failureRate: 10%, minCalls: 100 }', callee('11%')))).toHaveLength(1)
  })

  test('counts errors, hangs and late answers of one attempt together', () => {
    const found = onlyFinding(
      breakerFlaps,
      chain(
        'timeout: 1s, attempt: 50ms, attempts: 3, breaker: { failureRate: 50%, minCalls: 100 }',
        'does: read, latency: { p50: 50ms, p99: 180ms }, errors: 10%, hangs: 10%',
      ),
    )
    // 20 % at once or never; half of the rest is late.
    expect(found.values['failureShare']).toBeCloseTo(0.6, 6)
  })

  test('warns where healthy answers count as slow', () => {
    const found = onlyFinding(
      breakerFlaps,
      chain('timeout: 1s, breaker: { slow: 50ms, slowRate: 40% }', 'does: read, latency: { p50: 50ms, p99: 180ms }'),
    )
    expect(found.message).toBe('50 % of healthy answers of b.answer are slow for this breaker, which opens above 40 %')
    expect(underlined(found.spot)).toBe('50ms')
    expect(
      findings(
        breakerFlaps,
        chain('timeout: 1s, breaker: { slow: 180ms, slowRate: 40% }', 'does: read, latency: { p50: 50ms, p99: 180ms }'),
      ),
    ).toEqual([])
  })

  test('does not count lateness that nobody knows: no law, no bound, an unknown bound', () => {
    const law = 'does: read, latency: { p50: 50ms, p99: 180ms }'
    expect(findings(breakerFlaps, chain('timeout: 1ms, breaker: { failureRate: 40%, minCalls: 100 }'))).toEqual([])
    expect(findings(breakerFlaps, chain('breaker: { failureRate: 40%, minCalls: 100 }', law))).toEqual([])
    expect(findings(breakerFlaps, chain('timeout: unknown, breaker: { failureRate: 40%, minCalls: 100 }', law))).toEqual([])
  })
})
