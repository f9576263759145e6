import type { Attempt } from './attempt.js'
import { flushRecord } from './call-record.js'
import { arm, disarm, now } from './clock.js'
import { isObserved } from './observe.js'
import { giveBack } from './slots.js'

/** How long work that was given up is still watched, and keeps its slot, when it does not stop (ms). */
const LINGER_MS = 1000

/** Watches the work of an attempt that was given up. It keeps its slot until it stops, or for a second: the callee is still busy with it. */
export function linger(attempt: Attempt, nowAt: number): void {
  if (!attempt.begun && attempt.holdsSlot) returnSlot(attempt, nowAt)
  if (!attempt.begun || (!attempt.holdsSlot && !isObserved())) return
  attempt.run.lingering += 1
  attempt.lingerEntry = arm(nowAt + LINGER_MS, { onDue: () => lingerOver(attempt) })
}

/** The work of an attempt that was given up has stopped at last. */
export function workStopped(attempt: Attempt): void {
  if (attempt.lingerEntry === -1) return
  disarm(attempt.lingerEntry)
  attempt.lingerEntry = -1
  const { run } = attempt
  const nowAt = now()
  run.lingering -= 1
  run.wentOnMs = Math.max(run.wentOnMs ?? 0, nowAt - (attempt.ending?.endedAt ?? nowAt))
  if (attempt.holdsSlot) returnSlot(attempt, nowAt)
  if (run.settled && run.lingering === 0) flushRecord(run)
}

function lingerOver(attempt: Attempt): void {
  attempt.lingerEntry = -1
  if (attempt.holdsSlot) returnSlot(attempt, now())
  flushRecord(attempt.run)
  attempt.run.lingering -= 1
}

/** Gives an attempt's slot back. */
export function returnSlot(attempt: Attempt, nowAt: number): void {
  attempt.holdsSlot = false
  const { slots } = attempt.run.plan.callee
  if (slots !== null) giveBack(slots, nowAt)
}
