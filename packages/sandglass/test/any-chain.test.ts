import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Diagnostic } from '../src/model/diagnostic.js'
import { readChainText } from '../src/model/read-chain.js'
import { placeOf } from '../src/model/sourced.js'
import { viewOf } from '../src/model/view.js'
import { allRules } from '../src/rules/all-rules.js'

const limit = fc.constantFrom('1ms', '100ms', '700ms', '1s', '3s', '30s', 'none', 'unknown', '{ value: 2s, fixed: true }')
const field = fc.oneof(
  fc.tuple(
    fc.constantFrom('timeout', 'attempt', 'connect', 'silence', 'write', 'queue', 'reserve', 'floor', 'network', 'retryStartWithin'),
    limit,
  ),
  fc.tuple(fc.constant('attempts'), fc.constantFrom('1', '2', '3', '12', 'none', 'unknown')),
  fc.tuple(
    fc.constant('backoff'),
    fc.constantFrom('{ base: 50ms }', '{ base: 1s, max: 2s, jitter: none }', '{ base: unknown }', '[25ms, 75ms]'),
  ),
  fc.tuple(fc.constant('retryOn'), fc.constantFrom('timeout', '[5xx]', '[connect]', '[timeout, 503]')),
  fc.tuple(fc.constant('retryBudget'), fc.constantFrom('10%', 'default', '{ share: 0%, cap: none }')),
  fc.tuple(
    fc.constant('breaker'),
    fc.constantFrom(
      '{}',
      '{ consecutive: 1 }',
      '{ failureRate: 0%, minCalls: 1 }',
      '{ window: 5, slow: 10ms, slowRate: 1% }',
      '{ window: 10s, failureRate: 100% }',
    ),
  ),
  fc.tuple(fc.constant('fallback'), fc.constantFrom('{ tier: default }', '[{ tier: snapshot, maxAge: 1m }, { tier: defer }]')),
  fc.tuple(fc.constantFrom('optional', 'async', 'idempotencyKey'), fc.constantFrom('true', 'false')),
  fc.tuple(fc.constantFrom('share', 'bulkhead', 'hedge', 'deadline', 'cancel'), fc.constant('')),
)
const plain: Readonly<Record<string, string>> = {
  share: '0%',
  bulkhead: '1',
  hedge: '{ after: 10ms }',
  deadline: 'propagate',
  cancel: 'reaches',
}

const call = fc
  .tuple(fc.integer({ min: 0, max: 6 }), fc.uniqueArray(field, { maxLength: 6, selector: ([key]) => key }))
  .map(([to, fields]) => {
    const target = to === 6 ? 's9.gone' : `s${to}.o`
    return `{ ${[`to: ${target}`, ...fields.map(([key, value]) => `${key}: ${value === '' ? plain[key] : value}`)].join(', ')} }`
  })

const operation = fc
  .tuple(
    fc.constantFrom('read', 'write', 'idempotent-write', 'external-effect', 'manual'),
    fc.constantFrom(
      '',
      'work: { p50: 1ms, p99: 50ms }, ',
      'latency: { exponential: 50ms }, errors: 60%, ',
      'latency: { p50: 0ms, p99: 0ms }, hangs: 100%, ',
      'limits: { request: 500ms, lock: none, statement: 2s, idle: 5s }, ',
      'stream: { heartbeat: 30s }, ',
    ),
    fc.array(
      fc.oneof(
        call,
        fc.array(call, { minLength: 1, maxLength: 2 }).map((calls) => `{ parallel: [${calls.join(', ')}] }`),
      ),
      { maxLength: 3 },
    ),
  )
  .map(([does, extra, calls]) => `{ does: ${does}, ${extra}calls: [${calls.join(', ')}] }`)

const service = fc
  .tuple(
    fc.constantFrom('', 'kind: client, ', 'kind: database, ', 'kind: third-party, ', 'kind: proxy, '),
    fc.constantFrom(
      '',
      'concurrency: 1, ',
      'concurrency: unknown, instances: unknown, ',
      'concurrency: none, queue: { order: lifo }, ',
      'concurrency: 5, instances: 3, ',
    ),
    fc.constantFrom('', 'deadline: propagate, ', 'deadline: propagate, chainStop: false, ', 'chainStop: true, '),
    fc.constantFrom(
      '',
      'keepAlive: { idle: 5s, upstreamIdle: 60s }, ',
      'probe: { operation: o, timeout: 1s }, ',
      'probe: { operation: p, timeout: 0ms, period: 0ms, failures: 1 }, ',
    ),
    operation,
  )
  .map(([kind, slots, deadline, more, o]) => `{ ${kind}${slots}${deadline}${more}operations: { o: ${o} } }`)

const chain = fc
  .tuple(
    fc.array(service, { minLength: 6, maxLength: 6 }),
    fc.constantFrom('3s', 'none', 'unknown', '1ms'),
    fc.constantFrom('100/s', 'unknown', '0/s'),
  )
  .map(
    ([services, promise, rate]) =>
      `sandglass: 1\njourneys: { j: { promise: ${promise}, starts: s0.o, rate: ${rate} } }\nservices:\n${services.map((text, i) => `  s${i}: ${text}\n`).join('')}`,
  )

function check(text: string): Diagnostic[] {
  const { chain: read, problems } = readChainText(text)
  expect(problems).toEqual([])
  const view = viewOf(read)
  return allRules.flatMap((rule) => [...rule.check(view)])
}

/** What a finding lacks; plain comparisons, because there are hundreds of thousands of them. */
function flawsOf(finding: Diagnostic): string[] {
  const { rule, message, arithmetic, why, label, values, path, pathBoundsMs, factors, suggestion, spot } = finding
  const words = [message, arithmetic, suggestion?.text ?? '', why, label].join(' | ')
  const flaws = {
    'a number that is none': /NaN|undefined|Infinity|\[object/.test(words),
    'more than a line': words.includes('\n'),
    'nothing to say': message.length < 3 || why.length < 3 || label.length < 3,
    'no place': spot.end < spot.start || placeOf(spot).line < 1,
    'no factors': factors.length === 0,
    'a value that is no number': Object.values(values).some((value) => typeof value === 'number' && !Number.isFinite(value)),
    'bounds that do not go with the path': pathBoundsMs.length > 0 && pathBoundsMs.length !== path.length - 1,
  }
  return Object.entries(flaws).flatMap(([flaw, isSo]) => (isSo ? [`${rule}: ${flaw}: ${words}`] : []))
}

describe('any chain', () => {
  test('is checked without an exception, and every finding is whole', () => {
    fc.assert(
      fc.property(chain, (text) => {
        expect(check(text).flatMap(flawsOf)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  test('stays readable when a fix is applied', () => {
    fc.assert(
      fc.property(chain, (text) => {
        for (const { rule, suggestion } of check(text)) {
          const edits = [...(suggestion?.edits ?? [])].sort((a, b) => b.spot.start - a.spot.start)
          if (edits.length === 0) continue
          const mended = edits.reduce((now, { spot, text: put }) => now.slice(0, spot.start) + put + now.slice(spot.end), text)
          expect(readChainText(mended).problems.map(({ message }) => `${rule}: ${message}`)).toEqual([])
          expect(suggestion?.text).not.toBe('')
        }
      }),
      { numRuns: 150 },
    )
  })

  test('in which every limit is unknown has no error that rests on one', () => {
    const aboutNames = new Set([
      'unknown-target',
      'cycle',
      'retry-unsafe',
      'fallback-on-write',
      'hedge-on-write',
      'amplification',
      'keep-alive-order',
    ])
    fc.assert(
      fc.property(chain, (text) => {
        const bare = text.replaceAll(
          /, (timeout|attempt|connect|silence|write|queue|retryStartWithin): (\{ value: 2s, fixed: true \}|[0-9a-z]+)/g,
          '',
        )
        const calls = bare.replaceAll(/\{ to: (s\d\.\w+)/g, '{ to: $1, timeout: unknown')
        const bounded = calls.replaceAll(/\b(request|lock|statement|promise): [0-9a-z]+/g, '$1: unknown')
        const errors = check(bounded).filter(({ severity, rule }) => severity === 'error' && !aboutNames.has(rule))
        expect(errors.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([])
      }),
      { numRuns: 150 },
    )
  })
})
