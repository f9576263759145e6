import { describe, expect, test } from 'vitest'
import { breakerNoTimeout } from './breaker-no-timeout.js'
import { factorLines, findings, onlyFinding, underlined } from './rule-run.fixture.js'

const chain = (call: string, callee = 'does: read', caller = ''): string => `journeys: { j: { promise: 5s, starts: a.ask } }
services:
  a: { ${caller}operations: { ask: { calls: [{ to: b.answer, ${call} }] } } }
  b: { operations: { answer: { ${callee} } } }
`

describe('breaker-no-timeout', () => {
  test('reports a breaker on a call that nothing ends', () => {
    const found = onlyFinding(breakerNoTimeout, chain('breaker: { consecutive: 5 }'))
    expect(found.severity).toBe('error')
    expect(found.message).toBe('the breaker on b.answer never sees a hung call: nothing ends it, so nothing is counted')
    expect(found.values).toEqual({ boundMs: null })
    expect(underlined(found.spot)).toBe('{ consecutive: 5 }')
    expect(factorLines(found)).toEqual(['timeout = null (default)'])
  })

  test('reports it as well where the call is unbounded on purpose or waits for a connection only', () => {
    expect(factorLines(onlyFinding(breakerNoTimeout, chain('timeout: none, breaker: { consecutive: 5 }')))).toEqual([
      'timeout = none (declared)',
    ])
    expect(findings(breakerNoTimeout, chain('connect: 1s, breaker: { consecutive: 5 }'))).toHaveLength(1)
  })

  test('is silent with any bound, without a breaker, with an unknown bound, and for a stream', () => {
    for (const call of [
      'timeout: 3s, breaker: { consecutive: 5 }',
      'attempt: 3s, breaker: {}',
      'silence: 3s, breaker: {}',
      'optional: true',
      'timeout: unknown, breaker: {}',
    ]) {
      expect(findings(breakerNoTimeout, chain(call))).toEqual([])
    }
    expect(findings(breakerNoTimeout, chain('breaker: {}', 'stream: true'))).toEqual([])
  })

  test('is silent where a budget handed down ends the call, and counts what the caller leaves otherwise', () => {
    expect(findings(breakerNoTimeout, chain('breaker: {}', 'does: read', 'deadline: propagate, '))).toEqual([])
    const limited = chain('breaker: {}').replace('ask: { calls', 'ask: { limits: { request: 2s }, calls')
    expect(onlyFinding(breakerNoTimeout, limited).suggestion?.text).toBe(
      'add a timeout: at most 2 s (what its caller leaves), so that a hung call ends and is counted',
    )
  })
})
