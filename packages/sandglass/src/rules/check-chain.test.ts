import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Call, Chain } from '../model/chain.js'
import { readChainText } from '../model/read-chain.js'
import { byDefault, placeOf } from '../model/sourced.js'
import { viewOf } from '../model/view.js'
import { allRules } from './all-rules.js'
import { checkChain } from './check-chain.js'
import { factorLines } from './rule-run.fixture.js'

function read(text: string): Chain {
  const { chain, problems } = readChainText(`sandglass: 1\n${text}`)
  expect(problems).toEqual([])
  return chain
}

/** The example of the file format: an order that is created within 2.8 s. */
const worked = `
defaults: { network: 10ms, reserve: 50ms, floor: 100ms }
journeys: { place-order: { promise: 3s, starts: app.place-order, rate: 3000/s } }
services:
  app: { kind: client, operations: { place-order: { calls: [{ to: gateway.place-order, timeout: 3s }] } } }
  gateway:
    kind: proxy
    concurrency: 200
    instances: 50
    operations: { place-order: { does: write, calls: [{ to: order.create, timeout: 2.8s }] } }
  order:
    concurrency: 200
    instances: 50
    deadline: propagate
    operations:
      create:
        does: write
        work: { p50: 5ms, p99: 60ms }
        calls:
          - { to: orders-db.insert, timeout: 800ms, queue: 200ms }
          - parallel:
              - { to: inventory.deduct, timeout: 1.5s, attempts: 2, attempt: 700ms, backoff: { base: 50ms, max: 100ms, jitter: full }, idempotencyKey: true }
              - { to: promotion.apply, timeout: 700ms, optional: true, fallback: { tier: default } }
  inventory: { operations: { deduct: { does: idempotent-write, calls: [{ to: inventory-db.update, timeout: 300ms }] } } }
  promotion: { operations: { apply: { does: read, latency: { p50: 20ms, p99: 180ms } } } }
  orders-db: { kind: database, operations: { insert: { does: write, latency: { p50: 3ms, p99: 40ms }, limits: { statement: 800ms, lock: 500ms } } } }
  inventory-db: { kind: database, operations: { update: { does: write, latency: { p50: 5ms, p99: 120ms } } } }
`
const aboutSums = [
  'inverted',
  'client-gives-up-first',
  'does-not-fit',
  'no-margin',
  'promise-broken',
  'never-reached',
  'lock-outlives',
  'missing-timeout',
  'queue-unbounded',
]

describe('checkChain', () => {
  it('finds an order that takes 2 310 of 2 800 ms sound, up to exactly 430 ms more', () => {
    const rulesOf = (text: string) =>
      checkChain(read(text))
        .diagnostics.map(({ rule }) => rule)
        .filter((rule) => aboutSums.includes(rule))
    expect(rulesOf(worked)).toEqual([])
    expect(rulesOf(worked.replace('to: orders-db.insert, timeout: 800ms', 'to: orders-db.insert, timeout: 1230ms'))).toEqual([])
    expect(rulesOf(worked.replace('to: orders-db.insert, timeout: 800ms', 'to: orders-db.insert, timeout: 1231ms'))).toEqual(['no-margin'])
    expect(rulesOf(worked.replace('to: orders-db.insert, timeout: 800ms', 'to: orders-db.insert, timeout: 1291ms'))).toEqual([
      'does-not-fit',
    ])
  })

  it('reports a gateway of 300 s behind a proxy whose default of 60 s nobody wrote', () => {
    const chain = read(`
services:
  client: { operations: { get: { calls: [{ to: nginx.pass, timeout: unknown }] } } }
  nginx: { kind: proxy, operations: { pass: { calls: [{ to: gateway.route }] } } }
  gateway: { kind: proxy, operations: { route: { calls: [{ to: service.get, timeout: 300s }] } } }
  service: { operations: { get: { does: read } } }
`)
    const call = chain.calls[1] as { -readonly [P in keyof Call]: Call[P] }
    call.timeoutMs = byDefault(60_000, call.spot, 'nginx', '1.27')
    const found = checkChain(chain).diagnostics.filter(({ severity }) => severity === 'error')
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({
      rule: 'inverted',
      values: { boundMs: 300_000, callerBoundMs: 60_000, orphanedMs: 240_000, tightest: 'nginx.pass' },
    })
    expect(factorLines(found[0]!)).toEqual(['timeout = 300000 (declared)', 'nginx.pass timeout = 60000 (default)'])
    expect(found[0]?.factors[1]?.origin).toMatchObject({ kind: 'default', product: 'nginx', version: '1.27' })
  })

  it('warns three times about four layers of 30 s, and reports no error', () => {
    const chain = read(`
services:
  browser: { kind: client, operations: { open: { calls: [{ to: nginx.pass, timeout: 30s }] } } }
  nginx: { kind: proxy, operations: { pass: { does: read, calls: [{ to: a.open, timeout: 30s }] } } }
  a: { operations: { open: { does: read, calls: [{ to: b.open, timeout: 30s }] } } }
  b: { operations: { open: { does: read, calls: [{ to: db.select, timeout: 30s }] } } }
  db: { kind: database, operations: { select: { does: read, limits: { statement: 30s } } } }
`)
    const rules = checkChain(chain).diagnostics.map(({ severity, rule }) => `${severity} ${rule}`)
    expect(rules.filter((rule) => rule.endsWith('no-margin'))).toEqual(Array(3).fill('warning no-margin'))
    expect(rules.filter((rule) => rule.startsWith('error'))).toEqual([])
    expect(rules).toContain('warning uniform')
  })

  it('takes a view as well as a chain, and gives the view back', () => {
    const view = viewOf(read(worked))
    expect(checkChain(view).view).toBe(view)
    expect(checkChain(view.chain).diagnostics).toEqual(checkChain(view).diagnostics)
  })

  it('puts errors first, then goes from the top of the file to its end', () => {
    const { diagnostics } = checkChain(read(worked.replaceAll(/timeout: [\d.]+m?s/g, 'timeout: 30s')))
    const keys = diagnostics.map(
      ({ severity, spot }) => ['error', 'warning', 'info'].indexOf(severity) * 1e6 + placeOf(spot).line * 1e3 + placeOf(spot).column,
    )
    expect(diagnostics.length).toBeGreaterThan(5)
    expect(keys).toEqual([...keys].sort((a, b) => a - b))
  })

  it('says nothing at all where every limit is unknown', () => {
    const chain = read(
      worked
        .replaceAll(/(timeout|attempt|queue|statement|lock): [\d.]+m?s/g, '$1: unknown')
        .replaceAll(/attempts: \d/g, 'attempts: unknown'),
    )
    const { diagnostics } = checkChain(chain)
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(diagnostics.map(({ rule }) => rule).filter((rule) => aboutSums.includes(rule))).toEqual([])
  })

  it('never throws, gives one finding of a rule to a call, and origins to all factors, whatever the limits are', () => {
    const ms = fc.oneof(
      fc.integer({ min: 0, max: 5000 }).map((value) => `${value}ms`),
      fc.constantFrom('none', 'unknown'),
    )
    const call = fc.record(
      {
        timeout: ms,
        attempt: ms,
        attempts: fc.integer({ min: 1, max: 4 }),
        queue: ms,
        silence: ms,
        reserve: ms,
        async: fc.boolean(),
        optional: fc.boolean(),
      },
      { requiredKeys: [] },
    )
    const service = fc.record({ calls: fc.array(call, { maxLength: 3 }), propagate: fc.boolean(), request: fc.option(ms) })
    const written = (fields: Record<string, unknown>, to: string) =>
      `{ to: ${to}${Object.entries(fields)
        .map(([key, value]) => `, ${key}: ${String(value)}`)
        .join('')} }`
    const property = fc.property(fc.array(service, { minLength: 2, maxLength: 5 }), (services) => {
      const lines = services.map(({ calls, propagate, request }, i) => {
        const limits = request === null ? '' : `limits: { request: ${request} },`
        const steps =
          i === services.length - 1 ? [] : calls.map((fields, k) => written(fields, `s${Math.min(i + 1 + (k % 2), services.length - 1)}.x`))
        return `  s${i}: { kind: ${i === 0 ? 'client' : 'database'}, deadline: ${propagate ? 'propagate' : 'ignore'}, concurrency: 5, operations: { x: { ${limits} latency: { p50: 5ms, p99: 50ms }, calls: [${steps.join(', ')}] } } }`
      })
      const chain = read(`journeys: { j: { promise: 2s, starts: s0.x, rate: 10/s } }\nservices:\n${lines.join('\n')}\n`)
      const view = viewOf(chain)
      for (const { diagnostics } of [checkChain(view)]) {
        for (const { factors, spot, values, message } of diagnostics) {
          expect(factors.every(({ origin }) => placeOf(origin.spot).line > 0)).toBe(true)
          expect(spot.end).toBeGreaterThanOrEqual(spot.start)
          expect(`${message} ${JSON.stringify(values)}`).not.toMatch(/NaN|undefined|Infinity|-0\b/)
        }
      }
      for (const rule of allRules.filter(({ id }) =>
        ['inverted', 'missing-timeout', 'queue-unbounded', 'below-tail', 'orphaned-work', 'late-success'].includes(id),
      )) {
        const spots = [...rule.check(view)].map(
          ({ path, spot }) => `${path[path.length - 2] ?? ''} ${path[path.length - 1] ?? ''} ${spot.start}`,
        )
        expect(new Set(spots).size).toBe(spots.length)
      }
    })
    fc.assert(property, { numRuns: 150 })
  })
})

describe('the list of rules', () => {
  it('is the list of the index page, each with its own page', () => {
    const index = readFileSync(fileURLToPath(new URL('../../../../docs/rules/README.md', import.meta.url)), 'utf8')
    const [ofChains = ''] = index.split('## In source code')
    const listed = [...ofChains.matchAll(/^\| \[([a-z-]+)\]\(([a-z-]+)\.md\)/gm)].map(([, id]) => id)
    expect(listed).toHaveLength(allRules.length)
    expect(new Set(listed)).toEqual(new Set(allRules.map(({ id }) => id)))
  })
})
