import { describe, expect, it } from 'vitest'
import { factorLines, findings, mended, onlyFinding, underlined } from './rule-run.fixture.js'
import { statementOutlives } from './statement-outlives.js'

const chain = (call: string, limits: string, kind = 'database') => `
services:
  shop: { operations: { x: { calls: [{ to: db.x, ${call} }] } } }
  db: { kind: ${kind}, operations: { x: { ${limits} } } }
`

describe('statement-outlives', () => {
  it('reports a statement that may run longer than the client waits', () => {
    const text = chain('timeout: 800ms', 'limits: { statement: 5s }')
    const found = onlyFinding(statementOutlives, text)
    expect(found).toMatchObject({
      severity: 'warning',
      path: ['shop.x', 'db.x'],
      values: { boundMs: 800, statementMs: 5000, outlivesMs: 4200 },
    })
    expect(underlined(found.spot)).toBe('5s')
    expect(factorLines(found)).toEqual([
      'timeout = 800 (declared)',
      'db.x limits.statement = 5000 (declared)',
      'cancel = stops-here (default)',
    ])
    expect(findings(statementOutlives, mended(found, text))).toEqual([])
  })

  it('reports a database without a statement limit, also where that is written', () => {
    const found = onlyFinding(statementOutlives, chain('timeout: 30s', ''))
    expect(found.values).toEqual({ boundMs: 30_000, statementMs: null, outlivesMs: null })
    expect(factorLines(found)).toContain('db.x limits.statement = null (default)')
    expect(found.suggestion?.text).toContain('add limits: { statement: 30s } to db.x')
    expect(findings(statementOutlives, chain('timeout: 30s', 'limits: { statement: none }'))).toHaveLength(1)
    expect(findings(statementOutlives, chain('timeout: 30s', '', 'service'))).toEqual([])
  })

  it('is quiet at equal values and where cancellation reaches the statement', () => {
    expect(findings(statementOutlives, chain('timeout: 5s', 'limits: { statement: 5s }'))).toEqual([])
    expect(findings(statementOutlives, chain('timeout: 4.999s', 'limits: { statement: 5s }'))).toHaveLength(1)
    expect(findings(statementOutlives, chain('timeout: 1s, cancel: reaches', ''))).toEqual([])
  })

  it('compares with one attempt', () => {
    expect(onlyFinding(statementOutlives, chain('timeout: 3s, attempt: 1s, attempts: 3', 'limits: { statement: 2s }')).values).toEqual({
      boundMs: 1000,
      statementMs: 2000,
      outlivesMs: 1000,
    })
  })

  it('says nothing about what is unknown, unbounded or not waited for', () => {
    expect(findings(statementOutlives, chain('timeout: 1s', 'limits: { statement: unknown }'))).toEqual([])
    expect(findings(statementOutlives, chain('timeout: unknown', ''))).toEqual([])
    expect(findings(statementOutlives, chain('timeout: none', ''))).toEqual([])
    expect(findings(statementOutlives, chain('timeout: 1s, async: true', ''))).toEqual([])
  })
})
