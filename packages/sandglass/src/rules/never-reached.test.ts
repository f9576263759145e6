import { describe, expect, it } from 'vitest'
import { neverReached } from './never-reached.js'
import { factorLines, findings, onlyFinding } from './rule-run.fixture.js'

const chain = (calls: string, more = 'deadline: propagate,', outer = 'timeout: 800ms') => `
services:
  web: { kind: proxy, ${more} operations: { x: { calls: [{ to: order.x, ${outer} }] } } }
  order: { ${more} operations: { x: { work: { p50: 5ms, p99: 50ms }, calls: [${calls}] } } }
  stock: { operations: { x: { latency: { p50: 100ms, p99: 500ms } } } }
  pay: { kind: third-party, operations: { x: { does: external-effect } } }
  mail: { operations: { x: } }
`
const stock = '{ to: stock.x, timeout: 600ms, network: 10ms }'

describe('never-reached', () => {
  it('reports a required call for which typically too little is left', () => {
    const found = onlyFinding(neverReached, chain(`${stock}, { to: pay.x, timeout: 2s, floor: 250ms, reserve: 20ms }`))
    expect(found).toMatchObject({
      severity: 'error',
      path: ['web.x', 'order.x', 'pay.x'],
      values: { leftMs: 220, floorMs: 250, hasMs: 800, usedMs: 560 },
      arithmetic: '800 ms - 560 ms used before - reserve 20 ms = 220 ms < 250 ms',
    })
    expect(factorLines(found)).toEqual([
      'order.x p99 = 50 (declared)',
      'stock.x p99 = 500 (declared)',
      'stock.x timeout = 600 (declared)',
      'reserve = 20 (declared)',
      'floor = 250 (declared)',
      'web.x timeout = 800 (declared)',
    ])
  })

  it('is quiet where exactly the floor is left', () => {
    expect(
      findings(neverReached, chain(`${stock}, { to: pay.x, timeout: 2s, floor: 220ms, reserve: 20ms, fallback: { tier: defer } }`)),
    ).toEqual([])
    expect(
      findings(neverReached, chain(`${stock}, { to: pay.x, timeout: 2s, floor: 221ms, reserve: 20ms, fallback: { tier: defer } }`)),
    ).toHaveLength(1)
  })

  it('only informs where the worst case alone leaves too little, and a fallback or optional silences that', () => {
    const pay = (more: string) => chain(`${stock}, { to: pay.x, timeout: 2s, floor: 200ms${more} }`)
    const found = onlyFinding(neverReached, pay(''))
    expect(found).toMatchObject({ severity: 'info', values: { leftMs: 150, floorMs: 200, usedMs: 650 } })
    expect(findings(neverReached, pay(', fallback: { tier: defer }'))).toEqual([])
    expect(findings(neverReached, pay(', optional: true'))).toEqual([])
    expect(findings(neverReached, pay(', async: true'))).toEqual([])
  })

  it('takes the floor of the callee where it is the longer one', () => {
    const text = chain(`${stock}, { to: pay.x, timeout: 2s }`).replace('does: external-effect', 'does: external-effect, floor: 300ms')
    expect(onlyFinding(neverReached, text).values).toMatchObject({ leftMs: 240, floorMs: 300 })
  })

  it('lets the budget shrink over the whole way, not only within one operation', () => {
    const text = `
services:
  a: { deadline: propagate, operations: { x: { limits: { request: 1s }, calls: [{ to: slow.x, timeout: 900ms }, { to: b.x, timeout: 900ms }] } } }
  b: { deadline: propagate, operations: { x: { calls: [{ to: c.x, timeout: 900ms, floor: 300ms }] } } }
  c: { operations: { x: } }
  slow: { operations: { x: { latency: { p50: 100ms, p99: 750ms } } } }
`
    expect(onlyFinding(neverReached, text)).toMatchObject({
      severity: 'error',
      path: ['a.x', 'b.x', 'c.x'],
      values: { leftMs: 250, hasMs: 250, usedMs: 0 },
    })
  })

  it('lists later calls, and what they would have asked, under the first', () => {
    const found = onlyFinding(
      neverReached,
      chain(`${stock}, { to: pay.x, timeout: 2s, floor: 250ms }, { to: mail.x, timeout: 1s, floor: 250ms }`),
    )
    expect(found.path[2]).toBe('pay.x')
    expect(found.consequences.map(({ path }) => path)).toEqual([['web.x', 'order.x', 'mail.x']])
  })

  it('counts a parallel group once, and its members from the same start', () => {
    const group = chain(
      `{ parallel: [${stock}, { to: pay.x, timeout: 2s, floor: 700ms }] }, { to: mail.x, timeout: 1s, floor: 100ms, optional: true }`,
    )
    expect(findings(neverReached, group)).toEqual([])
  })

  it('without budgets reports only what comes typically after the caller has given up', () => {
    const without = chain(`${stock}, { to: pay.x, timeout: 100ms, floor: 250ms }`, '')
    expect(onlyFinding(neverReached, without).values).toMatchObject({ leftMs: 240, floorMs: 250 })
    expect(findings(neverReached, chain(`${stock}, { to: pay.x, timeout: 100ms, floor: 200ms }`, ''))).toEqual([])
  })

  it('says nothing where the limit outside is unknown or none', () => {
    for (const outer of ['timeout: unknown', 'timeout: none'])
      expect(findings(neverReached, chain(`${stock}, { to: pay.x, floor: 700ms }`, '', outer))).toEqual([])
    expect(findings(neverReached, chain(`{ to: stock.x, timeout: unknown }, { to: pay.x, timeout: 1s, floor: 200ms }`))).toEqual([])
  })
})
