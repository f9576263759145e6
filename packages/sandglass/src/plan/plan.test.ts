import { expect, test } from 'vitest'
import { readChainText } from '../model/read-chain.js'
import { EXACT_CHAIN } from './exact-chain.fixture.js'
import { type JourneyPlan, type PlannedCall, planChain } from './plan.js'
import type { PlanOptions } from './plan-options.js'

const PROPAGATED = EXACT_CHAIN.replace('  shop:\n', '  shop:\n    deadline: propagate\n')

function allPlanned(text: string, options: Partial<PlanOptions> = {}): readonly JourneyPlan[] {
  const { chain, problems } = readChainText(text)
  expect(problems).toEqual([])
  return planChain(chain, options).journeys
}

function planned(text: string, options: Partial<PlanOptions> = {}): JourneyPlan {
  const [journey] = allPlanned(text, { gridMs: 10, ...options })
  if (!journey) throw new Error('no journey was planned')
  return journey
}

function callOf({ calls }: JourneyPlan, callee: string): PlannedCall {
  const call = calls.find(({ path }) => path.at(-1) === callee)
  if (!call) throw new Error(`${callee} is not planned`)
  return call
}

/** A client, a service with own work of 20 ms at p99, and what it asks. */
function shop(
  calls: string,
  { promise = '1s', client = '', service = '', operation = '', callee = 'latency: { p50: 20ms, p99: 200ms }', does = 'read' } = {},
): string {
  return `sandglass: 1
defaults: { network: 0ms, reserve: 0ms }
journeys: { j: { promise: ${promise}, starts: app.start, rate: 100/s } }
services:
  app: { kind: client, operations: { start: { calls: [{ to: shop.do${client} }] } } }
  shop:
    ${service || 'instances: 1'}
    operations: { do: { does: write, work: { p50: 5ms, p99: 20ms }, ${operation} calls: [${calls}] } }
  one: { operations: { get: { does: ${does}, ${callee} } } }
  two: { operations: { get: { does: read, latency: { p50: 20ms, p99: 200ms } } } }
`
}

test('the exact-answer chain: static .828357, and what the rules of thumb would give', () => {
  const plan = planned(EXACT_CHAIN)
  expect(plan).toMatchObject({ mode: 'static', feasible: true, shortByMs: 0, promiseMs: 560 })
  expect(plan.success).toBeCloseTo(0.828357, 6)
  const thumbs = Object.fromEntries(plan.alternatives.map(({ name, success }) => [name, success]))
  expect(thumbs['equal']).toBeCloseTo(0.737871, 6)
  expect(thumbs['mean']).toBeCloseTo(0.79077, 6)
  expect(thumbs['p99']).toBeCloseTo(0.79871, 6)
})

test('the same chain where the deadline is propagated reaches .953548', () => {
  const plan = planned(PROPAGATED)
  expect(plan.mode).toBe('propagated')
  expect(Math.abs(plan.success - 0.953548)).toBeLessThan(2e-6)
})

test('95 % needs 889.48 ms of hard budgets, and 543.19 ms of a propagated one', () => {
  const hard = planned(EXACT_CHAIN, { target: 0.95 })
  expect(hard.feasible).toBe(false)
  expect(Math.abs(560 + hard.shortByMs - 889.48)).toBeLessThan(0.02)
  const handedOn = planned(PROPAGATED.replace('promise: 560ms', 'promise: 500ms'), { target: 0.95 })
  expect(Math.abs(500 + handedOn.shortByMs - 543.19)).toBeLessThan(0.02)
})

test('an infeasible plan names three ways out, each with what it would bring', () => {
  const plan = planned(EXACT_CHAIN, { target: 0.95 })
  expect(plan.waysOut.map(({ change }) => change)).toEqual([
    'run catalog.get + price.get and pay.charge in parallel',
    'promise 890 ms instead of 560 ms',
    'make catalog.get optional (answer without it)',
  ])
  for (const way of plan.waysOut) expect(way.success).toBeGreaterThan(plan.success)
  expect(plan.waysOut[0]).toMatchObject({ shortByMs: 0 })
})

test('the union bound is a lower bound that needs no independence', () => {
  const { success, unionBound } = planned(EXACT_CHAIN)
  // 1 - the sum of what fails: auth .0255, catalog .0523, price .0136, pay .0908.
  expect(unionBound).toBeCloseTo(0.817934, 5)
  expect(unionBound).toBeLessThan(success)
})

test('own work gets at least its p99, and calls, network and reserve keep to what the caller gives', () => {
  const plan = planned(shop('{ to: one.get, network: 7ms, reserve: 9ms }, { to: two.get }', { client: ', network: 10ms, reserve: 50ms' }), {
    gridMs: 5,
  })
  const [outer, one, two] = ['shop.do', 'one.get', 'two.get'].map((name) => callOf(plan, name).timeoutMs)
  expect(outer).toBe(1000)
  expect((one ?? 0) + (two ?? 0) + 20 + 10 + 50).toBeLessThanOrEqual(1000)
  expect((one ?? 0) + (two ?? 0)).toBeGreaterThan(850)
})

test('hanging calls stay below 80 % of a pool, from where check warns: 200 slots at 100/s give just less than 1.6 s', () => {
  const text = shop('{ to: one.get, bulkhead: 200 }', { promise: '9s' })
  expect(callOf(planned(text), 'one.get')).toMatchObject({ timeoutMs: 1599 })
  expect(callOf(planned(text), 'one.get').basis).toContain("no more, so that hanging calls hold less than 80 % of its bulkhead's 200 slots")
})

test('a pool that is too small for what a call needs does not fit, and says how many slots would do', () => {
  const plan = planned(shop('{ to: one.get, bulkhead: 2 }'))
  expect(plan).toMatchObject({ feasible: false, shortByMs: 5 })
  expect(plan.waysOut[0]).toMatchObject({ change: 'set the bulkhead of one.get to 3 (or more instances)', shortByMs: 0 })
})

test("a service's own request limit ends its calls", () => {
  const plan = planned(shop('{ to: one.get }, { to: two.get }', { operation: 'limits: { request: 300ms },' }), { gridMs: 5 })
  expect(callOf(plan, 'one.get').timeoutMs + callOf(plan, 'two.get').timeoutMs).toBeLessThanOrEqual(280)
})

test('retries only where a repetition is harmless: not on a write, not on a payment without a key', () => {
  const attemptsOf = (does: string, fields = ''): number =>
    callOf(
      planned(shop(`{ to: one.get, attempts: 3${fields} }`, { does, callee: 'latency: { exponential: 20ms }, errors: 10%' })),
      'one.get',
    ).attempts
  expect(attemptsOf('read')).toBe(3)
  expect(attemptsOf('write', ', idempotencyKey: true')).toBe(1)
  expect(attemptsOf('manual')).toBe(1)
  expect(attemptsOf('external-effect')).toBe(1)
  expect(attemptsOf('external-effect', ', idempotencyKey: true')).toBe(3)
  expect(attemptsOf('idempotent-write')).toBe(1)
  expect(attemptsOf('compensation', ', idempotencyKey: true')).toBe(3)
})

test('all attempts, their back-offs and their waits for a slot fit into the timeout', () => {
  const plan = planned(
    shop('{ to: one.get, attempts: 3, backoff: [10ms, 30ms], queue: { perAttempt: 5ms } }', {
      callee: 'latency: { exponential: 20ms }, errors: 10%',
    }),
  )
  const { attempts, attemptMs, timeoutMs, basis } = callOf(plan, 'one.get')
  expect(attempts).toBe(3)
  expect(3 * ((attemptMs ?? 0) + 5) + 40).toBeLessThanOrEqual(timeoutMs)
  expect(basis).toContain(`3 attempts x (${attemptMs} ms + 5 ms for a slot) + back-off up to 40 ms within`)
})

test('at most one layer of a path retries slow answers, and never more often than the amplification limit', () => {
  const text = shop('{ to: one.get, attempts: 4 }', {
    client: ', attempts: 4',
    callee: 'latency: { exponential: 20ms }, errors: 20%',
  }).replace('does: write', 'does: read')
  const plan = planned(text)
  expect(plan.calls.filter(({ attempts }) => attempts > 1)).toHaveLength(1)
  const limited = planned(text.replace('services:', 'check: { limits: { amplification: 2 } }\nservices:'))
  expect(Math.max(...limited.calls.map(({ attempts }) => attempts))).toBe(2)
})

test('retries of fast failures alone stay as they are, without a bound of one attempt', () => {
  const call = callOf(planned(shop('{ to: one.get, attempts: 2, retryOn: [connect] }', { does: 'write' })), 'one.get')
  expect(call).toMatchObject({ attempts: 2, attemptMs: null })
  expect(call.basis).toContain('retries of fast failures stay')
})

test('keep-tail gives no attempt less than the p99; without it the tail is cut where that brings more success', () => {
  const text = shop('{ to: one.get }, { to: two.get }', { promise: '400ms' })
  expect(callOf(planned(text, { gridMs: 5 }), 'one.get').attemptMs).toBeNull()
  expect(callOf(planned(text, { gridMs: 5 }), 'one.get').timeoutMs).toBeLessThan(200)
  const kept = planned(shop('{ to: one.get }, { to: two.get }', { promise: '430ms' }), { gridMs: 5, keepTail: true })
  expect(callOf(kept, 'one.get').timeoutMs).toBeGreaterThanOrEqual(200)
  expect(callOf(kept, 'two.get').timeoutMs).toBeGreaterThanOrEqual(200)
})

test('a floor is the median of a leaf, and what its own callees need where there are some', () => {
  const plan = planned(shop('{ to: one.get, network: 3ms }'))
  expect(callOf(plan, 'one.get').floorMs).toBe(23)
  expect(callOf(plan, 'shop.do').floorMs).toBe(5 + 23)
  const fixed = planned(shop('{ to: one.get }', { callee: 'latency: { constant: 70ms }' }))
  expect(callOf(fixed, 'one.get').floorMs).toBe(70)
})

test('a promise shorter than what the calls need at least says by how much, and by what', () => {
  const plan = planned(shop('{ to: one.get }, { to: two.get }', { promise: '50ms' }), { gridMs: 1 })
  expect(plan).toMatchObject({ feasible: false, shortByMs: 10 })
  expect(plan.notes[0]?.message).toContain('app.start needs 60 ms')
  expect(plan.waysOut).toContainEqual(expect.objectContaining({ change: 'run one.get and two.get in parallel', shortByMs: 0 }))
})

test('a success that errors alone make impossible is short by no number of ms', () => {
  const plan = planned(EXACT_CHAIN, { target: 0.999 })
  expect(plan).toMatchObject({ feasible: false, shortByMs: Number.POSITIVE_INFINITY })
})

test('a total that a platform fixes beyond the promise does not fit hard budgets', () => {
  const plan = planned(shop('{ to: one.get }', { client: ', timeout: { value: 29s, fixed: true }' }))
  expect(plan).toMatchObject({ feasible: false, shortByMs: 28_000, success: 0 })
})

test('a call that two journeys share gets the smaller of its limits, and each success is that of the limits as written', () => {
  const text = `sandglass: 1
defaults: { network: 0ms, reserve: 0ms }
journeys: { quick: { promise: 100ms, starts: a.start }, slow: { promise: 2s, starts: b.start } }
services:
  a: { operations: { start: { does: read, calls: [{ to: shared.do }] } } }
  b: { operations: { start: { does: read, calls: [{ to: shared.do }] } } }
  shared: { operations: { do: { does: read, calls: [{ to: leaf.get }] } } }
  leaf: { operations: { get: { does: read, latency: { exponential: 40ms } } } }
`
  const [quick, slow] = allPlanned(text)
  if (!quick || !slow) throw new Error('two journeys were expected')
  expect(callOf(slow, 'leaf.get').timeoutMs).toBe(100)
  expect(callOf(slow, 'leaf.get').basis).toContain('100 ms, the least of all places where this call is made; slow alone could give it 2 s')
  expect(slow.success).toBeCloseTo(quick.success, 9)
  expect(slow.success).toBeCloseTo(1 - Math.exp(-100 / 40), 9)
})

test('a journey that does not fit has no say in the limits of what it shares', () => {
  const text = shop('{ to: one.get }').replace('journeys: {', 'journeys: { hopeless: { promise: 10ms, starts: app.start },')
  const [hopeless, j] = allPlanned(text)
  expect(hopeless?.feasible).toBe(false)
  expect(j && callOf(j, 'one.get').timeoutMs).toBeGreaterThan(500)
})

test('the shortest plan uses the least time that reaches the target', () => {
  const plan = planned(EXACT_CHAIN.replace('promise: 560ms', 'promise: 5s'), { objective: 'shortest', target: 0.95, gridMs: 1 })
  expect(plan).toMatchObject({ feasible: true, usedMs: 890 })
  expect(plan.success).toBeGreaterThanOrEqual(0.95)
})

test('behind a client without budgets a propagated plan lets it wait for the whole promise', () => {
  const plan = planned(shop('{ to: one.get }, { to: two.get }', { service: 'deadline: propagate' }))
  expect(plan.mode).toBe('propagated')
  expect(callOf(plan, 'shop.do')).toMatchObject({ timeoutMs: 1000, attempts: 1 })
})

test('one service that ignores the deadline makes hard budgets necessary', () => {
  const text = PROPAGATED.replace('{ to: auth.check }', '{ to: auth.check }, { to: mid.do }').replace(
    '  auth:',
    '  mid: { operations: { do: { does: read, calls: [{ to: auth.check }] } } }\n  auth:',
  )
  expect(
    planned(text.replace('          - { to: auth.check }, { to: mid.do }', '          - { to: auth.check }\n          - { to: mid.do }'))
      .mode,
  ).toBe('static')
})

test('what nobody waits for, closes a cycle, or is a stream is not planned, and is said', () => {
  const text = shop('{ to: one.get, async: true }, { to: two.get }, { to: gone.get }, { to: shop.do }')
  const { calls, notes } = planned(text)
  expect(calls.map(({ path }) => path.at(-1))).toEqual(['shop.do', 'two.get'])
  const said = notes.map(({ message }) => message)
  expect(said).toContainEqual(expect.stringContaining('one.get is not planned: nobody waits for it'))
  expect(said).toContainEqual(expect.stringContaining('gone.get is not planned: it names nothing'))
  expect(said).toContainEqual(expect.stringContaining('shop.do is not planned: it closes a cycle'))
})

test('a journey without a promise is left out with the reason; a chain of thousands of paths is refused in bounded time', () => {
  const { chain } = readChainText(shop('{ to: one.get }', { promise: 'none' }))
  expect(planChain(chain)).toEqual({ journeys: [], notPlanned: [{ journey: 'j', why: 'its promise is none' }] })
  const layers = Array.from(
    { length: 40 },
    (_, i) => `  s${i}: { operations: { do: { does: read, calls: [{ to: s${i + 1}.do }, { to: s${i + 1}.do }] } } }`,
  )
  const wide = `sandglass: 1\njourneys: { j: { promise: 1s, starts: s0.do } }\nservices:\n${layers.join('\n')}\n  s40: { operations: { do: { does: read } } }\n`
  expect(planChain(readChainText(wide).chain).notPlanned[0]?.why).toContain('more than 500 calls')
})

test('a target that errors make impossible says so, and what a second attempt would bring', () => {
  const plan = planned(shop('{ to: one.get }', { callee: 'latency: { exponential: 10ms }, errors: 3%' }), { target: 0.99 })
  expect(plan.notes.map(({ message }) => message)).toContain(
    '99.0 % cannot be reached by app.start with more time: errors and hangs alone leave at most 97.0 %',
  )
  expect(plan.waysOut[0]).toMatchObject({ change: 'allow a second attempt of one.get', shortByMs: 0 })
})

test('steps that a later one would not be reached after give way: hops count for the checker, too', () => {
  const steps = ['a', 'b', 'c', 'd', 'e'].map((name) => `{ to: ${name}.get }`).join(', ')
  const leaves = ['a', 'b', 'c', 'd']
    .map((name) => `  ${name}: { operations: { get: { does: read, latency: { p50: 10ms, p99: 300ms } } } }`)
    .join('\n')
  const text = `sandglass: 1
defaults: { network: 10ms, reserve: 0ms }
journeys: { j: { promise: 400ms, starts: shop.do } }
services:
  shop: { operations: { do: { does: read, calls: [{ to: mid.do }] } } }
  mid: { operations: { do: { does: read, calls: [${steps}] } } }
${leaves}
  e: { operations: { get: { does: read, floor: 5ms, latency: { constant: 5ms } } } }
`
  const plan = planned(text, { gridMs: 5 })
  const before = ['a', 'b', 'c', 'd'].reduce((sum, name) => sum + callOf(plan, `${name}.get`).timeoutMs + 10, 0)
  const hasMs = callOf(plan, 'mid.do').timeoutMs
  expect(plan.feasible).toBe(true)
  expect(hasMs - before).toBeGreaterThanOrEqual(callOf(plan, 'e.get').floorMs)
  expect(callOf(plan, 'e.get').floorMs).toBeGreaterThanOrEqual(5)
})

test('with one budget the steps share what is left of their tails, so that the last one is reached', () => {
  const slow = 'latency: { p50: 20ms, p99: 300ms }'
  const text = `sandglass: 1
defaults: { network: 0ms, reserve: 5ms }
journeys: { j: { promise: 300ms, starts: shop.do } }
services:
  shop: { deadline: propagate, operations: { do: { does: read, calls: [{ to: a.get }, { to: b.get }, { to: c.get }] } } }
  a: { operations: { get: { does: read, ${slow} } } }
  b: { operations: { get: { does: read, ${slow} } } }
  c: { operations: { get: { does: read, ${slow} } } }
`
  const plan = planned(text)
  const [a, b, c] = ['a.get', 'b.get', 'c.get'].map((name) => callOf(plan, name))
  expect(plan).toMatchObject({ mode: 'propagated', feasible: true })
  expect(a?.timeoutMs).toBe(b?.timeoutMs)
  expect(300 - 5 - (a?.timeoutMs ?? 0) - (b?.timeoutMs ?? 0)).toBeGreaterThanOrEqual(c?.floorMs ?? 0)
  expect(c).toMatchObject({ floorMs: 20, timeoutMs: 295 })
  expect(plan.notes.map(({ message }) => message).join()).toContain(
    'the p99s of its steps add up to more than the promise; earlier ones are cut',
  )
})
