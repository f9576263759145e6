import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { boundMs } from './arithmetic.js'
import { MAX_PATH } from './path-ends.js'
import { readChainText } from './read-chain.js'
import { roomMs } from './room.js'
import { layersOf, MAX_ARRIVALS, pathBoundsOf, pathOf, type Visit } from './situations.js'
import { type View, viewOf } from './view.js'

const guide = readFileSync(fileURLToPath(new URL('../../../../docs/guide/chain-file.md', import.meta.url)), 'utf8')
const worked = guide.split('```yaml\n')[1]?.split('```')[0] ?? ''

function view(text: string): View {
  const { chain, problems } = readChainText(text.startsWith('sandglass') ? text : `sandglass: 1\n${text}`)
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'))
  return viewOf(chain)
}

function visitOf(of: View, to: string): Visit {
  const visit = of.perCall.find(({ call }) => call.to.value === to)
  if (!visit) throw new Error(`no call of ${to}`)
  return visit
}

const bounds = (of: View): Record<string, number | null> =>
  Object.fromEntries(of.perCall.map(({ call, bound }) => [call.to.value, boundMs(bound)]))

describe('the worked chain', () => {
  const chain = view(worked)
  const arrival = (id: string): NonNullable<Visit['arrival']> => {
    const operation = chain.chain.operations.get(id)
    const found = operation && chain.situations.arrivals.get(operation)?.[0]
    if (!found) throw new Error(id)
    return found
  }

  test('has the bounds of its calls', () => {
    expect(bounds(chain)).toEqual({
      'gateway.place-order': 3000,
      'order.create': 2800,
      'orders-db.insert': 800,
      'inventory.deduct': 1450,
      'promotion.apply': 700,
      'inventory-db.update': 300,
    })
  })

  test('adds order.create up to 2310 ms, of 2800 ms that it has', () => {
    expect(boundMs(chain.worst(arrival('order.create')))).toBe(2310)
    expect(boundMs(arrival('order.create').callerBound)).toBe(2800)
    expect(roomMs(chain, visitOf(chain, 'orders-db.insert'))).toBe(2800 - 10 - 50 - 60 - 1450)
    expect(roomMs(chain, visitOf(chain, 'inventory.deduct'))).toBe(2800 - 10 - 50 - 60 - 800)
  })

  test('typically takes 60 ms of work, 50 ms of the database and 190 ms of the slower of the two', () => {
    const typical = (id: string): number => chain.typicalMs(chain.chain.operations.get(id) ?? arrival(id).operation)
    expect(typical('inventory.deduct')).toBe(130)
    expect(typical('order.create')).toBe(60 + (40 + 10) + Math.max(130 + 10, 180 + 10))
    expect(typical('gateway.place-order')).toBe(310)
    expect(chain.journeys[0]).toMatchObject({ worstMs: 3000, typicalMs: 320 })
  })

  test('passes 3000 requests a second on, and multiplies by 2 at the inventory', () => {
    const rate = (to: string): number | null => chain.flow.callRatePerS(visitOf(chain, to).call)
    expect([rate('order.create'), rate('inventory-db.update')]).toEqual([3000, 3000])
    expect(chain.flow.callAmplification(visitOf(chain, 'inventory-db.update').call)).toMatchObject({ value: 2 })
    expect(chain.flow.callAmplification(visitOf(chain, 'promotion.apply').call)).toMatchObject({ value: 1 })
  })

  test('hands no budget to the order, because the gateway forwards none and the order is not behind the client', () => {
    expect(arrival('order.create').budget).toBeNull()
    expect(visitOf(chain, 'orders-db.insert').inherited).toBe(false)
  })

  test('hands 2800 ms less the reserve on where the gateway propagates as well', () => {
    const budgeted = view(
      worked.replace('kind: proxy\n', 'kind: proxy\n    deadline: propagate\n').replace('timeout: 800ms, queue: 200ms', 'queue: 200ms'),
    )
    expect(visitOf(budgeted, 'order.create').arrival.budget).toEqual({ ms: 3000, source: 'promise' })
    expect(visitOf(budgeted, 'orders-db.insert')).toMatchObject({ inherited: true, bound: { state: 'bounded', ms: 2750 } })
  })
})

describe('situations', () => {
  test('give a call without limit what is left of the budget handed down', () => {
    const chain = view(`defaults: { reserve: 50ms }
journeys: { j: { promise: 3s, starts: app.go } }
services:
  app: { kind: client, operations: { go: { calls: [{ to: a.x, timeout: 3s }] } } }
  a: { deadline: propagate, operations: { x: { calls: [{ to: b.y }, { to: b.z, timeout: 1s }, { to: b.q, async: true }] } } }
  b: { operations: { y: , z: , q: } }
`)
    expect(bounds(chain)).toEqual({ 'a.x': 3000, 'b.y': 2950, 'b.z': 1000, 'b.q': null })
    expect(visitOf(chain, 'b.y').inherited).toBe(true)
  })

  test('start a budget from limits.request, or behind the client from the promise, and from nothing else', () => {
    const budget = (service: string, operation = ''): unknown =>
      view(`journeys: { j: { promise: 3s, starts: app.go } }
services:
  app: { kind: client, operations: { go: { calls: [{ to: a.x }] } } }
  a: { ${service}operations: { x: { ${operation}calls: [{ to: b.y }] } } }
  b: { deadline: propagate, operations: { y: { calls: [{ to: c.z }] } } }
  c: { operations: { z: } }
`).perCall.map(({ arrival }) => arrival.budget)
    expect(budget('')).toEqual([null, null, null])
    expect(budget('deadline: propagate, ')).toEqual([null, { ms: 3000, source: 'promise' }, { ms: 3000, source: 'caller' }])
    expect(budget('deadline: propagate, ', 'limits: { request: 2s }, ')).toEqual([
      null,
      { ms: 2000, source: 'request' },
      { ms: 2000, source: 'caller' },
    ])
  })

  test('take the attempt for what a hung callee gets, and the silence of a call with phases alone', () => {
    const given = (fields: string, operation = ''): number | null => {
      const chain = view(
        `services:\n  a: { operations: { x: { calls: [{ to: b.y, ${fields} }] } } }\n  b: { operations: { y: { ${operation}calls: [{ to: c.z }] } } }\n  c: { operations: { z: } }\n`,
      )
      return boundMs(visitOf(chain, 'c.z').arrival.callerBound)
    }
    expect(given('timeout: 3s, attempt: 700ms, attempts: 2')).toBe(700)
    expect(given('timeout: 3s')).toBe(3000)
    expect(given('connect: 100ms, silence: 2s')).toBe(2000)
    expect(given('timeout: 3s', 'limits: { request: 1s }, ')).toBe(1000)
    expect(given('timeout: 3s, async: true')).toBeNull()
    expect(given('timeout: unknown')).toBeNull()
  })

  test('keep apart by which call, and with what budget, an operation is entered', () => {
    const chain = view(`services:
  a: { operations: { x: { calls: [{ to: c.z, timeout: 1s }] } } }
  b: { operations: { y: { calls: [{ to: c.z, timeout: 5s }] } } }
  c: { operations: { z: { calls: [{ to: d.w, timeout: 3s }] } } }
  d: { operations: { w: } }
`)
    const inner = chain.situations.visits.filter(({ call }) => call.to.value === 'd.w')
    expect(inner.map(({ arrival }) => boundMs(arrival.callerBound) ?? 0).sort((a, b) => a - b)).toEqual([1000, 5000])
    expect(visitOf(chain, 'd.w').arrival.tightest?.ms).toBe(1000)
  })

  test('are limited in number, and those with the least time are kept', () => {
    const callers = Array.from({ length: 100 }, (_, i) => `  s${i}: { operations: { o: { calls: [{ to: c.z, timeout: ${i + 1}s }] } } }\n`)
    const chain = view(
      `services:\n${callers.join('')}  c: { operations: { z: { calls: [{ to: d.w, timeout: 3s }] } } }\n  d: { operations: { w: } }\n`,
    )
    const inner = chain.situations.visits.filter(({ call }) => call.to.value === 'd.w')
    expect(inner).toHaveLength(MAX_ARRIVALS)
    expect(Math.max(...inner.map(({ arrival }) => arrival.tightest?.ms ?? 0))).toBe(MAX_ARRIVALS * 1000)
    expect(chain.situations.leftOut).toBe(100 - MAX_ARRIVALS)
  })

  test('show the ends of very long paths', () => {
    const long = (length: number): Visit =>
      visitOf(
        view(
          `services:\n${Array.from({ length }, (_, i) => `  s${i}: { operations: { o: { calls: [{ to: s${i + 1}.o, timeout: ${i + 1}ms }] } } }\n`).join('')}  s${length}: { operations: { o: } }\n`,
        ),
        `s${length}.o`,
      )
    const short = long(MAX_PATH - 1)
    expect(pathOf(short)).toHaveLength(MAX_PATH)
    expect(pathOf(short)).toEqual([...layersOf(short).map(({ call }) => call.from.id), 's255.o'])
    const deep = long(1000)
    const path = pathOf(deep)
    const shown = pathBoundsOf(deep)
    expect([path.length, shown.length]).toEqual([MAX_PATH, MAX_PATH - 1])
    expect([path[0], path[127], path[128], path[129], path.at(-1)]).toEqual(['s0.o', 's127.o', '…', 's874.o', 's1000.o'])
    // Each bound leads to the name after it.
    for (const [i, ms] of shown.entries()) if (ms !== null) expect(path[i + 1]).toBe(`s${ms}.o`)
    expect(shown.filter((ms) => ms === null)).toHaveLength(2)
  })
})

describe('unknown', () => {
  test('spreads through sums and never becomes a number', () => {
    const chain = view(
      'services: { a: { operations: { x: { calls: [{ to: b.y, timeout: unknown }, { to: b.y, timeout: 1s, attempt: unknown, attempts: 2 }] } } }, b: { operations: { y: } } }',
    )
    expect(chain.perCall.map(({ bound }) => bound.state)).toEqual(['unknown', 'unknown'])
    const [first] = chain.perCall
    expect(first && chain.worst(first.arrival).state).toBe('unknown')
  })
})

describe('flow', () => {
  test('adds rates and arrivals over paths, by share', () => {
    const chain = view(`journeys: { j: { promise: 3s, starts: a.x, rate: 100/s }, k: { promise: 3s, starts: b.y, rate: 20/s } }
services:
  a: { operations: { x: { calls: [{ to: b.y, share: 50% }, { to: c.z, share: 10% }] } } }
  b: { operations: { y: { calls: [{ to: c.z }] } } }
  c: { operations: { z: } }
`)
    const rate = (id: string): number | null => chain.flow.ratePerS(chain.chain.operations.get(id) ?? chain.order.operations[0]!)
    expect([rate('a.x'), rate('b.y'), rate('c.z')]).toEqual([100, 70, 80])
  })

  test('multiplies retries, or adds them up where every service of the path stops chains', () => {
    const value = (stop: (i: number) => string): number => {
      const services = [0, 1, 2].map((i) => `  s${i}: { ${stop(i)}operations: { o: { calls: [{ to: s${i + 1}.o, attempts: 3 }] } } }\n`)
      const chain = view(`services:\n${services.join('')}  s3: { operations: { o: } }\n`)
      return chain.flow.callAmplification(visitOf(chain, 's3.o').call).value
    }
    expect(value(() => '')).toBe(27)
    expect(value(() => 'chainStop: true, ')).toBe(7)
    expect(value(() => 'deadline: propagate, ')).toBe(7)
    expect(value((i) => (i === 1 ? '' : 'chainStop: true, '))).toBe(27)
  })

  test('counts arrivals of retries as the sum over paths', () => {
    const chain = view(`journeys: { j: { promise: 3s, starts: a.x } }
services:
  a: { operations: { x: { calls: [{ to: b.y, attempts: 3 }, { to: b.y, share: 50% }] } } }
  b: { operations: { y: } }
`)
    const callee = chain.chain.operations.get('b.y')
    expect(callee && chain.flow.arrivalsPerRequest(callee)).toBe(3.5)
  })
})
