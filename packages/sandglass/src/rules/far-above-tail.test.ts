import { describe, expect, it } from 'vitest'
import { farAboveTail } from './far-above-tail.js'
import { factorLines, findings, mended, onlyFinding } from './rule-run.fixture.js'

const chain = (call: string, service = 'concurrency: 200, instances: 2', rate = '120/s') => `
journeys: { buy: { starts: shop.x, rate: ${rate} } }
services:
  shop: { ${service}, operations: { x: { calls: [{ to: bank.x, ${call} }] } } }
  bank: { kind: third-party, operations: { x: { latency: { p50: 40ms, p99: 150ms } } } }
`

describe('far-above-tail', () => {
  it('reports a limit of 200 times the p99 that fills the pool', () => {
    const text = chain('timeout: 30s')
    const found = onlyFinding(farAboveTail, text)
    expect(found).toMatchObject({
      severity: 'warning',
      journey: 'buy',
      path: ['shop.x', 'bank.x'],
      values: { boundMs: 30_000, p99Ms: 150, timesP99: 200, slots: 200, ratePerS: 60, heldSlots: 1800 },
    })
    expect(factorLines(found)).toEqual([
      'timeout = 30000 (declared)',
      'bank.x p99 = 150 (declared)',
      'concurrency = 200 (declared)',
      'rate = 120 (declared)',
      'instances = 2 (declared)',
    ])
    expect(found.suggestion?.text).toBe('timeout 30 s -> 300 ms (2 x p99)')
    expect(findings(farAboveTail, mended(found, text))).toEqual([])
  })

  it('suggests what the pool bears where even twice the p99 is too much', () => {
    expect(onlyFinding(farAboveTail, chain('timeout: 30s', 'concurrency: 10', '100/s')).suggestion?.text).toBe(
      'timeout 30 s -> 79 ms (below 80 % of the slots when all calls hang)',
    )
  })

  it('needs both: far above, and a pool that fills', () => {
    expect(findings(farAboveTail, chain('timeout: 1.5s', 'concurrency: 1'))).toEqual([])
    expect(findings(farAboveTail, chain('timeout: 1.501s', 'concurrency: 1'))).toHaveLength(1)
    expect(findings(farAboveTail, chain('timeout: 2s', 'concurrency: 120, instances: 2'))).toEqual([])
    expect(findings(farAboveTail, chain('timeout: 2s', 'concurrency: 119, instances: 2'))).toHaveLength(1)
  })

  it('asks the bulkhead of the call before the slots of its service', () => {
    expect(onlyFinding(farAboveTail, chain('timeout: 2s, bulkhead: 20')).values).toMatchObject({ slots: 20, heldSlots: 120 })
  })

  it('says nothing where rate, slots, instances, latency or limit is unknown', () => {
    expect(findings(farAboveTail, chain('timeout: 30s', 'concurrency: 200', 'unknown'))).toEqual([])
    expect(findings(farAboveTail, chain('timeout: 30s', 'concurrency: unknown'))).toEqual([])
    expect(findings(farAboveTail, chain('timeout: 30s', 'concurrency: 1, instances: unknown'))).toEqual([])
    expect(findings(farAboveTail, chain('timeout: unknown'))).toEqual([])
    expect(findings(farAboveTail, chain('timeout: 30s').replace('latency: { p50: 40ms, p99: 150ms }', ''))).toEqual([])
  })
})
