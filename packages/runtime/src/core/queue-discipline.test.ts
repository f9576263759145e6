import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createWaitQueue,
  dequeueWaiter,
  enqueueWaiter,
  expireWaiters,
  newWaiter,
  type QueueOptions,
  requeueWaiter,
  type Waiter,
  type WaitQueue,
  withdrawWaiter,
} from './queue-discipline.js'

interface Named extends Waiter {
  name: number
}

const named = (name: number): Named => ({ ...newWaiter(), name })

function filled(options: QueueOptions, enqueuedAt: readonly number[]): WaitQueue<Named> {
  const queue = createWaitQueue<Named>(options)
  enqueuedAt.forEach((at, name) => {
    enqueueWaiter(queue, named(name), at)
  })
  return queue
}

function drain(queue: WaitQueue<Named>, nowAt: number): [number, string][] {
  const settled: [number, string][] = []
  for (let waiter = dequeueWaiter(queue, nowAt); waiter !== null; waiter = dequeueWaiter(queue, nowAt))
    settled.push([waiter.name, waiter.fate])
  return settled
}

describe('order', () => {
  test('fifo serves the oldest first', () => {
    expect(drain(filled({}, [0, 1, 2]), 3).map(([name]) => name)).toEqual([0, 1, 2])
  })

  test('lifo serves the newest first', () => {
    expect(drain(filled({ order: 'lifo' }, [0, 1, 2]), 3).map(([name]) => name)).toEqual([2, 1, 0])
  })

  test('codel serves the oldest first while the wait is short', () => {
    const queue = filled({ order: 'codel' }, [0, 1, 2])
    expect(drain(queue, 4)).toEqual([
      [0, 'admitted'],
      [1, 'admitted'],
      [2, 'admitted'],
    ])
  })

  test('codel, once overloaded, sheds what waited beyond twice the target and serves the newest of the rest', () => {
    const queue = filled({ order: 'codel' }, [0, 50, 193, 194])
    expect(drain(queue, 200)).toEqual([
      [0, 'shed'],
      [1, 'shed'],
      [3, 'admitted'],
      [2, 'admitted'],
    ])
  })

  test('codel never sheds the last one: its slot would stay idle', () => {
    expect(drain(filled({ order: 'codel' }, [0]), 500)).toEqual([[0, 'admitted']])
  })

  test('while codel is overloaded a newcomer waits at most twice the target', () => {
    const queue = filled({ order: 'codel' }, [0])
    const late = named(1)
    enqueueWaiter(queue, late, 500, 9_000)
    expect(late.giveUpAt).toBe(510)
  })
})

describe('bounds', () => {
  test('a full queue refuses and leaves the waiter as it was', () => {
    const queue = filled({ limit: 2 }, [0, 0])
    const third = named(2)
    expect(enqueueWaiter(queue, third, 0)).toBe(false)
    expect(third.fate).toBe('new')
    expect(queue.size).toBe(2)
  })

  test('a limit of 0 is no queue, and a wait of no time is none', () => {
    expect(enqueueWaiter(createWaitQueue({ limit: 0 }), newWaiter(), 0)).toBe(false)
    expect(enqueueWaiter(createWaitQueue({ timeoutMs: 0 }), newWaiter(), 0)).toBe(false)
    expect(enqueueWaiter(createWaitQueue(), newWaiter(), 5, 5)).toBe(false)
  })

  test('the timeout and what the waiter itself has left both bound the wait', () => {
    const queue = createWaitQueue<Named>({ timeoutMs: 100 })
    const [patient, hurried] = [named(0), named(1)]
    enqueueWaiter(queue, patient, 0)
    enqueueWaiter(queue, hurried, 0, 40)
    expect(expireWaiters(queue, 39)).toBe(null)
    expect(expireWaiters(queue, 40)).toBe(hurried)
    expect(expireWaiters(queue, 40)).toBe(null)
    expect(dequeueWaiter(queue, 100)).toBe(patient)
    expect([hurried.fate, patient.fate]).toEqual(['expired', 'expired'])
  })

  test('a waiter that is put back again and again keeps its place and its end', () => {
    const queue = createWaitQueue<Named>()
    const waiter = named(0)
    enqueueWaiter(queue, waiter, 0, 500)
    enqueueWaiter(queue, named(1), 1)
    for (const at of [100, 200, 300, 400]) {
      expect(dequeueWaiter(queue, at)).toBe(waiter)
      expect(requeueWaiter(queue, waiter)).toBe(true)
    }
    expect(expireWaiters(queue, 500)).toBe(waiter)
    expect([waiter.fate, waiter.enqueuedAt]).toEqual(['expired', 0])
    expect(requeueWaiter(queue, waiter)).toBe(false)
  })

  test('one that is put back is still found when its time is over', () => {
    const queue = createWaitQueue<Named>()
    const waiter = named(0)
    enqueueWaiter(queue, waiter, 0, 100)
    dequeueWaiter(queue, 10)
    expect(expireWaiters(queue, 200)).toBe(null)
    enqueueWaiter(queue, named(1), 20, 900)
    expect(expireWaiters(queue, 200)).toBe(null)
    requeueWaiter(queue, waiter)
    expect(expireWaiters(queue, 200)).toBe(waiter)
  })

  test('under overload the sweep sheds from the oldest end even when no slot gets free', () => {
    const queue = filled({ order: 'codel' }, [0, 1])
    expect(expireWaiters(queue, 99)).toBe(null)
    expect(expireWaiters(queue, 150)?.fate).toBe('shed')
  })
})

type Step = { enqueueFor: number } | { dequeue: true } | { withdraw: number } | { expire: true } | { requeue: number } | { waitMs: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ enqueueFor: fc.oneof(fc.nat(200), fc.constant(Infinity)) }) },
  { weight: 2, arbitrary: fc.constant<Step>({ dequeue: true }) },
  { weight: 1, arbitrary: fc.record({ withdraw: fc.nat(50) }) },
  { weight: 1, arbitrary: fc.constant<Step>({ expire: true }) },
  { weight: 1, arbitrary: fc.record({ requeue: fc.nat(50) }) },
  { weight: 2, arbitrary: fc.record({ waitMs: fc.nat(60) }) },
)

const anyQueue: fc.Arbitrary<QueueOptions> = fc.record({
  order: fc.constantFrom('fifo', 'lifo', 'codel'),
  limit: fc.oneof(fc.nat(8), fc.constant(Infinity)),
  timeoutMs: fc.oneof(fc.nat(150), fc.constant(Infinity)),
})

interface World {
  readonly queue: WaitQueue<Named>
  readonly all: Named[]
  /** Per waiter, how often it was settled and not put back. */
  readonly settlements: number[]
  nowAt: number
}

function tell(world: World, waiter: Named | null | undefined): void {
  if (waiter === null || waiter === undefined) return
  expect(waiter.fate).not.toBe('waiting')
  world.settlements[waiter.name]! += 1
}

function apply(world: World, next: Step): void {
  const { queue, all, settlements, nowAt } = world
  if ('waitMs' in next) world.nowAt += next.waitMs
  else if ('enqueueFor' in next) enqueueNew(world, next.enqueueFor)
  else if ('dequeue' in next) tell(world, dequeueWaiter(queue, nowAt))
  else if ('expire' in next) tell(world, expireWaiters(queue, nowAt))
  else if ('withdraw' in next) {
    const waiter = all[next.withdraw]
    if (waiter !== undefined && withdrawWaiter(queue, waiter)) tell(world, waiter)
  } else {
    const waiter = all[next.requeue]
    if (waiter !== undefined && requeueWaiter(queue, waiter)) settlements[waiter.name]! -= 1
  }
}

function enqueueNew({ queue, all, settlements, nowAt }: World, waitMs: number): void {
  const waiter = named(all.length)
  const before = queue.size
  if (!enqueueWaiter(queue, waiter, nowAt, nowAt + waitMs)) return
  expect(before).toBeLessThan(queue.limit)
  all.push(waiter)
  settlements.push(0)
}

test('each waiter settles exactly once, the limit holds, and the list stays whole in any interleaving', () => {
  fc.assert(
    fc.property(anyQueue, fc.array(step, { maxLength: 200 }), (options, steps) => {
      const world: World = { queue: createWaitQueue<Named>(options), all: [], settlements: [], nowAt: 0 }
      for (const next of steps) {
        apply(world, next)
        expect(checkedSize(world.queue)).toBe(world.all.filter((waiter) => waiter.fate === 'waiting').length)
        for (const waiter of world.all) expect(world.settlements[waiter.name]).toBe(waiter.fate === 'waiting' ? 0 : 1)
      }
      for (const [name] of drain(world.queue, Infinity)) world.settlements[name]! += 1
      expect(world.queue.size).toBe(0)
      expect(world.settlements.every((times) => times === 1)).toBe(true)
    }),
    { numRuns: 200 },
  )
})

function checkedSize(queue: WaitQueue<Named>): number {
  let size = 0
  let older: Named | null = null
  let earliestAt = Infinity
  for (let waiter = queue.oldest; waiter !== null; waiter = waiter.newer as Named | null) {
    expect(waiter.older).toBe(older)
    expect(waiter.fate).toBe('waiting')
    earliestAt = Math.min(earliestAt, waiter.giveUpAt)
    older = waiter
    size += 1
  }
  expect(queue.newest).toBe(older)
  expect(queue.size).toBe(size)
  expect(queue.nextGiveUpAt).toBeLessThanOrEqual(earliestAt)
  return size
}

test('an order that is none, a limit below 0 and a timeout that is no number are refused', () => {
  expect(() => createWaitQueue({ order: 'random' as 'fifo' })).toThrow(RangeError)
  expect(() => createWaitQueue({ limit: -1 })).toThrow(RangeError)
  expect(() => createWaitQueue({ timeoutMs: Number.NaN })).toThrow(TypeError)
})
