import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Outcome, settleBy } from '../test/settle-by.js'
import { type CallRecord, call, callee, explain, observe, withDeadline } from './index.js'
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

const outcome = <T>(promise: Promise<T>): Promise<Outcome<T>> => settleBy(clock, promise)

test('a call answers with what its function returns, its arguments handed on', async () => {
  const twice = call('math.twice', { does: 'read', timeoutMs: 100 }, ({ attempt }, n: number) => n * 2 + attempt)
  expect(await twice(4)).toEqual({ value: 9, degraded: null })
})

test('an attempt that hangs ends at its own limit, and the next one has a signal of its own', async () => {
  const peer = fakePeer({ does: 'answer', value: 'late but well', afterMs: 20 })
  peer.next({ does: 'hang' })
  const ask = call('a.b', { does: 'read', timeoutMs: 1000, attemptMs: 100, attempts: 2, backoff: { baseMs: 50, jitter: 'none' } }, peer.fn)
  const { value, atMs } = await outcome(ask())
  expect(value?.value).toBe('late but well')
  expect(atMs).toBeGreaterThanOrEqual(170)
  expect(atMs).toBeLessThan(190)
  expect(peer.visits.map(({ attempt }) => attempt)).toEqual([1, 2])
  expect(peer.visits[1]?.abortedAt).toBeUndefined()
})

test('a first attempt uses up its time, and what is left is never turned into no limit', async () => {
  const peer = fakePeer({ does: 'hang' })
  peer.next({ does: 'fail', error: new Error('first'), afterMs: 95 })
  const ask = call('a.b', { does: 'read', timeoutMs: 100, attempts: 3, backoff: { baseMs: 10, jitter: 'none' } }, peer.fn)
  const { error, atMs } = await outcome(ask())
  expect(error).toMatchObject({ message: 'first' })
  expect(explain(error)).toMatchObject({ stopped: 'no-time', attempts: 1, outcome: 'failed' })
  expect(atMs).toBe(95)
})

test('all attempts share one budget: five of 12 s under 1 s take 1 s', async () => {
  const ask = call('a.b', { does: 'read', timeoutMs: 1000, attemptMs: 12_000, attempts: 5 }, fakePeer({ does: 'hang' }).fn)
  const { error, atMs } = await outcome(ask())
  expect(error).toMatchObject({ code: 'DEADLINE_EXCEEDED', whose: 'own', budgetMs: 1000 })
  expect(atMs).toBeLessThanOrEqual(1010)
})

test('an abort during the back-off is noticed at once, and nothing more is sent', async () => {
  const peer = fakePeer({ does: 'fail', error: new Error('503') })
  const shutdown = new AbortController()
  const ask = call(
    'a.b',
    { does: 'read', timeoutMs: 10_000, attempts: 5, backoff: { baseMs: 1500, jitter: 'none' }, signal: shutdown.signal },
    peer.fn,
  )
  const pending = outcome(ask())
  await clock.advance(80)
  shutdown.abort(new Error('stop'))
  const { error, atMs } = await pending
  expect(error).toMatchObject({ code: 'CANCELLED', name: 'AbortError', cause: { message: 'stop' }, retryable: false })
  expect(atMs).toBeLessThanOrEqual(100)
  expect(peer.visits).toHaveLength(1)
})

test('a write is not tried again after a timeout, and says that it is unknown whether it happened', async () => {
  const peer = fakePeer({ does: 'hang' })
  const ask = call('orders.insert', { does: 'write', timeoutMs: 100, attemptMs: 40, attempts: 3 }, peer.fn)
  const { error } = await outcome(ask())
  expect(error).toMatchObject({ code: 'DEADLINE_EXCEEDED', outcome: 'unknown', retryable: false, stopped: 'unsafe' })
  expect(peer.visits).toHaveLength(1)
})

test('a write that certainly was not sent is tried again', async () => {
  const peer = fakePeer({ does: 'answer', value: 'done' })
  peer.next({ does: 'fail', error: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) })
  const ask = call('orders.insert', { does: 'write', timeoutMs: 1000, attempts: 2 }, peer.fn)
  expect((await outcome(ask())).value?.value).toBe('done')
  expect(peer.visits).toHaveLength(2)
})

test('the reserve is kept, and what is too little to start with is not started', async () => {
  const peer = fakePeer({ does: 'answer', value: 1 })
  const ask = call('a.b', { does: 'read', floorMs: 50, reserveMs: 20 }, peer.fn)
  await withDeadline({ budgetMs: 100 }, async () => {
    await ask()
    await clock.advance(31)
    await expect(ask()).rejects.toMatchObject({ code: 'BUDGET_TOO_SMALL', outcome: 'not-sent', retryable: true, whose: 'inherited' })
  })
  expect(peer.visits.map(({ remainingMs }) => remainingMs)).toEqual([80])
})

test('a budget that is 0 or negative has expired, and the function is not called', async () => {
  const peer = fakePeer({ does: 'answer', value: 1 })
  for (const timeoutMs of [0, -3])
    await expect(call('a.b', { does: 'read', timeoutMs }, peer.fn)()).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      outcome: 'not-sent',
    })
  for (const budgetMs of [0, -3])
    await expect(withDeadline({ budgetMs }, () => peer.visits.length)).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' })
  expect(peer.visits).toEqual([])
})

test('what is no number of ms is refused when it is given', () => {
  const fn = (): number => 1
  for (const timeoutMs of [Number.NaN, '500' as unknown as number, null as unknown as number]) {
    expect(() => call('a.b', { does: 'read', timeoutMs }, fn)).toThrow(TypeError)
    expect(() => withDeadline({ budgetMs: timeoutMs }, fn)).toThrow(TypeError)
  }
  expect(() => call('a.b', { does: 'read', attempts: 0 }, fn)).toThrow(RangeError)
  expect(() => call('a.b', { does: 'read', attempts: 1.5 }, fn)).toThrow(RangeError)
  expect(() => call('a.b', { does: 'read', floorMs: Number.NaN }, fn)).toThrow(TypeError)
})

test('a huge budget waits, and never fires at once', async () => {
  for (const timeoutMs of [2 ** 31 + 5, 2 ** 32, 1e300, Number.MAX_VALUE]) {
    const ask = call('a.b', { does: 'read', timeoutMs }, fakePeer({ does: 'answer', value: 'in time', afterMs: 50 }).fn)
    expect((await outcome(ask())).value?.value).toBe('in time')
  }
})

test('without a timeout and without a deadline a call is bounded all the same, unless that was asked for', async () => {
  const bounded = call('a.b', { does: 'read' }, fakePeer({ does: 'hang' }).fn)
  expect((await outcome(bounded())).atMs).toBeLessThanOrEqual(10_010)
  const unbounded = call('a.b', { does: 'read', timeoutMs: Infinity }, fakePeer({ does: 'answer', value: 1, afterMs: 15_000 }).fn)
  expect((await outcome(unbounded())).value?.value).toBe(1)
})

test('success never aborts the signal', async () => {
  let signal: AbortSignal | undefined
  const ask = call('a.b', { does: 'read', timeoutMs: 100 }, (context) => {
    signal = context.signal
    return 'value'
  })
  await withDeadline({ budgetMs: 200 }, () => ask())
  await clock.advance(500)
  expect(signal?.aborted).toBe(false)
})

test('the bound covers a body that is still to be read, up to the end of the call and not longer', async () => {
  const response = { status: 200, headers: {}, bodyUsed: false, body: { getReader: () => undefined } }
  let signal: AbortSignal | undefined
  const ask = call('a.b', { does: 'read', timeoutMs: 100, attemptMs: 40, attempts: 2 }, (context) => {
    signal = context.signal
    return response
  })
  await ask()
  await clock.advance(80)
  expect(signal?.aborted).toBe(false)
  await clock.advance(30)
  expect(signal?.reason).toMatchObject({ name: 'TimeoutError' })
})

test('a retry is paid from the budget; when it is empty the last real error comes back with the reason', async () => {
  const peer = fakePeer({ does: 'fail', error: new Error('broken') })
  const shared = callee('a', { retryBudget: { capacity: 6 } })
  const ask = call('a.b', { does: 'read', timeoutMs: 1000, attempts: 5, backoff: { baseMs: 1, jitter: 'none' }, callee: shared }, peer.fn)
  const { error } = await outcome(ask())
  expect(error).toMatchObject({ message: 'broken' })
  expect(explain(error)).toMatchObject({ stopped: 'retry-budget', attempts: 3 })
})

test('observe-only counts what the retry budget, breaker and bulkhead would refuse, and refuses nothing', async () => {
  const peer = fakePeer({ does: 'fail', error: new Error('broken') })
  const ask = call(
    'a.b',
    {
      does: 'read',
      timeoutMs: 1000,
      attempts: 5,
      backoff: { baseMs: 1, jitter: 'none' },
      retryBudget: { capacity: 3 },
      breaker: { consecutive: 1 },
      bulkhead: { slots: 1 },
      observeOnly: true,
    },
    peer.fn,
  )
  await Promise.all([outcome(ask()), outcome(ask())])
  expect(peer.visits).toHaveLength(10)
  const seen = new Set(records.flatMap(({ wouldHave }) => wouldHave))
  expect([...seen].toSorted()).toEqual(['BREAKER_OPEN', 'BULKHEAD_FULL', 'RETRY_BUDGET_EMPTY'])
})

test('observe-only lets a call start that has less than its floor', async () => {
  const ask = call('a.b', { does: 'read', floorMs: 200, observeOnly: ['floor'] }, () => 'done')
  await withDeadline({ budgetMs: 100 }, () => ask())
  expect(records[0]?.wouldHave).toEqual(['BUDGET_TOO_SMALL'])
})

test('an open breaker refuses before anything is sent and says when to come back', async () => {
  const peer = fakePeer({ does: 'fail', error: new Error('broken') })
  const ask = call('a.b', { does: 'read', timeoutMs: 100, breaker: { consecutive: 2, openMs: 1000 } }, peer.fn)
  await outcome(ask())
  await outcome(ask())
  const { error, atMs } = await outcome(ask())
  expect(error).toMatchObject({ code: 'BREAKER_OPEN', outcome: 'not-sent', retryable: true, retryAfterMs: 1000 })
  expect(atMs).toBe(0)
  expect(peer.visits).toHaveLength(2)
})

test('a breaker closes again by the clock alone, with no timer', async () => {
  const peer = fakePeer({ does: 'answer', value: 'well' })
  peer.next({ does: 'fail', error: new Error('broken') })
  const ask = call('a.b', { does: 'read', timeoutMs: 100, breaker: { consecutive: 1, openMs: 1000, probes: 1 } }, peer.fn)
  await outcome(ask())
  expect(clock.armed).toBe(0)
  clock.block(1001)
  expect((await outcome(ask())).value?.value).toBe('well')
  expect((await outcome(ask())).value?.value).toBe('well')
})

test('what the bulkhead refuses never opens the breaker', async () => {
  const peer = fakePeer({ does: 'answer', value: 1, afterMs: 50 })
  const ask = call(
    'a.b',
    { does: 'read', timeoutMs: 200, bulkhead: { slots: 1, queue: { limit: 0 } }, breaker: { consecutive: 1 } },
    peer.fn,
  )
  const results = await Promise.all(Array.from({ length: 6 }, () => outcome(ask())))
  expect(results.filter(({ value }) => value !== undefined)).toHaveLength(1)
  for (const { error } of results.slice(1)) expect(error).toMatchObject({ code: 'BULKHEAD_FULL', outcome: 'not-sent' })
  expect((await outcome(ask())).value?.value).toBe(1)
})

test('a waiter for a slot is told when its time is up, and the slot that comes later is free', async () => {
  const peer = fakePeer({ does: 'answer', value: 1, afterMs: 400 })
  const ask = call('a.b', { does: 'read', bulkhead: { slots: 1, queue: { order: 'fifo' } }, timeoutMs: 1000 }, peer.fn)
  const first = outcome(ask())
  const waiting = outcome(withDeadline({ budgetMs: 200 }, () => ask()))
  expect(await waiting).toMatchObject({ error: { code: 'BULKHEAD_FULL', phase: 'queue' } })
  expect((await waiting).atMs).toBeLessThanOrEqual(210)
  await first
  expect((await outcome(ask())).value?.value).toBe(1)
})

test('who cancels while waiting for a slot is told at once', async () => {
  const peer = fakePeer({ does: 'answer', value: 1, afterMs: 400 })
  const leaving = new AbortController()
  const ask = call('a.b', { does: 'read', bulkhead: { slots: 1 }, timeoutMs: 1000 }, peer.fn)
  const first = outcome(ask())
  const waiting = outcome(withDeadline({ budgetMs: 900, signal: leaving.signal }, () => ask()))
  await clock.advance(50)
  leaving.abort()
  expect(await waiting).toMatchObject({ error: { code: 'CANCELLED', whose: 'caller' } })
  expect((await first).value?.value).toBe(1)
})

test('work that ignores its cancel keeps its slot for a second, then gives it back', async () => {
  const peer = fakePeer({ does: 'ignore-cancel' })
  const ask = call('a.b', { does: 'read', timeoutMs: 100, bulkhead: { slots: 1, queue: { limit: 0 } } }, peer.fn)
  await outcome(ask())
  expect((await outcome(ask())).error).toMatchObject({ code: 'BULKHEAD_FULL' })
  await clock.advance(1010)
  expect((await outcome(ask())).error).toMatchObject({ code: 'DEADLINE_EXCEEDED' })
  expect(records.find(({ code }) => code === 'DEADLINE_EXCEEDED')).toMatchObject({ usage: 'failed', wentOnMs: undefined })
})

test('the record of a call that was given up says how long its work went on', async () => {
  const slow = call(
    'a.b',
    { does: 'read', timeoutMs: 100 },
    fakePeer({ does: 'run', fn: () => new Promise((resolve) => void clock.advance(0).then(() => later.push(() => resolve('late')))) }).fn,
  )
  const later: (() => void)[] = []
  await outcome(slow())
  await clock.advance(700)
  for (const then of later) then()
  await clock.settle()
  expect(records).toHaveLength(1)
  expect(records[0]).toMatchObject({ execution: 'failed', usage: 'failed', code: 'DEADLINE_EXCEEDED' })
  expect(records[0]?.wentOnMs).toBeGreaterThan(690)
})

test('a blocked event loop is named as such, and does not count against the callee', async () => {
  const shared = callee('a', { breaker: { consecutive: 1 } })
  const ask = call('a.b', { does: 'read', timeoutMs: 100, callee: shared }, fakePeer({ does: 'hang' }).fn)
  const pending = ask()
  pending.catch(() => undefined)
  await clock.advance(10)
  clock.block(500)
  await clock.advance(20)
  await expect(pending).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' })
  const error = await pending.catch((reason: unknown) => reason as { loopDelayMs: number; message: string })
  expect((error as { loopDelayMs: number }).loopDelayMs).toBeGreaterThan(400)
  expect(shared.breaker?.state).toBe('closed')
})

test('an answer that arrived while the event loop was blocked wins over the timer', async () => {
  let answer: (value: string) => void = () => undefined
  const ask = call('a.b', { does: 'read', timeoutMs: 100 }, () => new Promise<string>((resolve) => void (answer = resolve)))
  const pending = ask()
  clock.block(500)
  const turn = clock.advance(0)
  answer('it was there all the time')
  await turn
  expect((await pending).value).toBe('it was there all the time')
})

test('a slow read is sent a second time, the loser is cancelled, and the first answer wins', async () => {
  const peer = fakePeer({ does: 'answer', value: 'second', afterMs: 5 })
  const ask = call('a.b', { does: 'read', timeoutMs: 1000, hedge: { afterMs: 50, maxExtra: 1 } }, peer.fn)
  peer.next({ does: 'hang' })
  const { value, atMs } = await outcome(ask())
  expect(value?.value).toBe('second')
  expect(atMs).toBeLessThan(75)
  expect(peer.visits[0]?.abortedAt).toBeDefined()
  expect(records[0]).toMatchObject({ attempts: 2, hedged: true, usage: 'used' })
})

test('when the first copy fails, the call waits for the second instead of starting a third', async () => {
  const peer = fakePeer<string>({ does: 'answer', value: 'second', afterMs: 40 })
  const ask = call(
    'a.b',
    { does: 'read', timeoutMs: 1000, attempts: 3, backoff: { baseMs: 0 }, hedge: { afterMs: 20, maxExtra: 1 } },
    peer.fn,
  )
  peer.next({ does: 'fail', error: new Error('first'), afterMs: 40 })
  expect((await outcome(ask())).value?.value).toBe('second')
  expect(peer.visits).toHaveLength(2)
})

test('a second copy the budget does not pay for is not sent and keeps no slot', async () => {
  const shared = callee('a', { bulkhead: { slots: 2 }, hedge: { afterMs: 20, maxExtra: 1 }, retryBudget: { capacity: 1 } })
  const peer = fakePeer({ does: 'answer', value: 1, afterMs: 60 })
  const ask = call('a.b', { does: 'read', timeoutMs: 1000, callee: shared }, peer.fn)
  await outcome(ask())
  expect([peer.visits.length, shared.slots?.inUse]).toEqual([1, 0])
})

test('only a read may be hedged', () => {
  expect(() => call('a.b', { does: 'write', hedge: {} } as unknown as { does: 'write' }, () => 1)).toThrow(/only a read may be hedged/)
})

test('an HTTP answer that is a failure is tried again, and handed on as it is when that did not help', async () => {
  const busy = { status: 503, headers: { get: () => null } }
  const peer = fakePeer<{ status: number }>({ does: 'answer', value: { status: 200, headers: {} } as { status: number } })
  peer.next({ does: 'answer', value: busy })
  const ask = call('a.b', { does: 'read', timeoutMs: 1000, attempts: 2 }, peer.fn)
  expect((await outcome(ask())).value?.value.status).toBe(200)
  peer.always({ does: 'answer', value: busy })
  expect((await outcome(ask())).value?.value.status).toBe(503)
  expect(peer.visits).toHaveLength(4)
})

test('retry-after is honoured exactly, or ends it', async () => {
  const askedFor = (seconds: string) => ({ status: 429, headers: { get: (name: string) => (name === 'retry-after' ? seconds : null) } })
  const peer = fakePeer<{ status: number }>({ does: 'answer', value: { status: 200, headers: {} } as { status: number } })
  peer.next({ does: 'answer', value: askedFor('2') })
  const ask = call('a.b', { does: 'read', timeoutMs: 5000, attempts: 2 }, peer.fn)
  const { value, atMs } = await outcome(ask())
  expect(value?.value.status).toBe(200)
  expect(atMs).toBe(2000)
  peer.next({ does: 'answer', value: askedFor('60') })
  expect(await outcome(ask())).toMatchObject({ value: { value: { status: 429 } }, atMs: 0 })
})

test('nothing is armed and no slot is taken when calls have ended, however they did', async () => {
  const shared = callee('a', { bulkhead: { slots: 3 } })
  const peer = fakePeer<number>({ does: 'answer', value: 1, afterMs: 30 })
  const ask = call('a.b', { does: 'read', timeoutMs: 50, attempts: 2, attemptMs: 20, callee: shared, hedge: undefined as never }, peer.fn)
  const all = Array.from({ length: 30 }, (_, n) => {
    peer.next(n % 3 === 0 ? { does: 'hang' } : n % 3 === 1 ? { does: 'fail', error: new Error('x') } : { does: 'answer', value: n })
    return outcome(ask())
  })
  await Promise.all(all)
  await clock.advance(2000)
  expect(shared.slots?.inUse).toBe(0)
  expect(clock.armed).toBe(0)
})
