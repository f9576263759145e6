import { describe, expect, test } from 'vitest'
import { deadSetting } from './dead-setting.js'
import { factorLines, findings, mended, onlyFinding, underlined } from './rule-run.fixture.js'

const chain = (call: string, { service = '', operation = '', callee = 'does: read', calleeService = '' } = {}): string => `services:
  a: { ${service}operations: { ask: { ${operation}calls: [{ to: b.answer, ${call} }] } } }
  b: { ${calleeService}operations: { answer: { ${callee} } } }
`

const dead = (call: string, parts = {}): unknown[] => findings(deadSetting, chain(call, parts)).map(({ values }) => values['setting'])

describe('dead-setting', () => {
  test('shows what holds where the timeout ends a single try first', () => {
    const found = onlyFinding(deadSetting, chain('timeout: 2s, attempt: 3s'))
    expect(found.severity).toBe('warning')
    expect(found.message).toBe('attempt (3 s) of the call to b.answer has no effect: timeout 2 s always ends first')
    expect(found.arithmetic).toBe('in effect: timeout 2 s')
    expect(found.values).toEqual({ setting: 'attempt', effective: 'timeout 2 s' })
    expect(underlined(found.spot)).toBe('3s')
    expect(factorLines(found)).toEqual(['attempt = 3000 (declared)', 'timeout = 2000 (declared)'])
  })

  test('counts equal limits as one, and leaves shorter ones alone', () => {
    expect(dead('timeout: 2s, attempt: 2s')).toEqual(['attempt'])
    expect(dead('timeout: 2s, attempt: 1999ms')).toEqual([])
  })

  test('leaves what an imported chain file says is a default alone', () => {
    const lines = (comment: string) =>
      findings(
        deadSetting,
        `services:
  a:
    operations:
      ask:
        calls:
          - to: b.answer
            timeout: 700ms
            connect: 10s${comment}
            silence: 5m # origin: a.ts:2 fetch(url) // default of the house
  b: { operations: { answer: { does: read } } }
`,
      ).map(({ values }) => values['setting'])
    expect(lines('')).toEqual(['connect', 'silence'])
    expect(lines(' # origin: default of node fetch (connect timeout)')).toEqual(['silence'])
  })

  test('reports a value that was changed though the comment beside it still says which default it was', () => {
    const settings = (silence: string, comment: string) =>
      findings(
        deadSetting,
        `services:
  a:
    operations:
      ask:
        calls:
          - to: b.answer
            timeout: 700ms
            silence: ${silence} # origin: default of ${comment}
  b: { operations: { answer: { does: read } } }
`,
      ).map(({ values }) => values['setting'])
    expect(settings('60s', 'nginx 1.27 (proxy_read_timeout)')).toEqual([])
    expect(settings('60s', 'nginx (proxy_read_timeout), for it is longer')).toEqual([])
    expect(settings('90s', 'nginx 1.27 (proxy_read_timeout)')).toEqual(['silence'])
    expect(settings('10m', 'nginx (stream proxy_timeout)')).toEqual([])
    expect(settings('90s', 'a product of the house (limit)')).toEqual([])
  })

  test('leaves attempts that are repeated to the rule about overflow', () => {
    expect(dead('timeout: 2s, attempt: 3s, attempts: 3')).toEqual([])
    expect(dead('timeout: 2s, attempt: 3s, attempts: 3, retryOn: [5xx]')).toEqual(['attempt'])
  })

  test('reports each setting about retries of a call that is tried once', () => {
    expect(dead('timeout: 2s, backoff: { base: 50ms }, retryOn: [5xx], retryBudget: 10%, retryStartWithin: 1s')).toEqual([
      'backoff',
      'retryOn',
      'retryBudget',
      'retryStartWithin',
    ])
    expect(dead('timeout: 2s, attempts: 1, backoff: [25ms]')).toEqual(['backoff'])
    expect(dead('timeout: 2s, attempts: 2, backoff: { base: 50ms }, retryOn: [5xx], retryBudget: 10%, retryStartWithin: 1s')).toEqual([])
    expect(dead('timeout: 2s, hedge: { after: 50ms }, retryBudget: 10%')).toEqual([])
    expect(dead('timeout: 2s, attempts: unknown, backoff: { base: 50ms }')).toEqual([])
  })

  test('reports phases that a shorter limit always ends', () => {
    expect(dead('attempt: 1s, connect: 1s, write: 999ms, silence: 2s')).toEqual(['connect', 'silence'])
    expect(dead('timeout: 1s, silence: 5s')).toEqual(['silence'])
    expect(dead('timeout: 1s, connect: 200ms, silence: unknown')).toEqual([])
  })

  test('reports waits, hedges and last starts that lie behind the end', () => {
    expect(dead('timeout: 1s, queue: 1s')).toEqual(['queue'])
    expect(dead('timeout: 1s, hedge: { after: 1s }')).toEqual(['hedge.after'])
    expect(dead('timeout: 3s, attempt: 1s, attempts: 2, hedge: { after: 1s }')).toEqual(['hedge.after'])
    expect(dead('timeout: 3s, attempt: 1s, attempts: 2, retryStartWithin: 3s')).toEqual(['retryStartWithin'])
    expect(dead('timeout: 3s, attempt: 1s, attempts: 2, retryStartWithin: 2s, queue: 200ms, hedge: { after: 500ms }')).toEqual([])
  })

  test('reports a pool beside a bulkhead, and an age that no tier has', () => {
    expect(dead('timeout: 1s, pool: out, bulkhead: 5', { service: 'pools: { out: 10 }, ' })).toEqual(['pool'])
    expect(dead('timeout: 1s, fallback: [{ tier: snapshot, maxAge: 10m }, { tier: default, maxAge: 10m }]')).toEqual(['maxAge'])
  })

  test('reports a budget handed to a leaf that ignores it', () => {
    expect(dead('timeout: 1s, deadline: propagate')).toEqual(['deadline'])
    expect(dead('timeout: 1s, deadline: propagate', { calleeService: 'deadline: propagate, ' })).toEqual([])
    expect(dead('timeout: 1s', { service: 'deadline: propagate, ' })).toEqual([])
  })

  test('reports what a breaker cannot use', () => {
    expect(dead('timeout: 1s, breaker: { failureRate: 50%, slowRate: 50% }')).toEqual(['breaker.slowRate'])
    expect(dead('timeout: 1s, breaker: { consecutive: 5, window: 100, minCalls: 20 }')).toEqual(['breaker.window', 'breaker.minCalls'])
    expect(dead('timeout: 1s, breaker: { failureRate: 50%, window: 100, minCalls: 100, slow: 1s, slowRate: 50% }')).toEqual([])
    const text = chain('timeout: 1s, breaker: { failureRate: 50%, window: 100, minCalls: 200 }')
    const found = onlyFinding(deadSetting, text)
    expect(found.values).toEqual({ setting: 'breaker.minCalls', effective: 'minCalls 100' })
    expect(findings(deadSetting, mended(found, text))).toEqual([])
  })

  test('reports a queue of a service in which nothing waits', () => {
    expect(dead('timeout: 1s', { service: 'queue: { limit: 10, timeout: 1s, order: lifo }, admission: expired, ' })).toEqual([
      'queue.limit',
      'queue.timeout',
      'queue.order',
      'admission',
    ])
    expect(dead('timeout: 1s', { service: 'concurrency: none, queue: { order: codel }, ' })).toEqual(['queue.order'])
    expect(
      dead('timeout: 1s', { service: 'concurrency: 10, queue: { limit: 10, timeout: 1s, order: lifo }, admission: expired, ' }),
    ).toEqual([])
    expect(dead('timeout: 1s', { service: 'concurrency: unknown, queue: { order: codel }, ' })).toEqual([])
  })

  test('reports pools that no call draws on', () => {
    expect(dead('timeout: 1s, pool: used', { service: 'pools: { used: 10, idle: 5 }, ' })).toEqual(['pools.idle'])
  })

  test('reports the latency of an operation that makes calls, not that of a leaf or of one that only sends away', () => {
    const found = onlyFinding(
      deadSetting,
      chain('timeout: 1s', { operation: 'latency: { p50: 5ms, p99: 60ms }, work: { p50: 1ms, p99: 2ms }, ' }),
    )
    expect(found.message).toBe(
      'latency (p99 60 ms) of a.ask has no effect: a.ask makes calls, so in every sum its time is its own work and theirs; only the limits of calls to it are held against it',
    )
    expect(found.arithmetic).toBe('in effect: work p99 2 ms and its calls')
    expect(found.path).toEqual(['a.ask'])
    expect(dead('timeout: 1s, async: true', { operation: 'latency: { p50: 5ms, p99: 60ms }, ' })).toEqual([])
    expect(dead('timeout: 1s', { callee: 'latency: { p50: 5ms, p99: 60ms }' })).toEqual([])
  })
})
