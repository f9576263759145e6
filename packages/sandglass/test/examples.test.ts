import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Diagnostic } from '../src/model/diagnostic.js'
import { readChainText } from '../src/model/read-chain.js'
import { type Checked, checkChain } from '../src/rules/check-chain.js'

const folder = fileURLToPath(new URL('../../../examples/', import.meta.url))

function check(file: string): Checked {
  const { chain, problems } = readChainText(readFileSync(folder + file, 'utf8'), file)
  expect(problems).toEqual([])
  return checkChain(chain)
}

/** The findings of a rule; with `to`, only about calls of that operation. */
function about({ diagnostics }: Checked, rule: string, to?: string): Diagnostic[] {
  return diagnostics.filter((one) => one.rule === rule && (to === undefined || one.path[one.path.length - 1] === to))
}

function rules({ diagnostics }: Checked, severity?: string): string[] {
  return [...new Set(diagnostics.filter((one) => severity === undefined || one.severity === severity).map(({ rule }) => rule))].sort()
}

describe('examples/avalanche', () => {
  const before = check('avalanche/before.yaml')
  const after = check('avalanche/after.yaml')

  it('before: equal layers leave no margin, and the number is the same on all of them', () => {
    expect(about(before, 'no-margin', 'order.create')[0]?.values).toMatchObject({ boundMs: 30_000, callerBoundMs: 30_000 })
    expect(about(before, 'uniform')[0]).toMatchObject({
      values: { boundMs: 30_000, layers: 3 },
      path: ['app.place-order', 'gateway.place-order', 'order.create', 'inventory.deduct'],
    })
  })

  it('before: waiting for a connection and three attempts outlive the caller by 90 s', () => {
    expect(about(before, 'inverted', 'inventory-db.update')[0]?.values).toMatchObject({
      boundMs: 120_000,
      callerBoundMs: 30_000,
      orphanedMs: 90_000,
    })
    expect(about(before, 'statement-outlives', 'inventory-db.update')[0]?.values).toEqual({
      boundMs: 30_000,
      statementMs: null,
      outlivesMs: null,
    })
  })

  it('before: one request becomes 27 statements', () => {
    const [worst] = about(before, 'amplification')
    expect(worst?.values['amplification']).toBe(27)
    expect(worst?.path).toEqual(['app.place-order', 'gateway.place-order', 'order.create', 'inventory.deduct', 'inventory-db.update'])
    expect(rules(before)).toEqual(
      expect.arrayContaining(['retry-layers', 'retry-no-jitter', 'retry-no-breaker', 'retry-overflow', 'retry-unsafe']),
    )
    expect(about(before, 'retry-unsafe', 'inventory.deduct')).toHaveLength(1)
  })

  it('before: a full pool of 200 slots completes 6.667 calls a second', () => {
    const [pool] = about(before, 'pool-exhausted', 'order.create')
    expect(pool).toMatchObject({ severity: 'error', values: { slots: 200, boundMs: 30_000 } })
    expect(pool?.values['saturatesAtPerS']).toBeCloseTo(6.667, 3)
  })

  it('before: there is as much to report as its page says', () => {
    const count = (severity: string) => before.diagnostics.filter((one) => one.severity === severity).length
    expect(readFileSync(`${folder}avalanche/README.md`, 'utf8')).toContain(
      `reports ${count('error')} errors and ${count('warning')} warnings`,
    )
  })

  it('after: nothing is found', () => {
    expect(after.diagnostics.map(({ rule, message }) => `${rule} ${message}`)).toEqual([])
    expect(after.view.journeys[0]).toMatchObject({ worstMs: 3000 })
  })

  it('is the same system, load and fault on both sides', () => {
    for (const name of before.view.chain.services.keys()) {
      const [one, other] = [before.view.chain.services.get(name), after.view.chain.services.get(name)]
      expect([name, other?.concurrency?.value, other?.instances.value]).toEqual([name, one?.concurrency?.value, one?.instances.value])
    }
    const scenario = ({ view }: Checked) =>
      view.chain.scenarios.map(({ name, load, durationMs, faults }) => ({
        name,
        load: [...load.values()].map(({ value }) => value),
        durationMs: durationMs.value,
        faults: faults.map(({ on, atMs, forMs, latency }) => [on.value, atMs.value, forMs?.value, latency?.value]),
      }))
    expect(scenario(before)).toEqual(scenario(after))
    expect(scenario(before)[0]?.faults).toEqual([['inventory-db.update', 20_000, 40_000, { times: 20 }]])
  })
})

describe('examples/converging', () => {
  const found = check('converging/sandglass.yaml')

  it('reports the CDN by 2 s, the gateway by 5 s, and the four steps of A by 5 s, and nothing else as an error', () => {
    expect(about(found, 'client-gives-up-first')[0]).toMatchObject({
      path: ['client.view-page', 'cdn.fetch', 'gateway.route'],
      values: { boundMs: 12_000, callerBoundMs: 10_000, orphanedMs: 2000 },
    })
    expect(about(found, 'inverted')[0]).toMatchObject({
      path: ['client.view-page', 'cdn.fetch', 'gateway.route', 'a.view'],
      values: { boundMs: 15_000, callerBoundMs: 10_000, orphanedMs: 5000 },
    })
    expect(about(found, 'does-not-fit')[0]).toMatchObject({
      path: ['client.view-page', 'cdn.fetch', 'gateway.route', 'a.view'],
      values: { worstMs: 17_000, callerBoundMs: 12_000, overByMs: 5000 },
    })
    expect(found.diagnostics.filter(({ severity }) => severity === 'error')).toHaveLength(3)
  })
})

describe('examples/inverted', () => {
  const found = check('inverted/sandglass.yaml')

  it('reports the gateway behind the client, with A under it, and the database without a limit', () => {
    expect(about(found, 'client-gives-up-first')).toHaveLength(1)
    expect(about(found, 'client-gives-up-first')[0]).toMatchObject({
      values: { boundMs: 30_000, callerBoundMs: 3000, orphanedMs: 27_000 },
      consequences: [
        { path: ['app.show-orders', 'gateway.show-orders', 'a.orders', 'b.orders'], values: { boundMs: 10_000, orphanedMs: 7000 } },
      ],
    })
    expect(about(found, 'missing-timeout', 'db.select')).toHaveLength(1)
    expect(about(found, 'inverted')).toEqual([])
  })
})

describe('examples/confirm-order', () => {
  it('keeps its promise of 800 ms, and nothing is found', () => {
    const found = check('confirm-order/sandglass.yaml')
    expect(found.diagnostics.map(({ rule, message }) => `${rule} ${message}`)).toEqual([])
    expect(found.view.journeys[0]).toMatchObject({ worstMs: 800 })
  })
})

describe('examples/long-chain', () => {
  it('is sound with 2 s at its end', () => {
    expect(check('long-chain/sandglass.yaml').diagnostics).toEqual([])
  })

  it('reports the one changed value: it outlives its caller by 27.9 s and fills the pool in 3.3 s', () => {
    const found = check('long-chain/changed.yaml')
    expect(about(found, 'inverted')[0]?.values).toMatchObject({ boundMs: 30_000, callerBoundMs: 2100, orphanedMs: 27_900 })
    const [pool] = about(found, 'pool-exhausted', 'bank.statement')
    expect(pool?.values['saturatesAtPerS']).toBeCloseTo(6.667, 3)
    expect(pool?.values['fullAfterMs']).toBeCloseTo(3333.333, 2)
    expect(rules(found)).toEqual(['far-above-tail', 'inverted', 'orphaned-work', 'pool-exhausted'])
  })
})
