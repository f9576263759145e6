import { describe, expect, it } from 'vitest'
import { runChain } from './run-chain.fixture.js'

/** One request a second, evenly spaced, unless a case says otherwise: small enough to follow by hand. */
function chain({
  client = '',
  calls,
  services,
  load = '1/s',
  more = '',
  durationS = 10,
}: {
  client?: string
  calls: string
  services: string
  load?: string
  more?: string
  durationS?: number
}): string {
  return `
sandglass: 1
journeys: { ask: { promise: 5s, starts: client.ask } }
services:
  client: { kind: client${client}, operations: { ask: { does: read, calls: [${calls}] } } }
${services}
scenarios:
  usual: { load: { ask: ${load} }, arrivals: constant, duration: ${durationS}s${more} }
`
}

const quick =
  '  a: { operations: { x: { does: read, latency: { constant: 100ms } } } }\n  b: { operations: { x: { does: read, latency: { constant: 300ms } } } }'

describe('calls', () => {
  it('one after the other add up, together they take as long as the longest', () => {
    const serial = runChain(chain({ calls: '{ to: a.x }, { to: b.x }', services: quick }))
    const parallel = runChain(chain({ calls: 'parallel: [{ to: a.x }, { to: b.x }]', services: quick }))
    expect(serial.journeys['ask']!.p50Ms).toBeCloseTo(400, -1)
    expect(parallel.journeys['ask']!.p50Ms).toBeCloseTo(300, -1)
  })

  it('pay the network once there and back', () => {
    const result = runChain(chain({ calls: '{ to: a.x, network: 50ms }', services: quick }))
    expect(result.journeys['ask']!.p50Ms).toBeCloseTo(150, -1)
  })

  it('through a queue are not waited for', () => {
    const result = runChain(chain({ calls: '{ to: b.x, async: true }, { to: a.x }', services: quick }))
    expect(result.journeys['ask']!.p50Ms).toBeCloseTo(100, -1)
    expect(result.operations['b.x']!.completed).toBe(10)
    expect(result.journeys['ask']!.attemptsPerRequest).toBe(1)
  })

  it('are made by a share of the requests', () => {
    const result = runChain(chain({ calls: '{ to: a.x, share: 25% }', services: quick, load: '1000/s' }))
    expect(Math.abs(result.operations['a.x']!.amplification - 0.25)).toBeLessThan(0.02)
  })

  it('that fail fail their caller, unless they are optional or have a fallback', () => {
    const failing = '  a: { operations: { x: { does: read, errors: 100% } } }'
    const plain = runChain(chain({ calls: '{ to: a.x }', services: failing }))
    const optional = runChain(chain({ calls: '{ to: a.x, optional: true }', services: failing }))
    const fallback = runChain(chain({ calls: '{ to: a.x, fallback: { tier: default } }', services: failing }))
    expect(plain.journeys['ask']).toMatchObject({ failed: 10, answered: 0, successShare: 0 })
    expect(optional.journeys['ask']).toMatchObject({ degraded: 10, succeeded: 0, goodputPerS: 1 })
    expect(fallback.journeys['ask']).toMatchObject({ degraded: 10, succeeded: 0, goodputPerS: 1 })
  })

  it('say further up that something below is degraded', () => {
    const services = `  a: { operations: { x: { does: read, calls: [{ to: b.x, optional: true }] } } }
  b: { operations: { x: { does: read, errors: 100% } } }`
    expect(runChain(chain({ calls: '{ to: a.x }', services })).journeys['ask']).toMatchObject({ degraded: 10, succeeded: 0 })
  })

  it('of which one that is needed fails do not wait for the others', () => {
    const services = `  a: { operations: { x: { does: read, errors: 100% } } }
  b: { operations: { x: { does: read, latency: { constant: 300ms } } } }`
    const reached = runChain(chain({ calls: 'parallel: [{ to: b.x, cancel: reaches }, { to: a.x }]', services }))
    const gone = runChain(chain({ calls: 'parallel: [{ to: b.x, cancel: stops-here }, { to: a.x }]', services }))
    expect(reached.journeys['ask']!.failed).toBe(10)
    expect(reached.operations['b.x']).toMatchObject({ completed: 0, orphanedMs: 0 })
    expect(gone.operations['b.x']).toMatchObject({ completed: 10, useful: 0 })
    expect(gone.operations['b.x']!.orphanedMs).toBeCloseTo(3000, 0)
  })
})

describe('giving up', () => {
  const slow = (more = '') => `  a: { concurrency: 100${more}, operations: { x: { does: read, latency: { constant: 800ms } } } }`

  it('leaves the work to go on where cancellation stops here', () => {
    const result = runChain(chain({ calls: '{ to: a.x, timeout: 200ms }', services: slow() }))
    expect(result.journeys['ask']!.failed).toBe(10)
    expect(result.operations['a.x']).toMatchObject({ started: 10, completed: 10, useful: 0 })
    expect(result.operations['a.x']!.orphanedMs).toBeCloseTo(6000, 0)
  })

  it('frees the slot where cancellation reaches the work', () => {
    const result = runChain(chain({ calls: '{ to: a.x, timeout: 200ms, cancel: reaches }', services: slow() }))
    expect(result.operations['a.x']).toMatchObject({ started: 10, completed: 0, orphanedMs: 0 })
    expect(result.operations['a.x']!.busyMean).toBeCloseTo(0.2, 2)
  })

  it('reaches two services down', () => {
    const services = `  a: { operations: { x: { does: read, calls: [{ to: b.x, cancel: reaches }] } } }
  b: { operations: { x: { does: read, latency: { constant: 800ms } } } }`
    const result = runChain(chain({ calls: '{ to: a.x, timeout: 200ms, cancel: reaches }', services }))
    expect(result.operations['b.x']).toMatchObject({ completed: 0, orphanedMs: 0 })
  })

  it('at the very instant of the answer is too late', () => {
    const result = runChain(chain({ calls: '{ to: a.x, timeout: 800ms }', services: slow() }))
    expect(result.journeys['ask']!.failed).toBe(0)
  })

  it('ends all attempts with the total, and the last gets what is left', () => {
    const result = runChain(chain({ calls: '{ to: a.x, timeout: 500ms, attempt: 200ms, attempts: 5 }', services: slow() }))
    expect(result.journeys['ask']).toMatchObject({ failed: 10, attemptsPerRequest: 3 })
    expect(result.operations['client.ask']!.busyMean).toBeCloseTo(0.5, 2)
  })

  it('counts as late what is answered after the promise', () => {
    const text = chain({ calls: '{ to: a.x }', services: slow() }).replace('promise: 5s', 'promise: 700ms')
    expect(runChain(text).journeys['ask']).toMatchObject({ late: 10, succeeded: 0, answered: 10, goodputPerS: 0 })
  })
})

describe('a deadline that is handed down', () => {
  it('is shortened by what was used and by the reserve', () => {
    const services = `  a:
    deadline: propagate
    operations: { x: { does: read, work: { constant: 300ms }, calls: [{ to: b.x, timeout: 5s, reserve: 100ms }] } }
  b: { deadline: propagate, operations: { x: { does: read, hangs: 100% } } }`
    const result = runChain(chain({ calls: '{ to: a.x, timeout: 1s, deadline: propagate }', services }))
    expect(result.journeys['ask']!.failed).toBe(10)
    // b is waited for from 300 ms to 900 ms.
    expect(result.operations['b.x']!.busyMean).toBeCloseTo(0.6, 2)
  })

  it('starts from the promise directly behind the client', () => {
    const services = `  a: { deadline: propagate, operations: { x: { does: read, calls: [{ to: b.x, timeout: 9s }] } } }
  b: { deadline: propagate, operations: { x: { does: read, hangs: 100% } } }`
    const result = runChain(chain({ calls: '{ to: a.x }', services, durationS: 20 }))
    // Those of 0 s to 15 s have had their 5 s by the end.
    expect(result.operations['a.x']!.completed).toBe(16)
  })

  it('leaves a call unmade that has too little time', () => {
    const services = `  a:
    deadline: propagate
    operations: { x: { does: read, work: { constant: 900ms }, calls: [{ to: b.x, floor: 150ms }] } }
  b: { operations: { x: { does: read, latency: { constant: 10ms } } } }`
    const result = runChain(chain({ calls: '{ to: a.x, timeout: 1s, deadline: propagate }', services }))
    expect(result.operations['b.x']!.arrivals).toBe(0)
    expect(result.journeys['ask']!.failed).toBe(10)
  })
})

describe('a service', () => {
  it('gives up at its own limit and frees its slot', () => {
    const services = '  a: { concurrency: 1, operations: { x: { does: read, latency: { constant: 5s }, limits: { request: 400ms } } } }'
    const result = runChain(chain({ calls: '{ to: a.x }', services }))
    expect(result.journeys['ask']!.failed).toBe(10)
    expect(result.operations['a.x']!.busyMean).toBeCloseTo(0.4, 2)
  })

  it('loses a slot for good to work that hangs', () => {
    const services = '  a: { concurrency: 3, operations: { x: { does: read, hangs: 100% } } }'
    const result = runChain(chain({ calls: '{ to: a.x, timeout: 100ms }', services }))
    expect(result.operations['a.x']).toMatchObject({ started: 3, completed: 0 })
    expect(result.resources['a']).toEqual({ slots: 3, exhaustedAtMs: 2000 })
  })

  it.each([
    { order: 'fifo', useful: 0 },
    { order: 'lifo', useful: 1 },
  ])('serves $order', ({ order, useful }) => {
    // Twenty requests at once, and again at 10 s when the first burst still stands in the queue: only the newest can be served in time.
    const services = `  a: { concurrency: 1, queue: { order: ${order} }, operations: { x: { does: read, latency: { constant: 1s } } } }`
    const load = '[{ at: 0s, rate: 2000/s }, { at: 10ms, rate: 0/s }, { at: 10s, rate: 2000/s }, { at: 10001ms, rate: 0/s }]'
    const result = runChain(chain({ calls: '{ to: a.x, timeout: 2500ms }', services, load, durationS: 15, more: ', warmup: 9999ms' }))
    expect(result.operations['a.x']!.useful > 0 ? 1 : 0).toBe(useful)
  })

  it('refuses what waits too long, and has one pool of all instances', () => {
    const services = '  a: { concurrency: 1, instances: 2, queue: { timeout: 300ms }, operations: { x: { does: read, hangs: 100% } } }'
    const result = runChain(chain({ calls: '{ to: a.x }', services, durationS: 11 }))
    expect(result.resources['a']!.slots).toBe(2)
    expect(result.operations['a.x']).toMatchObject({ started: 2, rejected: 9 })
  })

  it('does not wait longer for a slot than its caller says', () => {
    const services = '  a: { concurrency: 1, operations: { x: { does: read, hangs: 100% } } }'
    const result = runChain(chain({ calls: '{ to: a.x, queue: 200ms, timeout: 3s }', services, durationS: 11 }))
    expect(result.operations['a.x']!.meanQueue).toBeCloseTo((10 * 0.2) / 11, 2)
  })
})

describe('slots of a caller', () => {
  const services =
    '  a: { operations: { x: { does: read, latency: { constant: 800ms } } } }\n  b: { operations: { x: { does: read, latency: { constant: 800ms } } } }'

  it('bound what is under way', () => {
    const result = runChain(chain({ calls: '{ to: a.x, bulkhead: 3, timeout: 2s, cancel: reaches }', services, load: '100/s' }))
    expect(result.operations['a.x']!.busyMean).toBeLessThanOrEqual(3)
    expect(result.operations['a.x']!.busyMean).toBeGreaterThan(2.9)
  })

  it('are waited for as long as the call says', () => {
    const result = runChain(chain({ calls: '{ to: a.x, bulkhead: 1, queue: 100ms }', services, load: '10/s' }))
    const { failed, succeeded } = result.journeys['ask']!
    expect(succeeded).toBe(12)
    expect(failed).toBeGreaterThan(80)
  })

  it('may be shared by calls as a pool', () => {
    const result = runChain(
      chain({
        client: ', pools: { web: 4 }',
        calls: 'parallel: [{ to: a.x, pool: web }, { to: b.x, pool: web }]',
        services,
        load: '100/s',
      }),
    )
    expect(result.operations['a.x']!.busyMean + result.operations['b.x']!.busyMean).toBeLessThanOrEqual(4)
  })
})

describe('a breaker', () => {
  it('opens, spares its callee and closes again', () => {
    const services = '  a: { operations: { x: { does: read, latency: { constant: 5ms } } } }'
    const more = ', faults: [{ on: a.x, at: 10s, for: 10s, errors: 100% }]'
    const result = runChain(
      chain({
        calls: '{ to: a.x, timeout: 1s, breaker: { consecutive: 5, open: 2s, probes: 1 } }',
        services,
        load: '100/s',
        durationS: 30,
        more,
      }),
    )
    const { arrivals } = result.series.operations['a.x']!
    expect(arrivals.slice(11, 19).reduce((sum, value) => sum + value, 0)).toBeLessThan(10)
    expect(arrivals[25]).toBe(100)
    expect(result.operations['a.x']!.breakerOpenMs).toBeGreaterThan(9000)
    expect(result.operations['a.x']!.breakerOpenMs).toBeLessThan(13_000)
  })
})

describe('a fault', () => {
  const services = '  a: { concurrency: 10, operations: { x: { does: read, latency: { constant: 400ms } } } }'
  const faulty = (fault: string, load = '1/s') =>
    runChain(chain({ calls: '{ to: a.x, timeout: 4s }', services, load, more: `, faults: [{ on: a.x, at: 4200ms, for: 3s, ${fault} }]` }))

  it('of latency holds for work that begins in it', () => {
    const { p50Ms, p99Ms } = faulty('latency: x5').journeys['ask']!
    expect(p50Ms).toBeCloseTo(400, -1)
    expect(p99Ms).toBeCloseTo(2000, -2)
    expect(faulty('latency: +1s').journeys['ask']!.p99Ms).toBeCloseTo(1400, -2)
  })

  it('of capacity also slows the work under way', () => {
    // At 4.2 s the request of 4 s has half its work left; at a fifth of the speed that takes 1 s more.
    const result = runChain(
      chain({
        calls: '{ to: a.x }',
        services,
        load: '[{ at: 4s, rate: 1/s }, { at: 4500ms, rate: 0/s }]',
        more: ', faults: [{ on: a, at: 4200ms, for: 3s, capacity: x0.2 }]',
      }),
    )
    expect(result.journeys['ask']!.p50Ms).toBeCloseTo(1200, -2)
  })

  it('of slots takes them away and gives them back', () => {
    const result = faulty('slots: 2', '20/s')
    const { busy } = result.series.services['a']!
    expect(busy[2]).toBeCloseTo(8, 1)
    expect(busy[5]).toBeLessThanOrEqual(2)
    expect(busy[9]).toBeGreaterThan(7)
  })

  it('of errors, hangs and a service that is down does what it says', () => {
    expect(faulty('errors: 100%').journeys['ask']!.failed).toBe(3)
    expect(faulty('hang: 100%').operations['a.x']).toMatchObject({ started: 10, completed: 7 })
    expect(faulty('down: true').operations['a.x']).toMatchObject({ arrivals: 10, rejected: 3 })
  })

  it('begins and ends at instants that are no whole milliseconds', () => {
    const faults = ', faults: [{ on: a.x, at: 4666.7ms, for: 3000.3ms, errors: 100% }]'
    const { failed } = runChain(chain({ calls: '{ to: a.x, timeout: 4s }', services: quick, more: faults })).journeys['ask']!
    expect(failed).toBe(3)
  })

  it('that ends lets goodput come back after a time that is measured', () => {
    const result = runChain(
      chain({ calls: '{ to: a.x }', services, load: '20/s', durationS: 40, more: ', faults: [{ on: a.x, at: 5s, for: 5s, down: true }]' }),
    )
    expect(result.journeys['ask']!.recoveryMs).toBe(1000)
  })
})

it('an operation that users ask directly is useful as often as they are answered in time', () => {
  const result = runChain(`
sandglass: 1
journeys: { ask: { promise: 100ms, starts: a.x, rate: 50/s } }
services:
  a: { operations: { x: { does: read, work: { exponential: 50ms }, errors: 20% } } }
scenarios: { usual: { duration: 20s } }
`)
  const { succeeded, late } = result.journeys['ask']!
  expect(late).toBeGreaterThan(0)
  expect(succeeded).toBeGreaterThan(0)
  expect(result.operations['a.x']!.useful).toBe(succeeded)
})
