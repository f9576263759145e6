import { describe, expect, test } from 'vitest'
import { retryFreshClock } from './retry-fresh-clock.js'
import { factorLines, findings, mended, onlyFinding, underlined } from './rule-run.fixture.js'

const chain = (call: string, caller = ''): string => `services:
  a: { ${caller}operations: { ask: { does: read, calls: [{ to: b.answer, ${call} }] } } }
  b: { operations: { answer: { does: read } } }
`

describe('retry-fresh-clock', () => {
  test('adds up attempts that each start a clock of their own', () => {
    const found = onlyFinding(retryFreshClock, chain('attempt: 3s, attempts: 3'))
    expect(found.severity).toBe('error')
    expect(found.message).toBe(
      'each attempt of b.answer gets a new 3 s: with 3 attempts the call may take 9 s, and nothing ends them together',
    )
    expect(found.arithmetic).toBe('3 attempts x 3 s = 9 s')
    expect(found.values).toEqual({ attempts: 3, attemptMs: 3000, triesMs: 9000 })
    expect(underlined(found.spot)).toBe('3s')
  })

  test('gives 4 tries of 2 s with waits of 25, 75 and 175 ms up to 8.275 s', () => {
    const found = onlyFinding(retryFreshClock, chain('attempt: 2s, attempts: 4, backoff: [25ms, 75ms, 175ms], retryOn: [timeout, 5xx]'))
    expect(found.values).toEqual({ attempts: 4, attemptMs: 2000, triesMs: 8275 })
    expect(found.arithmetic).toBe('4 attempts x 2 s + back-off up to 275 ms = 8.275 s')
  })

  test('leaves a wait for a connection out of what the tries take', () => {
    expect(onlyFinding(retryFreshClock, chain('attempt: 3s, attempts: 3, queue: 1s')).arithmetic).toBe('3 attempts x 3 s = 9 s')
  })

  test('is silent with a total, a last start, one attempt, or where slow tries are not repeated', () => {
    for (const call of [
      'timeout: 9s, attempt: 3s, attempts: 3',
      'attempt: 3s, attempts: 3, retryStartWithin: 2s',
      'attempt: 3s',
      'attempt: 3s, attempts: 3, retryOn: [5xx]',
    ]) {
      expect(findings(retryFreshClock, chain(call))).toEqual([])
    }
  })

  test('counts a total that is none on purpose as no total', () => {
    expect(findings(retryFreshClock, chain('timeout: none, attempt: 3s, attempts: 3'))).toHaveLength(1)
  })

  test('is silent where a budget is handed down, which ends all tries together', () => {
    const text = `journeys: { j: { promise: 5s, starts: a.ask } }\n${chain('attempt: 3s, attempts: 3', 'deadline: propagate, ')}`
    expect(findings(retryFreshClock, text)).toEqual([])
  })

  test('is silent where a part is unknown', () => {
    for (const call of [
      'timeout: unknown, attempt: 3s, attempts: 3',
      'attempt: unknown, attempts: 3',
      'attempt: 3s, attempts: unknown',
      'attempt: 3s, attempts: 3, backoff: { base: unknown }',
    ]) {
      expect(findings(retryFreshClock, chain(call))).toEqual([])
    }
  })

  test('suggests a total of what the tries take now, or of what the caller leaves when that is less', () => {
    const free = chain('attempt: 3s, attempts: 3')
    expect(onlyFinding(retryFreshClock, free).suggestion?.text).toBe('add timeout: 9s (what the attempts take now), shared by all attempts')
    expect(findings(retryFreshClock, mended(onlyFinding(retryFreshClock, free), free))).toEqual([])
    const held = `defaults: { network: 10ms, reserve: 40ms }
services:
  front: { kind: client, operations: { go: { calls: [{ to: a.ask, timeout: 5s }] } } }
  a: { operations: { ask: { does: read, work: { p50: 50ms, p99: 100ms }, calls: [{ to: b.answer, attempt: 3s, attempts: 3 }] } } }
  b: { operations: { answer: { does: read } } }
`
    expect(onlyFinding(retryFreshClock, held).suggestion?.text).toBe(
      'add timeout: 4.85s (what the caller leaves), shared by all attempts and attempt 3 s -> 1.616 s',
    )
    expect(mended(onlyFinding(retryFreshClock, held), held)).toContain('{ to: b.answer, timeout: 4.85s, attempt: 1.616s')
  })

  test('replaces a none by the total, and says so where the steps before leave nothing', () => {
    const none = chain('timeout: none, attempt: 3s, attempts: 3')
    expect(mended(onlyFinding(retryFreshClock, none), none)).toContain('timeout: 9s')
    const tight = `services:
  front: { kind: client, operations: { go: { calls: [{ to: a.ask, timeout: 500ms }] } } }
${chain('connect: 1s, silence: 3s, attempts: 3').replace('services:\n', '')}`
    expect(onlyFinding(retryFreshClock, tight).suggestion?.text).toBe(
      'add timeout: 500ms (what the caller leaves), shared by all attempts and attempts 3 -> 1',
    )
    const full = `services:
  front: { kind: client, operations: { go: { calls: [{ to: a.ask, timeout: 5s }] } } }
  a: { operations: { ask: { does: read, calls: [{ to: b.answer, timeout: 5s }, { to: b.answer, attempt: 3s, attempts: 3 }] } } }
  b: { operations: { answer: { does: read } } }
`
    expect(onlyFinding(retryFreshClock, full).suggestion?.edits).toEqual([])
  })

  test('says that the total is missing and where', () => {
    expect(factorLines(onlyFinding(retryFreshClock, chain('attempt: 3s, attempts: 3')))).toEqual([
      'timeout = null (default)',
      'attempt = 3000 (declared)',
      'attempts = 3 (declared)',
    ])
  })
})
