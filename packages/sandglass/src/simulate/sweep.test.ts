import { describe, expect, it } from 'vitest'
import { readChainText } from '../model/read-chain.js'
import { runCompare } from './compare.js'
import { runSweep } from './sweep.js'
import { readSweep } from './sweep-target.js'

const { chain } = readChainText(`
sandglass: 1
journeys: { ask: { starts: client.ask, rate: 200/s } }
services:
  client: { kind: client, operations: { ask: { does: read, calls: [{ to: gateway.ask }] } } }
  gateway: { concurrency: 200, operations: { ask: { does: read, calls: [{ to: dead.ask, timeout: 9s, retryBudget: 10% }] } } }
  dead: { operations: { ask: { does: read, hangs: 100% } } }
scenarios: { hung: { load: { ask: 200/s }, duration: 660s, warmup: 60s } }
`)
const scenario = chain.scenarios[0]!
const valuesOf = (text: string) => {
  const read = readSweep(text, chain, scenario)
  return read.ok ? read.sweep.values : read.message
}

describe('the values of a sweep', () => {
  it.each([
    ['gateway.ask>dead.ask.timeout=1s..30s', Array.from({ length: 30 }, (_, i) => (i + 1) * 1000)],
    ['gateway.ask>dead.ask.timeout=1s..2s/250ms', [1000, 1250, 1500, 1750, 2000]],
    ['gateway.ask > dead.ask.timeout = 3s, 30s', [3000, 30_000]],
    ['gateway.ask>dead.ask.timeout=10ms..1s', [10, 20, 30, 50, 70, 100, 200, 300, 500, 700, 1000]],
    ['gateway.ask>dead.ask.attempts=1..4', [1, 2, 3, 4]],
    ['gateway.ask>dead.ask.retryBudget=5%..20%/5%', [0.05, 0.1, 0.15, 0.2]],
    ['gateway.concurrency=100,400', [100, 400]],
    ['load.ask=100/s..300/s/100/s', [100, 200, 300]],
  ])('%s are even steps or round numbers', (text, values) => {
    expect(valuesOf(text)).toEqual(values)
  })

  it.each([
    ['timeout', 'expected a target and its values'],
    ['gateway.ask>dead.aks.timeout=1s..2s', 'there is no call gateway.ask>dead.aks (did you mean "gateway.ask>dead.ask"?)'],
    ['gateway.ask>dead.ask.timout=1s..2s', '"timout" of a call cannot be swept (did you mean "timeout"?)'],
    ['gatewy.concurrency=1..2', 'there is no service "gatewy" (did you mean "gateway"?)'],
    ['gateway.queue=1..2', '"queue" of a service cannot be swept'],
    ['load.aks=1/s..2/s', 'there is no journey "aks" (did you mean "ask"?)'],
    ['gateway.ask>dead.ask.timeout=30..1', 'is not a duration'],
    ['gateway.ask>dead.ask.timeout=3s..1s', 'a range rises'],
    ['gateway.ask>dead.ask.timeout=1s..2s/1ms', 'at most 200 points'],
    ['gateway.ask>dead.ask.attempts=0..3', 'a whole number of 1 or more'],
    ['load.ask=100..200', 'a rate such as 3000/s'],
  ])('%s are refused in one line', (text, part) => {
    const read = readSweep(text, chain, scenario)
    expect(read.ok).toBe(false)
    if (read.ok) return
    expect(read.message.split('\n')).toHaveLength(1)
    if (!part.includes('not a duration')) expect(read.message).toContain(part)
  })
})

it('a sweep of the timeout shows what a pool of 200 can end: 66.7/s at 3 s, 6.67/s at 30 s', () => {
  const read = readSweep('gateway.ask>dead.ask.timeout=1s..30s/1s', chain, scenario)
  if (!read.ok) throw new Error(read.message)
  const swept = runSweep(chain, { ...read.sweep, values: [3000, 10_000, 30_000] })
  if (!swept.ok) throw new Error('not run')
  const perS = swept.result.points.map(({ operations }) => (operations['gateway.ask']!.completed as number) / 600)
  expect(perS.map((value) => Number(value.toFixed(2)))).toEqual([66.67, 20, 6.67])
  expect(swept.result.points[0]).not.toHaveProperty('series')
})

it('every target of a sweep changes what it names, and the chain stays as it was', () => {
  const run = (text: string) => {
    const read = readSweep(text, chain, { ...scenario, durationMs: { ...scenario.durationMs, value: 70_000 } })
    if (!read.ok) throw new Error(read.message)
    const swept = runSweep(chain, read.sweep)
    if (!swept.ok) throw new Error('not run')
    return swept.result.points
  }
  const [few, many] = run('gateway.concurrency=100,400')
  expect(few!.resources['gateway']!.slots).toBe(100)
  expect(many!.resources['gateway']!.slots).toBe(400)
  const [slow, fast] = run('load.ask=10/s,20/s')
  expect(Math.abs((fast!.journeys['ask']!.offered as number) / (slow!.journeys['ask']!.offered as number) - 2)).toBeLessThan(0.5)
  expect(chain.services.get('gateway')!.concurrency!.value).toBe(200)
})

it('arms of a comparison get the same requests at the same instants', () => {
  const other = readChainText(
    'sandglass: 1\njourneys: { ask: { starts: app.ask, rate: 5/s } }\nservices: { app: { concurrency: 1, operations: { ask: { does: read, latency: { exponential: 9ms } } } } }',
  ).chain
  const compared = runCompare(
    [
      { name: 'a', chain },
      { name: 'b', chain: other },
    ],
    { ...scenario, faults: [] },
    { seed: 3 },
  )
  if (!compared.ok) throw new Error('not run')
  const [a, b] = compared.result.arms
  expect(a!.series.journeys['ask']!.offered).toEqual(b!.series.journeys['ask']!.offered)
  expect(compared.result.arms.map(({ name }) => name)).toEqual(['a', 'b'])
})
