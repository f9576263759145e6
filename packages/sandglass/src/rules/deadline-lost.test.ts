import { describe, expect, it } from 'vitest'
import { deadlineLost } from './deadline-lost.js'
import { factorLines, findings, mended, onlyFinding, underlined } from './rule-run.fixture.js'

const chain = (call: string, b = '', a = 'deadline: propagate,', request = '') => `
services:
  a: { ${a} operations: { x: { calls: [{ to: b.x, ${call} }] } } }
  b: { ${b} operations: { x: { ${request} calls: [{ to: db.x, timeout: 1s }] } } }
  db: { kind: database, operations: { x: } }
`

describe('deadline-lost', () => {
  it('reports a budget that reaches a service which ignores it and calls on', () => {
    const found = onlyFinding(deadlineLost, chain('timeout: 2s'))
    expect(found).toMatchObject({ severity: 'warning', path: ['a.x', 'b.x'], values: { callsBelow: 1 } })
    expect(underlined(found.spot)).toBe('b.x')
    expect(factorLines(found)).toEqual(['a deadline = propagate (declared)', 'b deadline = ignore (default)'])
  })

  it('mends a written ignore', () => {
    const text = chain('timeout: 2s', 'deadline: ignore,')
    const found = onlyFinding(deadlineLost, text)
    expect(underlined(found.spot)).toBe('ignore')
    expect(findings(deadlineLost, mended(found, text))).toEqual([])
  })

  it('is quiet where the callee honours it, asks nobody, or the caller has none', () => {
    expect(findings(deadlineLost, chain('timeout: 2s', 'deadline: propagate,'))).toEqual([])
    expect(findings(deadlineLost, chain('timeout: 2s', '', ''))).toEqual([])
    expect(findings(deadlineLost, chain('timeout: 2s, deadline: ignore'))).toEqual([])
    expect(
      findings(
        deadlineLost,
        'services: { a: { deadline: propagate, operations: { x: { calls: [{ to: db.x, timeout: 1s }] } } }, db: { operations: { x: } } }',
      ),
    ).toEqual([])
  })

  it('reports an async hop that nothing ends, and takes any end of its own', () => {
    const found = onlyFinding(deadlineLost, chain('async: true', '', ''))
    expect(found.message).toContain('works on for a.x without any limit')
    expect(underlined(found.spot)).toBe('true')
    expect(factorLines(found)).toContain('timeout = null (default)')
    expect(findings(deadlineLost, chain('async: true, timeout: 60s', '', ''))).toEqual([])
    expect(findings(deadlineLost, chain('async: true, timeout: unknown', '', ''))).toEqual([])
    expect(findings(deadlineLost, chain('async: true', '', '', 'limits: { request: 60s },'))).toEqual([])
    expect(findings(deadlineLost, chain('async: true', 'deadline: propagate,'))).toEqual([])
  })
})
