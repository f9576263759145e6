import { describe, expect, it } from 'vitest'
import { doesNotFit } from './does-not-fit.js'
import { factorLines, findings, mended, onlyFinding, underlined } from './rule-run.fixture.js'

const chain = (calls: string, outer = 'timeout: 12s', more = '', defaults = '') => `
${defaults}
services:
  web: { kind: proxy, operations: { x: { calls: [{ to: a.x, ${outer} }] } } }
  a: { operations: { x: { ${more} calls: [${calls}] } } }
  b: { operations: { x: } }
  c: { operations: { x: } }
  d: { operations: { x: } }
  e: { operations: { x: } }
`
const funnel = '{ to: b.x, timeout: 8s }, { to: c.x, timeout: 5s }, { to: d.x, timeout: 3s }, { to: e.x, timeout: 1s }'

describe('does-not-fit', () => {
  it('adds up the steps of an operation: 8 + 5 + 3 + 1 = 17 s do not fit 12 s, by 5 s', () => {
    const found = onlyFinding(doesNotFit, chain(funnel, 'timeout: 15s', 'limits: { request: 12s },'))
    expect(found).toMatchObject({
      severity: 'error',
      path: ['web.x', 'a.x'],
      values: { worstMs: 17_000, callerBoundMs: 12_000, overByMs: 5000 },
      arithmetic: 'b.x 8 s + c.x 5 s + d.x 3 s + e.x 1 s = 17 s > 12 s',
      message: 'the steps of a.x add up to 17 s, 5 s more than the 12 s it has',
    })
    expect(found.related.map(({ spot }) => underlined(spot))).toEqual(['12s'])
  })

  it('shows the result of each way out', () => {
    const found = onlyFinding(doesNotFit, chain(funnel))
    expect(found.suggestion?.text).toBe(
      "run b.x and c.x in parallel if none needs another's answer (12 s in all, fits with nothing to spare); or b.x timeout 8 s -> 3 s (12 s in all, fits with nothing to spare)",
    )
  })

  it('takes more steps together where two are not enough, and says where even all are too many', () => {
    const three = onlyFinding(doesNotFit, chain(funnel, 'timeout: 9s'))
    expect(three.suggestion?.text).toContain('run b.x, c.x and d.x in parallel')
    expect(three.suggestion?.text).toContain('(9 s in all, fits with nothing to spare)')
    const margin = onlyFinding(doesNotFit, chain(funnel, 'timeout: 8s', '', 'defaults: { network: 10ms, reserve: 50ms }'))
    expect(margin.suggestion?.text).toContain(
      "run b.x, c.x, d.x and e.x in parallel if none needs another's answer (8 s in all, fits with nothing to spare)",
    )
  })

  it('drops attempts where that helps, and leaves room for network and reserve', () => {
    const text = chain(
      '{ to: b.x, attempt: 700ms, attempts: 2, backoff: { base: 50ms } }, { to: c.x, timeout: 800ms }',
      'timeout: 2s',
      '',
      'defaults: { network: 10ms, reserve: 50ms }',
    )
    const found = onlyFinding(doesNotFit, text)
    expect(found.values).toEqual({ worstMs: 2250, callerBoundMs: 2000, overByMs: 250 })
    expect(found.suggestion?.text).toContain('b.x attempts 2 -> 1 (1.5 s in all, fits)')
    expect(found.suggestion?.text).toContain('b.x attempt 700 ms -> 545 ms (1.94 s in all, fits')
    expect(findings(doesNotFit, mended(found, text))).toEqual([])
  })

  it('counts own work and the longest of a parallel group, but no async call', () => {
    const text = (group: string) =>
      chain(`{ parallel: [${group}] }, { to: e.x, timeout: 1s }`, 'timeout: 6s', 'work: { p50: 1ms, p99: 500ms },')
    expect(onlyFinding(doesNotFit, text('{ to: b.x, timeout: 5s }, { to: c.x, timeout: 4s }')).values).toMatchObject({ worstMs: 6500 })
    expect(findings(doesNotFit, text('{ to: b.x, timeout: 5s, async: true }, { to: c.x, timeout: 4s }'))).toEqual([])
  })

  it('is quiet where the sum is exactly what the caller has', () => {
    expect(findings(doesNotFit, chain(funnel, 'timeout: 17s'))).toEqual([])
    expect(findings(doesNotFit, chain(funnel, 'timeout: 16.999s'))).toHaveLength(1)
  })

  it('needs two steps: own work is none', () => {
    expect(findings(doesNotFit, chain('{ to: b.x, timeout: 11.9s }', 'timeout: 12s', 'work: { p50: 1s, p99: 2s },'))).toEqual([])
  })

  it('leaves an operation with an inverted call to that rule', () => {
    expect(findings(doesNotFit, chain('{ to: b.x, timeout: 13s }, { to: c.x, timeout: 5s }'))).toEqual([])
  })

  it('says nothing where a step is unknown or unbounded, or the caller is', () => {
    expect(findings(doesNotFit, chain('{ to: b.x, timeout: unknown }, { to: c.x, timeout: 11s }'))).toEqual([])
    expect(findings(doesNotFit, chain('{ to: b.x }, { to: c.x, timeout: 11s }'))).toEqual([])
    expect(findings(doesNotFit, chain(funnel, 'timeout: unknown'))).toEqual([])
    expect(findings(doesNotFit, chain(funnel, 'timeout: none'))).toEqual([])
  })

  it('says nothing where a budget handed down ends the sum in time', () => {
    const text = chain(funnel).replace('kind: proxy', 'kind: proxy, deadline: propagate').replace('a: {', 'a: { deadline: propagate,')
    expect(findings(doesNotFit, text)).toEqual([])
  })

  it('gives one finding for each operation and caller', () => {
    const text = chain(funnel).replace(
      '  e: {',
      '  web2: { kind: proxy, operations: { x: { calls: [{ to: a.x, timeout: 10s }] } } }\n  e: {',
    )
    const overByMs = new Map(findings(doesNotFit, text).map(({ path, values }) => [path[0], values['overByMs']]))
    expect(overByMs).toEqual(
      new Map([
        ['web.x', 5000],
        ['web2.x', 7000],
      ]),
    )
  })

  it('names every factor with its origin', () => {
    const found = onlyFinding(
      doesNotFit,
      chain('{ to: b.x, timeout: 8s }, { to: c.x, timeout: 5s }', 'timeout: 12s', 'work: { p50: 1ms, p99: 20ms },'),
    )
    expect(factorLines(found)).toEqual([
      'a.x p99 = 20 (declared)',
      'b.x timeout = 8000 (declared)',
      'c.x timeout = 5000 (declared)',
      'web.x timeout = 12000 (declared)',
    ])
  })

  it('never shortens what a platform fixes', () => {
    const found = onlyFinding(
      doesNotFit,
      chain('{ to: b.x, timeout: { value: 8s, fixed: true } }, { to: c.x, timeout: { value: 5s, fixed: true } }'),
    )
    expect(found.suggestion?.text).toContain('web.x: timeout 12 s -> 13 s')
    expect(found.suggestion?.text).not.toContain('b.x timeout')
  })
})
