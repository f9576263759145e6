import { afterEach, beforeEach, expect, test } from 'vitest'
import { settleBy } from '../test/settle-by.js'
import { type CallRecord, call, constant, explain, noteExchange, observe, withDeadline } from './index.js'
import { fakePeer } from './testing/fake-peer.js'
import { type ManualClock, useManualClock } from './testing/manual-clock.js'

let clock: ManualClock
let records: CallRecord[]
let stop: () => void
beforeEach(() => {
  clock = useManualClock()
  records = []
  stop = observe((record) => void (record.kind === 'call' && records.push(record)))
})
afterEach(() => {
  stop()
  clock.restore()
})

const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' })

test('a write that is cancelled on its way may have happened', async () => {
  const leaving = new AbortController()
  const pay = call('pay.charge', { does: 'external-effect', timeoutMs: 1000 }, fakePeer({ does: 'hang' }).fn)
  const paying = settleBy(
    clock,
    withDeadline({ budgetMs: 5000, signal: leaving.signal }, () => pay().catch((error: unknown) => error)),
  )
  leaving.abort()
  await paying
  await clock.settle()
  expect(records).toMatchObject([{ call: 'pay.charge', code: 'CANCELLED', execution: 'unknown', attempts: 1 }])
})

test('a call whose caller had gone before it was begun was not sent', async () => {
  const shutdown = AbortSignal.abort(new Error('shutdown'))
  const peer = fakePeer({ does: 'hang' })
  const { error } = await settleBy(clock, call('pay.charge', { does: 'write', signal: shutdown }, peer.fn)())
  expect(error).toMatchObject({ code: 'CANCELLED', outcome: 'not-sent' })
  expect(peer.visits).toHaveLength(0)
  expect(records).toMatchObject([{ execution: 'not-sent', attempts: 0 }])
})

test('what was cancelled during a back-off is as well known as its last attempt', async () => {
  const shutdown = new AbortController()
  const peer = fakePeer({ does: 'fail', error: refused })
  const ask = call(
    'a.b',
    { does: 'write', timeoutMs: 5000, attempts: 3, backoff: { waitsMs: [1000], jitter: 'none' }, signal: shutdown.signal },
    peer.fn,
  )
  const asked = ask().catch((error: unknown) => error)
  await clock.advance(10)
  shutdown.abort()
  expect(await asked).toMatchObject({ code: 'CANCELLED', outcome: 'not-sent' })
})

test('an attempt that may have happened is not forgotten when the next one certainly did not', async () => {
  const peer = fakePeer({ does: 'fail', error: refused })
  peer.next({ does: 'hang' })
  const put = call(
    'a.put',
    { does: 'idempotent-write', idempotencyKey: true, attemptMs: 100, attempts: 2, backoff: { waitsMs: [10] } },
    peer.fn,
  )
  const { error } = await settleBy(clock, put())
  expect(error).toBe(refused)
  expect(explain(error)).toMatchObject({ outcome: 'unknown', attempts: 2 })
  expect(records).toMatchObject([{ execution: 'unknown' }])
})

test('a call under a deadline that was done with, inside one that came to an early end, is not made', async () => {
  const leaving = new AbortController()
  const peer = fakePeer({ does: 'answer', value: 1 })
  const ask = call('a.b', { does: 'read', bulkhead: { slots: 1 }, fallback: constant(0) }, peer.fn)
  let late: Promise<unknown> | undefined
  const outer = withDeadline({ budgetMs: 1000, signal: leaving.signal }, async () => {
    await withDeadline({ budgetMs: 500 }, () => {
      late = new Promise((resolve) => setTimeout(resolve, 5)).then(() => ask().catch((error: unknown) => error))
    })
    return new Promise(() => undefined)
  }).catch((error: unknown) => error)
  leaving.abort()
  expect(await outer).toMatchObject({ code: 'CANCELLED' })
  expect(await late).toMatchObject({ code: 'CANCELLED', outcome: 'not-sent', whose: 'caller' })
  expect(peer.visits).toHaveLength(0)
  expect(await ask()).toEqual({ value: 1, degraded: null })
})

test('a write whose second request finds no connection is not made again when its first one was answered', async () => {
  const requests: string[] = []
  const order = call('order.create', { does: 'write', timeoutMs: 1000, attempts: 3, backoff: { waitsMs: [10] } }, async () => {
    requests.push('reserve')
    noteExchange('headers')
    requests.push('confirm')
    throw refused
  })
  const { error } = await settleBy(clock, order())
  expect(requests).toEqual(['reserve', 'confirm'])
  expect(explain(error)).toMatchObject({ outcome: 'unknown', retryable: false, stopped: 'unsafe' })
})

test('a failed answer that is handed on says why it was not asked for again, as an error does', async () => {
  const busy = { status: 503, headers: {} }
  const ask = call('a.b', { does: 'read', timeoutMs: 1000, attempts: 3, retryBudget: { capacity: 0 } }, () => busy)
  const answer = await ask()
  expect(answer).toEqual({ value: busy, degraded: null })
  expect(explain(answer.value)).toMatchObject({ stopped: 'retry-budget', attempts: 1, outcome: 'failed' })
  expect(records).toMatchObject([{ stopped: 'retry-budget', usage: 'failed' }])
})
