import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  createTransit,
  formatConnectTimeout,
  formatDubboTimeout,
  formatEnvoyUpstream,
  formatFinagleDeadline,
  formatGrpcTimeout,
  formatRequestBudget,
  type HeaderValue,
  type IncomingOptions,
  incomingBudget,
  lostInTransitMs,
  parseConnectTimeout,
  parseDegraded,
  parseDubboTimeout,
  parseEnvoyExpected,
  parseFinagleDeadline,
  parseGrpcTimeout,
  parseRequestBudget,
  parseRequestMeta,
  type WireBudget,
  type WireFormat,
  type WireText,
} from '../src/core/index.js'

type CaseValue = string | readonly string[] | null | { readonly repeat: string; readonly times: number }

interface Cases {
  readonly schemaVersion: number
  readonly read: readonly { name: string; header: string; value: CaseValue; expect: unknown }[]
  readonly write: readonly { name: string; format: WireFormat; budgetMs: number | 'none'; sentAt?: number; expect: unknown }[]
  readonly decide: readonly ({
    name: string
    headers: Record<string, string>
    expect: { budgetMs: number; source: string; faults: number }
  } & IncomingOptions)[]
  readonly meta: readonly { name: string; value: CaseValue; expect: unknown }[]
  readonly degraded: readonly { name: string; value: CaseValue; expect: unknown }[]
  readonly transit: readonly {
    name: string
    windowMs: number
    requests: readonly { from: string; sentAt: number; receivedAt: number; lostMs: number }[]
  }[]
}

const cases = JSON.parse(readFileSync(new URL('../../../spec/request-budget.cases.json', import.meta.url), 'utf8')) as Cases

const readers: Readonly<Record<string, (value: HeaderValue) => WireBudget>> = {
  'request-budget-ms': parseRequestBudget,
  'grpc-timeout': parseGrpcTimeout,
  'connect-timeout-ms': parseConnectTimeout,
  'x-envoy-expected-rq-timeout-ms': parseEnvoyExpected,
  _to: parseDubboTimeout,
  'finagle-ctx-com.twitter.finagle.deadline': parseFinagleDeadline,
}

const writers: Readonly<Record<WireFormat, (budgetMs: number, sentAt: number) => WireText>> = {
  'request-budget': formatRequestBudget,
  grpc: formatGrpcTimeout,
  connect: formatConnectTimeout,
  envoy: formatEnvoyUpstream,
  dubbo: formatDubboTimeout,
  finagle: formatFinagleDeadline,
}

test('the file is of the version this test knows and every list has cases', () => {
  expect(cases.schemaVersion).toBe(1)
  const { read, write, decide, meta, degraded, transit } = cases
  expect([read, write, decide, meta, degraded, transit].every((list) => list.length > 0)).toBe(true)
})

describe('read', () => {
  test.each(cases.read.map((each) => [each.header, each.name, each] as const))('%s: %s', (header, _, { value, expect: expected }) => {
    expect(asCase(readers[header]?.(headerOf(value)))).toEqual(expected)
  })
})

describe('write', () => {
  test.each(cases.write.map((each) => [each.format, each.name, each] as const))(
    '%s: %s',
    (format, _, { budgetMs, sentAt = 0, expect: expected }) => {
      expect(asCase(writers[format](budgetMs === 'none' ? Number.POSITIVE_INFINITY : budgetMs, sentAt))).toEqual(expected)
    },
  )
})

describe('decide', () => {
  test.each(cases.decide.map((each) => [each.name, each] as const))('%s', (_, { headers, expect: expected, ...options }) => {
    const { budgetMs, source, faults } = incomingBudget(headers, options)
    expect({ budgetMs, source, faults: faults.length }).toEqual(expected)
  })
})

describe('meta', () => {
  test.each(cases.meta.map((each) => [each.name, each] as const))('%s', (_, { value, expect: expected }) => {
    expect(parseRequestMeta(headerOf(value))).toEqual(expected)
  })
})

describe('degraded', () => {
  test.each(cases.degraded.map((each) => [each.name, each] as const))('%s', (_, { value, expect: expected }) => {
    expect(parseDegraded(headerOf(value))).toEqual(expected)
  })
})

describe('transit', () => {
  test.each(cases.transit.map((each) => [each.name, each] as const))('%s', (_, { windowMs, requests }) => {
    const transit = createTransit({ windowMs })
    const lostMs = requests.map(({ from, sentAt, receivedAt }) => lostInTransitMs(transit, from, sentAt, receivedAt))
    expect(lostMs).toEqual(requests.map((request) => request.lostMs))
  })
})

function headerOf(value: CaseValue): HeaderValue {
  if (value === null) return undefined
  return typeof value === 'object' && 'repeat' in value ? value.repeat.repeat(value.times) : value
}

function asCase(result: WireBudget | WireText | undefined): unknown {
  if (result === undefined || result.state === 'absent' || result.state === 'expired') return result?.state
  if (result.state === 'malformed') return { fault: result.fault }
  return 'ms' in result ? { ms: result.ms } : { text: result.text }
}
