import { abandonWait, admit, nextSettled, recordWork, releaseSlot, tryAcquireSlot, waitForSlot } from '@sandglass/runtime/core'
import { countIn, countOut, countTime, OPERATION } from './counters.js'
import { cancelEvent, NO_EVENT, postEvent, scheduleEvent, scheduleLimit } from './event-queue.js'
import { freeJob } from './pools.js'
import { EVENT, type Job, type SimOperation, type SimService, TIME, type World } from './world.js'

/** All slots of a service must be busy for so long before they count as exhausted. */
export const EXHAUSTED_MS = 1000

/** A request reaches its operation: it takes a slot, waits for one, or is refused. */
export function arrive(world: World, job: Job): void {
  if (job.phase === 'cancelled') {
    freeJob(world, job)
    return
  }
  const { operation, now } = { operation: job.operation, now: world.now }
  const { counts } = world.counters
  world.times[job.handle * TIME.size + TIME.arrivedAt] = now
  counts[operation.base + OPERATION.arrivals]! += 1
  if (operation.propagates && operation.requestMs < Number.POSITIVE_INFINITY) startBudget(world, job, operation.requestMs)
  if (operation.isDown) {
    counts[operation.base + OPERATION.rejected]! += 1
    refuse(world, job, 'connect')
    return
  }
  if (tryAcquireSlot(operation.service.slots, now)) {
    counts[operation.base + OPERATION.entered]! += 1
    noteFull(operation.service, now)
    startJob(world, job)
  } else queueUp(world, job, operation)
}

/** The budget that an operation starts itself; what was handed down goes on if it ends earlier. */
export function startBudget(world: World, job: Job, budgetMs: number): void {
  const place = job.handle * TIME.size + TIME.deadlineAt
  const endsAt = world.now + budgetMs
  if (endsAt < world.times[place]!) world.times[place] = endsAt
}

/** The own work of a job is done, or failed: its slot goes to the next and its answer goes back. */
export function finishJob(world: World, job: Job): void {
  const { operation } = job
  const { counts } = world.counters
  counts[operation.base + OPERATION.completed]! += 1
  if (job.failure === null && operation.admission !== null)
    recordWork(operation.admission, world.now - world.times[job.handle * TIME.size + TIME.startedAt]!, world.now)
  leaveSlot(world, job)
  respond(world, job)
}

/** Gives the slot of a job back and serves who waits for it. */
export function leaveSlot(world: World, job: Job): void {
  const { operation, now } = { operation: job.operation, now: world.now }
  const { counts } = world.counters
  countOut(counts, operation.base + OPERATION.busyNow, now)
  if (job.isOrphan) countOut(counts, operation.base + OPERATION.orphanNow, now)
  if (job.limitTimer !== NO_EVENT) {
    cancelEvent(world.queue, job.limitTimer)
    job.limitTimer = NO_EVENT
  }
  giveBack(world, operation.service)
}

/** A slot is free again: a fault may keep it, else the queue is served. */
export function giveBack(world: World, service: SimService): void {
  if (service.seized < service.seizeTarget) {
    service.seized += 1
    return
  }
  releaseSlot(service.slots)
  serveQueue(world, service)
}

/** Serves those whose turn has come. */
export function serveQueue(world: World, service: SimService): void {
  const { now } = world
  if (service.slots.queue.size > 0) {
    for (let job = nextSettled(service.slots, now); job !== null; job = nextSettled(service.slots, now)) {
      leaveQueue(world, job)
      if (job.fate === 'admitted') startJob(world, job)
      else refuseQueued(world, job)
    }
  }
  noteNotFull(service, now)
}

/** A job has waited as long as it may. */
export function giveUpQueueing(world: World, job: Job): void {
  job.timer = NO_EVENT
  abandonWait(job.operation.service.slots, job)
  leaveQueue(world, job)
  refuseQueued(world, job)
}

function refuseQueued(world: World, job: Job): void {
  world.counters.counts[job.operation.base + OPERATION.rejected]! += 1
  refuse(world, job, 503)
}

/** A job no longer waits for a slot. */
export function leaveQueue(world: World, job: Job): void {
  countOut(world.counters.counts, job.operation.base + OPERATION.queuedNow, world.now)
  if (job.timer !== NO_EVENT) {
    cancelEvent(world.queue, job.timer)
    job.timer = NO_EVENT
  }
}

/** The answer of a job goes back to whoever waits for it. */
export function respond(world: World, job: Job): void {
  const { run } = job
  if (run === null && job.journey === null) {
    freeJob(world, job)
    return
  }
  job.phase = 'answering'
  const hopMs = run === null ? 0 : run.call.halfHopMs
  if (hopMs > 0) scheduleEvent(world.queue, world.now + hopMs, EVENT.answer, job.handle)
  else postEvent(world.queue, EVENT.answer, job.handle)
}

function refuse(world: World, job: Job, failure: 503 | 'connect'): void {
  job.failure = failure
  respond(world, job)
}

function queueUp(world: World, job: Job, operation: SimOperation): void {
  const { counts } = world.counters
  const { service } = operation
  if (!waitForSlot(service.slots, job, world.now, world.times[job.handle * TIME.size + TIME.waitUntilAt]!)) {
    counts[operation.base + OPERATION.rejected]! += 1
    refuse(world, job, 503)
    return
  }
  job.phase = 'queued'
  counts[operation.base + OPERATION.entered]! += 1
  counts[operation.base + OPERATION.waited]! += 1
  countIn(counts, operation.base + OPERATION.queuedNow, world.now)
  if (service.slots.queue.size > service.longestQueue) service.longestQueue = service.slots.queue.size
  if (job.giveUpAt < Number.POSITIVE_INFINITY) job.timer = scheduleLimit(world.queue, job.giveUpAt, EVENT.queueGiveUp, job.handle)
}

function startJob(world: World, job: Job): void {
  const { operation, now } = { operation: job.operation, now: world.now }
  const { counts } = world.counters
  const times = job.handle * TIME.size
  if (
    operation.admission !== null &&
    admit(operation.admission, Math.max(0, world.times[times + TIME.deadlineAt]! - now), now) !== 'admitted'
  ) {
    counts[operation.base + OPERATION.dropped]! += 1
    releaseSlot(operation.service.slots)
    drop(world, job)
    return
  }
  const waitedMs = now - world.times[times + TIME.arrivedAt]!
  counts[operation.base + OPERATION.started]! += 1
  counts[operation.base + OPERATION.waitMs]! += waitedMs
  countTime(world.counters, operation.waitHistogram, waitedMs)
  countIn(counts, operation.base + OPERATION.busyNow, now)
  if (job.isOrphan) countIn(counts, operation.base + OPERATION.orphanNow, now)
  world.times[times + TIME.startedAt] = now
  if (operation.limitMs < Number.POSITIVE_INFINITY)
    job.limitTimer = scheduleLimit(world.queue, now + operation.limitMs, EVENT.handlerLimit, job.handle)
  beginWork(world, job, operation)
}

function beginWork(world: World, job: Job, operation: SimOperation): void {
  if (operation.hangShare > 0 && world.random() < operation.hangShare) {
    job.phase = 'hung'
    return
  }
  job.phase = 'working'
  if (operation.errorShare > 0 && world.random() < operation.errorShare) {
    job.failure = 500
    postEvent(world.queue, EVENT.workDone, job.handle)
    return
  }
  const workMs = (operation.sample() * operation.times + operation.addMs) / operation.speed
  if (workMs > 0) {
    const endsAt = world.now + workMs
    world.times[job.handle * TIME.size + TIME.workEndsAt] = endsAt
    job.timer = scheduleEvent(world.queue, endsAt, EVENT.workDone, job.handle)
  } else postEvent(world.queue, EVENT.workDone, job.handle)
}

/** What admission drops is told so only where something other than an answer travels between the two; else its caller waits out its attempt. */
function drop(world: World, job: Job): void {
  const { run } = job
  if (run === null || run.call.cancelReaches || run.timer === NO_EVENT) {
    refuse(world, job, 503)
    return
  }
  run.child = null
  freeJob(world, job)
}

function noteFull(service: SimService, now: number): void {
  if (service.isLimited && service.slots.inUse >= service.slots.slots) service.fullSinceAt = now
}

function noteNotFull(service: SimService, now: number): void {
  if (service.fullSinceAt < 0 || service.slots.inUse >= service.slots.slots) return
  if (service.exhaustedAt < 0 && now - service.fullSinceAt >= EXHAUSTED_MS) service.exhaustedAt = service.fullSinceAt
  service.fullSinceAt = -1
}
