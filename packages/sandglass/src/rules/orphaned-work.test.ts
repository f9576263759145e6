import { describe, expect, it } from 'vitest'
import { orphanedWork } from './orphaned-work.js'
import { factorLines, findings, onlyFinding, underlined } from './rule-run.fixture.js'

const chain = (outer: string, inner = 'timeout: 30s', shop = 'instances: 2,') => `
journeys: { buy: { starts: web.x, rate: 120/s } }
services:
  web: { kind: proxy, operations: { x: { calls: [{ to: shop.x, ${outer} }] } } }
  shop: { ${shop} operations: { x: { work: { p50: 5ms, p99: 20ms }, calls: [{ to: bank.x, ${inner} }] } } }
  bank: { operations: { x: } }
`

describe('orphaned-work', () => {
  it('gives the work per abandoned request and the slots it holds at the rate of the journey', () => {
    const found = onlyFinding(orphanedWork, chain('timeout: 2s'))
    expect(found).toMatchObject({
      severity: 'warning',
      path: ['web.x', 'shop.x'],
      values: { orphanedMs: 28_020, callerBoundMs: 2000, calleeBoundMs: 30_020, ratePerS: 120 },
    })
    expect(found.values['heldSlots']).toBeCloseTo(1681.2, 6)
    expect(factorLines(found)).toEqual([
      'cancel = stops-here (default)',
      'timeout = 2000 (declared)',
      'shop.x p99 = 20 (declared)',
      'bank.x timeout = 30000 (declared)',
      'rate = 120 (declared)',
      'shop instances = 2 (declared)',
    ])
  })

  it('is quiet where cancellation arrives, and where the callee ends in time', () => {
    expect(findings(orphanedWork, chain('timeout: 2s, cancel: reaches'))).toEqual([])
    expect(findings(orphanedWork, chain('timeout: 2s', 'timeout: 1980ms'))).toEqual([])
    expect(findings(orphanedWork, chain('timeout: 2s', 'timeout: 1981ms'))).toHaveLength(1)
    expect(underlined(onlyFinding(orphanedWork, chain('timeout: 2s, cancel: stops-here')).spot)).toBe('stops-here')
  })

  it('counts what one attempt abandons, and the handler that gives up by itself', () => {
    expect(onlyFinding(orphanedWork, chain('timeout: 60s, attempt: 2s, attempts: 2')).values).toMatchObject({
      callerBoundMs: 2000,
      orphanedMs: 28_020,
    })
    const text = chain('timeout: 2s').replace('x: { work', 'x: { limits: { request: 5s }, work')
    expect(onlyFinding(orphanedWork, text).values).toMatchObject({ calleeBoundMs: 5000, orphanedMs: 3000 })
  })

  it('gives no slots without a rate, and says nothing about unknown, unbounded or async calls', () => {
    expect(onlyFinding(orphanedWork, chain('timeout: 2s').replace(', rate: 120/s', '')).values).toMatchObject({
      ratePerS: null,
      heldSlots: null,
    })
    expect(findings(orphanedWork, chain('timeout: unknown'))).toEqual([])
    expect(findings(orphanedWork, chain('timeout: 2s', 'timeout: unknown'))).toEqual([])
    expect(findings(orphanedWork, chain('timeout: 2s', 'timeout: none'))).toEqual([])
    expect(findings(orphanedWork, chain('timeout: 2s, async: true'))).toEqual([])
  })
})
