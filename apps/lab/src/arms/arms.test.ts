import { readChainText } from 'sandglass'
import { describe, expect, it } from 'vitest'
import { plainCalls } from '../chain/plain-chain.js'
import { serviceSpecs } from '../chain/service-spec.js'
import { labChain } from '../run/lab-chain.js'
import { labScenarios, readScenario } from '../run/scenario.js'
import { armNames } from './arm.js'
import { armOf } from './arms.js'

const size = { ratePerS: 60, durationMs: 14_000, networkMs: 2 }

describe.each(labScenarios)('the arms of $name', (scenario) => {
  const example = readScenario(scenario)

  it.each(armNames)('%s: its chain is one that every command reads', (name) => {
    const arm = armOf(name, 'documented')
    const { text, chain, scenario: played } = labChain(example, scenario.scenario, arm, size, [], true)
    expect(readChainText(text).problems).toEqual([])
    expect(serviceSpecs(chain, arm.protection)).toHaveLength(Object.keys(example.services).length - 1)
    expect(played.durationMs.value).toBe(14_000)
    expect(played.faults.length).toBeGreaterThan(0)
  })

  it('differ in protection alone: the same services, operations and latencies', () => {
    const shapes = armNames.map((name) => {
      const { chain } = labChain(example, scenario.scenario, armOf(name, 'documented'), size, [], true)
      return [...chain.operations.values()].map(({ id, work, latency, service, calls }) => [
        id,
        work?.value,
        latency?.value,
        service.concurrency?.value,
        calls.map(({ to }) => to.value),
      ])
    })
    for (const shape of shapes) expect(shape).toEqual(shapes[0])
  })

  it('uniform gives every layer 30 s and three tries, and nothing else', () => {
    for (const { service, call } of plainCalls(armOf('uniform', 'documented').chainOf(example))) {
      if (service['kind'] === 'client') expect(call['timeout']).toBe('30s')
      else expect(call).toMatchObject({ attempt: '30s', attempts: 3 })
      for (const field of ['breaker', 'fallback', 'bulkhead', 'backoff', 'retryBudget']) expect(call).not.toHaveProperty(field)
    }
  })

  it('funnel hands nothing down; sandglass does, in every service of ours', () => {
    const deadlines = (name: 'funnel' | 'sandglass') =>
      Object.values(armOf(name, 'documented').chainOf(example).services)
        .filter(({ kind }) => kind !== 'client' && kind !== 'third-party')
        .map(({ deadline }) => deadline)
    expect(new Set(deadlines('funnel'))).toEqual(new Set([undefined]))
    expect(new Set(deadlines('sandglass'))).toEqual(new Set(['propagate']))
  })

  it('the peers have the values of their documentation and keep the chain’s fallbacks', () => {
    const calls = (name: 'cockatiel' | 'opossum') =>
      plainCalls(armOf(name, 'documented').chainOf(example))
        .filter(({ service }) => service['kind'] !== 'client')
        .map(({ call }) => call)
    const fallbacks = plainCalls(example).filter(({ call }) => call['fallback']).length
    for (const call of calls('cockatiel')) expect(call).toMatchObject({ attempt: '2s', breaker: { consecutive: 5, open: '10s' } })
    for (const call of calls('opossum'))
      expect(call).toMatchObject({ timeout: '3s', breaker: { window: '10s', failureRate: '50%', open: '30s' } })
    for (const name of ['cockatiel', 'opossum'] as const) expect(calls(name).filter((call) => call['fallback'])).toHaveLength(fallbacks)
  })
})

describe('cockatiel', () => {
  it('repeats what may be repeated, and no write', () => {
    const { chain } = labChain(readScenario(labScenarios[0]!), 'slow-inventory', armOf('cockatiel', 'documented'), size, [], true)
    const attempts = Object.fromEntries(chain.calls.map(({ to, attempts }) => [to.value, attempts.value]))
    expect(attempts).toMatchObject({ 'order.create': 1, 'inventory.available': 4, 'inventory-db.select': 4 })
  })
})
