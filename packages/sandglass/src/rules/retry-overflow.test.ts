import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { retryOverflow } from './retry-overflow.js'
import { factorLines, findings, mended, onlyFinding, underlined } from './rule-run.fixture.js'

const chain = (call: string, callee = ''): string => `services:
  a: { operations: { ask: { calls: [{ to: b.answer, ${call} }] } } }
  b: { operations: { answer: { does: read${callee} } } }
`

describe('retry-overflow', () => {
  test('says that no retry of 30 s fits into the 15 s a proxy gives by default', () => {
    const found = onlyFinding(retryOverflow, chain('timeout: 15s, attempt: 30s, attempts: 4'))
    expect(found.severity).toBe('error')
    expect(found.message).toBe('4 attempts of b.answer do not fit into 15 s: when each is slow, 1 can start and 0 can finish')
    expect(found.arithmetic).toBe('4 attempts x 30 s = 2m > 15 s; full retries on slow answers: 0')
    expect(found.values).toMatchObject({
      attempts: 4,
      timeoutMs: 15_000,
      attemptMs: 30_000,
      triesMs: 120_000,
      fullRetries: 0,
      largestAttemptMs: 3750,
    })
    expect(found.suggestion?.text).toBe('attempt 30 s -> 3.75 s (15 s / 4 = 3.75 s), or timeout 15 s -> 2m')
    expect(underlined(found.spot)).toBe('15s')
  })

  test('counts the largest back-offs, and none of them, apart', () => {
    const found = onlyFinding(retryOverflow, chain('timeout: 1450ms, attempt: 700ms, attempts: 3, backoff: { base: 100ms, factor: 2 }'))
    // Starts at 0, 800 and 1700 ms with the largest waits, at 0, 700 and 1400 ms with none.
    expect(found.values).toMatchObject({
      triesMs: 2400,
      startWithLargestBackoff: 2,
      startWithoutBackoff: 3,
      finishWithLargestBackoff: 1,
      finishWithoutBackoff: 2,
      fullRetries: 1,
    })
    expect(found.message).toContain('2 to 3 can start and 1 to 2 can finish')
    expect(found.arithmetic).toBe('3 attempts x 700 ms + back-off up to 300 ms = 2.4 s > 1.45 s; full retries on slow answers: 1')
    expect(found.suggestion?.text).toContain('attempt 700 ms -> 383 ms (1.45 s / 3 = 483 ms without back-off)')
  })

  test('is silent where all tries just fit', () => {
    expect(findings(retryOverflow, chain('timeout: 1450ms, attempt: 700ms, attempts: 2, backoff: { base: 50ms }'))).toEqual([])
    expect(findings(retryOverflow, chain('timeout: 1449ms, attempt: 700ms, attempts: 2, backoff: { base: 50ms }'))).toHaveLength(1)
  })

  test('adds the wait for a slot that each attempt has anew', () => {
    const found = onlyFinding(retryOverflow, chain('timeout: 1500ms, attempt: 700ms, attempts: 2, queue: { perAttempt: 100ms }'))
    expect(found.values).toMatchObject({ attemptMs: 800, triesMs: 1600 })
    expect(found.suggestion?.text).toContain('attempt 700 ms -> 650 ms')
  })

  test('is silent where a slow try is not repeated, where there is no total, and where a part is unknown', () => {
    expect(findings(retryOverflow, chain('timeout: 1s, attempt: 700ms, attempts: 3, retryOn: [5xx]'))).toEqual([])
    expect(findings(retryOverflow, chain('attempt: 700ms, attempts: 3'))).toEqual([])
    for (const unknown of [
      'timeout: unknown, attempt: 1s, attempts: 3',
      'timeout: 1s, attempt: unknown, attempts: 3',
      'timeout: 1s, attempt: 1s, attempts: unknown',
      'timeout: 1s, attempt: 1s, attempts: 3, backoff: { base: unknown }',
    ]) {
      expect(findings(retryOverflow, chain(unknown))).toEqual([])
    }
  })

  test('takes a last start into account', () => {
    expect(findings(retryOverflow, chain('timeout: 2s, attempt: 1s, attempts: 5, retryStartWithin: 1s'))).toEqual([])
    const found = onlyFinding(retryOverflow, chain('timeout: 1900ms, attempt: 1s, attempts: 5, retryStartWithin: 1s'))
    expect(found.values).toMatchObject({ triesMs: 2000, startWithLargestBackoff: 2, finishWithLargestBackoff: 1 })
  })

  test('reports tries without limit in words', () => {
    const found = onlyFinding(retryOverflow, chain('timeout: 1s, attempt: 300ms, attempts: none'))
    expect(found.message).toBe('unlimited attempts of b.answer do not fit into 1 s: when each is slow, 4 can start and 3 can finish')
    expect(found.values).toMatchObject({ attempts: null, triesMs: null })
  })

  test('gives each factor with its origin', () => {
    const found = onlyFinding(retryOverflow, chain('timeout: 1s, attempt: 700ms, attempts: 2, backoff: { base: 50ms }'))
    expect(factorLines(found)).toEqual([
      'timeout = 1000 (declared)',
      'attempt = 700 (declared)',
      'attempts = 2 (declared)',
      'largest back-off = 50 (declared)',
    ])
  })

  test('prefers fewer tries to tries that would kill healthy answers, and never suggests to change what is fixed', () => {
    const slow = onlyFinding(retryOverflow, chain('timeout: 1s, attempt: 700ms, attempts: 3', ', latency: { p50: 50ms, p99: 600ms }'))
    expect(slow.suggestion?.text).toBe('attempts 3 -> 1, or timeout 1 s -> 2.1 s, or attempt 700 ms -> 333 ms (1 s / 3 = 333 ms)')
    const fixed = onlyFinding(
      retryOverflow,
      chain('timeout: { value: 1s, fixed: true }, attempt: { value: 700ms, fixed: true }, attempts: 2'),
    )
    expect(fixed.suggestion?.text).toBe('attempts 2 -> 1')
  })

  test('a fix that is applied leaves nothing to report', () => {
    const numbers = fc.record({
      timeoutMs: fc.integer({ min: 20, max: 5000 }),
      attemptMs: fc.integer({ min: 1, max: 5000 }),
      attempts: fc.integer({ min: 2, max: 6 }),
      baseMs: fc.integer({ min: 0, max: 200 }),
    })
    fc.assert(
      fc.property(numbers, ({ timeoutMs, attemptMs, attempts, baseMs }) => {
        const text = chain(
          `timeout: ${timeoutMs}ms, attempt: ${attemptMs}ms, attempts: ${attempts}, backoff: { base: ${baseMs}ms, factor: 2 }`,
        )
        const found = findings(retryOverflow, text)
        const triesMs = attempts * attemptMs + baseMs * (2 ** (attempts - 1) - 1)
        expect(found).toHaveLength(triesMs > timeoutMs ? 1 : 0)
        for (const each of found) {
          expect(each.suggestion?.edits).toHaveLength(1)
          expect(findings(retryOverflow, mended(each, text))).toEqual([])
        }
      }),
    )
  })
})
