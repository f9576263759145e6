import { afterEach, beforeEach, expect, expectTypeOf, test } from 'vitest'
import { type Outcome, settleBy } from '../test/settle-by.js'
import { call, constant, defer, empty, explain, memoryStore, snapshot, withDeadline } from './index.js'
import { fakePeer } from './testing/fake-peer.js'
import { type ManualClock, useManualClock } from './testing/manual-clock.js'

let clock: ManualClock
beforeEach(() => {
  clock = useManualClock()
})
afterEach(() => clock.restore())

const outcome = <T>(promise: Promise<T>): Promise<Outcome<T>> => settleBy(clock, promise)

test('fallbacks are tried as snapshot, constant, empty, and the answer says so', async () => {
  const peer = fakePeer<number, [string]>({ does: 'answer', value: 7 })
  const ask = call(
    'inventory.available',
    { does: 'read', timeoutMs: 100, fallback: [constant(0), snapshot(memoryStore(), { maxAgeMs: 60_000 })] },
    peer.fn,
  )
  expect(await ask('sku-1')).toEqual({ value: 7, degraded: null })
  await clock.settle()
  peer.always({ does: 'hang' })
  expect((await outcome(ask('sku-1'))).value).toMatchObject({ value: 7, degraded: { tier: 'snapshot', why: 'DEADLINE_EXCEEDED' } })
  expect((await outcome(ask('sku-2'))).value).toEqual({ value: 0, degraded: { tier: 'default', ageMs: null, why: 'DEADLINE_EXCEEDED' } })
  await clock.advance(60_000)
  expect((await outcome(ask('sku-1'))).value).toMatchObject({ value: 0, degraded: { tier: 'default' } })
})

test('a store that hangs or throws only passes the question on', async () => {
  const stores = [
    { get: () => new Promise<string>(() => undefined), set: () => undefined },
    {
      get: () => {
        throw new Error('down')
      },
      set: () => {
        throw new Error('down')
      },
    },
  ]
  for (const store of stores) {
    const ask = call(
      'a.b',
      { does: 'read', timeoutMs: 100, fallback: [snapshot(store, { maxAgeMs: 1000 }), empty()] },
      fakePeer<string>({ does: 'hang' }).fn,
    )
    const { value, atMs } = await outcome(ask())
    expect(value).toMatchObject({ value: null, degraded: { tier: 'empty' } })
    expect(atMs).toBeLessThanOrEqual(160)
  }
})

test('a write may only be deferred: the constructor refuses everything else', async () => {
  const options = { does: 'write', fallback: constant('ok') } as unknown as { does: 'write' }
  expect(() => call('orders.pay', options, () => 1)).toThrow(/would claim a write that did not happen; only defer/)
  const accepted: unknown[] = []
  const pay = call(
    'orders.pay',
    { does: 'write', timeoutMs: 50, fallback: defer(({ args }) => void accepted.push(args)) },
    (_: unknown, order: string) => Promise.reject(new Error(order)),
  )
  expect((await outcome(pay('o-1'))).value).toMatchObject({ degraded: { tier: 'defer', why: 'ERROR' } })
  expect(accepted).toEqual([['o-1']])
})

test('the types refuse what the constructor refuses', () => {
  const make = (): unknown => {
    // @ts-expect-error a write cannot be answered from a constant
    return call('orders.pay', { does: 'write', fallback: constant(0) }, () => 1)
  }
  expect(make).toThrow(/only defer/)
  const answer = call('a.b', { does: 'read', timeoutMs: 10, fallback: [constant('none'), empty()] }, () => 5)
  expectTypeOf(answer).returns.resolves.toHaveProperty('value').toEqualTypeOf<number | 'none' | null>()
})

test('a caller that left gets no fallback', async () => {
  const leaving = new AbortController()
  const ask = call('a.b', { does: 'read', timeoutMs: 100, fallback: constant(0) }, fakePeer<number>({ does: 'hang' }).fn)
  const pending = outcome(withDeadline({ budgetMs: 1000, signal: leaving.signal }, () => ask()))
  leaving.abort()
  expect(await pending).toMatchObject({ error: { code: 'CANCELLED' } })
})

test('a snapshot is never the answer to other arguments, and there is none where they cannot be told apart', async () => {
  class Session {
    readonly #user: string
    constructor(user: string) {
      this.#user = user
    }
    get user(): string {
      return this.#user
    }
  }
  const peer = fakePeer<string, unknown[]>({ does: 'answer', value: 'the first one’s' })
  const ask = call(
    'user.orders',
    { does: 'read', timeoutMs: 100, fallback: [snapshot(memoryStore(), { maxAgeMs: 60_000 }), empty()] },
    peer.fn,
  )
  const tierOf = async (...args: unknown[]): Promise<unknown> => (await outcome(ask(...args))).value?.degraded?.tier
  const cases: (readonly [unknown[], unknown[], string])[] = [
    [[new Session('ann')], [new Session('bob')], 'empty'],
    [[new Map([['user', 'ann']])], [new Map([['user', 'bob']])], 'empty'],
    [[Number.NaN], [null], 'empty'],
    [[[undefined]], [[null]], 'empty'],
    [[() => 'ann'], [() => 'bob'], 'empty'],
    [['ann'], ['ann', undefined], 'snapshot'],
    [[{ user: 'ann', page: undefined }], [{ user: 'ann' }], 'snapshot'],
    [[new Date(0)], [new Date(0)], 'snapshot'],
  ]
  for (const [first, second, tier] of cases) {
    peer.always({ does: 'answer', value: 'the first one’s' })
    await ask(...first)
    await clock.settle()
    peer.always({ does: 'fail', error: new Error('down') })
    expect([second, await tierOf(...second)]).toEqual([second, tier])
  }
})

test('what accepts a deferred write is told whether it may have happened', async () => {
  const told: unknown[] = []
  const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' })
  const pay = call('orders.pay', { does: 'write', timeoutMs: 50, fallback: defer(({ error }) => told.push(explain(error))) }, () =>
    Promise.reject(reset),
  )
  await outcome(pay())
  expect(told).toMatchObject([{ outcome: 'unknown', attempts: 1 }])
})
