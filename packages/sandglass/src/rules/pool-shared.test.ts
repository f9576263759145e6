import { describe, expect, test } from 'vitest'
import { poolShared } from './pool-shared.js'
import { factorLines, findings, onlyFinding, underlined } from './rule-run.fixture.js'

const chain = (
  slow: string,
  { required = '{ to: db.insert, timeout: 1s }', service = 'concurrency: 200', kind = 'service' } = {},
): string => `journeys: { j: { promise: 5s, starts: a.ask, rate: 100/s } }
services:
  a: { ${service}, operations: { ask: { calls: [${required}, { to: extra.show, ${slow} }] } } }
  db: { operations: { insert: { does: write } } }
  extra: { kind: ${kind}, operations: { show: { does: read, latency: { p50: 20ms, p99: 180ms } } } }
`

describe('pool-shared', () => {
  test('warns about an optional call that shares the slots of a required one', () => {
    const found = onlyFinding(poolShared, chain('timeout: 700ms, optional: true'))
    expect(found.severity).toBe('warning')
    expect(found.message).toBe('a slow optional call to extra.show can take the slots of a that the required call to db.insert needs')
    expect(found.suggestion?.text).toBe('add bulkhead: 18 (what it needs at its rate when an answer takes 180 ms)')
    expect(underlined(found.spot)).toBe('extra.show')
    expect(factorLines(found)).toEqual(['concurrency = 200 (declared)', 'optional = true (declared)'])
  })

  test('warns about a call to a third party, required or not', () => {
    const found = onlyFinding(poolShared, chain('timeout: 700ms', { kind: 'third-party' }))
    expect(found.message).toContain('a slow third-party call to extra.show')
    expect(factorLines(found)).toEqual(['concurrency = 200 (declared)', 'extra kind = third-party (declared)'])
  })

  test('looks at the whole service, not only at the operation', () => {
    const text = chain('timeout: 700ms, optional: true', { required: '{ to: extra.show, optional: true, bulkhead: 5 }' })
    expect(findings(poolShared, text)).toEqual([])
    const other = text.replace('operations: { ask', 'operations: { pay: { calls: [{ to: db.insert, timeout: 1s }] }, ask')
    expect(onlyFinding(poolShared, other).message).toContain('the required call to db.insert')
  })

  test('is silent with slots of its own', () => {
    expect(findings(poolShared, chain('timeout: 700ms, optional: true, bulkhead: 20'))).toEqual([])
    expect(
      findings(poolShared, chain('timeout: 700ms, optional: true, pool: extras', { service: 'concurrency: 200, pools: { extras: 20 }' })),
    ).toEqual([])
  })

  test('warns where the pool it draws on is that of a required call', () => {
    const service = 'concurrency: 200, pools: { out: 20 }'
    const found = onlyFinding(
      poolShared,
      chain('timeout: 700ms, optional: true, pool: out', { service, required: '{ to: db.insert, timeout: 1s, pool: out }' }),
    )
    expect(found.message).toContain('can take the pool out of a that')
  })

  test('is silent where every call is optional, or the other does not wait', () => {
    for (const required of ['{ to: db.insert, optional: true, bulkhead: 5 }', '{ to: db.insert, async: true }'])
      expect(findings(poolShared, chain('timeout: 700ms, optional: true', { required }))).toEqual([])
  })

  test('is silent where no slots are known to be shared', () => {
    for (const service of ['instances: 2', 'concurrency: none', 'concurrency: unknown'])
      expect(findings(poolShared, chain('timeout: 700ms, optional: true', { service }))).toEqual([])
  })

  test('suggests no number without a rate', () => {
    expect(onlyFinding(poolShared, chain('timeout: 700ms, optional: true').replace(', rate: 100/s', '')).suggestion?.text).toBe(
      'give the call a bulkhead, or a pool of its own',
    )
  })
})
