import { describe, expect, it } from 'vitest'
import { missingTimeout } from './missing-timeout.js'
import { queueUnbounded } from './queue-unbounded.js'
import { factorLines, findings, mended, onlyFinding, underlined } from './rule-run.fixture.js'

const chain = (call: string, kind = 'database', more = '') => `
services:
  web: { kind: proxy, ${more} operations: { x: { calls: [{ to: shop.x, timeout: 3s }] } } }
  shop: { ${more} operations: { x: { calls: [{ to: db.x, ${call} }] } } }
  db: { kind: ${kind}, operations: { x: } }
`

describe('queue-unbounded', () => {
  it('reports a wait for a connection that nothing limits', () => {
    const text = chain('attempt: 500ms')
    const found = onlyFinding(queueUnbounded, text)
    expect(found).toMatchObject({ severity: 'error', path: ['web.x', 'shop.x', 'db.x'], values: { waitMs: null, attemptMs: 500 } })
    expect(factorLines(found)).toEqual(['timeout = null (default)', 'queue = null (default)', 'attempt = 500 (declared)'])
    expect(findings(queueUnbounded, mended(found, text))).toEqual([])
  })

  it('points at a wait of none, and is then the one finding about the call', () => {
    const text = chain('attempt: 500ms, queue: none')
    expect(underlined(onlyFinding(queueUnbounded, text).spot)).toBe('none')
    expect(findings(missingTimeout, text)).toEqual([])
    expect(findings(queueUnbounded, chain('attempt: 500ms, queue: { perAttempt: none }'))).toHaveLength(1)
  })

  it('asks caches and bulkheads as well, and other callees only where none is written', () => {
    expect(findings(queueUnbounded, chain('attempt: 500ms', 'cache'))).toHaveLength(1)
    expect(findings(queueUnbounded, chain('attempt: 500ms, bulkhead: 20', 'service'))).toHaveLength(1)
    expect(findings(queueUnbounded, chain('attempt: 500ms', 'service'))).toEqual([])
    expect(findings(queueUnbounded, chain('attempt: 500ms, queue: none', 'service'))).toHaveLength(1)
  })

  it('is quiet where a total, a limit of the wait, or a budget covers it', () => {
    expect(findings(queueUnbounded, chain('timeout: 1s, attempt: 500ms'))).toEqual([])
    expect(findings(queueUnbounded, chain('attempt: 500ms, queue: 0ms'))).toEqual([])
    expect(findings(queueUnbounded, chain('attempt: 500ms, queue: { perAttempt: 100ms }'))).toEqual([])
    expect(findings(queueUnbounded, chain('attempt: 500ms', 'database', 'deadline: propagate,'))).toEqual([])
  })

  it('leaves a call without any limit to the rule for those', () => {
    expect(findings(queueUnbounded, chain('queue: none'))).toEqual([])
    expect(findings(missingTimeout, chain('queue: none'))).toHaveLength(1)
  })

  it('says nothing about what is unknown', () => {
    for (const call of ['attempt: 500ms, queue: unknown', 'attempt: 500ms, timeout: unknown', 'attempt: unknown'])
      expect(findings(queueUnbounded, chain(call))).toEqual([])
  })
})
