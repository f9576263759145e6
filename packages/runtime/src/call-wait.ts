import type { CallRun } from './attempt.js'
import { after, now } from './clock.js'
import { boundedWaitMs } from './core/bulkhead.js'
import { newWaiter } from './core/queue-discipline.js'
import { type Ending, Scope } from './scope.js'
import { queueForSlot, type Slots, type SlotWaiter, stopWaiting } from './slots.js'

/** Waits between two attempts; a cancellation or the call's end is noticed at once, not when the wait is over. */
export function pause(run: CallRun, waitMs: number, resume: (nowAt: number) => void, ended: (ending: Ending) => void): void {
  const timer = after(waitMs, () => {
    scope.close()
    resume(now())
  })
  const scope = waitScope(run, run.attempts.endsAt, (ending) => {
    timer.stop()
    ended(ending)
  })
}

/** Waits for a slot, no longer than leaves time for an attempt. False when it is refused at once. */
export function queue(
  run: CallRun,
  slots: Slots,
  nowAt: number,
  granted: (nowAt: number) => void,
  refused: (nowAt: number, ending: Ending | undefined) => void,
): boolean {
  const waitMs = boundedWaitMs(run.attempts.endsAt - nowAt, 0, run.plan.floorMs, Infinity)
  const settle = (atAt: number): void => {
    run.queueMs += atAt - nowAt
    scope?.close()
  }
  const waiter: SlotWaiter = {
    ...newWaiter(),
    onSlot(atAt) {
      settle(atAt)
      granted(atAt)
    },
    onRefused(atAt) {
      settle(atAt)
      refused(atAt, undefined)
    },
  }
  let scope: Scope | undefined
  if (!queueForSlot(slots, waiter, nowAt, nowAt + waitMs)) return false
  scope = waitScope(run, waiter.giveUpAt, (ending) => {
    run.queueMs += ending.endedAt - nowAt
    stopWaiting(slots, waiter, ending.endedAt)
    refused(ending.endedAt, ending)
  })
  return true
}

function waitScope(run: CallRun, endsAt: number, onEnd: (ending: Ending) => void): Scope {
  const scope = new Scope(run.parent, run.plan.name, now(), endsAt, { onScopeEnd: (_, ending) => onEnd(ending) })
  if (run.plan.link !== undefined) scope.follow(run.plan.link)
  return scope
}
