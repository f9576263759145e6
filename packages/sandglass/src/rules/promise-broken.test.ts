import { describe, expect, it } from 'vitest'
import { promiseBroken } from './promise-broken.js'
import { factorLines, findings, mended, onlyFinding, underlined } from './rule-run.fixture.js'

const chain = (promise: string, call: string, leaf = '') => `
journeys: { buy: { promise: ${promise}, starts: app.buy } }
services:
  app: { kind: client, operations: { buy: { calls: [{ to: shop.buy, ${call} }] } } }
  shop: { operations: { buy: { ${leaf} } } }
`

describe('promise-broken', () => {
  it('reports a journey that may take longer than promised', () => {
    const text = chain('800ms', 'timeout: 1s')
    const found = onlyFinding(promiseBroken, text)
    expect(found).toMatchObject({
      severity: 'error',
      journey: 'buy',
      path: ['app.buy'],
      values: { promiseMs: 800, worstMs: 1000, overByMs: 200 },
    })
    expect(underlined(found.spot)).toBe('800ms')
    expect(factorLines(found)).toEqual(['promise = 800 (declared)', 'shop.buy timeout = 1000 (declared)'])
    expect(found.suggestion?.text).toBe('app.buy > shop.buy: timeout 1 s -> 800 ms')
    expect(findings(promiseBroken, mended(found, text))).toEqual([])
  })

  it('is quiet where the worst case is exactly the promise', () => {
    expect(findings(promiseBroken, chain('1s', 'timeout: 1s'))).toEqual([])
    expect(findings(promiseBroken, chain('999ms', 'timeout: 1s'))).toHaveLength(1)
  })

  it('warns apart where the steps typically take longer than promised', () => {
    const found = findings(promiseBroken, chain('800ms', 'timeout: 2s, network: 10ms', 'latency: { p50: 100ms, p99: 900ms }'))
    expect(found.map(({ severity, values }) => [severity, values])).toEqual([
      ['error', { promiseMs: 800, worstMs: 2000, overByMs: 1200 }],
      ['warning', { promiseMs: 800, typicalMs: 910, overByMs: 110 }],
    ])
    expect(factorLines(found[1]!)).toEqual(['promise = 800 (declared)', 'shop.buy p99 = 900 (declared)'])
  })

  it('shortens every call of the longest group that is too long, not the longest alone', () => {
    const text = `journeys: { j: { promise: 1s, starts: web.x } }
services:
  web: { operations: { x: { calls: [{ parallel: [{ to: b.x, timeout: 9s }, { to: b.y, timeout: 5s }, { to: b.z, timeout: 1s }] }] } } }
  b: { operations: { x: , y: , z: } }
`
    const found = onlyFinding(promiseBroken, text)
    expect(found.suggestion?.text).toBe('web.x > b.x: timeout 9 s -> 1 s and web.x > b.y: timeout 5 s -> 1 s')
    expect(findings(promiseBroken, mended(found, text))).toEqual([])
    const repeated = text.replace('{ to: b.x, timeout: 9s }, { to: b.y, timeout: 5s }', '&one { to: b.x, timeout: 9s }, *one')
    expect(mended(onlyFinding(promiseBroken, repeated), repeated)).toBe(repeated.replace('9s', '1s'))
  })

  it('says nothing about streams, missing promises, and what is unknown or unbounded', () => {
    expect(findings(promiseBroken, chain('none', 'timeout: 1h'))).toEqual([])
    expect(findings(promiseBroken, chain('unknown', 'timeout: 1h'))).toEqual([])
    expect(findings(promiseBroken, chain('1s', 'timeout: unknown'))).toEqual([])
    expect(findings(promiseBroken, chain('1s', 'timeout: none'))).toEqual([])
    expect(findings(promiseBroken, chain('1s', 'timeout: 1h').replace('promise: 1s,', ''))).toEqual([])
  })

  it('is quiet where the start cuts itself off with a budget', () => {
    expect(findings(promiseBroken, chain('1s', 'timeout: 1h').replace('kind: client', 'kind: client, deadline: propagate'))).toEqual([])
  })
})
