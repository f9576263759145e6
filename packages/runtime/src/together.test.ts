import { afterEach, beforeEach, expect, expectTypeOf, test } from 'vitest'
import { call, together, withDeadline } from './index.js'
import { fakePeer } from './testing/fake-peer.js'
import { type ManualClock, useManualClock } from './testing/manual-clock.js'

let clock: ManualClock
beforeEach(() => void (clock = useManualClock()))
afterEach(() => clock.restore())

test('all results come by name, with nothing missing', async () => {
  expect(await together({ required: { a: () => 1, b: async () => 'two' }, optional: { c: () => true } })).toEqual({
    a: 1,
    b: 'two',
    c: true,
    missing: [],
  })
})

test('when a required one fails, all others are cancelled at once and its error is thrown', async () => {
  const slow = fakePeer({ does: 'hang' })
  const slowCall = call('slow.one', { does: 'read', timeoutMs: 5000 }, slow.fn)
  const failing = expect(
    together({
      required: { good: () => slowCall(), bad: async () => Promise.reject(new Error('the stock is gone')) },
      optional: { also: () => slowCall() },
    }),
  ).rejects.toThrow('the stock is gone')
  await clock.settle()
  await failing
  expect(slow.visits.map(({ abortedAt }) => abortedAt)).toEqual([clock.now, clock.now])
})

test('what a required one fails with is thrown as it is, also when it is nothing', async () => {
  const failing = together({ required: { a: () => Promise.reject(undefined), b: () => new Promise(() => undefined) } })
  expect(await failing.catch((error: unknown) => ({ error }))).toEqual({ error: undefined })
})

test('when an optional one fails the rest goes on, and it is named as missing', async () => {
  const slow = fakePeer({ does: 'answer', value: 5, afterMs: 50 })
  const pending = together({
    required: { stock: () => call('a.b', { does: 'read', timeoutMs: 500 }, slow.fn)() },
    optional: { promotion: () => Promise.reject(new Error('down')) },
  })
  await clock.advance(60)
  expect(await pending).toEqual({ stock: { value: 5, degraded: null }, missing: ['promotion'] })
})

test('an optional one that hangs is missing while there is still time to answer', async () => {
  const hanging = () => new Promise(() => undefined)
  const pending = withDeadline({ budgetMs: 200 }, () => together({ required: { stock: () => 1 }, optional: { promotion: hanging } }))
  const settled = expect(pending).resolves.toEqual({ stock: 1, missing: ['promotion'] })
  await clock.advance(300)
  await settled
})

test('all run under one deadline', async () => {
  const slow = fakePeer({ does: 'hang' })
  const pending = withDeadline({ budgetMs: 100, name: 'order' }, () =>
    together({
      required: { a: (context) => slow.fn({ ...context, attempt: 1, signal: context.signal, remainingMs: context.remainingMs }) },
    }),
  )
  const failing = expect(pending).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' })
  await clock.advance(110)
  await failing
  expect(slow.visits[0]?.abortedAt).toBeDefined()
})

test('a name that would be lost is refused', () => {
  expect(() => together({ required: { a: () => 1 }, optional: { a: () => 2 } })).toThrow(/twice/)
  expect(() => together({ required: { missing: () => 1 } })).toThrow(/missing/)
  expect(() => together({ required: { then: () => 1 } })).toThrow(/then/)
  expect(() => together({ required: { ['__proto__']: () => 1 } })).toThrow(/__proto__/)
})

test('members know their context and results their names without a word of type', async () => {
  const result = await together({
    required: { stock: () => 1, left: async ({ remainingMs }) => remainingMs() },
    optional: { hint: ({ signal }) => signal.aborted },
  })
  expectTypeOf([result.stock, result.left, result.hint, result.missing] as const).toEqualTypeOf<
    readonly [number, number, boolean | undefined, string[]]
  >()
  expect(result).toEqual({ stock: 1, left: Infinity, hint: false, missing: [] })
  expectTypeOf(await together({ required: { stock: () => 1 } })).not.toHaveProperty('hint')
})
