import { readFileSync } from 'node:fs'
import { Ajv, type AnySchemaObject } from 'ajv'
import { describe, expect, it } from 'vitest'
import { readChainText } from '../model/read-chain.js'
import { type View, viewOf } from '../model/view.js'
import { chainReport, drawingOf } from './chain-report.js'
import { compiledLimits } from './compiled-limits.js'
import { showJson } from './show-json.js'
import { showTable } from './show-table.js'
import { svgDrawing } from './svg.js'

const text = `sandglass: 1
journeys:
  place-order: { promise: 3s, starts: app.place-order, rate: 100/s }
  browse: { promise: 1s, starts: app.browse }
services:
  app:
    kind: client
    operations:
      place-order: { calls: [{ to: order.create, timeout: 3s }] }
      browse: { calls: [{ to: catalog.list }] }
  order:
    admission: expired
    concurrency: 20
    operations:
      create:
        does: write
        limits: { request: 2.9s }
        calls:
          - { to: db.insert, timeout: 800ms, queue: 200ms }
          - parallel:
              - { to: stock.deduct, attempts: 2, attempt: 700ms, backoff: { base: 50ms }, idempotencyKey: true, retryBudget: 10%, retryOn: [timeout, "503"] }
              - { to: catalog.list, timeout: unknown, optional: true, fallback: { tier: empty } }
  catalog: { operations: { list: { does: read } } }
  stock: { operations: { deduct: { does: idempotent-write, latency: { p50: 5ms, p99: 50ms } } } }
  db: { kind: database, operations: { insert: { does: write, latency: { p50: 5ms, p99: 50ms } } } }
`

function viewFrom(yaml: string): View {
  const { chain, problems } = readChainText(yaml)
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'))
  return viewOf(chain)
}

const view = viewFrom(text)

describe('show as a table', () => {
  it('gives each journey a line a hop: bound, kind, factors, origin', () => {
    expect(showTable(view)).toBe(`place-order  starts at app.place-order, promise 3 s, worst 3 s, typical 100 ms, 100/s
  HOP                             BOUND    KIND     FACTORS                                                           ORIGIN
  app.place-order > order.create  3s       total    timeout 3s                                                        sandglass.yaml:9
    > db.insert                   800ms    total    timeout 800ms, queue 200ms                                        sandglass.yaml:19
    > stock.deduct                1.45s    attempt  attempt 700ms, attempts 2, largest back-off 50ms; together; x1.1  sandglass.yaml:21
    > catalog.list                unknown  -        timeout unknown; optional; together                               sandglass.yaml:22

browse  starts at app.browse, promise 1 s, worst not known, typical 0 ms
  HOP                        BOUND     KIND  FACTORS     ORIGIN
  app.browse > catalog.list  no limit  -     no timeout  sandglass.yaml:10 (not written)
`)
  })

  it('of a chain of ten thousand services ends, and says what it leaves out', () => {
    const services = Array.from(
      { length: 10_000 },
      (_, i) => `  s${i}: { operations: { o: { does: read${i < 9999 ? `, calls: [{ to: s${i + 1}.o, timeout: 1s }]` : ''} } } }`,
    )
    const large = viewFrom(`sandglass: 1\njourneys: { j: { promise: 3s, starts: s0.o } }\nservices:\n${services.join('\n')}\n`)
    const startedAt = performance.now()
    expect(showTable(large)).toContain('8999 more hops are not shown')
    expect(showJson(large)).toContain('more calls are not listed; choose a journey')
    expect(svgDrawing(drawingOf(large))).toContain('9600 more operations are not drawn')
    expect(performance.now() - startedAt).toBeLessThan(15_000)
  })
})

describe('show as JSON', () => {
  it('is what its published schema says', () => {
    const schema = JSON.parse(readFileSync(new URL('../../schema/show.schema.json', import.meta.url), 'utf8')) as AnySchemaObject
    const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema)
    void validate(JSON.parse(showJson(view, [{ message: 'x', spot: null }])))
    expect(validate.errors).toBeNull()
  })

  it('tells bounded, unbounded and unknown apart', () => {
    const { calls } = JSON.parse(showJson(view)) as {
      calls: { path: string[]; state: string; boundMs: number | null; kind: string | null }[]
    }
    expect(calls.map(({ path, state, boundMs, kind }) => [path.at(-1), state, boundMs, kind])).toEqual([
      ['order.create', 'bounded', 3000, 'total'],
      ['db.insert', 'bounded', 800, 'total'],
      ['stock.deduct', 'bounded', 1450, 'attempt'],
      ['catalog.list', 'unknown', null, null],
      ['catalog.list', 'unbounded', null, null],
    ])
  })
})

describe('the coverage of a check', () => {
  it('counts calls without a limit, calls whose limit is unknown, and services of which no time is known', () => {
    expect(chainReport(view, []).coverage).toMatchObject({
      journeys: 2,
      calls: 5,
      unboundedCalls: 1,
      unknownCalls: 1,
      servicesWithoutData: ['catalog'],
    })
  })
})

describe('a compiled service', () => {
  it('carries its own limits and those of its calls, and notes what it leaves to the code', () => {
    const order = view.chain.services.get('order')
    if (!order) throw new Error('no order')
    const { limits, notes } = compiledLimits(view.chain, order)
    expect(limits).toEqual({
      schemaVersion: 1,
      service: 'order',
      server: {
        budgetMs: 2900,
        admission: 'expired',
        concurrency: 20,
        chainStop: false,
        operations: { create: { does: 'write', budgetMs: 2900 } },
      },
      calls: {
        'db.insert': { does: 'write', timeoutMs: 800 },
        'stock.deduct': {
          does: 'idempotent-write',
          attemptMs: 700,
          attempts: 2,
          backoff: { baseMs: 50, jitter: 'full' },
          retryOn: ['timeout', 503],
          retryBudget: { share: 0.1, cap: 10 },
          idempotencyKey: true,
        },
        'catalog.list': { does: 'read', fallback: [{ tier: 'empty' }] },
      },
    })
    expect(notes.map(({ message }) => message)).toEqual(['order.create > catalog.list timeout is unknown here, so that the code decides'])
  })

  it('keys a call by its operation too where two operations limit it differently', () => {
    const two = viewFrom(`sandglass: 1
services:
  a: { operations: { x: { calls: [{ to: b.o, timeout: 1s }] }, y: { calls: [{ to: b.o, timeout: 2s }, { to: c.o, timeout: 1s }] }, z: { calls: [{ to: c.o, timeout: 1s }] } } }
  b: { operations: { o: {} } }
  c: { operations: { o: {} } }
`)
    const service = two.chain.services.get('a')
    if (!service) throw new Error('no a')
    expect(Object.keys(compiledLimits(two.chain, service).limits['calls'] as object)).toEqual(['x>b.o', 'y>b.o', 'c.o'])
  })
})
