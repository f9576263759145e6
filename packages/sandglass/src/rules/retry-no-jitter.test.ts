import { describe, expect, test } from 'vitest'
import { retryNoJitter } from './retry-no-jitter.js'
import { factorLines, findings, mended, onlyFinding, underlined } from './rule-run.fixture.js'

const chain = (call: string): string => `services:
  a: { operations: { ask: { calls: [{ to: b.answer, ${call} }] } } }
  b: { operations: { answer: { does: read } } }
`

describe('retry-no-jitter', () => {
  test('warns where retries follow at once, and says how much time a back-off may take', () => {
    const found = onlyFinding(retryNoJitter, chain('timeout: 1500ms, attempt: 400ms, attempts: 3'))
    expect(found.severity).toBe('warning')
    expect(found.message).toBe('retries of b.answer follow at once, without back-off')
    // 300 ms are left for base + 2 x base.
    expect(found.suggestion?.text).toBe('add backoff: { base: up to 100 ms, jitter: full }: 300 ms of the timeout is left for it')
  })

  test('warns where every caller waits the same time, and mends it', () => {
    const text = chain('timeout: 2s, attempt: 700ms, attempts: 2, backoff: { base: 50ms, jitter: none }')
    const found = onlyFinding(retryNoJitter, text)
    expect(found.message).toBe('retries of b.answer all wait the same time, without jitter')
    expect(underlined(found.spot)).toBe('none')
    expect(found.suggestion?.text).toBe('jitter none -> full')
    expect(findings(retryNoJitter, mended(found, text))).toEqual([])
  })

  test('counts a back-off of nothing as none', () => {
    for (const backoff of ['{ base: none }', '{ base: 0ms }', '{ base: 50ms, max: 0ms }', '[0ms, 0ms]'])
      expect(findings(retryNoJitter, chain(`attempts: 3, backoff: ${backoff}`))).toHaveLength(1)
  })

  test('is silent with a law, which draws its waits unless it says otherwise, and with a list of largest waits', () => {
    for (const backoff of ['{ base: 50ms }', '{ base: 50ms, jitter: full }', '[25ms, 75ms]'])
      expect(findings(retryNoJitter, chain(`attempts: 3, backoff: ${backoff}`))).toEqual([])
  })

  test('is silent with one try and where a part is unknown', () => {
    for (const call of ['timeout: 1s', 'attempts: unknown', 'attempts: 3, backoff: { base: unknown, jitter: none }'])
      expect(findings(retryNoJitter, chain(call))).toEqual([])
  })

  test('suggests no back-off for which there is no time', () => {
    expect(onlyFinding(retryNoJitter, chain('timeout: 802ms, attempt: 200ms, attempts: 4')).suggestion).toBeNull()
  })

  test('gives each factor with its origin', () => {
    expect(factorLines(onlyFinding(retryNoJitter, chain('attempts: 3')))).toEqual(['attempts = 3 (declared)', 'backoff = null (default)'])
    expect(factorLines(onlyFinding(retryNoJitter, chain('attempts: 3, backoff: { base: 50ms, jitter: none }')))).toEqual([
      'attempts = 3 (declared)',
      'backoff.base = 50 (declared)',
      'jitter = none (declared)',
    ])
  })
})
