import { describe, expect, test } from 'vitest'
import { retryNoBreaker } from './retry-no-breaker.js'
import { factorLines, findings, onlyFinding, underlined } from './rule-run.fixture.js'

const chain = (call: string): string => `journeys: { j: { promise: 5s, starts: a.ask, rate: 100/s } }
services:
  a: { operations: { ask: { calls: [{ to: b.answer, ${call} }] } } }
  b: { operations: { answer: { does: read } } }
`

describe('retry-no-breaker', () => {
  test('says what load the retries send to a callee that is down', () => {
    const found = onlyFinding(retryNoBreaker, chain('attempts: 3, share: 50%'))
    expect(found.severity).toBe('warning')
    expect(found.message).toBe(
      'when b.answer is down, retries send it 3 times the load, and neither a breaker nor a retry budget stops them',
    )
    expect(found.arithmetic).toBe('50/s x 3 = 150/s')
    expect(found.values).toEqual({ attempts: 3, ratePerS: 50, stormPerS: 150 })
    expect(found.suggestion?.text).toBe('add retryBudget: default (at most 1.31 tries a request instead of 3), or a breaker')
    expect(underlined(found.spot)).toBe('3')
  })

  test('is silent with a breaker, with a retry budget, with one try, and with unknown tries', () => {
    for (const call of [
      'attempts: 3, breaker: { consecutive: 5 }',
      'attempts: 3, retryBudget: 10%',
      'attempts: 3, retryBudget: default',
      'timeout: 1s',
      'attempts: 1',
      'attempts: unknown',
    ]) {
      expect(findings(retryNoBreaker, chain(call))).toEqual([])
    }
  })

  test('fires from the second try on', () => {
    expect(findings(retryNoBreaker, chain('attempts: 2'))).toHaveLength(1)
    expect(onlyFinding(retryNoBreaker, chain('attempts: none')).message).toContain('any number of times the load')
  })

  test('gives each factor with its origin', () => {
    expect(factorLines(onlyFinding(retryNoBreaker, chain('attempts: 3')))).toEqual([
      'attempts = 3 (declared)',
      'breaker = null (default)',
      'retryBudget = null (default)',
    ])
  })
})
