import { describe, expect, it } from 'vitest'
import { factorLines, findings, mended, onlyFinding, underlined } from './rule-run.fixture.js'
import { unusedBudget } from './unused-budget.js'

const chain = (call: string, inner = 'timeout: 2s', outer = 'timeout: 3s') => `
services:
  web: { kind: proxy, operations: { x: { calls: [{ to: shop.x, ${outer} }] } } }
  shop: { operations: { x: { calls: [{ to: stock.x, ${call} }] } } }
  stock: { operations: { x: { work: { p50: 5ms, p99: 40ms }, calls: [{ to: db.x, ${inner}, network: 10ms }] } } }
  db: { kind: database, operations: { x: { latency: { p50: 20ms, p99: 450ms } } } }
`

describe('unused-budget', () => {
  it('reports a call that gives up before its callee can have the answers it needs', () => {
    const found = onlyFinding(unusedBudget, chain('timeout: 300ms'))
    expect(found).toMatchObject({
      severity: 'warning',
      path: ['web.x', 'shop.x', 'stock.x'],
      values: { boundMs: 300, typicalMs: 500, shortByMs: 200 },
      arithmetic: '300 ms < 500 ms, by 200 ms',
    })
    expect(underlined(found.spot)).toBe('300ms')
    expect(factorLines(found)).toEqual([
      'timeout = 300 (declared)',
      'stock.x p99 = 40 (declared)',
      'db.x timeout = 2000 (declared)',
      'db.x p99 = 450 (declared)',
    ])
  })

  it('suggests what the callee needs, where the caller has it', () => {
    const text = chain('timeout: 300ms')
    const found = onlyFinding(unusedBudget, text)
    expect(found.suggestion?.text).toBe('timeout 300 ms -> 500 ms')
    expect(findings(unusedBudget, mended(found, text))).toEqual([])
    const found2 = findings(unusedBudget, chain('timeout: 300ms', 'timeout: 2s', 'timeout: 400ms')).find(({ path }) => path.length === 3)
    expect(found2?.suggestion).toBeNull()
  })

  it('is quiet from exactly what is needed on', () => {
    expect(findings(unusedBudget, chain('timeout: 500ms'))).toEqual([])
    expect(findings(unusedBudget, chain('timeout: 499ms'))).toHaveLength(1)
  })

  it('counts an inner call at most with its own bound', () => {
    expect(findings(unusedBudget, chain('timeout: 300ms', 'timeout: 250ms'))).toEqual([])
  })

  it('does not look at leaves, at async calls, or at what is unknown', () => {
    expect(
      findings(
        unusedBudget,
        'services: { a: { operations: { x: { calls: [{ to: b.x, timeout: 10ms }] } } }, b: { operations: { x: { latency: { p50: 1ms, p99: 90ms } } } } }',
      ),
    ).toEqual([])
    expect(findings(unusedBudget, chain('timeout: 300ms, async: true'))).toEqual([])
    expect(findings(unusedBudget, chain('timeout: unknown'))).toEqual([])
    expect(findings(unusedBudget, chain('timeout: none'))).toEqual([])
  })

  it('reports a budget that is too short once, where it comes from', () => {
    const text = chain('timeout: 2s', 'timeout: 2s', 'timeout: 400ms')
      .replace('kind: proxy', 'kind: proxy, deadline: propagate')
      .replace('shop: {', 'shop: { deadline: propagate,')
    expect(findings(unusedBudget, text).map(({ path }) => path)).toEqual([['web.x', 'shop.x']])
  })
})
