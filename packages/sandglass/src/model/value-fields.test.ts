import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Call } from './chain.js'
import { readChainText } from './read-chain.js'

const wrap = (fields: string): string => `sandglass: 1\nservices: { a: { operations: { x: { calls: [{ to: a.y, ${fields} }] }, y: } } }`

function call(fields: string): Call {
  const { chain, problems } = readChainText(wrap(fields))
  expect(problems.map(({ message }) => message)).toEqual([])
  const [first] = chain.calls
  if (!first) throw new Error('no call')
  return first
}

function problems(fields: string): string[] {
  return readChainText(wrap(fields)).problems.map(({ message }) => message)
}

describe('limits', () => {
  test('are durations in ms, none or unknown', () => {
    expect(call('timeout: 1m30s').timeoutMs?.value).toBe(90_000)
    expect(call('timeout: 0.25s').timeoutMs?.value).toBe(250)
    expect(call('timeout: none').timeoutMs?.value).toBe('none')
    expect(call('timeout: unknown').timeoutMs?.value).toBe('unknown')
    expect(call('attempts: 2').timeoutMs).toBeUndefined()
  })

  test('may be fixed by a platform', () => {
    expect(call('timeout: { value: 29s, fixed: true }').timeoutMs).toMatchObject({ value: 29_000, fixed: true })
    expect(call('timeout: { value: 29s, fixed: false }').timeoutMs?.fixed).toBeUndefined()
    expect(call('timeout: { value: none, fixed: true }').timeoutMs?.value).toBe('none')
    expect(problems('timeout: { fixed: true }')).toEqual(['a limit written as a mapping needs "value", as in { value: 29s, fixed: true }'])
    expect(problems('timeout: { value: 29s, why: x }')[0]).toContain('a limit has no field "why"')
  })

  test('without a unit are refused with the likely meaning', () => {
    expect(problems('timeout: 3')).toEqual(['"3" needs a unit: 3s or 3ms?'])
    expect(problems('timeout: 3000')[0]).toContain('3000ms or 3000s?')
    expect(problems('timeout: 3 sec')[0]).toContain('3s')
    expect(problems('timeout: [3s]')[0]).toContain('found a list')
    expect(problems('timeout:')[0]).toContain('found nothing')
  })

  test('know where they are written', () => {
    const spot = call('timeout: 1m30s').timeoutMs?.origin.spot
    expect(spot?.source.text.slice(spot.start, spot.end)).toBe('1m30s')
  })
})

describe('counts, shares and rates', () => {
  test('counts are whole numbers, none or unknown', () => {
    expect(call('attempts: 3').attempts.value).toBe(3)
    expect(call('attempts: none').attempts.value).toBe('none')
    for (const wrong of ['0', '1.5', '-1', 'many', '1e3', 'true', '99999999999999999999'])
      expect(problems(`attempts: ${wrong}`)).toHaveLength(1)
  })

  test('shares are per cent or fractions, at most all', () => {
    expect(call('share: 8%').share.value).toBe(0.08)
    expect(call('share: 0.5').share.value).toBe(0.5)
    expect(call('share: 100%').share.value).toBe(1)
    expect(problems('share: 8')).toEqual(['a share is at most 100% (1); found "8" (did you mean 8%?)'])
    expect(problems('share: 101%')).toHaveLength(1)
    expect(problems('share: -5%')).toHaveLength(1)
  })

  test('rates are per second', () => {
    const rate = (text: string): unknown =>
      readChainText(`sandglass: 1\njourneys: { j: { starts: a.x, rate: ${text} } }\nservices: { a: { operations: { x: } } }`)
    expect(rate('3000/s')).toMatchObject({ chain: { journeys: [{ ratePerS: { value: 3000 } }] } })
    expect(rate('30/m')).toMatchObject({ chain: { journeys: [{ ratePerS: { value: 0.5 } }] } })
    expect(rate('unknown')).toMatchObject({ chain: { journeys: [{ ratePerS: { value: 'unknown' } }] } })
    expect(rate('300')).toMatchObject({
      problems: [{ message: 'expected a rate such as 3000/s or 20/m; found "300" (did you mean 300/s?)' }],
    })
  })
})

describe('policies', () => {
  test('a back-off is a law with defaults that say so, or a list', () => {
    const { backoff } = call('backoff: { base: 50ms }')
    expect(backoff).toMatchObject({
      kind: 'law',
      baseMs: { value: 50 },
      factor: { value: 2, origin: { kind: 'default' } },
      jitter: { value: 'full', origin: { kind: 'default' } },
    })
    expect(call('backoff: [25ms, 75ms]').backoff).toMatchObject({ kind: 'list', largestMs: { value: [25, 75] } })
    expect(problems('backoff: { max: 1s }')[0]).toContain('backoff needs "base"')
    expect(problems('backoff: []')).toEqual(['a list of waits has 1 to 100 durations'])
  })

  test('a queue is a total, or anew in each attempt', () => {
    expect(call('queue: 200ms').queue).toMatchObject({ totalMs: { value: 200 } })
    expect(call('queue: { perAttempt: 50ms }').queue).toMatchObject({ perAttemptMs: { value: 50 } })
    expect(call('queue: { value: 1s, fixed: true }').queue).toMatchObject({ totalMs: { value: 1000, fixed: true } })
  })

  test('what is retried is a word, a status, or a list of them', () => {
    expect(call('retryOn: timeout').retryOn?.value).toEqual(['timeout'])
    expect(call('retryOn: [5xx, 429, 503, "504"]').retryOn?.value).toEqual(['5xx', '429', '503', '504'])
    expect(problems('retryOn: [timeouts]')[0]).toContain('did you mean "timeout"?')
  })

  test('a retry budget is a share, a share with a cap, or the default bucket', () => {
    expect(call('retryBudget: 10%').retryBudget?.value).toEqual({ kind: 'share', share: 0.1, cap: 10 })
    expect(call('retryBudget: { share: 20%, cap: none }').retryBudget?.value).toEqual({ kind: 'share', share: 0.2, cap: 'none' })
    expect(call('retryBudget: default').retryBudget?.value).toEqual({ kind: 'default' })
  })

  test('a breaker has a window of time or of calls, and periods that are fixed or double', () => {
    expect(call('breaker: { window: 10s, open: 5s }').breaker).toMatchObject({
      window: { value: { ms: 10_000 } },
      open: { value: { baseMs: 5000, maxMs: 5000 } },
    })
    expect(call('breaker: { window: 100, open: { base: 1s, max: 60s } }').breaker).toMatchObject({
      window: { value: { calls: 100 } },
      open: { value: { baseMs: 1000, maxMs: 60_000 } },
    })
    expect(problems('breaker: { window: 0 }')).toEqual(['a window has at least 1 call'])
    expect(problems('breaker: { open: { base: 2s, max: 1s } }')).toEqual(['open.max is at least open.base'])
  })

  test('fallbacks come in the order they are written', () => {
    expect(call('fallback: [{ tier: snapshot, maxAge: 10m }, { tier: default }]').fallback?.map(({ tier }) => tier.value)).toEqual([
      'snapshot',
      'default',
    ])
    expect(problems('fallback: { tier: snapshots }')[0]).toContain('did you mean "snapshot"?')
    expect(problems('fallback: []')).toEqual(['a list of fallbacks has at least one'])
  })
})

describe('latencies', () => {
  const latency = (text: string): unknown => readChainText(`sandglass: 1\nservices: { a: { operations: { x: { latency: ${text} } } } }`)

  test('take five laws', () => {
    const value = (text: string): unknown => (latency(text) as ReturnType<typeof readChainText>).chain.operations.get('a.x')?.latency?.value
    expect(value('{ p50: 5ms, p90: 10ms, p99: 60ms, max: 1s }')).toEqual({
      kind: 'percentiles',
      p50Ms: 5,
      p90Ms: 10,
      p99Ms: 60,
      maxMs: 1000,
    })
    expect(value('{ exponential: 20ms, shift: 5ms }')).toEqual({ kind: 'exponential', meanMs: 20, shiftMs: 5 })
    expect(value('{ exponential: 20ms }')).toEqual({ kind: 'exponential', meanMs: 20, shiftMs: 0 })
    expect(value('{ constant: 20ms }')).toEqual({ kind: 'constant', valueMs: 20 })
    expect(value('{ lognormal: { p50: 5ms, p99: 60ms } }')).toEqual({ kind: 'lognormal', p50Ms: 5, p99Ms: 60 })
  })

  test('refuse what is no law', () => {
    const message = (text: string): string =>
      (latency(text) as ReturnType<typeof readChainText>).problems.map((problem) => problem.message).join('; ')
    expect(message('{ p50: 5ms }')).toContain('p99 is missing')
    expect(message('{ p50: 60ms, p99: 5ms }')).toContain('percentiles must not fall')
    expect(message('{ constant: 5ms, p50: 1ms }')).toContain('a latency is one law')
    expect(message('{ p95: 5ms }')).toContain('a latency has no field "p95"')
    expect(message('{ lognormal: { p50: 0ms, p99: 1ms } }')).toContain('a p50 above 0')
    expect(message('{ histogram: gone.json }')).toContain('gone.json could not be read')
  })
})

describe('unknown keys', () => {
  test('are refused with the nearest known one, and those that start with x- are left alone', () => {
    expect(problems('timout: 1s')[0]).toMatch(/^a call has no field "timout" \(did you mean "timeout"\?\); it has to, timeout/)
    expect(problems('x-owner: team')).toEqual([])
  })

  test('no value of any field makes the reader throw', () => {
    const key = fc.constantFrom(
      'timeout',
      'attempts',
      'queue',
      'backoff',
      'retryOn',
      'retryBudget',
      'breaker',
      'bulkhead',
      'pool',
      'fallback',
      'hedge',
      'share',
      'deadline',
      'basis',
      'to',
    )
    const value = fc.oneof(
      fc.constantFrom('{}', '[]', '[[]]', '{ a: [] }', '~', '""', '{ value: }', '{ base: }', '{ tier: }', '[{}]', '{ window: {} }'),
      fc.string({ maxLength: 12 }),
    )
    fc.assert(
      fc.property(key, value, (name, written) => {
        const { problems: found, chain } = readChainText(wrap(`${name}: ${written}`))
        expect(found.length > 0 || chain.calls.length > 0 || chain.services.size >= 0).toBe(true)
        for (const { message } of found) expect(message).not.toBe('')
      }),
      { numRuns: 1500 },
    )
  })
})
