import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatRequestBudget, parseRequestBudget } from './wire-budget.js'
import { formatConnectTimeout, parseConnectTimeout } from './wire-connect.js'
import { formatDubboTimeout, parseDubboTimeout } from './wire-dubbo.js'
import { formatEnvoyUpstream, parseEnvoyExpected } from './wire-envoy.js'
import { formatFinagleDeadline, parseFinagleDeadline } from './wire-finagle.js'
import { formatGrpcTimeout, parseGrpcTimeout } from './wire-grpc.js'
import { type HeaderValue, longestBudgetMs, type WireBudget, type WireText } from './wire-value.js'

const now = 1_764_374_400_123
const codecs: readonly [name: string, format: (ms: number) => WireText, parse: (value: HeaderValue) => WireBudget, leastMs: number][] = [
  ['request-budget-ms', formatRequestBudget, parseRequestBudget, 1],
  ['grpc-timeout', formatGrpcTimeout, parseGrpcTimeout, 0.001],
  ['connect-timeout-ms', formatConnectTimeout, parseConnectTimeout, 1],
  ['x-envoy-…-rq-timeout-ms', formatEnvoyUpstream, parseEnvoyExpected, 1],
  ['_TO', formatDubboTimeout, parseDubboTimeout, 1],
  ['finagle deadline', (ms) => formatFinagleDeadline(ms, now), parseFinagleDeadline, 1],
]
const someBudgetMs = fc.oneof(
  fc.double({ min: 0.001, max: 1e12, noNaN: true }),
  fc.integer({ min: 1, max: 200_000_000 }),
  fc.double({ min: 0.001, max: 5000, noNaN: true }),
)

describe.each(codecs)('%s', (_, format, parse, leastMs) => {
  test('written and read again never grows and loses at most the unit it was rounded to', () => {
    fc.assert(
      fc.property(someBudgetMs, (ms) => {
        const written = format(ms)
        if (written.state !== 'present') {
          expect(ms).toBeLessThan(leastMs)
          return
        }
        const read = parse(written.text)
        expect(read.state).toBe('present')
        if (read.state !== 'present') return
        expect(read.ms).toBeLessThanOrEqual(ms)
        expect(read.ms).toBeGreaterThan(0)
        if (ms >= 1 && ms <= 99_999_999) expect(ms - read.ms).toBeLessThan(1)
      }),
      { numRuns: 500 },
    )
  })

  test('an expired budget is never a header, and no deadline is another thing', () => {
    for (const ms of [0, -1, Number.NaN, Number.NEGATIVE_INFINITY, 0.0009]) expect(format(ms)).toEqual({ state: 'expired' })
    expect(format(Number.POSITIVE_INFINITY)).toEqual({ state: 'absent' })
  })

  test('no text throws, and what is read is a budget of 0 to the longest', () => {
    const hostile = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('0', '9', '5', ' ', ',', '-', '.', 'm', 'S', 'H', 'n') }),
      fc.array(fc.string(), { maxLength: 20 }),
    )
    fc.assert(
      fc.property(hostile, (value) => {
        const read = parse(value)
        if (read.state === 'present') expect(read.ms >= 0 && read.ms <= longestBudgetMs).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('a megabyte, or a thousand values, is refused unread', () => {
    const before = performance.now()
    for (let round = 0; round < 1000; round += 1) {
      expect(parse(megabyte)).toEqual({ state: 'malformed', fault: 'too-long' })
      expect(parse(thousand)).toEqual({ state: 'malformed', fault: 'too-many' })
    }
    // Reading them would take seconds: 2 000 refusals are far below one.
    expect(performance.now() - before).toBeLessThan(1000)
  })

  test('nothing there is absent', () => {
    expect(parse(undefined)).toEqual({ state: 'absent' })
    expect(parse([])).toEqual({ state: 'absent' })
  })
})

const megabyte = '5'.repeat(1_000_000)
const thousand = Array.from({ length: 1000 }, () => '500')

test('line breaks and no-break spaces around a number are not spaces', () => {
  for (const text of ['500\n', '\u00a0500', '500\r\n']) expect(parseRequestBudget(text)).toEqual({ state: 'malformed', fault: 'malformed' })
})

test.each([
  [250.7, '250m'],
  [0.5, '500u'],
  [99_999_999, '99999999m'],
  [100_000_000, '100000S'],
  [123_456_789, '123456S'],
  [longestBudgetMs, '9999999S'],
  [1e15, '9999999S'],
])('%d ms is written as grpc-timeout %s', (ms, text) => {
  expect(formatGrpcTimeout(ms)).toEqual({ state: 'present', text })
})

test('Dubbo writes no more than a Java int and reads a number as well as text', () => {
  expect(formatDubboTimeout(longestBudgetMs)).toEqual({ state: 'present', text: '2147483647' })
  expect(parseDubboTimeout(1500)).toEqual({ state: 'present', ms: 1500 })
  expect(parseDubboTimeout(-7)).toEqual({ state: 'present', ms: 0 })
  expect(parseDubboTimeout(1.5)).toEqual({ state: 'malformed', fault: 'malformed' })
})

test("Finagle's pair is written in ns of the wall clock", () => {
  expect(formatFinagleDeadline(2944, 1_560_853_608_671)).toEqual({ state: 'present', text: '1560853608671000000 1560853611615000000' })
  expect(formatFinagleDeadline(500, Number.NaN)).toEqual({ state: 'absent' })
})
