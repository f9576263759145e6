import { describe, expect, it } from 'vitest'
import { lockOutlives } from './lock-outlives.js'
import { factorLines, findings, mended, onlyFinding, underlined } from './rule-run.fixture.js'

const chain = (call: string, lock: string, defaults = '') => `
${defaults}
services:
  shop: { operations: { x: { calls: [{ to: db.x, ${call} }] } } }
  db: { kind: database, operations: { x: { limits: { lock: ${lock}, statement: 100ms } } } }
`

describe('lock-outlives', () => {
  it('reports a lock wait of at least what the call has', () => {
    const text = chain('timeout: 800ms', '5s', 'defaults: { network: 10ms, reserve: 50ms }')
    const found = onlyFinding(lockOutlives, text)
    expect(found).toMatchObject({ severity: 'error', path: ['shop.x', 'db.x'], values: { lockMs: 5000, leftMs: 800 } })
    expect(underlined(found.spot)).toBe('5s')
    expect(factorLines(found)).toEqual(['db.x limits.lock = 5000 (declared)', 'timeout = 800 (declared)'])
    expect(found.suggestion?.text).toBe('limits.lock 5 s -> 740 ms')
    expect(findings(lockOutlives, mended(found, text))).toEqual([])
  })

  it('reports equal values too, and is quiet just below', () => {
    expect(findings(lockOutlives, chain('timeout: 800ms', '800ms'))).toHaveLength(1)
    expect(findings(lockOutlives, chain('timeout: 800ms', '799ms'))).toEqual([])
  })

  it('compares with one attempt, and with what a budget typically leaves', () => {
    expect(onlyFinding(lockOutlives, chain('timeout: 2s, attempt: 500ms, attempts: 3', '600ms')).values).toMatchObject({ leftMs: 500 })
    const text = `
services:
  shop: { deadline: propagate, operations: { x: { limits: { request: 1s }, calls: [{ to: slow.x, timeout: 900ms }, { to: db.x, timeout: 800ms, reserve: 50ms }] } } }
  slow: { operations: { x: { latency: { p50: 100ms, p99: 700ms } } } }
  db: { kind: database, operations: { x: { limits: { lock: 300ms } } } }
`
    expect(onlyFinding(lockOutlives, text).values).toEqual({ lockMs: 300, leftMs: 250 })
  })

  it('reports a lock wait without end', () => {
    const found = onlyFinding(lockOutlives, chain('timeout: 800ms', 'none'))
    expect(found.values).toEqual({ lockMs: null, leftMs: 800 })
    expect(found.suggestion?.edits).toEqual([])
  })

  it('says nothing where the lock or the call is unknown, or the call has no limit at all', () => {
    expect(findings(lockOutlives, chain('timeout: 800ms', 'unknown'))).toEqual([])
    expect(findings(lockOutlives, chain('timeout: unknown', '5s'))).toEqual([])
    expect(findings(lockOutlives, chain('timeout: none', '5s'))).toEqual([])
  })
})
