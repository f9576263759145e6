import { describe, expect, it } from 'vitest'
import { clientGivesUpFirst } from './client-gives-up-first.js'
import { doesNotFit } from './does-not-fit.js'
import { inverted } from './inverted.js'
import { factorLines, findings, mended, onlyFinding, underlined } from './rule-run.fixture.js'

const layers = (outer: string, inner: string, more = '') => `
${more}
services:
  web: { kind: proxy, operations: { get: { calls: [{ to: shop.get, ${outer} }] } } }
  shop: { operations: { get: { calls: [{ to: stock.get, ${inner} }] } } }
  stock: { operations: { get: { does: read } } }
`

describe('inverted', () => {
  it('reports a call that may take longer than its caller waits, with the exact numbers', () => {
    const found = onlyFinding(inverted, layers('timeout: 3s', 'attempt: 2s, attempts: 2, backoff: { base: 600ms }'))
    expect(found).toMatchObject({
      rule: 'inverted',
      severity: 'error',
      path: ['web.get', 'shop.get', 'stock.get'],
      pathBoundsMs: [3000, 4600],
      values: { boundMs: 4600, callerBoundMs: 3000, orphanedMs: 1600, tightest: 'web.get' },
      arithmetic: '2 attempts x 2 s + back-off up to 600 ms = 4.6 s > 3 s, by 1.6 s',
      message: 'shop.get can outlive its caller: it may wait 4.6 s for stock.get, web.get gives up after 3 s',
    })
    expect(underlined(found.spot)).toBe('2s')
    expect(found.label).toBe('each attempt')
    expect(found.related.map(({ spot, label }) => [underlined(spot), label])).toEqual([['3s', 'web.get stops waiting']])
  })

  it('names the origin of every factor', () => {
    const found = onlyFinding(inverted, layers('timeout: 3s', 'attempt: 2s, attempts: 2, backoff: { base: 600ms }'))
    expect(factorLines(found)).toEqual([
      'attempt = 2000 (declared)',
      'attempts = 2 (declared)',
      'largest back-off = 600 (declared)',
      'web.get timeout = 3000 (declared)',
    ])
    expect(found.factors.map(({ origin }) => underlined(origin.spot))).toEqual(['2s', '2', '600ms', '3s'])
  })

  it('works out the shorter attempt that fits, and the number of attempts', () => {
    const text = layers('timeout: 3s', 'attempt: 2s, attempts: 2, backoff: { base: 600ms }')
    const found = onlyFinding(inverted, text)
    expect(found.suggestion?.text).toMatch(/^attempt 2 s -> 1\.2 s, or attempts 2 -> 1/)
    expect(findings(inverted, mended(found, text))).toEqual([])
  })

  it('leaves room for network and reserve, layer by layer, in what it suggests', () => {
    const text = `
defaults: { network: 10ms, reserve: 50ms }
services:
  a: { kind: proxy, operations: { x: { calls: [{ to: b.x, timeout: 10s }] } } }
  b: { operations: { x: { calls: [{ to: c.x, timeout: 12s }] } } }
  c: { operations: { x: { calls: [{ to: d.x, timeout: 15s }] } } }
  d: { operations: { x: { does: read } } }
`
    const found = findings(inverted, text)
    expect(found.map(({ suggestion }) => suggestion?.text)).toEqual(['timeout 12 s -> 9.94 s', 'timeout 15 s -> 9.88 s'])
    expect(found.map(({ values }) => values)).toEqual([
      { boundMs: 12_000, callerBoundMs: 10_000, orphanedMs: 2000, tightest: 'a.x' },
      { boundMs: 15_000, callerBoundMs: 10_000, orphanedMs: 5000, tightest: 'a.x' },
    ])
  })

  it('does not report equal limits, nor an inner one that is shorter', () => {
    expect(findings(inverted, layers('timeout: 3s', 'timeout: 3s'))).toEqual([])
    expect(findings(inverted, layers('timeout: 3s', 'timeout: 2.999s'))).toEqual([])
    expect(findings(inverted, layers('timeout: 3s', 'timeout: 3.001s'))).toHaveLength(1)
  })

  it('compares with what one attempt of the caller gets', () => {
    const found = onlyFinding(inverted, layers('timeout: 4s, attempt: 2s, attempts: 2', 'timeout: 3s'))
    expect(found.values).toMatchObject({ boundMs: 3000, callerBoundMs: 2000, orphanedMs: 1000 })
    expect(underlined(found.related[0]!.spot)).toBe('2s')
  })

  it('compares with the handler that gives up by itself', () => {
    const found = onlyFinding(
      inverted,
      'services: { a: { operations: { x: { limits: { request: 1s }, calls: [{ to: b.x, timeout: 2s }] } } }, b: { operations: { x: } } }',
    )
    expect(found.message).toBe('a.x gives up after 1 s, but lets its call to b.x take 2 s')
    expect(factorLines(found)).toContain('a.x limits.request = 1000 (declared)')
  })

  it('lists deeper calls that only outlive the tightest layer under the one they follow from', () => {
    const text = `
services:
  gateway: { kind: proxy, operations: { x: { calls: [{ to: front.x, timeout: 3s }] } } }
  front: { operations: { x: { calls: [{ to: a.x, timeout: 30s }] } } }
  a: { operations: { x: { calls: [{ to: b.x, timeout: 10s }] } } }
  b: { operations: { x: { calls: [{ to: db.x, timeout: 2s }] } } }
  db: { kind: database, operations: { x: } }
`
    const found = onlyFinding(inverted, text)
    expect(found.consequences).toHaveLength(1)
    expect(found.consequences[0]).toMatchObject({
      path: ['gateway.x', 'front.x', 'a.x', 'b.x'],
      values: { boundMs: 10_000, callerBoundMs: 3000, orphanedMs: 7000 },
    })
  })

  it('says nothing where an operand is unknown, where nothing is limited, and where nobody waits', () => {
    expect(findings(inverted, layers('timeout: unknown', 'timeout: 3s'))).toEqual([])
    expect(findings(inverted, layers('timeout: 3s', 'timeout: unknown'))).toEqual([])
    expect(findings(inverted, layers('timeout: 3s', 'attempt: 2s, attempts: unknown'))).toEqual([])
    expect(findings(inverted, layers('timeout: none', 'timeout: 30s'))).toEqual([])
    expect(findings(inverted, layers('timeout: 3s', 'timeout: none'))).toEqual([])
    expect(findings(inverted, layers('timeout: 3s', 'timeout: 30s, async: true'))).toEqual([])
  })

  it('does not report a budget handed down, which shortens the inner call by itself', () => {
    const text = layers('timeout: 3s', 'timeout: 30s')
    expect(findings(inverted, text)).toHaveLength(1)
    expect(
      findings(
        inverted,
        text.replace('kind: proxy', 'kind: proxy, deadline: propagate').replace('shop: {', 'shop: { deadline: propagate,'),
      ),
    ).toEqual([])
  })

  it('reports a budget that a service starts itself and that is longer than its caller waits', () => {
    const text = layers('timeout: 3s', 'timeout: 30s').replace(
      'shop: { operations: { get: {',
      'shop: { deadline: propagate, operations: { get: { limits: { request: 5s },',
    )
    const found = onlyFinding(inverted, text)
    expect(found.values).toMatchObject({ boundMs: 5000, callerBoundMs: 3000 })
    expect(factorLines(found)).toEqual([
      'timeout = 30000 (declared)',
      'shop.get limits.request = 5000 (declared)',
      'reserve = 0 (default)',
      'web.get timeout = 3000 (declared)',
    ])
    expect(found.suggestion?.text).toBe('shop.get limits.request 5 s -> 3 s')
    expect(findings(inverted, mended(found, text))).toEqual([])
  })

  it('suggests the other side where the platform fixes the inner limit, and nothing where both are fixed', () => {
    const outer = onlyFinding(
      inverted,
      layers('timeout: 10s', 'timeout: { value: 29s, fixed: true }', 'defaults: { network: 10ms, reserve: 50ms }'),
    )
    expect(outer.suggestion?.text).toBe('web.get: timeout 10 s -> 29.06 s')
    const both = onlyFinding(inverted, layers('timeout: { value: 10s, fixed: true }', 'timeout: { value: 29s, fixed: true }'))
    expect(both.suggestion).toBeNull()
  })

  it('does not give the outer layer more than the promise, or the layers around it, have', () => {
    const fixed = 'timeout: { value: 29s, fixed: true }'
    const promised = layers('timeout: 10s', fixed, 'journeys: { j: { promise: 12s, starts: web.get } }')
    expect(onlyFinding(inverted, promised).suggestion).toMatchObject({ text: expect.stringMatching(/^nothing outside waits/), edits: [] })
    expect(onlyFinding(inverted, promised.replace('12s', '30s')).suggestion?.text).toBe('web.get: timeout 10 s -> 29 s')
  })

  it('leaves the other steps of the operation their time, where there is some', () => {
    const text = `
services:
  web: { kind: proxy, operations: { get: { calls: [{ to: shop.get, timeout: 3s }] } } }
  shop: { operations: { get: { calls: [{ to: stock.get, timeout: 30s }, { to: stock.get, timeout: 1s }] } } }
  stock: { operations: { get: { does: read } } }
`
    const found = onlyFinding(inverted, text)
    expect(found.suggestion?.text).toMatch(/^timeout 30 s -> 2 s /)
    expect(findings(doesNotFit, mended(found, text))).toEqual([])
  })

  it('takes fewer attempts where shorter ones would end before the p99 of the callee', () => {
    const text = layers('timeout: 3s', 'attempt: 2s, attempts: 2').replace('does: read', 'does: read, latency: { p50: 1s, p99: 1.8s }')
    expect(onlyFinding(inverted, text).suggestion?.text).toMatch(/^attempts 2 -> 1, or attempt 2 s -> 1.5 s/)
    const total = layers('timeout: 3s', 'timeout: 4s, attempt: 2s, attempts: 2').replace(
      'does: read',
      'does: read, latency: { p50: 1s, p99: 1.8s }',
    )
    expect(onlyFinding(inverted, total).suggestion?.text).toMatch(/^timeout 4 s -> 3 s and attempts 2 -> 1/)
  })

  it('gives one finding to a budget that is too long, whatever calls it is handed to', () => {
    const text = `
services:
  web: { kind: proxy, operations: { get: { calls: [{ to: shop.get, timeout: 900ms }] } } }
  shop: { deadline: propagate, operations: { get: { limits: { request: 2s }, calls: [{ to: stock.get }, { to: stock.get, timeout: 5s }, { to: stock.list }] } } }
  stock: { operations: { get: { does: read }, list: { does: read } } }
`
    const found = onlyFinding(inverted, text)
    expect(found.suggestion?.text).toMatch(/^shop.get limits.request 2 s -> 900 ms/)
    expect(found.consequences.map(({ path }) => path[path.length - 1])).toEqual(['stock.get', 'stock.list'])
  })

  it('gives one finding to a call that is reached by many paths: the worst', () => {
    const text = `
services:
  a: { kind: proxy, operations: { x: { calls: [{ to: m.x, timeout: 5s }] } } }
  b: { kind: proxy, operations: { x: { calls: [{ to: m.x, timeout: 2s }] } } }
  m: { operations: { x: { calls: [{ to: db.x, timeout: 6s }] } } }
  db: { kind: database, operations: { x: } }
`
    expect(onlyFinding(inverted, text)).toMatchObject({ path: ['b.x', 'm.x', 'db.x'], values: { orphanedMs: 4000 } })
  })

  it('leaves inversions behind a client to the rule for clients', () => {
    const text = layers('timeout: 3s', 'timeout: 30s').replace('kind: proxy', 'kind: client')
    expect(findings(inverted, text)).toEqual([])
    expect(findings(clientGivesUpFirst, text)).toHaveLength(1)
  })
})
