import { optionCount } from './option-range.js'
import {
  createWaitQueue,
  dequeueWaiter,
  enqueueWaiter,
  expireWaiters,
  noteNoWait,
  type QueueOptions,
  requeueWaiter,
  type Waiter,
  type WaitQueue,
  withdrawWaiter,
} from './queue-discipline.js'

/** Slots for one kind of call, and how calls wait for them. */
export interface BulkheadOptions {
  /** Most calls at once; `Infinity` for no limit. */
  readonly slots: number
  /** Default {@link BULKHEAD_DEFAULTS}.queue, for each field that is not given. */
  readonly queue?: QueueOptions
}

/** The defaults of {@link BulkheadOptions}: a queue kept short by controlled delay (5 ms, 100 ms), at most 1 000 long. */
export const BULKHEAD_DEFAULTS: Readonly<{ queue: Readonly<Required<Omit<QueueOptions, 'codel'>>> }> = Object.freeze({
  queue: Object.freeze({ limit: 1_000, timeoutMs: Infinity, order: 'codel' }),
})

/**
 * Slots and those that wait for one: plain state, changed only by the functions of this file. Slots in use are never below 0
 * nor above the limit, and each waiter settles exactly once.
 */
export interface Bulkhead<W extends Waiter = Waiter> {
  readonly slots: number
  inUse: number
  readonly queue: WaitQueue<W>
}

/**
 * Makes a bulkhead with all slots free.
 * @throws TypeError or RangeError for an option outside its range
 */
export function createBulkhead<W extends Waiter = Waiter>(options: BulkheadOptions): Bulkhead<W> {
  return {
    slots: optionCount('bulkhead.slots', options.slots, 1),
    inUse: 0,
    queue: createWaitQueue<W>({ ...BULKHEAD_DEFAULTS.queue, ...options.queue }),
  }
}

/** How long a call may wait for a slot, ms: what is left of `queueMs` (its own limit, `Infinity` for none) and of `remaining - reserve - floor`; never negative. */
export function boundedWaitMs(remainingMs: number, reserveMs: number, floorMs: number, queueMs: number): number {
  return Math.max(0, Math.min(queueMs, remainingMs - reserveMs - floorMs))
}

/** Takes a free slot when nobody waits: true, and {@link releaseSlot} is owed; false: {@link waitForSlot} or give up. */
export function tryAcquireSlot<W extends Waiter>(bulkhead: Bulkhead<W>, nowAt: number): boolean {
  if (bulkhead.inUse >= bulkhead.slots || bulkhead.queue.size > 0) return false
  bulkhead.inUse += 1
  noteNoWait(bulkhead.queue, nowAt)
  return true
}

/** Lets `waiter` wait until `giveUpAt` at most: false when the queue is full or there is no time to wait (`BULKHEAD_FULL`). */
export function waitForSlot<W extends Waiter>(bulkhead: Bulkhead<W>, waiter: W, nowAt: number, giveUpAt: number): boolean {
  return enqueueWaiter(bulkhead.queue, waiter, nowAt, giveUpAt)
}

/** Gives a slot back; then call {@link nextSettled} until it returns null. A release too many is ignored: false. */
export function releaseSlot<W extends Waiter>(bulkhead: Bulkhead<W>): boolean {
  if (bulkhead.inUse === 0) return false
  bulkhead.inUse -= 1
  return true
}

/**
 * The next waiter that is settled now, or null. With fate `admitted` it holds a slot and owes {@link releaseSlot}; with
 * `expired` or `shed` it holds none. Call it after every release, until null.
 */
export function nextSettled<W extends Waiter>(bulkhead: Bulkhead<W>, nowAt: number): W | null {
  if (bulkhead.inUse >= bulkhead.slots) return null
  const waiter = dequeueWaiter(bulkhead.queue, nowAt)
  if (waiter !== null && waiter.fate === 'admitted') bulkhead.inUse += 1
  return waiter
}

/** One waiter whose time is over at `nowAt`, or null; call it until null where waiters have no timers of their own. */
export function nextExpired<W extends Waiter>(bulkhead: Bulkhead<W>, nowAt: number): W | null {
  return expireWaiters(bulkhead.queue, nowAt)
}

/**
 * The waiter no longer wants its slot; to be asked only until its call begins (from then on {@link releaseSlot} is what it owes).
 * `withdrawn`: it waited and is out. `slot-returned`: a slot had just been given to it, which went back (call
 * {@link nextSettled}). `settled`: it had been told before, nothing to do.
 */
export function abandonWait<W extends Waiter>(bulkhead: Bulkhead<W>, waiter: W): 'withdrawn' | 'slot-returned' | 'settled' {
  if (withdrawWaiter(bulkhead.queue, waiter)) return 'withdrawn'
  if (waiter.fate !== 'admitted') return 'settled'
  waiter.fate = 'withdrawn'
  bulkhead.inUse -= 1
  return 'slot-returned'
}

/** An admitted waiter found its slot of no use and waits on, in front, in the time it had: false when it held none. */
export function waitAgain<W extends Waiter>(bulkhead: Bulkhead<W>, waiter: W): boolean {
  if (!requeueWaiter(bulkhead.queue, waiter)) return false
  bulkhead.inUse -= 1
  return true
}
