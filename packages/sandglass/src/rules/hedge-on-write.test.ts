import { describe, expect, test } from 'vitest'
import { hedgeOnWrite } from './hedge-on-write.js'
import { factorLines, findings, onlyFinding, underlined } from './rule-run.fixture.js'

const chain = (hedge: string, does = 'does: write'): string => `services:
  a: { operations: { ask: { calls: [{ to: b.act, timeout: 1s, ${hedge} }] } } }
  b: { operations: { act: { ${does} } } }
`

describe('hedge-on-write', () => {
  test('reports a second copy of a write', () => {
    const found = onlyFinding(hedgeOnWrite, chain('hedge: { after: 50ms }'))
    expect(found.severity).toBe('error')
    expect(found.message).toBe('a second copy of b.act is sent after 50 ms although it is a write: both may happen')
    expect(found.values).toEqual({ afterMs: 50, does: 'write' })
    expect(underlined(found.spot)).toBe('50ms')
    expect(factorLines(found)).toEqual(['hedge.after = 50 (declared)', 'b.act does = write (declared)'])
  })

  test('reports it for everything but reads, a key changes nothing', () => {
    for (const does of ['idempotent-write', 'external-effect', 'manual', 'compensation'])
      expect(findings(hedgeOnWrite, chain('hedge: { after: 50ms }, idempotencyKey: true', `does: ${does}`))).toHaveLength(1)
    expect(findings(hedgeOnWrite, chain('hedge: { after: 50ms }', 'does: read'))).toEqual([])
  })

  test('is silent without a hedge, with none, and with an unknown one', () => {
    for (const hedge of ['attempts: 1', 'hedge: { after: none }', 'hedge: { after: unknown }'])
      expect(findings(hedgeOnWrite, chain(hedge))).toEqual([])
  })

  test('warns, and does not err, where nobody says what the callee does', () => {
    expect(onlyFinding(hedgeOnWrite, chain('hedge: { after: 50ms }', '')).severity).toBe('warning')
  })
})
