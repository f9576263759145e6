import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  abandonWait,
  type Bulkhead,
  boundedWaitMs,
  createBulkhead,
  nextExpired,
  nextSettled,
  releaseSlot,
  tryAcquireSlot,
  waitAgain,
  waitForSlot,
} from './bulkhead.js'
import { newWaiter, type Waiter } from './queue-discipline.js'

function fullBulkhead(slots: number): Bulkhead {
  const bulkhead = createBulkhead({ slots })
  for (let slot = 0; slot < slots; slot += 1) tryAcquireSlot(bulkhead, 0)
  return bulkhead
}

describe('slots', () => {
  test('are given until none is left', () => {
    const bulkhead = createBulkhead({ slots: 2 })
    expect([0, 0, 0].map((at) => tryAcquireSlot(bulkhead, at))).toEqual([true, true, false])
    releaseSlot(bulkhead)
    expect(tryAcquireSlot(bulkhead, 0)).toBe(true)
  })

  test('a release too many is ignored', () => {
    const bulkhead = createBulkhead({ slots: 1 })
    expect(releaseSlot(bulkhead)).toBe(false)
    expect(bulkhead.inUse).toBe(0)
  })

  test('a newcomer does not overtake those that wait', () => {
    const bulkhead = fullBulkhead(1)
    waitForSlot(bulkhead, newWaiter(), 0, 100)
    releaseSlot(bulkhead)
    expect(tryAcquireSlot(bulkhead, 1)).toBe(false)
    expect(nextSettled(bulkhead, 1)?.fate).toBe('admitted')
  })

  test('a slot that arrives after its waiter left goes back', () => {
    const bulkhead = fullBulkhead(1)
    const waiter = newWaiter()
    waitForSlot(bulkhead, waiter, 0, 100)
    releaseSlot(bulkhead)
    expect(nextSettled(bulkhead, 50)).toBe(waiter)
    expect(bulkhead.inUse).toBe(1)
    expect(abandonWait(bulkhead, waiter)).toBe('slot-returned')
    expect(bulkhead.inUse).toBe(0)
    expect(abandonWait(bulkhead, waiter)).toBe('settled')
    expect(bulkhead.inUse).toBe(0)
  })

  test('one that only waited is withdrawn and takes no slot with it', () => {
    const bulkhead = fullBulkhead(1)
    const waiter = newWaiter()
    waitForSlot(bulkhead, waiter, 0, 100)
    expect(abandonWait(bulkhead, waiter)).toBe('withdrawn')
    releaseSlot(bulkhead)
    expect(nextSettled(bulkhead, 1)).toBe(null)
  })
})

describe('waiting', () => {
  test('a waiter of 500 ms put back every 400 ms is told at 500, and the slot that comes later is idle', () => {
    const bulkhead = createBulkhead({ slots: 1, queue: { order: 'fifo' } })
    tryAcquireSlot(bulkhead, 0)
    const waiter = newWaiter()
    waitForSlot(bulkhead, waiter, 0, 500)
    releaseSlot(bulkhead)
    expect(nextSettled(bulkhead, 400)).toBe(waiter)
    expect(waitAgain(bulkhead, waiter)).toBe(true)
    bulkhead.inUse += 1
    expect(nextExpired(bulkhead, 499)).toBe(null)
    expect(nextExpired(bulkhead, 500)).toBe(waiter)
    expect(waiter.fate).toBe('expired')
    releaseSlot(bulkhead)
    expect(nextSettled(bulkhead, 800)).toBe(null)
    expect(bulkhead.inUse).toBe(0)
  })

  test('is bounded by what is left after reserve and floor, and by the queue of the call', () => {
    expect(boundedWaitMs(300, 20, 50, Infinity)).toBe(230)
    expect(boundedWaitMs(300, 20, 50, 100)).toBe(100)
    expect(boundedWaitMs(60, 20, 50, 100)).toBe(0)
    expect(boundedWaitMs(Infinity, 0, 0, 100)).toBe(100)
    expect(waitForSlot(fullBulkhead(1), newWaiter(), 10, 10)).toBe(false)
  })

  test('the queue has a hard cap', () => {
    const bulkhead = createBulkhead({ slots: 1, queue: { limit: 1 } })
    tryAcquireSlot(bulkhead, 0)
    expect(waitForSlot(bulkhead, newWaiter(), 0, 100)).toBe(true)
    expect(waitForSlot(bulkhead, newWaiter(), 0, 100)).toBe(false)
  })

  test('in steady overload whoever is served waited at most twice the target, and no slot is ever idle', () => {
    // 1 slot of 10 ms, one arrival every 5 ms: twice what it can serve.
    const bulkhead = createBulkhead({ slots: 1 })
    const served: number[] = []
    let freeAt = 0
    for (let nowAt = 0; nowAt < 5_000; nowAt += 5) {
      if (bulkhead.inUse > 0 && nowAt >= freeAt) releaseSlot(bulkhead)
      if (bulkhead.queue.size > 0) waitForSlot(bulkhead, newWaiter(), nowAt, Infinity)
      else if (tryAcquireSlot(bulkhead, nowAt)) freeAt = nowAt + 10
      else waitForSlot(bulkhead, newWaiter(), nowAt, Infinity)
      for (let waiter = nextSettled(bulkhead, nowAt); waiter !== null; waiter = nextSettled(bulkhead, nowAt)) {
        if (waiter.fate !== 'admitted') continue
        freeAt = nowAt + 10
        if (nowAt > 500) served.push(nowAt - waiter.enqueuedAt)
      }
      if (nowAt > 0) expect(bulkhead.inUse).toBe(1)
    }
    expect(served.length).toBeGreaterThan(400)
    expect(Math.max(...served)).toBeLessThanOrEqual(10)
  })
})

type Step =
  | { acquire: true }
  | { wait: number }
  | { release: true }
  | { settle: true }
  | { expire: true }
  | { abandon: number }
  | { passMs: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Step>({ acquire: true }) },
  { weight: 4, arbitrary: fc.record({ wait: fc.nat(200) }) },
  { weight: 3, arbitrary: fc.constant<Step>({ release: true }) },
  { weight: 3, arbitrary: fc.constant<Step>({ settle: true }) },
  { weight: 1, arbitrary: fc.constant<Step>({ expire: true }) },
  { weight: 2, arbitrary: fc.record({ abandon: fc.nat(50) }) },
  { weight: 2, arbitrary: fc.record({ passMs: fc.nat(60) }) },
)

test('slots are never negative nor above the limit, none is lost, and each waiter settles exactly once, in any interleaving', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 250 }), (slots, steps) => {
      const bulkhead = createBulkhead({ slots, queue: { limit: 6 } })
      const waiters: Waiter[] = []
      const told = new Map<Waiter, number>()
      let held = 0
      let nowAt = 0
      const settle = (waiter: Waiter | null): void => {
        if (waiter === null) return
        told.set(waiter, (told.get(waiter) ?? 0) + 1)
        if (waiter.fate === 'admitted') held += 1
      }
      for (const next of steps) {
        if ('passMs' in next) nowAt += next.passMs
        if ('acquire' in next && tryAcquireSlot(bulkhead, nowAt)) held += 1
        if ('wait' in next) {
          const waiter = newWaiter()
          if (waitForSlot(bulkhead, waiter, nowAt, nowAt + next.wait)) waiters.push(waiter)
        }
        if ('release' in next && held > 0) {
          releaseSlot(bulkhead)
          held -= 1
          // Its call is over: whoever held this slot can no longer abandon it.
          const done = waiters.find((waiter) => waiter.fate === 'admitted')
          if (done !== undefined) done.fate = 'withdrawn'
        }
        if ('settle' in next) settle(nextSettled(bulkhead, nowAt))
        if ('expire' in next) settle(nextExpired(bulkhead, nowAt))
        const leaving = 'abandon' in next ? waiters[next.abandon] : undefined
        if (leaving !== undefined) {
          const was = abandonWait(bulkhead, leaving)
          if (was === 'withdrawn') told.set(leaving, (told.get(leaving) ?? 0) + 1)
          if (was === 'slot-returned') held -= 1
        }
        expect(bulkhead.inUse).toBe(held)
        expect(held).toBeGreaterThanOrEqual(0)
        expect(held).toBeLessThanOrEqual(slots)
        for (const waiter of waiters) expect(told.get(waiter) ?? 0).toBe(waiter.fate === 'waiting' ? 0 : 1)
      }
    }),
    { numRuns: 200 },
  )
})

test('slots that are not a whole number of 1 and more are refused', () => {
  expect(() => createBulkhead({ slots: 0 })).toThrow(RangeError)
  expect(() => createBulkhead({ slots: 1.5 })).toThrow(RangeError)
  expect(() => createBulkhead({ slots: Number.NaN })).toThrow(TypeError)
})
