import type { FailureCause } from '@sandglass/runtime/core'
import { beginRun } from './call.js'
import { cancelOpenRuns } from './cancel.js'
import { cancelEvent, NO_EVENT } from './event-queue.js'
import { freeJob, freeRun } from './pools.js'
import { finishJob } from './serve.js'
import type { Job, Run, World } from './world.js'

/** The own work of a job is over: on to its calls, one step after the other. */
export function endWork(world: World, job: Job): void {
  if (job.phase === 'cancelled') {
    freeJob(world, job)
    return
  }
  job.timer = NO_EVENT
  if (job.failure === null) nextCalls(world, job)
  else finishJob(world, job)
}

/** The operation's own limit is reached: it gives up, and so do its calls. */
export function endByLimit(world: World, job: Job): void {
  job.limitTimer = NO_EVENT
  if (job.timer !== NO_EVENT) {
    cancelEvent(world.queue, job.timer)
    job.timer = NO_EVENT
  }
  fail(world, job, 504)
}

/** A call has ended: the job goes on, goes on without it, or fails with it. */
export function takeCallEnd(world: World, run: Run): void {
  const { job, call, failure, isDegraded } = run
  if (job === null) {
    freeRun(run)
    return
  }
  unlink(job, run)
  freeRun(run)
  if (failure !== null && !call.hasFallback && !call.isOptional) {
    fail(world, job, failure)
    return
  }
  if (failure !== null || isDegraded) job.isDegraded = true
  if (job.openCount === 0) nextCalls(world, job)
}

function fail(world: World, job: Job, failure: FailureCause): void {
  cancelOpenRuns(world, job)
  job.failure = failure
  finishJob(world, job)
}

function nextCalls(world: World, job: Job): void {
  const { steps } = job.operation
  job.phase = 'calling'
  while (job.step < steps.length) {
    const calls = steps[job.step]!
    job.step += 1
    for (const call of calls) if (call.share >= 1 || world.random() < call.share) start(world, job, call)
    if (job.openCount > 0) return
  }
  finishJob(world, job)
}

function start(world: World, job: Job, call: (typeof job.operation.steps)[number][number]): void {
  const run = beginRun(world, job, call)
  if (!call.isAsync) link(job, run)
}

function link(job: Job, run: Run): void {
  run.previous = null
  run.next = job.open
  if (job.open !== null) job.open.previous = run
  job.open = run
  job.openCount += 1
}

function unlink(job: Job, run: Run): void {
  if (run.previous === null) job.open = run.next
  else run.previous.next = run.next
  if (run.next !== null) run.next.previous = run.previous
  run.previous = null
  run.next = null
  job.openCount -= 1
}
