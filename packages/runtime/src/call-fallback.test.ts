import { afterEach, beforeEach, expect, expectTypeOf, test } from 'vitest'
import { type Outcome, settleBy } from '../test/settle-by.js'
import { call, constant, defer, empty, memoryStore, snapshot, withDeadline } from './index.js'
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
