import { Attempt, type CallRun } from './attempt.js'
import { discardBody, hasUnreadBody, onBodyEnd } from './body.js'
import { type Explanation, expiryError, explanationOf, graver, refusalError, remember } from './call-error.js'
import { answerFromFallbacks } from './call-fallback.js'
import { armHedge, settleHedge } from './call-hedge.js'
import { linger, returnSlot, workStopped } from './call-linger.js'
import type { Answer } from './call-options.js'
import { type CallPlan, planUnder } from './call-plan.js'
import { type CallEnd, recordCall } from './call-record.js'
import { pause, queue } from './call-wait.js'
import { unjudged, type Verdict } from './classify.js'
import { disarm, now, random } from './clock.js'
import { currentScope, keepContext, runCall, runIn } from './context.js'
import { type AttemptStep, beginAttempts, nextStep, refuseRetry } from './core/attempts.js'
import { BREAKER_REFUSED, breakerRetryAfterMs, enterBreaker, leaveBreaker } from './core/breaker.js'
import { noDeadline } from './core/deadline.js'
import { recentP99Ms, recordLatency } from './core/latency-sketch.js'
import { type AttemptEnd, breakerClassOf, type ErrorCode, outcomeOf, retryCauseOf } from './core/outcome.js'
import { settleRetryBudget, spendRetry } from './core/retry-budget.js'
import { isObserved } from './observe.js'
import type { Ending, ScopeOwner } from './scope.js'
import { isThenable, promiseOf } from './settle-in.js'
import { giveBack, takeSlot } from './slots.js'

/** From this share of an attempt's time on, a blocked event loop is to blame for its expiry and not the callee. */
const BLOCKED_SHARE = 0.5

/** Runs a call once; settles exactly once, in time. */
export function startCall(plan: CallPlan, args: readonly unknown[]): Promise<Answer<unknown>> {
  return new Promise((resolve, reject) => {
    const parent = currentScope()
    const nowAt = now()
    const attempts = beginAttempts(planUnder(plan, parent), parent ?? noDeadline, nowAt, (parent?.facts?.inboundAttempt ?? 1) > 1)
    const run: CallRun = {
      plan,
      args,
      parent,
      startedAt: nowAt,
      attempts,
      resolve,
      reject,
      settled: false,
      first: undefined,
      second: undefined,
      hedgeEntry: -1,
      hedged: false,
      started: 0,
      grantedMs: 0,
      spentTokens: 0,
      queueMs: 0,
      outcome: 'not-sent',
      lastEnd: undefined,
      lastSent: false,
      lastError: undefined,
      lastEnding: undefined,
      lastPhase: undefined,
      lastIsAnswer: false,
      wouldHave: undefined,
      lingering: 0,
      wentOnMs: undefined,
      publish: undefined,
      here: plan.mayResume || isObserved() ? keepContext() : undefined,
      isLater: false,
    }
    if (parent?.ending !== undefined) endEarly(run, parent.ending)
    else advance(run, nextStep(attempts, nowAt, 0), nowAt)
  })
}

function advance(run: CallRun, step: AttemptStep, nowAt: number): void {
  if (step.do === 'start') enter(run, step.attempt, step.last, nowAt)
  else if (step.do === 'wait') waitForRetry(run, step.waitMs, nowAt)
  else failRun(run, step.why, nowAt)
}

function waitForRetry(run: CallRun, waitMs: number, nowAt: number): void {
  const { retryBudget } = run.plan.callee
  if (retryBudget !== null) {
    const spent = spendRetry(retryBudget, retryCauseOf(run.lastEnd ?? 'error'))
    if (spent === 0 && !letsPass(run, 'retry-budget', 'RETRY_BUDGET_EMPTY'))
      return advance(run, refuseRetry(run.attempts, 'retry-budget'), nowAt)
    run.spentTokens += spent
  }
  if (run.lastIsAnswer) discardBody(run.lastError)
  run.isLater = true
  pause(
    run,
    waitMs,
    (atAt) => advance(run, nextStep(run.attempts, atAt, 0), atAt),
    (ending) => endEarly(run, ending),
  )
}

function letsPass(run: CallRun, policy: keyof CallPlan['observes'], code: ErrorCode): boolean {
  if (!run.plan.observes[policy]) return false
  run.wouldHave ??= []
  if (run.wouldHave.length < 16) run.wouldHave.push(code)
  return true
}

function enter(run: CallRun, number: number, isLast: boolean, nowAt: number): void {
  const { floorMs, callee, observes } = run.plan
  if (observes.floor && run.attempts.endsAt - nowAt < floorMs) letsPass(run, 'floor', 'BUDGET_TOO_SMALL')
  let ticket = BREAKER_REFUSED
  if (callee.breaker !== null) {
    ticket = enterBreaker(callee.breaker, nowAt)
    if (ticket === BREAKER_REFUSED && !letsPass(run, 'breaker', 'BREAKER_OPEN')) return refuse(run, 'BREAKER_OPEN', 'breaker', nowAt)
  }
  if (callee.slots === null || takeSlot(callee.slots, nowAt)) return launch(run, number, isLast, ticket, callee.slots !== null, nowAt)
  if (letsPass(run, 'bulkhead', 'BULKHEAD_FULL')) return launch(run, number, isLast, ticket, false, nowAt)
  // What waits is no probe: the ticket goes back, and is asked for again when the slot is there.
  if (callee.breaker !== null) leaveBreaker(callee.breaker, ticket, 'neutral', nowAt)
  run.isLater = true
  const waits = queue(
    run,
    callee.slots,
    nowAt,
    (atAt) => enterWithSlot(run, number, isLast, atAt),
    (atAt, ending) =>
      ending === undefined || (ending.whose === 'own' && ending.kind === 'expired')
        ? refuse(run, 'BULKHEAD_FULL', 'bulkhead', atAt)
        : endEarly(run, ending),
  )
  if (!waits) refuse(run, 'BULKHEAD_FULL', 'bulkhead', nowAt)
}

function enterWithSlot(run: CallRun, number: number, isLast: boolean, nowAt: number): void {
  const { breaker, slots } = run.plan.callee
  const ticket = breaker === null ? BREAKER_REFUSED : enterBreaker(breaker, nowAt)
  if (breaker === null || ticket !== BREAKER_REFUSED || letsPass(run, 'breaker', 'BREAKER_OPEN'))
    return launch(run, number, isLast, ticket, true, nowAt)
  if (slots !== null) giveBack(slots, nowAt)
  refuse(run, 'BREAKER_OPEN', 'breaker', nowAt)
}

function launch(run: CallRun, number: number, isLast: boolean, ticket: number, holdsSlot: boolean, nowAt: number, isSecond = false): void {
  const { plan } = run
  const grantMs = Math.min(run.attempts.plan.attemptMs ?? Infinity, run.attempts.endsAt - nowAt)
  const attempt = new Attempt(run, number, isLast, ticket, holdsSlot, isSecond, nowAt, nowAt + grantMs, attemptOwner)
  if (isSecond) run.second = attempt
  else run.first = attempt
  if (attempt.ending !== undefined) return gaveUp(attempt, attempt.ending)
  if (plan.link !== undefined) {
    attempt.follow(plan.link)
    if (!attempt.isOpen) return
  }
  run.started += 1
  run.grantedMs = grantMs
  if (plan.callee.hedge !== null && !isSecond) armHedge(run, nowAt, launch)
  let result: unknown
  try {
    const { here } = run
    result = run.isLater && here !== undefined ? here.runInAsyncScope(startWork, undefined, attempt) : startWork(attempt)
  } catch (error) {
    return threw(attempt, error)
  }
  if (result instanceof Promise)
    result.then(
      (value) => answered(attempt, value),
      (error: unknown) => threw(attempt, error),
    )
  else answered(attempt, result)
}

function startWork(attempt: Attempt): unknown {
  attempt.begun = true
  const result = runCall(attempt, attempt.run.plan.fn, attempt, attempt.run.args)
  return result instanceof Promise || !isThenable(result) ? result : runIn(attempt, promiseOf, result)
}

function answered(attempt: Attempt, value: unknown): void {
  if (attempt.done) {
    discardBody(value)
    return workStopped(attempt)
  }
  const { run } = attempt
  let verdict: Verdict | undefined
  try {
    verdict = typeof value === 'object' && value !== null ? run.plan.judge(value) : undefined
  } catch (error) {
    discardBody(value)
    return failed(attempt, unjudged, error, false)
  }
  if (verdict !== undefined && verdict.end !== 'answered' && verdict.end !== 'rejected') return failed(attempt, verdict, value, true)
  const nowAt = now()
  leave(attempt, 'answered', nowAt)
  if (attempt.holdsSlot) returnSlot(attempt, nowAt)
  succeed(attempt, value, nowAt)
}

function succeed(attempt: Attempt, value: unknown, nowAt: number): void {
  const { run } = attempt
  const { callee, snapshot, name } = run.plan
  if (callee.retryBudget !== null) settleRetryBudget(callee.retryBudget, run.spentTokens, true)
  if (callee.hedge !== null) settleHedge(attempt, nowAt)
  // The bound covers the body: a response that is still to be read keeps its signal until the call's own end.
  if (attempt.hasSignal && run.attempts.endsAt !== Infinity && hasUnreadBody(value)) {
    attempt.extend(run.attempts.endsAt)
    onBodyEnd(value, () => attempt.close())
  } else attempt.close()
  run.settled = true
  run.resolve({ value, degraded: null })
  if (snapshot !== undefined) snapshot.keep(name, run.args, value)
  endRecord(run, { endedAt: nowAt, usage: 'used', explanation: undefined, code: undefined, degraded: null, loopDelayMs: 0 })
}

function threw(attempt: Attempt, error: unknown): void {
  if (attempt.done) return workStopped(attempt)
  failed(attempt, attempt.run.plan.classify(error), error, false)
}

function failed(attempt: Attempt, verdict: Verdict, error: unknown, isAnswer: boolean): void {
  const { run } = attempt
  const nowAt = now()
  leave(attempt, verdict.end, nowAt)
  attempt.close()
  if (attempt.holdsSlot) returnSlot(attempt, nowAt)
  const sent = attempt.reached || (verdict.sent && attempt.sent)
  noteFailure(run, sent && neverLeft(verdict.end) ? 'lost' : verdict.end, sent, error, undefined, isAnswer)
  if (hasOther(attempt)) return
  const { cause, retryAfterMs } = verdict
  advance(
    run,
    nextStep(run.attempts, nowAt, random(), {
      ended: 'failed',
      cause,
      sent: run.lastSent,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    }),
    nowAt,
  )
}

const attemptOwner: ScopeOwner = {
  onScopeEnd(scope, ending) {
    const attempt = scope as Attempt
    // After a success only the body is still covered: there is nothing left to settle.
    if (!attempt.done) gaveUp(attempt, ending)
  },
}

function gaveUp(attempt: Attempt, ending: Ending): void {
  const { run } = attempt
  const end = endOf(run, attempt, ending)
  leave(attempt, end, ending.endedAt, ending.loopDelayMs >= BLOCKED_SHARE * (ending.endedAt - attempt.startedAt))
  linger(attempt, ending.endedAt)
  if (run.settled) return
  if (end === 'cancelled') return endEarly(run, ending, attempt.sent)
  noteFailure(run, end, attempt.sent, undefined, ending, false)
  run.lastPhase = attempt.exchange
  if (hasOther(attempt)) return
  advance(run, nextStep(run.attempts, ending.endedAt, random(), { ended: 'failed', cause: 'timeout', sent: attempt.sent }), ending.endedAt)
}

function endOf(run: CallRun, attempt: Attempt, ending: Ending): AttemptEnd {
  if (ending.kind === 'cancelled') return 'cancelled'
  const byCall = attempt.endsAt >= run.attempts.endsAt
  return ending.whose === 'own' && !(byCall && run.attempts.whose === 'inherited') ? 'timeout' : 'deadline'
}

function leave(attempt: Attempt, end: AttemptEnd, nowAt: number, loopToBlame = false): void {
  const { run } = attempt
  const { breaker, latencies } = run.plan.callee
  attempt.done = true
  if (attempt.isSecond) run.second = undefined
  else run.first = undefined
  if (breaker === null || latencies === null) return
  if (end === 'answered') {
    recordLatency(latencies, nowAt - attempt.startedAt, nowAt)
    return leaveBreaker(breaker, attempt.ticket, 'success', nowAt)
  }
  const says = loopToBlame ? 'neutral' : breakerClassOf(end, attempt.endsAt - attempt.startedAt, recentP99Ms(latencies, nowAt))
  leaveBreaker(breaker, attempt.ticket, says, nowAt)
}

function neverLeft(end: AttemptEnd): boolean {
  return end === 'connect' || end === 'refused'
}

function noteFailure(run: CallRun, end: AttemptEnd, sent: boolean, error: unknown, ending: Ending | undefined, isAnswer: boolean): void {
  run.outcome = graver(run.outcome, outcomeOf(end, sent, run.plan.does))
  run.lastEnd = end
  run.lastSent = sent
  run.lastError = error
  run.lastEnding = ending
  run.lastIsAnswer = isAnswer
}

function hasOther(attempt: Attempt): boolean {
  const { run } = attempt
  return (run.first ?? run.second) !== undefined
}

function refuse(run: CallRun, code: ErrorCode, by: 'breaker' | 'bulkhead', nowAt: number): void {
  if (run.lastEnd !== undefined) return failRun(run, by, nowAt)
  const explanation = explanationOf(run, 'refused', false, by, nowAt)
  const { breaker } = run.plan.callee
  const retryAfterMs = by === 'breaker' && breaker !== null ? { retryAfterMs: breakerRetryAfterMs(breaker, nowAt) } : {}
  conclude(run, refusalError(run, code, explanation, { ...retryAfterMs, phase: 'queue' }), explanation, code, nowAt, 0)
}

function failRun(run: CallRun, stopped: string, nowAt: number): void {
  disarm(run.hedgeEntry)
  run.hedgeEntry = -1
  if (run.lastEnd === undefined) return notStarted(run, stopped, nowAt)
  const explanation = explanationOf(run, run.lastEnd, run.lastSent, stopped, nowAt)
  if (run.lastEnding === undefined) return conclude(run, run.lastError, explanation, undefined, nowAt, 0)
  conclude(run, expiryError(run, run.lastEnding, explanation), explanation, 'DEADLINE_EXCEEDED', nowAt, run.lastEnding.loopDelayMs)
}

function notStarted(run: CallRun, stopped: string, nowAt: number): void {
  const leftMs = run.attempts.endsAt - nowAt
  const end = run.attempts.whose === 'inherited' ? 'deadline' : 'timeout'
  const explanation = explanationOf(run, end, false, stopped, nowAt)
  const parentLeftMs = run.parent === undefined ? leftMs : run.parent.remainingAt(nowAt)
  const code = Math.max(leftMs, parentLeftMs) > 0 && (end === 'deadline' || leftMs > 0) ? 'BUDGET_TOO_SMALL' : 'DEADLINE_EXCEEDED'
  conclude(
    run,
    refusalError(run, code, explanation, code === 'BUDGET_TOO_SMALL' ? { budgetMs: Math.max(0, leftMs) } : {}),
    explanation,
    code,
    nowAt,
    0,
  )
}

function endEarly(run: CallRun, ending: Ending, sent = false): void {
  if (run.settled) return
  disarm(run.hedgeEntry)
  run.hedgeEntry = -1
  const nowAt = ending.endedAt
  if (ending.kind === 'expired') {
    // Waiting for a retry or a slot when time ran out: what failed before is the reason, if anything did.
    if (run.lastEnd === undefined) return notStarted(run, 'no-time', now())
    return failRun(run, 'no-time', nowAt)
  }
  nextStep(run.attempts, nowAt, 0, { ended: 'aborted' })
  const explanation: Explanation = { ...explanationOf(run, 'cancelled', sent, 'aborted', nowAt), whose: ending.whose }
  const error = refusalError(run, 'CANCELLED', explanation, { cause: ending.cause, whose: ending.whose, loopDelayMs: ending.loopDelayMs })
  run.settled = true
  remember(error, explanation)
  finish(run, error, explanation, 'CANCELLED', nowAt, ending.loopDelayMs)
}

function conclude(
  run: CallRun,
  error: unknown,
  explanation: Explanation,
  code: ErrorCode | undefined,
  nowAt: number,
  loopDelayMs: number,
): void {
  if (run.settled) return
  run.settled = true
  remember(error, explanation)
  if (run.plan.fallbacks.length === 0) return finish(run, error, explanation, code, nowAt, loopDelayMs)
  const asked =
    run.here === undefined ? answerFromFallbacks(run, error) : run.here.runInAsyncScope(answerFromFallbacks, undefined, run, error)
  void asked.then((answer) => {
    if (answer === undefined) return finish(run, error, explanation, code, now(), loopDelayMs)
    if (run.lastIsAnswer) discardBody(error)
    run.resolve(answer)
    endRecord(run, { endedAt: now(), usage: 'degraded', explanation, code, degraded: answer.degraded, loopDelayMs })
  })
}

function finish(
  run: CallRun,
  error: unknown,
  explanation: Explanation,
  code: ErrorCode | undefined,
  nowAt: number,
  loopDelayMs: number,
): void {
  // An answer that is a failure (an HTTP 503) is the last real thing the callee said: it is handed on, not turned into an exception.
  if (run.lastIsAnswer && code === undefined) run.resolve({ value: error, degraded: null })
  else run.reject(error)
  const usage = code === 'CANCELLED' ? 'nobody-waited' : 'failed'
  endRecord(run, { endedAt: nowAt, usage, explanation, code, degraded: null, loopDelayMs })
}

function endRecord(run: CallRun, end: CallEnd): void {
  if (isObserved()) recordCall(run, end)
  else run.here?.emitDestroy()
}
