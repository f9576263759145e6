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
    expect(waitAgain(bulkhead, waiter)).toBe(false)
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
    const { waitsMs, idleTicks } = overloaded(5_000)
    expect(idleTicks).toBe(0)
    expect(waitsMs.length).toBeGreaterThan(400)
    expect(Math.max(...waitsMs)).toBeLessThanOrEqual(10)
  })

  test('overload is over an interval after a slot was taken without waiting', () => {
    const { bulkhead } = overloaded(1_000)
    expect(bulkhead.queue.codel?.overloaded).toBe(true)
    releaseSlot(bulkhead)
    for (let waiter = nextSettled(bulkhead, 1_000); waiter !== null; waiter = nextSettled(bulkhead, 1_000)) releaseSlot(bulkhead)
    tryAcquireSlot(bulkhead, 1_001)
    releaseSlot(bulkhead)
    tryAcquireSlot(bulkhead, 1_101)
    expect(bulkhead.queue.codel?.overloaded).toBe(false)
  })
})

// One slot of 10 ms and an arrival every 5 ms: twice what it can serve. Waits are those of what was served after half a second.
function overloaded(untilAt: number): { bulkhead: Bulkhead; waitsMs: number[]; idleTicks: number } {
  const bulkhead = createBulkhead({ slots: 1 })
  tryAcquireSlot(bulkhead, 0)
  const waitsMs: number[] = []
  let idleTicks = 0
  for (let nowAt = 5; nowAt < untilAt; nowAt += 5) {
    waitForSlot(bulkhead, newWaiter(), nowAt, Infinity)
    if (nowAt % 10 === 0) releaseSlot(bulkhead)
    for (let waiter = nextSettled(bulkhead, nowAt); waiter !== null; waiter = nextSettled(bulkhead, nowAt)) {
      if (waiter.fate === 'admitted' && nowAt > 500) waitsMs.push(nowAt - waiter.enqueuedAt)
    }
    if (bulkhead.inUse === 0) idleTicks += 1
  }
  return { bulkhead, waitsMs, idleTicks }
}

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

interface World {
  readonly bulkhead: Bulkhead
  readonly waiters: Waiter[]
  readonly told: Map<Waiter, number>
  /** Waiters whose call has begun and not ended. */
  readonly running: Waiter[]
  /** Slots that were given out and not given back, however they were given. */
  held: number
  nowAt: number
}

function tell(world: World, waiter: Waiter | null): void {
  if (waiter === null) return
  world.told.set(waiter, (world.told.get(waiter) ?? 0) + 1)
  if (waiter.fate === 'admitted') world.held += 1
}

function apply(world: World, next: Step): void {
  const { bulkhead, nowAt } = world
  if ('passMs' in next) world.nowAt += next.passMs
  else if ('acquire' in next) world.held += tryAcquireSlot(bulkhead, nowAt) ? 1 : 0
  else if ('wait' in next) {
    const waiter = newWaiter()
    if (waitForSlot(bulkhead, waiter, nowAt, nowAt + next.wait)) world.waiters.push(waiter)
  } else if ('release' in next) release(world)
  else if ('settle' in next) tell(world, nextSettled(bulkhead, nowAt))
  else if ('expire' in next) tell(world, nextExpired(bulkhead, nowAt))
  else abandon(world, world.waiters[next.abandon])
}

function release(world: World): void {
  expect(releaseSlot(world.bulkhead)).toBe(world.held > 0)
  if (world.held === 0) return
  world.held -= 1
  // A call has ended; one of those that had waited for its slot can no longer abandon it.
  const ended = world.waiters.find((waiter) => waiter.fate === 'admitted' && !world.running.includes(waiter))
  if (ended !== undefined) world.running.push(ended)
}

function abandon(world: World, waiter: Waiter | undefined): void {
  if (waiter === undefined || world.running.includes(waiter)) return
  const was = abandonWait(world.bulkhead, waiter)
  if (was === 'withdrawn') tell(world, waiter)
  if (was === 'slot-returned') world.held -= 1
}

test('slots are never negative nor above the limit, none is lost, and each waiter settles exactly once, in any interleaving', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 250 }), (slots, steps) => {
      const bulkhead = createBulkhead({ slots, queue: { limit: 6 } })
      const world: World = { bulkhead, waiters: [], told: new Map(), running: [], held: 0, nowAt: 0 }
      for (const next of steps) {
        apply(world, next)
        expect(bulkhead.inUse).toBe(world.held)
        expect(world.held).toBeGreaterThanOrEqual(0)
        expect(world.held).toBeLessThanOrEqual(slots)
        for (const waiter of world.waiters) expect(world.told.get(waiter) ?? 0).toBe(waiter.fate === 'waiting' ? 0 : 1)
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
