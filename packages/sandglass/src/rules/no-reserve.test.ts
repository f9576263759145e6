import { describe, expect, it } from 'vitest'
import { noReserve } from './no-reserve.js'
import { factorLines, findings, onlyFinding, underlined } from './rule-run.fixture.js'

const chain = (defaults: string, call = '', deadline = 'deadline: propagate,') => `
${defaults}
services:
  a: { ${deadline} operations: { x: { limits: { request: 2s }, calls: [{ to: b.x, timeout: 3s${call} }] } } }
  b: { ${deadline} operations: { x: { calls: [{ to: db.x, timeout: 1s }] } } }
  db: { kind: database, operations: { x: } }
`

describe('no-reserve', () => {
  it('reports a budget that is handed on whole, once for everything the missing default concerns', () => {
    const found = onlyFinding(noReserve, chain(''))
    expect(found).toMatchObject({ severity: 'warning', path: ['a.x', 'b.x'], values: { reserveMs: 0, budgetMs: 2000 } })
    expect(found.consequences.map(({ path }) => path)).toEqual([['a.x', 'b.x', 'db.x']])
    expect(factorLines(found)).toEqual(['reserve = 0 (default)', 'a deadline = propagate (declared)'])
  })

  it('points at a reserve of 0 that is written', () => {
    const found = onlyFinding(noReserve, chain('defaults: { reserve: 50ms }', ', reserve: 0ms'))
    expect(underlined(found.spot)).toBe('0ms')
    expect(found.consequences).toEqual([])
    expect(factorLines(found)[0]).toBe('reserve = 0 (declared)')
  })

  it('is quiet where anything is kept, where it is unknown, and where there is no budget', () => {
    expect(findings(noReserve, chain('defaults: { reserve: 1ms }'))).toEqual([])
    expect(findings(noReserve, chain('defaults: { reserve: unknown }'))).toEqual([])
    expect(findings(noReserve, chain('', '', ''))).toEqual([])
    expect(findings(noReserve, chain('').replace('limits: { request: 2s },', '').replace('timeout: 3s', 'timeout: none'))).toEqual([])
  })
})
