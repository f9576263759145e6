import { type AttemptRun, beginAgain, beginAttempts, type Deadline } from '@sandglass/runtime/core'
import { NO_EVENT } from './event-queue.js'
import { type Job, type Run, type SimCall, type SimOperation, TIME, type World } from './world.js'

/** A job for a new request, from the pool. */
export function takeJob(world: World, operation: SimOperation): Job {
  const job = world.freeJobs.pop() ?? makeJob(world, operation)
  job.operation = operation
  job.phase = 'travelling'
  world.times[job.handle * TIME.size + TIME.waitUntilAt] = Number.POSITIVE_INFINITY
  world.times[job.handle * TIME.size + TIME.deadlineAt] = Number.POSITIVE_INFINITY
  return job
}

/** Gives a job back: nothing may know it any more. */
export function freeJob(world: World, job: Job): void {
  job.phase = 'free'
  job.fate = 'new'
  job.run = null
  job.journey = null
  job.isRetry = false
  job.isOrphan = false
  job.isDegraded = false
  job.step = 0
  job.failure = null
  world.freeJobs.push(job)
}

/** A run of a call, begun now, from the pool of that call. */
export function takeRun(world: World, call: SimCall, deadline: Deadline, isRetry: boolean): Run {
  const kept = call.freeRuns.pop()
  if (kept === undefined) return makeRun(world, call, beginAttempts(call.plan, deadline, world.now, isRetry))
  beginAgain(kept.attempts, deadline, world.now, isRetry)
  kept.phase = 'ready'
  return kept
}

/** Gives a run back. */
export function freeRun(run: Run): void {
  run.phase = 'free'
  run.fate = 'new'
  run.job = null
  run.child = null
  run.spentTokens = 0
  run.waitedMs = 0
  run.isDegraded = false
  run.failure = null
  run.call.freeRuns.push(run)
}

function makeJob(world: World, operation: SimOperation): Job {
  const job: Job = {
    // Written out and not spread: a spread of so many fields would make slow objects.
    fate: 'new',
    enqueuedAt: 0,
    giveUpAt: Number.POSITIVE_INFINITY,
    older: null,
    newer: null,
    handle: world.jobs.length,
    phase: 'free',
    operation,
    run: null,
    journey: null,
    isRetry: false,
    isOrphan: false,
    isDegraded: false,
    step: 0,
    open: null,
    openCount: 0,
    failure: null,
    timer: NO_EVENT,
    limitTimer: NO_EVENT,
  }
  world.jobs.push(job)
  if (world.jobs.length * TIME.size > world.times.length) {
    const wider = new Float64Array(world.times.length * 2)
    wider.set(world.times)
    world.times = wider
  }
  return job
}

function makeRun(world: World, call: SimCall, attempts: AttemptRun): Run {
  const run: Run = {
    fate: 'new',
    enqueuedAt: 0,
    giveUpAt: Number.POSITIVE_INFINITY,
    older: null,
    newer: null,
    handle: world.runs.length,
    phase: 'ready',
    call,
    attempts,
    job: null,
    journeyBase: -1,
    child: null,
    timer: NO_EVENT,
    ticket: -1,
    holdsSlot: false,
    sentAt: 0,
    grantMs: 0,
    spentTokens: 0,
    waitedMs: 0,
    isDegraded: false,
    failure: null,
    previous: null,
    next: null,
  }
  world.runs.push(run)
  return run
}
