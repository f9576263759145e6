import { describe, expect, it } from 'vitest'
import { missingTimeout } from './missing-timeout.js'
import { factorLines, findings, mended, onlyFinding, underlined } from './rule-run.fixture.js'

const chain = (call: string, db = '', more = '') => `
services:
  web: { kind: proxy, operations: { x: { calls: [{ to: shop.x, timeout: 3s }] } } }
  shop: { ${more} operations: { x: { calls: [{ to: db.x${call} }] } } }
  db: { kind: database, operations: { x: { ${db} } } }
`

describe('missing-timeout', () => {
  it('reports a call without any limit', () => {
    const found = onlyFinding(missingTimeout, chain(''))
    expect(found).toMatchObject({
      severity: 'error',
      path: ['web.x', 'shop.x', 'db.x'],
      pathBoundsMs: [3000, null],
      values: { boundMs: null, callerBoundMs: 3000 },
      message: 'shop.x can wait for db.x for ever: the call has no limit at all',
    })
    expect(underlined(found.spot)).toBe('db.x')
    expect(factorLines(found)).toEqual(['timeout = null (default)', 'web.x timeout = 3000 (declared)'])
  })

  it('only warns where none is written on purpose', () => {
    const found = onlyFinding(missingTimeout, chain(', timeout: none'))
    expect(found.severity).toBe('warning')
    expect(underlined(found.spot)).toBe('none')
    expect(factorLines(found)[0]).toBe('timeout = none (declared)')
  })

  it('says which phase is limited where that does not limit the answer', () => {
    expect(onlyFinding(missingTimeout, chain(', connect: 1s')).message).toBe(
      'shop.x can wait for db.x for ever: connecting is limited, but nothing limits the wait for the answer',
    )
    const found = onlyFinding(missingTimeout, chain(', connect: 1s, write: 2s'))
    expect(found.message).toContain('connecting and writing are limited')
    expect(factorLines(found)).toEqual([
      'timeout = null (default)',
      'connect = 1000 (declared)',
      'write = 2000 (declared)',
      'web.x timeout = 3000 (declared)',
    ])
    expect(findings(missingTimeout, chain(', silence: 5s'))).toEqual([])
  })

  it('does not take a phase for limited whose limit is none', () => {
    expect(onlyFinding(missingTimeout, chain(', queue: none')).message).toBe(
      'shop.x can wait for db.x for ever: the call has no limit at all',
    )
  })

  it('reports tries without number', () => {
    expect(onlyFinding(missingTimeout, chain(', attempt: 1s, attempts: none')).message).toContain(
      'each attempt is limited, their number is not',
    )
  })

  it('suggests twice the p99 of the callee, else what the caller leaves', () => {
    const known = chain('', 'latency: { p50: 5ms, p99: 120ms }')
    const first = onlyFinding(missingTimeout, known)
    expect(first.suggestion?.text).toBe('add timeout: 240ms (2 x its p99 of 120 ms)')
    expect(mended(first, known)).toContain('{ to: db.x, timeout: 240ms }')
    expect(findings(missingTimeout, mended(first, known))).toEqual([])
    expect(onlyFinding(missingTimeout, chain('')).suggestion?.text).toBe('add timeout: 3s (what the caller leaves)')
    expect(
      onlyFinding(missingTimeout, 'services: { a: { operations: { x: { calls: [{ to: b.x }] } } }, b: { operations: { x: } } }').suggestion,
    ).toBeNull()
  })

  it('suggests the promise where a journey starts, and no number where the steps before leave nothing', () => {
    const start =
      'journeys: { j: { promise: 2s, starts: a.x } }\nservices: { a: { operations: { x: { calls: [{ to: b.x }] } } }, b: { operations: { x: } } }'
    expect(onlyFinding(missingTimeout, start).suggestion?.text).toBe('add timeout: 2s (what the caller leaves)')
    const full = `services:
  web: { kind: client, operations: { x: { calls: [{ to: a.x, timeout: 3s }] } } }
  a: { operations: { x: { calls: [{ to: b.x, timeout: 3s }, { to: b.y }] } } }
  b: { operations: { x: , y: { latency: { p50: 5ms, p99: 20ms } } } }
`
    expect(onlyFinding(missingTimeout, full).suggestion).toMatchObject({ edits: [] })
    const two = full.replace('calls: [{ to: b.x, timeout: 3s }, { to: b.y }]', 'calls: [{ to: b.x }, { to: b.x }]')
    expect(findings(missingTimeout, two)[0]?.suggestion?.text).toBe(
      'add timeout: 1.5s (an equal part of what the caller leaves: 2 steps have no limit)',
    )
  })

  it('adds the field on a line of its own where the call is written so', () => {
    const text =
      'services:\n  a:\n    operations:\n      x:\n        calls:\n          - to: b.x\n            connect: 1s\n  b: { operations: { x: { latency: { p50: 1ms, p99: 10ms } } } }\n'
    const found = onlyFinding(missingTimeout, text)
    expect(mended(found, text)).toContain('          - to: b.x\n            timeout: 20ms\n            connect: 1s\n')
  })

  it('is quiet where a budget handed down covers the call', () => {
    const budget = 'deadline: propagate,'
    const text = chain('', '', budget).replace('kind: proxy', 'kind: proxy, deadline: propagate')
    expect(findings(missingTimeout, text)).toEqual([])
    expect(findings(missingTimeout, chain('', '', budget))).toHaveLength(1)
  })

  it('is quiet for streams, for what nobody waits for, and for what is unknown', () => {
    expect(findings(missingTimeout, chain('', 'stream: true'))).toEqual([])
    expect(findings(missingTimeout, chain(', async: true'))).toEqual([])
    expect(findings(missingTimeout, chain(', timeout: unknown'))).toEqual([])
    expect(findings(missingTimeout, chain(', attempt: unknown'))).toEqual([])
  })

  it('leaves a call that only queues without limit to the rule for queues', () => {
    expect(findings(missingTimeout, chain(', attempt: 1s, queue: none'))).toEqual([])
    expect(findings(missingTimeout, chain(', queue: none'))).toHaveLength(1)
  })

  it('lists calls below it that outlive the tightest layer', () => {
    const text = `
services:
  web: { kind: proxy, operations: { x: { calls: [{ to: a.x, timeout: 3s }] } } }
  a: { operations: { x: { calls: [{ to: b.x }] } } }
  b: { operations: { x: { calls: [{ to: c.x, timeout: 10s }] } } }
  c: { operations: { x: } }
`
    expect(onlyFinding(missingTimeout, text).consequences.map(({ path, values }) => [path.length, values['orphanedMs']])).toEqual([
      [4, 7000],
    ])
  })
})
