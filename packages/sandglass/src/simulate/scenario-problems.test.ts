import { describe, expect, it } from 'vitest'
import { readChainText } from '../model/read-chain.js'
import { chooseScenario } from './choose-scenario.js'
import { simulate } from './simulate.js'

/** The problems of a scenario, as one text. */
function refused(scenario: string, rate = '10/s'): string {
  const { chain, problems } = readChainText(`
sandglass: 1
journeys: { place-order: { starts: app.order, rate: ${rate} }, broken: { starts: app.oder } }
services:
  app: { operations: { order: { does: read, calls: [{ to: db.read }] } } }
  db: { concurrency: 2, operations: { read: { does: read, latency: { constant: 5ms } } } }
scenarios: { s: { ${scenario} } }
`)
  expect(problems).toEqual([])
  const simulated = simulate(chain, chain.scenarios[0]!)
  return simulated.ok ? 'ran' : simulated.problems.map(({ message }) => message).join('\n')
}

describe('a scenario that cannot be run is refused in one line', () => {
  it.each([
    [
      'load: { place-oder: 10/s }',
      'scenario "s" loads "place-oder", and there is no such journey (did you mean "place-order"?); there are place-order, broken',
    ],
    ['load: { broken: 10/s }', 'journey "broken" starts with "app.oder", and there is no such operation (did you mean "app.order"?)'],
    ['load: { place-order: 0/s }', 'journey "place-order" has a load of 0/s in scenario "s"; a rate above 0 was expected'],
    ['load: { place-order: [{ at: 90s, rate: 5/s }] }', 'the load of "place-order" begins at 90 s, after the end of scenario "s" at 60 s'],
    ['duration: 0s', 'scenario "s" has a duration of 0; it needs some time to run'],
    ['duration: 5s, warmup: 5s', 'scenario "s" warms up for 5 s and runs for 5 s: nothing would be counted'],
    [
      'faults: [{ on: db.raed, at: 1s, down: true }]',
      'a fault strikes "db.raed", and there is no such operation or service (did you mean "db.read"?)',
    ],
    ['faults: [{ on: db.read, at: 70s, down: true }]', 'a fault on db.read begins at 70 s, after the end of scenario "s" at 60 s'],
    ['faults: [{ on: db.read, at: 1s, for: 0s, down: true }]', 'a fault on db.read lasts for 0 s; it would never be noticed'],
    [
      'faults: [{ on: db.read, at: 1s, for: 5s }]',
      'a fault on db.read does not say what goes wrong; expected latency, capacity, slots, errors, hang or down',
    ],
    ['faults: [{ on: app, at: 1s, slots: 1 }]', 'a fault leaves 1 slots to app, which has no "concurrency" to take them from'],
    ['load: { place-order: 900000000000/s }, duration: 2h', 'scenario "s" would offer 6.5e+15 requests; at most 1e+9 are simulated'],
  ])('%s', (scenario, message) => {
    expect(refused(scenario)).toBe(message)
  })

  it('also where no journey has a rate', () => {
    expect(refused('duration: 5s', '0/s')).toContain('has no load')
  })

  it('and one that can be run, is', () => {
    expect(refused('duration: 2s')).toBe('ran')
    expect(refused('load: { place-order: [{ at: 0s, rate: 5/s }, { at: 1s, rate: 0/s }] }')).toBe('ran')
  })
})

describe('a policy that the runtime refuses is refused in one line', () => {
  it.each([
    ['breaker: { failureRate: 0% }', 'breaker.failureRate must be between'],
    ['breaker: { open: 0s }', 'breaker.openMs must be between 1 and'],
    ['breaker: { window: 0ms }', 'windowMs must be between 1 and'],
    ['breaker: { window: 9999999 }', 'windowCalls must be between 1 and'],
    ['breaker: { slow: 0ms }', 'breaker.slowMs must be between'],
  ])('%s', (policy, message) => {
    const text = (call: string) => `
sandglass: 1
journeys: { ask: { starts: app.ask, rate: 5/s } }
services:
  app: { operations: { ask: { does: read, calls: [{ to: db.read, timeout: 40h${call} }] } } }
  db: { operations: { read: { does: read } } }
scenarios: { s: { duration: 1s } }
`
    const { chain, problems } = readChainText(text(`, ${policy}`))
    if (problems.length > 0) return expect(problems).toHaveLength(1)
    const simulated = simulate(chain, chain.scenarios[0]!)
    expect(simulated.ok ? [] : simulated.problems.map((one) => one.message)).toEqual([expect.stringContaining(message)])
    const sound = readChainText(text(', breaker: { consecutive: 3 }')).chain
    expect(simulate(sound, sound.scenarios[0]!).ok).toBe(true)
  })
})

it('layers that try again for ever at one instant are stopped, in one line', () => {
  const layer = (name: string, below: string) =>
    `  ${name}: { operations: { x: { does: read, calls: [{ to: ${below}.x, attempts: none }] } } }\n`
  const { chain } = readChainText(`sandglass: 1
journeys: { ask: { starts: a.x, rate: 1/s } }
services:
${layer('a', 'b')}${layer('b', 'c')}${layer('c', 'd')}${layer('d', 'e')}  e: { operations: { x: { does: read, errors: 100% } } }
scenarios: { s: { duration: 10s, arrivals: constant } }
`)
  const simulated = simulate(chain, chain.scenarios[0]!)
  expect(simulated).toMatchObject({
    ok: false,
    problems: [{ message: expect.stringMatching(/^scenario "s" does not get beyond 0 s: more than 2,000,000/) }],
  })
})

describe('the scenario to run', () => {
  const chainWith = (scenarios: string) =>
    readChainText(
      `sandglass: 1\njourneys: { j: { starts: a.x, rate: 5/s } }\nservices: { a: { operations: { x: { does: read } } } }\n${scenarios}`,
    ).chain
  const two = chainWith('scenarios: { calm: { duration: 5s }, storm: { duration: 6s } }')

  it('is the one that is named, or the only one', () => {
    expect(chooseScenario(two, 'storm')).toMatchObject({ ok: true, scenario: { name: 'storm' } })
    expect(chooseScenario(chainWith('scenarios: { calm: { duration: 5s } }'), undefined)).toMatchObject({
      ok: true,
      scenario: { name: 'calm' },
    })
  })

  it('must be named where there are several, and exist', () => {
    expect(chooseScenario(two, undefined)).toEqual({
      ok: false,
      message: 'there are several scenarios; choose one with --scenario: calm, storm',
    })
    expect(chooseScenario(two, 'strom')).toEqual({
      ok: false,
      message: 'there is no scenario "strom" (did you mean "storm"?); there are calm, storm',
    })
  })

  it('is every journey at its own rate where a chain has none', () => {
    const chosen = chooseScenario(chainWith(''), undefined)
    expect(chosen).toMatchObject({ ok: true, scenario: { name: 'usual-load' } })
    if (chosen.ok) expect(simulate(chainWith(''), chosen.scenario)).toMatchObject({ ok: true })
    expect(chooseScenario(readChainText('sandglass: 1').chain, undefined)).toMatchObject({ ok: false })
  })
})

it('a run with more under way than memory should hold ends, and names the queue that grows', () => {
  const { chain } = readChainText(`
sandglass: 1
journeys: { ask: { promise: none, starts: client.ask, rate: 1000/s } }
services:
  client: { kind: client, operations: { ask: { does: read, calls: [{ to: db.read }] } } }
  db: { concurrency: 1, operations: { read: { does: read, latency: { constant: 1s } } } }
scenarios: { s: { arrivals: constant, duration: 60s } }
`)
  const simulated = simulate(chain, chain.scenarios[0]!, { mostUnderWay: 4000 })
  expect(simulated.ok ? [] : simulated.problems.map(({ message }) => message)).toEqual([
    'scenario "s" does not get beyond 2.002 s: more than 4,000 operations are under way at once, 1,999 of them waiting for a slot of db; give queues a "limit" and calls a timeout, or run less load or a shorter time',
  ])
})
