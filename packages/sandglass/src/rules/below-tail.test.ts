import { describe, expect, it } from 'vitest'
import { belowTail } from './below-tail.js'
import { factorLines, findings, mended, onlyFinding, underlined } from './rule-run.fixture.js'

const chain = (call: string, latency = '{ exponential: 100ms }') => `
services:
  shop: { operations: { x: { calls: [{ to: stock.x, ${call} }] } } }
  stock: { operations: { x: { latency: ${latency} } } }
`

describe('below-tail', () => {
  it('gives the share of good answers that a short attempt kills', () => {
    const found = onlyFinding(belowTail, chain('timeout: 1s, attempt: 200ms, attempts: 2'))
    expect(found).toMatchObject({ severity: 'warning', path: ['shop.x', 'stock.x'], values: { boundMs: 200 } })
    expect(found.values['p99Ms']).toBeCloseTo(460.517, 3)
    expect(found.values['lostShare']).toBeCloseTo(Math.exp(-2), 9)
    expect(found.message).toContain('each attempt of stock.x ends after 200 ms, which kills 14 % of its good answers')
    expect(underlined(found.spot)).toBe('200ms')
    expect(found.suggestion).toBeNull()
  })

  it('judges the total where there is no attempt bound, and suggests 1.5 x p99', () => {
    const text = chain('timeout: 150ms', '{ p50: 20ms, p99: 180ms }')
    const found = onlyFinding(belowTail, text)
    expect(found.values).toMatchObject({ boundMs: 150, p99Ms: 180 })
    expect(factorLines(found)).toEqual(['timeout = 150 (declared)', 'stock.x p99 = 180 (declared)'])
    expect(found.suggestion?.text).toBe('timeout 150 ms -> 270 ms (1.5 x p99)')
    expect(findings(belowTail, mended(found, text))).toEqual([])
  })

  it('is quiet from exactly the p99 on', () => {
    expect(findings(belowTail, chain('timeout: 180ms', '{ p50: 20ms, p99: 180ms }'))).toEqual([])
    expect(findings(belowTail, chain('timeout: 179ms', '{ p50: 20ms, p99: 180ms }'))).toHaveLength(1)
    expect(findings(belowTail, chain('timeout: 50ms', '{ constant: 50ms }'))).toEqual([])
  })

  it('says nothing where the limit or the latency is unknown, or where no one waits', () => {
    expect(findings(belowTail, chain('timeout: unknown'))).toEqual([])
    expect(findings(belowTail, chain('timeout: 1ms, attempt: unknown'))).toEqual([])
    expect(findings(belowTail, chain('timeout: none'))).toEqual([])
    expect(findings(belowTail, chain('timeout: 10ms, async: true'))).toEqual([])
    expect(
      findings(belowTail, 'services: { a: { operations: { x: { calls: [{ to: b.x, timeout: 1ms }] } } }, b: { operations: { x: } } }'),
    ).toEqual([])
  })

  it('suggests no more than the caller has', () => {
    const text = (outer: string) => `
services:
  web: { kind: proxy, operations: { x: { calls: [{ to: shop.x, timeout: ${outer} }] } } }
  shop: { operations: { x: { calls: [{ to: stock.x, timeout: 100ms }] } } }
  stock: { operations: { x: { latency: { p50: 20ms, p99: 180ms } } } }
`
    expect(onlyFinding(belowTail, text('200ms')).suggestion?.text).toBe('timeout 100 ms -> 180 ms (p99)')
    expect(onlyFinding(belowTail, text('150ms')).suggestion).toBeNull()
  })
})
