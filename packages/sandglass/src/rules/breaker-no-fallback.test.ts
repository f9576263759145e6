import { describe, expect, test } from 'vitest'
import { breakerNoFallback } from './breaker-no-fallback.js'
import { factorLines, findings, onlyFinding, underlined } from './rule-run.fixture.js'

const chain = (call: string, does = 'read', outer = ''): string => `services:
  top: { operations: { go: { calls: [{ to: a.ask, timeout: 3s${outer} }] } } }
  a: { operations: { ask: { does: read, calls: [{ to: b.answer, timeout: 1s, ${call} }] } } }
  b: { operations: { answer: { does: ${does} } } }
`

describe('breaker-no-fallback', () => {
  test('warns about a breaker on a required read without fallback', () => {
    const found = onlyFinding(breakerNoFallback, chain('breaker: { consecutive: 5 }'))
    expect(found.severity).toBe('warning')
    expect(found.message).toBe(
      'when the breaker on b.answer is open, every request fails at once: the call is required and has no fallback',
    )
    expect(found.path).toEqual(['top.go', 'a.ask', 'b.answer'])
    expect(underlined(found.spot)).toBe('{ consecutive: 5 }')
    expect(factorLines(found)).toEqual(['b.answer does = read (declared)', 'optional = false (default)', 'fallback = null (default)'])
  })

  test('is silent with a fallback, without a breaker, and for an optional call', () => {
    for (const call of ['breaker: {}, fallback: { tier: empty }', 'attempts: 1', 'breaker: {}, optional: true'])
      expect(findings(breakerNoFallback, chain(call))).toEqual([])
  })

  test('is silent where what may be done with a write is another question', () => {
    for (const does of ['write', 'idempotent-write', 'external-effect'])
      expect(findings(breakerNoFallback, chain('breaker: {}', does))).toEqual([])
  })

  test('is silent where a layer outside does without it: optional, asynchronous, or with a fallback', () => {
    for (const outer of [', optional: true', ', async: true', ', fallback: { tier: default }'])
      expect(findings(breakerNoFallback, chain('breaker: {}', 'read', outer))).toEqual([])
  })

  test('warns where one of two paths needs it', () => {
    const text = chain('breaker: {}', 'read', ', optional: true').replace(
      'services:\n',
      'services:\n  other: { operations: { go: { calls: [{ to: a.ask, timeout: 3s }] } } }\n',
    )
    expect(onlyFinding(breakerNoFallback, text).path).toEqual(['other.go', 'a.ask', 'b.answer'])
  })

  test('is silent where the callee is not known', () => {
    expect(findings(breakerNoFallback, 'services: { a: { operations: { ask: { calls: [{ to: unknown, breaker: {} }] } } } }')).toEqual([])
  })
})
