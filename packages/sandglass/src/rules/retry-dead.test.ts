import { describe, expect, test } from 'vitest'
import { retryDead } from './retry-dead.js'
import { factorLines, findings, onlyFinding, underlined } from './rule-run.fixture.js'

const chain = (call: string): string => `services:
  a: { operations: { ask: { calls: [{ to: b.answer, ${call} }] } } }
  b: { operations: { answer: { does: read } } }
`

describe('retry-dead', () => {
  test('warns where a per-try limit that is not retried is the timeout of the whole call', () => {
    const found = onlyFinding(retryDead, chain('attempt: 2s, attempts: 4, backoff: [25ms, 75ms, 175ms], retryOn: [503]'))
    expect(found.severity).toBe('warning')
    expect(found.message).toBe(
      'the attempt limit of b.answer acts as the timeout of the whole call: a slow answer ends after 2 s with 0 retries, because retryOn (503) does not include timeout',
    )
    expect(found.values).toEqual({ attempts: 4, retriesOnSlow: 0, boundMs: 2000 })
    expect(underlined(found.spot)).toBe('[503]')
  })

  test('warns where only timeouts are retried and the first try uses all the time', () => {
    const found = onlyFinding(retryDead, chain('timeout: 3s, attempts: 3, retryOn: timeout'))
    expect(found.severity).toBe('warning')
    expect(found.message).toBe(
      'the retries of b.answer can never happen: only timeouts are retried, and a slow first attempt uses the whole 3 s',
    )
    expect(found.suggestion?.text).toBe('add attempt: 1 s (3 s / 3, less any back-off), or set attempts 3 -> 1')
  })

  test('informs where fast failures are retried and slow answers are not', () => {
    const noAttempt = onlyFinding(retryDead, chain('timeout: 3s, attempts: 3'))
    expect(noAttempt.severity).toBe('info')
    expect(noAttempt.message).toBe(
      'slow answers of b.answer are not retried: the first of 3 attempts may use the whole 3 s; only fast failures are retried',
    )
    const notOn = onlyFinding(retryDead, chain('timeout: 3s, attempt: 700ms, attempts: 3, retryOn: [5xx, reset]'))
    expect(notOn.severity).toBe('info')
    expect(notOn.values).toEqual({ attempts: 3, retriesOnSlow: 0, boundMs: 700 })
  })

  test('reports a call without attempt bound and without timeout in retryOn once', () => {
    expect(findings(retryDead, chain('timeout: 3s, attempts: 3, retryOn: [5xx]'))).toHaveLength(1)
  })

  test('is silent where slow tries are repeated, where there is one try, and where nothing ends the call', () => {
    for (const call of [
      'timeout: 3s, attempt: 1s, attempts: 3',
      'attempt: 1s, attempts: 2, retryOn: [timeout]',
      'timeout: 3s',
      'attempts: 3',
      'attempts: 3, retryOn: timeout',
    ]) {
      expect(findings(retryDead, chain(call))).toEqual([])
    }
  })

  test('is silent where a part is unknown', () => {
    for (const call of ['timeout: unknown, attempts: 3', 'timeout: 3s, attempt: unknown, attempts: 3', 'timeout: 3s, attempts: unknown']) {
      expect(findings(retryDead, chain(call))).toEqual([])
    }
  })

  test('gives each factor with its origin', () => {
    expect(factorLines(onlyFinding(retryDead, chain('timeout: 3s, attempts: 3, retryOn: timeout')))).toEqual([
      'timeout = 3000 (declared)',
      'attempts = 3 (declared)',
      'retryOn = timeout (declared)',
    ])
  })
})
