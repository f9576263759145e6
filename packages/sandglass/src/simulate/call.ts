import {
  type AttemptEnd,
  type AttemptStep,
  abandonWait,
  BREAKER_REFUSED,
  boundedWaitMs,
  breakerClassOf,
  type Deadline,
  endOfFailure,
  enterBreaker,
  type FailedAttempt,
  type FailureCause,
  grantMs,
  leaveBreaker,
  nextSettled,
  nextStep,
  noDeadline,
  recentP99Ms,
  recordLatency,
  refuseRetry,
  retryCauseOf,
  settleRetryBudget,
  spendRetry,
  tryAcquireSlot,
  waitForSlot,
} from '@sandglass/runtime/core'
import { giveUpChild, leaveCallSlot } from './cancel.js'
import { JOURNEY, OPERATION } from './counters.js'
import { cancelEvent, NO_EVENT, postEvent, scheduleEvent, scheduleLimit } from './event-queue.js'
import { freeJob, takeJob, takeRun } from './pools.js'
import { startBudget } from './serve.js'
import { EVENT, type Job, type Run, type SimCall, TIME, type World } from './world.js'

const SUCCEEDED = Object.freeze({ ended: 'succeeded' } as const)
const ABORTED = Object.freeze({ ended: 'aborted' } as const)

/** One object per cause, so that a failure allocates nothing. */
const failures = new Map<FailureCause, FailedAttempt>()
for (const cause of ['timeout', 'connect', 500, 503, 504] as const)
  failures.set(cause, { ended: 'failed', cause, sent: cause !== 'connect' })
const timedOut = failures.get('timeout')!

/** Begins one call of a job; its end is told by an event of kind `callEnded`. */
export function beginRun(world: World, job: Job, call: SimCall): Run {
  const run = takeRun(world, call, call.isAsync ? noDeadline : deadlineOf(world, job), job.isRetry)
  run.job = call.isAsync ? null : job
  run.journeyBase = job.journey === null || call.isAsync ? -1 : job.journey.base
  if (run.journeyBase >= 0) world.counters.counts[run.journeyBase + JOURNEY.calls]! += 1
  follow(world, run, nextStep(run.attempts, world.now, 0))
  return run
}

// One object for all: `beginAttempts` looks at a deadline and does not keep it.
const scratch = { state: 'set' as const, setAt: 0, endsAt: 0, name: '' }

function deadlineOf(world: World, job: Job): Deadline {
  const endsAt = world.times[job.handle * TIME.size + TIME.deadlineAt]!
  if (endsAt === Number.POSITIVE_INFINITY) return noDeadline
  scratch.endsAt = endsAt
  return scratch
}

/** An attempt got its answer. */
export function takeAnswer(world: World, run: Run, child: Job): void {
  const { failure } = child
  const { call } = run
  run.child = null
  if (failure === null) {
    world.counters.counts[call.to.base + OPERATION.useful]! += 1
    if (child.isDegraded) run.isDegraded = true
  }
  freeJob(world, child)
  endAttempt(world, run, failure === null ? 'answered' : endOfFailure(failure))
  if (failure === null) follow(world, run, nextStep(run.attempts, world.now, 0, SUCCEEDED))
  else follow(world, run, nextStep(run.attempts, world.now, world.random(), failures.get(failure) ?? { ended: 'failed', cause: failure }))
}

/** The time of an attempt is up. */
export function timeOut(world: World, run: Run): void {
  run.timer = NO_EVENT
  giveUpChild(world, run)
  const cutByDeadline = run.attempts.whose === 'inherited' && world.now >= run.attempts.endsAt
  endAttempt(world, run, cutByDeadline ? 'deadline' : 'timeout')
  follow(world, run, nextStep(run.attempts, world.now, world.random(), timedOut))
}

/** The pause before the next attempt is over. */
export function goOn(world: World, run: Run): void {
  run.timer = NO_EVENT
  follow(world, run, nextStep(run.attempts, world.now, 0))
}

/** A run has waited for a slot as long as it may. */
export function stopWaitingForSlot(world: World, run: Run): void {
  run.timer = NO_EVENT
  if (run.call.slots !== null) abandonWait(run.call.slots, run)
  refuseSlot(world, run)
}

/** Starts the runs whose turn for a slot of the caller has come. */
export function serveCallSlots(world: World, call: SimCall): void {
  if (call.slots === null) return
  for (let run = nextSettled(call.slots, world.now); run !== null; run = nextSettled(call.slots, world.now)) {
    if (run.timer !== NO_EVENT) cancelEvent(world.queue, run.timer)
    run.timer = NO_EVENT
    run.waitedMs += world.now - run.enqueuedAt
    if (run.fate !== 'admitted') refuseSlot(world, run)
    else {
      run.holdsSlot = true
      send(world, run)
    }
  }
}

function follow(world: World, run: Run, step: AttemptStep): void {
  if (step.do === 'start') startAttempt(world, run)
  else if (step.do === 'stop') endRun(world, run, step)
  else pause(world, run, step.waitMs)
}

function pause(world: World, run: Run, waitMs: number): void {
  const { budget } = run.call
  if (budget !== null) {
    const spent = spendRetry(budget, retryCauseOf(endOfFailure(run.attempts.lastFailure?.cause ?? 'other')))
    if (spent === 0) {
      follow(world, run, refuseRetry(run.attempts, 'retry-budget'))
      return
    }
    run.spentTokens += spent
  }
  run.phase = 'pausing'
  if (waitMs > 0) run.timer = scheduleEvent(world.queue, world.now + waitMs, EVENT.backoffOver, run.handle)
  else follow(world, run, nextStep(run.attempts, world.now, 0))
}

function startAttempt(world: World, run: Run): void {
  const { breaker, slots } = run.call
  if (breaker !== null) {
    run.ticket = enterBreaker(breaker, world.now)
    if (run.ticket === BREAKER_REFUSED) {
      follow(world, run, refuseRetry(run.attempts, 'breaker'))
      return
    }
  }
  if (slots === null) send(world, run)
  else if (tryAcquireSlot(slots, world.now)) {
    run.holdsSlot = true
    send(world, run)
  } else waitForCallSlot(world, run)
}

function waitForCallSlot(world: World, run: Run): void {
  const { call, attempts } = run
  const ownMs = Math.min(call.queuePerAttemptMs, call.queueMs - run.waitedMs)
  const waitMs = boundedWaitMs(attempts.endsAt - world.now, 0, call.plan.floorMs ?? 0, ownMs)
  if (call.slots === null || !waitForSlot(call.slots, run, world.now, world.now + waitMs)) {
    refuseSlot(world, run)
    return
  }
  run.phase = 'waiting'
  if (run.giveUpAt < Number.POSITIVE_INFINITY) run.timer = scheduleLimit(world.queue, run.giveUpAt, EVENT.slotGiveUp, run.handle)
}

function refuseSlot(world: World, run: Run): void {
  if (run.call.breaker !== null) leaveBreaker(run.call.breaker, run.ticket, 'neutral', world.now)
  follow(world, run, nextStep(run.attempts, world.now, 0, ABORTED))
}

function send(world: World, run: Run): void {
  const { call, attempts } = run
  const { now } = world
  const child = takeJob(world, call.to)
  child.run = run
  child.isRetry = attempts.started > 1 || attempts.isRetry
  if (call.slots === null)
    world.times[child.handle * TIME.size + TIME.waitUntilAt] = now + Math.min(call.queuePerAttemptMs, call.queueMs - run.waitedMs)
  run.child = child
  run.phase = 'sent'
  run.sentAt = now
  run.grantMs = grantMs(call.plan.attemptMs, attempts.endsAt - now, 0)
  if (call.handsDown && run.grantMs < Number.POSITIVE_INFINITY) startBudget(world, child, run.grantMs)
  else if (call.isFromClient && run.job?.journey) startFromPromise(world, child, run.job.journey.promiseMs)
  if (run.journeyBase >= 0) world.counters.counts[run.journeyBase + JOURNEY.attempts]! += 1
  if (run.grantMs < Number.POSITIVE_INFINITY)
    run.timer = scheduleLimit(world.queue, now + run.grantMs, EVENT.attemptTimeout, run.handle, call.lane)
  if (call.halfHopMs > 0) scheduleEvent(world.queue, now + call.halfHopMs, EVENT.deliver, child.handle)
  else postEvent(world.queue, EVENT.deliver, child.handle)
}

/** What comes directly from a journey's client without a budget is given the promise, unless the operation has a limit of its own. */
function startFromPromise(world: World, child: Job, promiseMs: number): void {
  const { propagates, requestMs } = child.operation
  if (propagates && requestMs === Number.POSITIVE_INFINITY && promiseMs < Number.POSITIVE_INFINITY) startBudget(world, child, promiseMs)
}

function endAttempt(world: World, run: Run, end: AttemptEnd): void {
  if (run.timer !== NO_EVENT) {
    cancelEvent(world.queue, run.timer)
    run.timer = NO_EVENT
  }
  leaveCallSlot(world, run)
  const { breaker, latencies } = run.call
  if (breaker === null || latencies === null) return
  leaveBreaker(breaker, run.ticket, breakerClassOf(end, run.grantMs, recentP99Ms(latencies, world.now)), world.now)
  if (end === 'answered') recordLatency(latencies, world.now - run.sentAt, world.now)
}

function endRun(world: World, run: Run, step: Extract<AttemptStep, { do: 'stop' }>): void {
  const hasSucceeded = step.why === 'succeeded'
  if (run.call.budget !== null) settleRetryBudget(run.call.budget, run.spentTokens, hasSucceeded)
  run.failure = hasSucceeded ? null : answerFor(step)
  run.phase = 'ended'
  postEvent(world.queue, EVENT.callEnded, run.handle)
}

/** What the caller answers when a call it needs has failed: an HTTP status, as most services do. */
function answerFor(step: Extract<AttemptStep, { do: 'stop' }>): FailureCause {
  const cause = step.lastFailure?.cause
  if (step.why === 'no-time' || cause === 'timeout' || cause === 504) return 504
  return cause === 500 ? 500 : 503
}
