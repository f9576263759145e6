import { CODEL_SLOUGH_TARGETS, type Codel, type CodelOptions, codelOverloaded, createCodel, sampleCodel } from './codel.js'
import { optionCount, optionInRange } from './option-range.js'

/** Who is served next: the oldest, the newest, or the oldest while the wait is short and the newest while it is not. */
export type QueueOrder = 'fifo' | 'lifo' | 'codel'

/**
 * What became of something that waited: still `waiting`; or settled, once and for ever: `admitted`, `expired` (its own time
 * ran out), `shed` (dropped because of overload), `withdrawn` (it went away itself). `new` before it ever waited.
 */
export type WaitFate = 'new' | 'waiting' | 'admitted' | 'expired' | 'shed' | 'withdrawn'

/** What a queue needs of the things in it: keep these fields in the object that waits, so that queueing allocates nothing. */
export interface Waiter {
  fate: WaitFate
  /** When it began to wait; being put back does not change it. */
  enqueuedAt: number
  /** When it stops waiting, `Infinity` for never. */
  giveUpAt: number
  older: Waiter | null
  newer: Waiter | null
}

/** How long things wait and in which order they are served. */
export interface QueueOptions {
  /** Most that may wait; default `Infinity`. */
  readonly limit?: number
  /** Longest wait, ms; default `Infinity`. */
  readonly timeoutMs?: number
  /** Default `fifo`. */
  readonly order?: QueueOrder
  /** Only for the order `codel`. */
  readonly codel?: CodelOptions
}

/** The defaults of {@link QueueOptions}: what most servers do. */
export const QUEUE_DEFAULTS: Readonly<{ limit: number; timeoutMs: number; order: QueueOrder }> = Object.freeze({
  limit: Infinity,
  timeoutMs: Infinity,
  order: 'fifo',
})

/** A queue of waiters: plain state, changed only by the functions of this file. All but {@link expireWaiters} take constant time. */
export interface WaitQueue<W extends Waiter = Waiter> {
  readonly limit: number
  readonly timeoutMs: number
  readonly order: QueueOrder
  readonly codel: Codel | null
  size: number
  oldest: W | null
  newest: W | null
  /** No waiter gives up before this instant; it may be too early, never too late. */
  nextGiveUpAt: number
}

/**
 * Makes an empty queue.
 * @throws TypeError or RangeError for an option outside its range
 */
export function createWaitQueue<W extends Waiter = Waiter>(options: QueueOptions = {}): WaitQueue<W> {
  const order = options.order ?? QUEUE_DEFAULTS.order
  if (order !== 'fifo' && order !== 'lifo' && order !== 'codel')
    throw new RangeError(`queue.order must be fifo, lifo or codel, not ${String(order)}`)
  return {
    limit: optionCount('queue.limit', options.limit ?? QUEUE_DEFAULTS.limit, 0),
    timeoutMs: optionInRange('queue.timeoutMs', options.timeoutMs ?? QUEUE_DEFAULTS.timeoutMs, 0),
    order,
    codel: order === 'codel' ? createCodel(options.codel) : null,
    size: 0,
    oldest: null,
    newest: null,
    nextGiveUpAt: Infinity,
  }
}

/** The fields of a {@link Waiter} for an object literal. */
export function newWaiter(): Waiter {
  return { fate: 'new', enqueuedAt: 0, giveUpAt: Infinity, older: null, newer: null }
}

/**
 * Puts a `new` (or settled and reused) waiter at the end; it gives up at the earliest of `giveUpAt`, the queue's timeout, and,
 * while `codel` says overloaded, twice the target.
 * @returns false when the queue is full or the wait would be over at once: the waiter's fate is then untouched
 */
export function enqueueWaiter<W extends Waiter>(queue: WaitQueue<W>, waiter: W, nowAt: number, giveUpAt: number = Infinity): boolean {
  if (queue.size >= queue.limit || waiter.fate === 'waiting') return false
  const untilAt = Math.min(giveUpAt, nowAt + longestWaitMs(queue, nowAt))
  if (untilAt <= nowAt) return false
  waiter.enqueuedAt = nowAt
  waiter.giveUpAt = untilAt
  waiter.fate = 'waiting'
  appendNewest(queue, waiter)
  return true
}

/** Puts an `admitted` waiter back where it is the oldest, with its first `enqueuedAt` and `giveUpAt`: waiting again gives it no more time. */
export function requeueWaiter<W extends Waiter>(queue: WaitQueue<W>, waiter: W): boolean {
  if (waiter.fate !== 'admitted') return false
  waiter.fate = 'waiting'
  appendOldest(queue, waiter)
  return true
}

/**
 * Takes one waiter out and settles it: look at its `fate`. `admitted` is the one to serve next; `expired` and `shed` are to be
 * told so, and the question asked again. Null when nobody waits.
 */
export function dequeueWaiter<W extends Waiter>(queue: WaitQueue<W>, nowAt: number): W | null {
  const oldest = queue.oldest
  if (oldest === null) return null
  const codel = queue.codel
  // The last one is never shed: it would leave its slot idle (RFC 8289 spares the last packet too).
  if (codel !== null && waitedTooLong(codel, nowAt - oldest.enqueuedAt, nowAt) && queue.size > 1) return settle(queue, oldest, 'shed')
  const newestFirst = queue.order === 'lifo' || codel?.overloaded === true
  const next = newestFirst ? queue.newest! : oldest
  return settle(queue, next, next.giveUpAt <= nowAt ? 'expired' : 'admitted')
}

/** Takes `waiter` out because it no longer wants to wait: true when it did wait, false when it was settled before. */
export function withdrawWaiter<W extends Waiter>(queue: WaitQueue<W>, waiter: W): boolean {
  if (waiter.fate !== 'waiting') return false
  settle(queue, waiter, 'withdrawn')
  return true
}

/**
 * Takes out one waiter whose time is over at `nowAt`, wherever it stands, or that a codel queue drops because of overload; call
 * it until it returns null. Looks at all waiters when one may be due, otherwise constant: with a timer per waiter use
 * {@link withdrawWaiter} instead.
 */
export function expireWaiters<W extends Waiter>(queue: WaitQueue<W>, nowAt: number): W | null {
  const { codel, oldest } = queue
  if (oldest === null) return null
  if (nowAt >= queue.nextGiveUpAt) {
    const due = findDue(queue, nowAt)
    if (due !== null) return settle(queue, due, 'expired')
  }
  if (codel === null || nowAt - oldest.enqueuedAt <= CODEL_SLOUGH_TARGETS * codel.targetMs) return null
  return codelOverloaded(codel, nowAt, oldest.enqueuedAt) ? settle(queue, oldest, 'shed') : null
}

/** Tells a codel queue that something was served without waiting, so the standing queue is gone; nothing for other orders. */
export function noteNoWait<W extends Waiter>(queue: WaitQueue<W>, nowAt: number): void {
  if (queue.codel !== null) sampleCodel(queue.codel, 0, nowAt)
}

function waitedTooLong(codel: Codel, waitMs: number, nowAt: number): boolean {
  const sloughMs = CODEL_SLOUGH_TARGETS * codel.targetMs
  // While overloaded those that are left have waited little only because others were dropped: that proves nothing. What ends
  // overload is a slot taken without any wait (`noteNoWait`).
  sampleCodel(codel, codel.overloaded ? Math.max(waitMs, sloughMs) : waitMs, nowAt)
  return codel.overloaded && waitMs > sloughMs
}

function findDue<W extends Waiter>(queue: WaitQueue<W>, nowAt: number): W | null {
  let earliestAt = Infinity
  for (let waiter: W | null = queue.oldest; waiter !== null; waiter = waiter.newer as W | null) {
    if (waiter.giveUpAt <= nowAt) return waiter
    earliestAt = Math.min(earliestAt, waiter.giveUpAt)
  }
  queue.nextGiveUpAt = earliestAt
  return null
}

function longestWaitMs<W extends Waiter>(queue: WaitQueue<W>, nowAt: number): number {
  const codel = queue.codel
  if (codel === null || !codelOverloaded(codel, nowAt, queue.oldest === null ? Infinity : queue.oldest.enqueuedAt)) return queue.timeoutMs
  return Math.min(queue.timeoutMs, CODEL_SLOUGH_TARGETS * codel.targetMs)
}

function appendNewest<W extends Waiter>(queue: WaitQueue<W>, waiter: W): void {
  waiter.older = queue.newest
  waiter.newer = null
  if (queue.newest === null) queue.oldest = waiter
  else queue.newest.newer = waiter
  queue.newest = waiter
  counted(queue, waiter)
}

function appendOldest<W extends Waiter>(queue: WaitQueue<W>, waiter: W): void {
  waiter.newer = queue.oldest
  waiter.older = null
  if (queue.oldest === null) queue.newest = waiter
  else queue.oldest.older = waiter
  queue.oldest = waiter
  counted(queue, waiter)
}

function counted<W extends Waiter>(queue: WaitQueue<W>, waiter: W): void {
  queue.size += 1
  if (waiter.giveUpAt < queue.nextGiveUpAt) queue.nextGiveUpAt = waiter.giveUpAt
}

function settle<W extends Waiter>(queue: WaitQueue<W>, waiter: W, fate: WaitFate): W {
  const { older, newer } = waiter
  if (older === null) queue.oldest = newer as W | null
  else older.newer = newer
  if (newer === null) queue.newest = older as W | null
  else newer.older = older
  waiter.older = null
  waiter.newer = null
  waiter.fate = fate
  queue.size -= 1
  return waiter
}
