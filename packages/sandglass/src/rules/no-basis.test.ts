import { describe, expect, it } from 'vitest'
import { noBasis } from './no-basis.js'
import { factorLines, findings, onlyFinding, underlined } from './rule-run.fixture.js'

const chain = (call: string, leaf = 'latency: { p50: 20ms, p99: 100ms }') => `
services:
  shop: { operations: { x: { calls: [{ to: stock.x, ${call} }] } } }
  stock: { operations: { x: { ${leaf} } } }
`

describe('no-basis', () => {
  it('asks for the reason of a timeout', () => {
    const found = onlyFinding(noBasis, chain('timeout: 300ms'))
    expect(found).toMatchObject({ severity: 'info', path: ['shop.x', 'stock.x'], values: { boundMs: 300, p99Ms: 100 } })
    expect(found.message).toBe('nobody wrote down why stock.x gets 300 ms, and it is not 1.5 to 2 times the p99 (150 ms to 200 ms)')
    expect(underlined(found.spot)).toBe('300ms')
    expect(factorLines(found)).toEqual(['timeout = 300 (declared)', 'stock.x p99 = 100 (declared)'])
    expect(onlyFinding(noBasis, chain('timeout: 300ms', '')).values).toEqual({ boundMs: 300, p99Ms: null })
  })

  it('takes 1.5 to 2 x p99, both included, for a reason', () => {
    for (const quiet of ['150ms', '200ms', '180ms']) expect(findings(noBasis, chain(`timeout: ${quiet}`))).toEqual([])
    for (const loud of ['149ms', '201ms']) expect(findings(noBasis, chain(`timeout: ${loud}`))).toHaveLength(1)
  })

  it('is quiet where a basis is written, but not for an empty one', () => {
    expect(findings(noBasis, chain('timeout: 300ms, basis: "3 x p99, load test of May"'))).toEqual([])
    expect(findings(noBasis, chain('timeout: 300ms, basis: " "'))).toHaveLength(1)
  })

  it('says nothing about what is fixed, unknown, none or not written', () => {
    for (const call of ['timeout: { value: 29s, fixed: true }', 'timeout: unknown', 'timeout: none', 'attempt: 300ms'])
      expect(findings(noBasis, chain(call))).toEqual([])
  })
})
