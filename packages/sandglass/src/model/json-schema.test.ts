import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { load } from 'js-yaml'
import { describe, expect, test } from 'vitest'
import { callFields } from './call-fields.js'
import { TOP_KEYS } from './chain-file.js'
import { propsByKey } from './field.js'
import { chainSchema } from './json-schema.js'
import { readChainText } from './read-chain.js'
import { defaultsFields, operationFields, serviceFields } from './service-fields.js'
import { checkFields, journeyFields } from './top-fields.js'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const validate = new Ajv2020({ allErrors: false, allowUnionTypes: true }).compile(chainSchema())
const guide = readFileSync(`${root}docs/guide/chain-file.md`, 'utf8')

/** The first chain file of the guide: the worked example. */
const worked = guide.split('```yaml\n')[1]?.split('```')[0] ?? ''

const isValid = (text: string): boolean => validate(load(text)) === true
const isRead = (text: string): boolean => readChainText(text).problems.length === 0

const call = (fields: string): string => `sandglass: 1\nservices: { a: { operations: { x: { calls: [{ to: a.y, ${fields} }] }, y: } } }`
const service = (fields: string): string => `sandglass: 1\nservices: { a: { ${fields} } }`
const operation = (fields: string): string => service(`operations: { x: { ${fields} } }`)

describe('the schema of the chain file', () => {
  test('is the one that is published, twice', () => {
    const text = `${JSON.stringify(chainSchema(), null, 2)}\n`
    for (const file of ['spec/chain.schema.json', 'packages/sandglass/schema/chain.schema.json'])
      expect(readFileSync(root + file, 'utf8')).toBe(text)
  })

  test('accepts the worked example, and the reader reads it without a problem', () => {
    expect(isValid(worked)).toBe(true)
    expect(readChainText(worked).problems).toEqual([])
  })

  const broken: readonly (readonly [string, string])[] = [
    ['no version', 'services: {}'],
    ['another version', 'sandglass: 2'],
    ['an unknown section', 'sandglass: 1\nservice: {}'],
    ['a duration without unit', call('timeout: 3000')],
    ['a unit twice', call('timeout: 1s1s')],
    ['the smaller unit first', call('timeout: 1s1m')],
    ['an unknown unit', call('timeout: 3sec')],
    ['a negative duration', call('timeout: -3s')],
    ['an unknown field of a call', call('timout: 3s')],
    ['a call without to', 'sandglass: 1\nservices: { a: { operations: { x: { calls: [{ timeout: 1s }] } } } }'],
    ['calls that are no list', operation('calls: { to: a.x }')],
    ['no attempt at all', call('attempts: 0')],
    ['half an attempt', call('attempts: 1.5')],
    ['a share above one', call('share: 50')],
    ['a share above 100 %', call('share: 101%')],
    ['an unknown kind', service('kind: server')],
    ['an unknown does', operation('does: reads')],
    ['a percentile missing', operation('latency: { p50: 5ms }')],
    ['two laws at once', operation('latency: { constant: 5ms, exponential: 5ms }')],
    ['a fallback without tier', call('fallback: { maxAge: 10m }')],
    ['a hedge without after', call('hedge: {}')],
    ['a breaker that opens for ever', call('breaker: { open: none }')],
    ['a back-off without base', call('backoff: { max: 1s }')],
    ['a fixed limit without value', call('timeout: { fixed: true }')],
    ['a rate without time', 'sandglass: 1\njourneys: { j: { starts: a.x, rate: 300 } }\nservices: { a: { operations: { x: } } }'],
    ['a journey that starts nowhere', 'sandglass: 1\njourneys: { j: { promise: 3s } }'],
    ['a service with a dot', 'sandglass: 1\nservices: { a.b: {} }'],
    ['an unknown severity', 'sandglass: 1\ncheck: { severities: { inverted: fatal } }'],
    ['a fault that strikes nothing', 'sandglass: 1\nscenarios: { s: { faults: [{ at: 1s }] } }'],
    ['an empty parallel group', operation('calls: [{ parallel: [] }]')],
  ]

  test.each(broken)('refuses %s, as the reader does', (_what, text) => {
    expect(isValid(text)).toBe(false)
    expect(isRead(text)).toBe(false)
  })

  const sound: readonly (readonly [string, string])[] = [
    ['a service without operations', 'sandglass: 1\nservices: { a: , b: {} }'],
    ['its own version in quotes', 'sandglass: "1"'],
    ['own fields that start with x-', call('x-owner: shop')],
    ['a limit set by a platform', call('timeout: { value: 29s, fixed: true }')],
    ['a wait that is none, unknown, or one an attempt', call('queue: { perAttempt: 50ms }, timeout: unknown, attempt: none')],
    ['back-offs as a list', call('attempts: 3, backoff: [25ms, 75ms]')],
    [
      'what is retried as a word, a status or a list',
      call('retryOn: 503').replace('] }, y', ', { to: a.y, retryOn: timeout }, { to: a.y, retryOn: [5xx, 429, "504", 502] }] }, y'),
    ],
    [
      'budgets',
      call('retryBudget: { share: 10%, cap: none }').replace(
        '] }, y',
        ', { to: a.y, retryBudget: default }, { to: a.y, retryBudget: 0.1 }] }, y',
      ),
    ],
    [
      'every part of a breaker',
      call(
        'breaker: { window: 10s, failureRate: 50%, minCalls: 20, consecutive: 5, open: { base: 1s, max: 60s }, probes: 3, slow: 800ms, slowRate: 0.5 }',
      ),
    ],
    [
      'every law of latency',
      service(
        'operations: { x: { latency: { p50: 1ms, p90: 2ms, p99: 3ms, p999: 4ms, max: 5ms } }, y: { latency: { exponential: 20ms, shift: 5ms } }, z: { work: { constant: 20ms } }, w: { work: { lognormal: { p50: 1ms, p99: 9ms } } } }',
      ),
    ],
    ['a stream', service('operations: { x: { stream: { heartbeat: 30s } }, y: { stream: true } }')],
    [
      'settings of check',
      'sandglass: 1\ncheck: { severities: { no-basis: off }, limits: { amplification: 12 }, paths: { "a.*": { inverted: warning } } }',
    ],
    [
      'a scenario',
      'sandglass: 1\nscenarios: { s: { load: { j: 300/s, k: [{ at: 0s, rate: 1/s }, { at: 60s, rate: 20/m }] }, arrivals: constant, duration: 2m, warmup: 10s, faults: [{ on: a.x, at: 20s, for: 40s, latency: x20 }, { on: a, at: 1s, capacity: x0.2, errors: 10%, hang: 5%, slots: 3, down: true }] } }',
    ],
    ['includes', 'sandglass: 1\ninclude: [services/*/sandglass.yaml]'],
  ]

  test.each(sound)('accepts %s, as the reader does', (_what, text) => {
    expect(readChainText(text).problems.map(({ message }) => message)).toEqual([])
    expect(validate(load(text)), JSON.stringify(validate.errors?.[0])).toBe(true)
  })

  test('agrees with the reader about any value in any field of a call', () => {
    const value = fc.oneof(
      fc.constantFrom(
        'none',
        'unknown',
        'true',
        'false',
        'default',
        '50%',
        '0.5',
        '1',
        '3',
        '250ms',
        '1.5s',
        '1m30s',
        '90s1m',
        '[5xx]',
        '[25ms, 75ms]',
        'timeout',
        '503',
        'a.y',
        'propagate',
        'reaches',
        '{}',
        '[]',
      ),
      fc.constantFrom(
        '{ base: 50ms }',
        '{ tier: snapshot, maxAge: 10m }',
        '{ after: 50ms }',
        '{ value: 1s, fixed: true }',
        '{ perAttempt: 1s }',
        '{ share: 10% }',
        '{ window: 100, open: 1s }',
        '{ window: 10s, minCalls: 3 }',
      ),
    )
    // A pool has to exist in the service, which no schema can say. (A number in quotes is read, though the schema knows it as text.)
    const key = fc.constantFrom(...[...propsByKey(callFields).keys()].filter((name) => name !== 'to' && name !== 'pool'))
    fc.assert(
      fc.property(key, value, (name, written) => {
        const text = call(`${name}: ${written}`)
        expect({ text, valid: isValid(text) }).toEqual({ text, valid: isRead(text) })
      }),
      { numRuns: 600 },
    )
  })

  test('describes every field', () => {
    const missing: string[] = []
    const walk = (schema: unknown, path: string): void => {
      if (typeof schema !== 'object' || schema === null) return
      const { properties } = schema as { properties?: Record<string, { description?: string }> }
      for (const [key, property] of Object.entries(properties ?? {}))
        if (!property.description && !/^(base|max|at|p\d+|histogram|exponential|shift|constant|lognormal|parallel|value)$/.test(key))
          missing.push(`${path}.${key}`)
      for (const [key, inner] of Object.entries(schema)) walk(inner, `${path}.${key}`)
    }
    walk(chainSchema(), '')
    expect(missing).toEqual([])
  })
})

describe('the guide of the chain file', () => {
  const tables: readonly (readonly [string, ReadonlyMap<string, unknown>])[] = [
    ['call', propsByKey(callFields)],
    ['operation', propsByKey(operationFields)],
    ['service', propsByKey(serviceFields)],
    ['journey', propsByKey(journeyFields)],
    ['defaults', propsByKey(defaultsFields)],
    ['check', propsByKey(checkFields)],
    ['file', new Map(TOP_KEYS.map((key) => [key, key]))],
  ]

  test.each(tables)('explains every field of a %s', (_what, keys) => {
    expect([...keys.keys()].filter((key) => !guide.includes(`\`${key}\``))).toEqual([])
  })

  test('shows only chain files that are read without a problem', () => {
    const blocks = guide
      .split('```yaml\n')
      .slice(1)
      .map((block) => block.split('```')[0] ?? '')
    const whole = blocks.filter((block) => block.startsWith('sandglass: 1'))
    expect(whole.length).toBeGreaterThan(0)
    for (const block of whole) expect(readChainText(block).problems.map(({ message }) => message)).toEqual([])
  })
})
