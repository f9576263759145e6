import {
  abandonWait,
  type Bulkhead,
  type BulkheadOptions,
  createBulkhead,
  nextSettled,
  releaseSlot,
  tryAcquireSlot,
  waitForSlot,
} from './core/bulkhead.js'
import type { Waiter } from './core/queue-discipline.js'

/** Something that waits for a slot and is told, once, what became of it; it has a timer of its own. */
export interface SlotWaiter extends Waiter {
  onSlot(nowAt: number): void
  onRefused(nowAt: number): void
}

/** A bulkhead that tells its waiters. */
export type Slots = Bulkhead<SlotWaiter>

/** Makes one with all slots free. Throws TypeError or RangeError for an option outside its range. */
export function createSlots(options: BulkheadOptions): Slots {
  return createBulkhead<SlotWaiter>(options)
}

/** Takes a slot at once: true, and `giveBack` is owed. */
export function takeSlot(slots: Slots, nowAt: number): boolean {
  return tryAcquireSlot(slots, nowAt)
}

/** Waits until `giveUpAt` at most: false when that is refused at once. */
export function queueForSlot(slots: Slots, waiter: SlotWaiter, nowAt: number, giveUpAt: number): boolean {
  return waitForSlot(slots, waiter, nowAt, giveUpAt)
}

/** Gives a slot back and tells those whose turn has come. */
export function giveBack(slots: Slots, nowAt: number): void {
  releaseSlot(slots)
  if (slots.queue.size > 0) tell(slots, nowAt)
}

/** The waiter does not want its slot any more; a slot that had just been given to it goes to the next. */
export function stopWaiting(slots: Slots, waiter: SlotWaiter, nowAt: number): void {
  if (abandonWait(slots, waiter) === 'slot-returned') tell(slots, nowAt)
}

function tell(slots: Slots, nowAt: number): void {
  for (let waiter = nextSettled(slots, nowAt); waiter !== null; waiter = nextSettled(slots, nowAt)) {
    if (waiter.fate === 'admitted') waiter.onSlot(nowAt)
    else waiter.onRefused(nowAt)
  }
}
