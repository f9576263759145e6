import { abandonWait, leaveBreaker, releaseSlot } from '@sandglass/runtime/core'
import { countIn, OPERATION } from './counters.js'
import { cancelEvent, NO_EVENT, postEvent } from './event-queue.js'
import { freeJob, freeRun } from './pools.js'
import { giveBack, leaveQueue, leaveSlot } from './serve.js'
import { EVENT, type Job, type Run, type World } from './world.js'

/** Nobody waits for the work of a run's attempt any more: it is stopped where cancellation reaches it, else it goes on as orphaned work. */
export function giveUpChild(world: World, run: Run): void {
  const { child } = run
  run.child = null
  if (child === null) return
  if (run.call.cancelReaches) cancelJob(world, child)
  else orphan(world, child)
}

/** Ends a run whose caller does not want it any more. */
export function cancelRun(world: World, run: Run): void {
  if (run.phase === 'ended') {
    // Its end is already on the way, and frees it.
    run.job = null
    return
  }
  if (run.timer !== NO_EVENT) {
    cancelEvent(world.queue, run.timer)
    run.timer = NO_EVENT
  }
  const { breaker, slots } = run.call
  if (breaker !== null && run.phase !== 'pausing') leaveBreaker(breaker, run.ticket, 'neutral', world.now)
  if (run.phase === 'waiting' && slots !== null) abandonWait(slots, run)
  leaveCallSlot(world, run)
  giveUpChild(world, run)
  freeRun(run)
}

/** Cancels the calls a job still waits for. */
export function cancelOpenRuns(world: World, job: Job): void {
  for (let run = job.open; run !== null; ) {
    const next = run.next
    cancelRun(world, run)
    run = next
  }
  job.open = null
  job.openCount = 0
}

/** Gives back the slot that a run holds on the caller's side. */
export function leaveCallSlot(world: World, run: Run): void {
  if (!run.holdsSlot || run.call.slots === null) return
  run.holdsSlot = false
  releaseSlot(run.call.slots)
  if (run.call.slots.queue.size > 0) postEvent(world.queue, EVENT.slotFree, run.call.index)
}

function cancelJob(world: World, job: Job): void {
  job.run = null
  switch (job.phase) {
    case 'queued':
      abandonWait(job.operation.service.slots, job)
      leaveQueue(world, job)
      freeJob(world, job)
      return
    case 'calling':
      cancelOpenRuns(world, job)
      stopWork(world, job)
      return
    case 'working':
    case 'hung':
      stopWork(world, job)
      return
    case 'answering':
      return
    default:
      job.phase = 'cancelled'
  }
}

function stopWork(world: World, job: Job): void {
  const isUnderWay = job.phase === 'working' && job.timer === NO_EVENT
  if (job.timer !== NO_EVENT) {
    cancelEvent(world.queue, job.timer)
    job.timer = NO_EVENT
  }
  leaveSlot(world, job)
  // The end of work that takes no time is already on the way, and frees it.
  if (isUnderWay) job.phase = 'cancelled'
  else freeJob(world, job)
}

function orphan(world: World, job: Job): void {
  job.run = null
  job.isOrphan = true
  const { phase } = job
  if (phase !== 'working' && phase !== 'hung' && phase !== 'calling') return
  countIn(world.counters.counts, job.operation.base + OPERATION.orphanNow, world.now)
  // Nothing will ever happen to it again: its slot stays taken, its record need not stay.
  if (phase === 'hung' && job.limitTimer === NO_EVENT) freeJob(world, job)
}

/** Slots that a fault keeps from now on, or gives back. */
export function seizeSlots(world: World, service: Job['operation']['service'], target: number): void {
  service.seizeTarget = target
  while (service.seized < target && service.slots.inUse < service.slots.slots) {
    service.slots.inUse += 1
    service.seized += 1
  }
  while (service.seized > target) {
    service.seized -= 1
    giveBack(world, service)
  }
}
