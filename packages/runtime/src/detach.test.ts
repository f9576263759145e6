import { afterEach, beforeEach, expect, test } from 'vitest'
import { detach, observe, remainingMs, type SandglassRecord, withDeadline } from './index.js'
import { type ManualClock, useManualClock } from './testing/manual-clock.js'

let clock: ManualClock
beforeEach(() => void (clock = useManualClock()))
afterEach(() => clock.restore())

test('detached work outlives its request and has a deadline of its own', async () => {
  const leaving = new AbortController()
  let work: Promise<number> | undefined
  const request = withDeadline({ budgetMs: 50, signal: leaving.signal }, () => {
    work = detach({ budgetMs: 5000, reason: 'audit' }, async () => {
      await clock.settle()
      return remainingMs()
    })
    leaving.abort()
  })
  await request.catch(() => undefined)
  expect(await work).toBe(5000)
})

test('it is seen in a record, however it ended, and never an unhandled rejection', async () => {
  const records: SandglassRecord[] = []
  const stop = observe((record) => void records.push(record))
  const unhandled: unknown[] = []
  const onUnhandled = (error: unknown): void => void unhandled.push(error)
  process.on('unhandledRejection', onUnhandled)
  void detach({ budgetMs: 100, reason: 'well' }, () => 1)
  void detach({ budgetMs: 100, reason: 'broken' }, () => Promise.reject(new Error('x')))
  void detach({ budgetMs: 100, reason: 'hangs' }, () => new Promise(() => undefined))
  await clock.advance(120)
  process.off('unhandledRejection', onUnhandled)
  stop()
  expect(records).toMatchObject([
    { reason: 'well', outcome: 'succeeded' },
    { reason: 'broken', outcome: 'failed' },
    { reason: 'hangs', outcome: 'expired' },
  ])
  expect(unhandled).toEqual([])
})

test('it must say why, and how long', () => {
  expect(() => detach({ budgetMs: 100, reason: '' }, () => 1)).toThrow(/reason/)
  expect(() => detach({ budgetMs: Number.NaN, reason: 'x' }, () => 1)).toThrow(TypeError)
})
