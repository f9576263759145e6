import { describe, expect, it } from 'vitest'
import { noMargin } from './no-margin.js'
import { factorLines, findings, mended, onlyFinding, underlined } from './rule-run.fixture.js'

const equalLayers = (defaults: string) => `
${defaults}
services:
  browser: { kind: client, operations: { open: { calls: [{ to: nginx.pass, timeout: 30s }] } } }
  nginx: { kind: proxy, operations: { pass: { calls: [{ to: a.open, timeout: 30s }] } } }
  a: { operations: { open: { calls: [{ to: b.open, timeout: 30s }] } } }
  b: { operations: { open: { calls: [{ to: db.select, timeout: 30s }] } } }
  db: { kind: database, operations: { select: { does: read } } }
`
const twoLayers = (inner: string, outer = 'timeout: 1s', defaults = 'defaults: { network: 10ms, reserve: 50ms }', work = '') => `
${defaults}
services:
  web: { kind: proxy, operations: { x: { calls: [{ to: shop.x, ${outer} }] } } }
  shop: { operations: { x: { ${work} calls: [${inner}] } } }
  db: { kind: database, operations: { x: , y: } }
`

describe('no-margin', () => {
  it('reports each pair of equal layers once, as a warning', () => {
    const found = findings(noMargin, equalLayers(''))
    expect(found.map(({ path, severity }) => [path[path.length - 1], severity])).toEqual([
      ['a.open', 'warning'],
      ['b.open', 'warning'],
      ['db.select', 'warning'],
    ])
    expect(found[0]?.message).toBe('nginx.pass waits for a.open as long as browser.open waits for it: both give up after 30 s')
    expect(found.map(({ arithmetic }) => arithmetic)).toEqual(['30 s = 30 s', '30 s = 30 s', '30 s = 30 s'])
  })

  it('suggests a ladder: 30 000 / 29 750 / 29 500 / 29 250 for a margin of 250 ms', () => {
    const text = equalLayers('defaults: { network: 50ms, reserve: 200ms }')
    const found = findings(noMargin, text)
    expect(found.map(({ suggestion }) => suggestion?.text)).toEqual([
      'timeout 30 s -> 29.75 s',
      'timeout 30 s -> 29.5 s',
      'timeout 30 s -> 29.25 s',
    ])
    expect(found.flatMap(({ suggestion }) => suggestion?.edits.map((edit) => edit.text))).toEqual(['29.75s', '29.5s', '29.25s'])
    expect(found[1]?.values).toEqual({ boundMs: 30_000, callerBoundMs: 30_000, marginMs: 250, leftMs: 0 })
  })

  it('invents no number where neither network nor reserve is known', () => {
    const [first] = findings(noMargin, equalLayers(''))
    expect(first?.suggestion).toEqual({ text: expect.stringContaining('defaults.network') as string, edits: [] })
  })

  it('is quiet exactly from the margin on', () => {
    expect(findings(noMargin, twoLayers('{ to: db.x, timeout: 940ms }'))).toEqual([])
    const found = onlyFinding(noMargin, twoLayers('{ to: db.x, timeout: 941ms }'))
    expect(found.values).toEqual({ boundMs: 941, callerBoundMs: 1000, marginMs: 60, leftMs: 59 })
    expect(found.arithmetic).toBe('941 ms + network 10 ms + reserve 50 ms > 1 s')
  })

  it('names each factor with its origin', () => {
    const found = onlyFinding(noMargin, twoLayers('{ to: db.x, timeout: 1s }'))
    expect(factorLines(found)).toEqual([
      'timeout = 1000 (declared)',
      'web.x timeout = 1000 (declared)',
      'network = 10 (declared)',
      'reserve = 50 (declared)',
    ])
    expect(found.factors.map(({ origin }) => underlined(origin.spot))).toEqual(['1s', '1s', '10ms', '50ms'])
    const [bare] = findings(noMargin, equalLayers(''))
    expect(factorLines(bare!)).toEqual([
      'timeout = 30000 (declared)',
      'browser.open timeout = 30000 (declared)',
      'network = 0 (default)',
      'reserve = 0 (default)',
    ])
  })

  it('looks at the sum of an operation only where no single call reaches into the margin', () => {
    const sum = onlyFinding(noMargin, twoLayers('{ to: db.x, timeout: 500ms }, { to: db.y, timeout: 450ms }'))
    expect(sum).toMatchObject({ path: ['web.x', 'shop.x'], values: { worstMs: 950, callerBoundMs: 1000, marginMs: 60, leftMs: 50 } })
    expect(sum.suggestion?.text).toBe('db.x: timeout 500 ms -> 490 ms')
    const call = onlyFinding(noMargin, twoLayers('{ to: db.x, timeout: 950ms }, { to: db.y, timeout: 10ms }'))
    expect(call.path).toEqual(['web.x', 'shop.x', 'db.x'])
    expect(findings(noMargin, twoLayers('{ to: db.x, timeout: 500ms }, { to: db.y, timeout: 440ms }'))).toEqual([])
  })

  it('counts own work, and one step that with it takes too long', () => {
    const text = twoLayers(
      '{ to: db.x, timeout: 930ms }',
      'timeout: 1s',
      'defaults: { network: 10ms, reserve: 50ms }',
      'work: { p50: 5ms, p99: 100ms },',
    )
    const found = onlyFinding(noMargin, text)
    expect(found).toMatchObject({ path: ['web.x', 'shop.x'], values: { worstMs: 1030 } })
    expect(found.message).toBe('shop.x may take 1.03 s with its own work, 30 ms more than the 1 s web.x waits')
    expect(findings(noMargin, mended(found, text))).toEqual([])
  })

  it('leaves inversions and sums that do not fit to their own rules', () => {
    expect(findings(noMargin, twoLayers('{ to: db.x, timeout: 1001ms }'))).toEqual([])
    expect(findings(noMargin, twoLayers('{ to: db.x, timeout: 1s }, { to: db.y, timeout: 500ms }'))).toEqual([])
  })

  it('does not report a budget handed down, which keeps its reserve by itself', () => {
    const text = twoLayers('{ to: db.x, timeout: 5s }')
      .replace('kind: proxy', 'kind: proxy, deadline: propagate')
      .replace('shop: {', 'shop: { deadline: propagate,')
    expect(findings(noMargin, text)).toEqual([])
    expect(findings(noMargin, text.replace('timeout: 5s', 'timeout: 945ms'))).toEqual([])
  })

  it('says nothing about what is unknown, unbounded or not waited for', () => {
    for (const inner of ['timeout: unknown', 'timeout: none', 'timeout: 1s, async: true'])
      expect(findings(noMargin, twoLayers(`{ to: db.x, ${inner} }`))).toEqual([])
    expect(findings(noMargin, twoLayers('{ to: db.x, timeout: 1s }', 'timeout: unknown'))).toEqual([])
  })

  it('suggests the caller where the platform fixes the call', () => {
    expect(onlyFinding(noMargin, twoLayers('{ to: db.x, timeout: { value: 1s, fixed: true } }')).suggestion?.text).toBe(
      'web.x: timeout 1 s -> 1.06 s',
    )
  })
})
