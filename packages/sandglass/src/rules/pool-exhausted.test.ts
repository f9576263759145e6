import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { poolExhausted } from './pool-exhausted.js'
import { factorLines, findings, mended, onlyFinding, underlined } from './rule-run.fixture.js'

const chain = (
  call: string,
  { rate = '100/s', service = 'concurrency: 200' }: { rate?: string; service?: string } = {},
): string => `journeys: { j: { promise: 60s, starts: a.ask, rate: ${rate} } }
services:
  a: { ${service}, operations: { ask: { calls: [{ to: b.answer, ${call} }] } } }
  b: { operations: { answer: { does: read } } }
`

describe('pool-exhausted', () => {
  test('fills 200 slots with calls of 30 s, which complete 6.667 a second', () => {
    const found = onlyFinding(poolExhausted, chain('timeout: 30s'))
    expect(found.severity).toBe('error')
    expect(found.values).toEqual({
      slots: 200,
      ratePerS: 100,
      boundMs: 30_000,
      heldSlots: 3000,
      saturatesAtPerS: 200 / 30,
      fullAfterMs: 2000,
      largestBoundMs: 1600,
    })
    expect(found.message).toBe('a hanging b.answer fills all 200 slots of a after 2 s, because each call holds one for 30 s')
    expect(found.arithmetic).toBe('100/s x 30 s = 3000 slots, of 200; full, it completes 6.667/s')
    expect(underlined(found.spot)).toBe('30s')
  })

  test('completes 66.667 a second with 3 s', () => {
    expect(onlyFinding(poolExhausted, chain('timeout: 3s')).values['saturatesAtPerS']).toBeCloseTo(66.667, 3)
  })

  test('reports the 3000 requests a second that fill the 200 threads of one gateway in 67 ms, and of 30 instances in 2 s', () => {
    expect(onlyFinding(poolExhausted, chain('timeout: 30s', { rate: '3000/s' })).values['fullAfterMs']).toBeCloseTo(66.667, 3)
    expect(
      onlyFinding(poolExhausted, chain('timeout: 30s', { rate: '3000/s', service: 'concurrency: 200, instances: 30' })).values,
    ).toMatchObject({ ratePerS: 100, fullAfterMs: 2000 })
  })

  test('is an error above all slots, a warning from 80 % on, and silent below', () => {
    expect(onlyFinding(poolExhausted, chain('timeout: 2001ms')).severity).toBe('error')
    const full = onlyFinding(poolExhausted, chain('timeout: 2s'))
    expect(full.severity).toBe('warning')
    expect(full.message).toBe('a hanging b.answer holds 200 of 200 slots of a')
    expect(onlyFinding(poolExhausted, chain('timeout: 1600ms')).severity).toBe('warning')
    expect(findings(poolExhausted, chain('timeout: 1599ms'))).toEqual([])
  })

  test('draws on the bulkhead, else the pool, else the concurrency of the caller', () => {
    const service = 'concurrency: 200, pools: { slow: 50 }'
    expect(onlyFinding(poolExhausted, chain('timeout: 1s, pool: slow', { service })).values['slots']).toBe(50)
    expect(onlyFinding(poolExhausted, chain('timeout: 1s, pool: slow, bulkhead: 20', { service })).values['slots']).toBe(20)
    expect(findings(poolExhausted, chain('timeout: 1s', { service }))).toEqual([])
  })

  test('only informs with a bulkhead, which keeps the harm to one call', () => {
    const found = onlyFinding(poolExhausted, chain('timeout: 3s, bulkhead: 20'))
    expect(found.severity).toBe('info')
    expect(found.message).toBe(
      'a hanging b.answer fills all 20 slots of its bulkhead of a after 200 ms, because each call holds one for 3 s; only this call is affected, because it has a bulkhead',
    )
  })

  test('says with a breaker for how long the pool is full until it opens', () => {
    // 5 failures in a row: the fifth ends 3 s + 4 x 10 ms after the first began; the pool is full from 2 s on.
    const row = onlyFinding(poolExhausted, chain('timeout: 3s, breaker: { consecutive: 5 }'))
    expect(row.severity).toBe('info')
    expect(row.message).toContain('the breaker opens 3.04 s after the callee hangs; until then the pool is full for 1.04 s')
    // Half of the last 100 calls: 50 failures.
    expect(onlyFinding(poolExhausted, chain('timeout: 3s, breaker: { window: 100, failureRate: 50%, minCalls: 20 }')).message).toContain(
      'the breaker opens 3.49 s after',
    )
    // Half of a window of 10 s, from which the healthy calls have to leave: 3 s + 0.5 x (10 - 3) s = 6.5 s, more calls than the pool can start.
    expect(onlyFinding(poolExhausted, chain('timeout: 3s, breaker: { window: 10s, failureRate: 50% }')).message).not.toContain('opens')
    expect(onlyFinding(poolExhausted, chain('timeout: 3s, breaker: { window: 5s, failureRate: 50% }')).message).toContain(
      'the breaker opens 4 s after the callee hangs; until then the pool is full for 2 s',
    )
  })

  test('does not say when a breaker opens that it cannot compute', () => {
    for (const breaker of ['{ slow: 1s }', '{ window: 10ms, failureRate: 50% }']) {
      const found = onlyFinding(poolExhausted, chain(`timeout: 3s, breaker: ${breaker}`))
      expect(found.severity).toBe('info')
      expect(found.message).not.toContain('opens')
    }
  })

  test('counts the tries and the share of the requests that make the call', () => {
    const found = onlyFinding(poolExhausted, chain('attempt: 1s, attempts: 3, share: 50%', { rate: '200/s' }))
    expect(found.values).toMatchObject({ ratePerS: 100, boundMs: 3000, heldSlots: 300 })
    expect(found.arithmetic).toContain('100/s x 3 attempts x 1 s = 3 s = 300 slots')
  })

  test('is silent where nothing limits the slots, nobody waits, or a part is missing or unknown', () => {
    for (const service of ['instances: 1', 'concurrency: none', 'concurrency: unknown', 'concurrency: 200, instances: unknown'])
      expect(findings(poolExhausted, chain('timeout: 30s', { service }))).toEqual([])
    for (const call of ['optional: true', 'timeout: none', 'timeout: unknown', 'timeout: 30s, async: true'])
      expect(findings(poolExhausted, chain(call))).toEqual([])
    expect(findings(poolExhausted, chain('timeout: 30s', { rate: 'unknown' }))).toEqual([])
  })

  test('suggests the largest bound that keeps below 80 %, or so many instances', () => {
    const text = chain('timeout: 3s')
    const found = onlyFinding(poolExhausted, text)
    expect(found.suggestion?.text).toBe('timeout 3 s -> 1.599 s, or instances 1 -> 2')
    expect(findings(poolExhausted, mended(found, text))).toEqual([])
    const fixed = onlyFinding(
      poolExhausted,
      chain('timeout: { value: 30s, fixed: true }', { rate: '3000/s', service: 'concurrency: 200, instances: 50' }),
    )
    expect(fixed.suggestion?.text).toBe('instances 50 -> 563')
  })

  test('suggests no bound that ends healthy answers, and no more instances for a bulkhead, which is there to be filled', () => {
    const slow = chain('timeout: 3s').replace('does: read', 'does: read, latency: { p50: 100ms, p99: 1.8s }')
    expect(slow).toContain('p99: 1.8s')
    expect(onlyFinding(poolExhausted, slow).suggestion?.text).toBe('instances 1 -> 2')
    expect(onlyFinding(poolExhausted, slow.replace('timeout: 3s', 'timeout: 3s, bulkhead: 200')).suggestion).toBeNull()
  })

  test('counts the wait for a connection as part of what an attempt may take', () => {
    const waiting = onlyFinding(poolExhausted, chain('attempt: 3s, queue: 500ms'))
    expect(waiting.arithmetic).toBe('100/s x 3 s + wait up to 500 ms = 3.5 s = 350 slots, of 200; full, it completes 57.143/s')
    expect(waiting.suggestion?.text).toBe('attempt 3 s -> 1.099 s, or instances 1 -> 3')
    expect(onlyFinding(poolExhausted, chain('attempt: 3s, queue: 2s')).suggestion?.text).toBe(
      'add timeout: 1.599s over all of it, or instances 1 -> 4',
    )
  })

  test('gives each factor with its origin', () => {
    expect(factorLines(onlyFinding(poolExhausted, chain('timeout: 30s, share: 80%')))).toEqual([
      'j rate = 100 (declared)',
      'share = 0.8 (declared)',
      'instances = 1 (default)',
      'concurrency = 200 (declared)',
      'timeout = 30000 (declared)',
    ])
  })

  test('fires exactly when rate x bound reaches 80 % of the slots', () => {
    const numbers = fc.record({
      slots: fc.integer({ min: 1, max: 500 }),
      rate: fc.integer({ min: 1, max: 500 }),
      boundMs: fc.integer({ min: 1, max: 20_000 }),
    })
    fc.assert(
      fc.property(numbers, ({ slots, rate, boundMs }) => {
        const found = findings(poolExhausted, chain(`timeout: ${boundMs}ms`, { rate: `${rate}/s`, service: `concurrency: ${slots}` }))
        const held = rate * boundMs
        const severity = held > slots * 1000 ? 'error' : held >= slots * 800 ? 'warning' : undefined
        expect(found[0]?.severity).toBe(severity)
      }),
    )
  })
})
