import { afterEach, beforeEach, expect, test } from 'vitest'
import { settleBy } from '../test/settle-by.js'
import { call, capture, remainingMs, run, together, withDeadline } from './index.js'
import { type ManualClock, useManualClock } from './testing/manual-clock.js'

let clock: ManualClock
beforeEach(() => {
  clock = useManualClock()
})
afterEach(() => clock.restore())

/** As query builders are: nothing happens before `then` is called, and it happens each time. */
function lazy<T>(work: () => T | PromiseLike<T>): PromiseLike<T> & { begun: number } {
  return {
    begun: 0,
    then(answered, failed) {
      this.begun += 1
      return Promise.resolve(work()).then(answered, failed)
    },
  }
}

const hostile = (then: (answered: (value: unknown) => void, failed: (error: unknown) => void) => void): PromiseLike<unknown> =>
  ({ then }) as PromiseLike<unknown>

test('a query that begins when it is waited for begins once, under the attempt that made it', async () => {
  const query = lazy(remainingMs)
  const ask = call('db.select', { does: 'read', timeoutMs: 500, attemptMs: 100 }, () => query)
  expect(await ask()).toEqual({ value: 100, degraded: null })
  expect(query.begun).toBe(1)
})

test('the same holds under a deadline and in a group', async () => {
  expect(await withDeadline({ budgetMs: 300 }, () => lazy(remainingMs))).toBe(300)
  expect(await withDeadline({ budgetMs: 300 }, () => together({ required: { stock: () => lazy(remainingMs) } }))).toMatchObject({
    stock: 300,
  })
})

test('a query that is run under a captured deadline of elsewhere is not run twice', async () => {
  const token = await withDeadline({ budgetMs: 300 }, () => structuredClone(capture()))
  const query = lazy(() => 1)
  expect(await run(token, () => query)).toBe(1)
  expect(query.begun).toBe(1)
})

test('a thenable that throws fails the call and keeps no slot', async () => {
  const ask = call('a.b', { does: 'read', timeoutMs: 300, bulkhead: { slots: 1 } }, (_, value: unknown) => value)
  const broken = new Error('broken')
  const throwing = hostile(() => {
    throw broken
  })
  const trapped = Object.defineProperty({}, 'then', {
    get() {
      throw broken
    },
  })
  expect((await settleBy(clock, ask(throwing))).error).toBe(broken)
  expect((await settleBy(clock, ask(trapped))).error).toBe(broken)
  expect((await settleBy(clock, ask('free'))).value).toEqual({ value: 'free', degraded: null })
})

test('a thenable is worth what await makes of it', async () => {
  const ask = call('a.b', { does: 'read', timeoutMs: 300 }, (_, value: unknown) => value)
  const twice = hostile((answered, failed) => {
    answered(1)
    answered(2)
    failed(new Error('late'))
  })
  const nested = hostile((answered) => answered(hostile((inner) => inner(7))))
  const callable = Object.assign(() => 0, { then: (answered: (value: unknown) => void) => answered('called') })
  expect((await ask(twice)).value).toBe(1)
  expect((await ask(nested)).value).toBe(7)
  expect((await ask(callable)).value).toBe('called')
})
