import { type Backoff, defaultBackoff, throttledBackoff, waitMs } from './backoff.js'
import { type Deadline, remainingMs } from './deadline.js'
import { grantMs, mayStart, reserveMs } from './reserve.js'
import { type FailureCause, isRetriedOn, isThrottling, type RetryCondition } from './retry-on.js'
import { type Does, mayRetry, type RetrySafety } from './safety.js'

/** What a call allows its attempts; every field has the default of the chain file. */
export interface AttemptPlan extends RetrySafety {
  /** What the call does; default `write`, the careful guess. */
  readonly does?: Does
  /** All tries, the first included; default 1. */
  readonly attempts?: number
  /** Bound of one attempt in ms; left out, an attempt may use everything that is left. */
  readonly attemptMs?: number
  /** Bound of all attempts together in ms, back-off included; left out, only the deadline bounds them. */
  readonly timeoutMs?: number
  /** The least time in ms with which an attempt is worth starting; default 0. */
  readonly floorMs?: number
  /** Kept back from the deadline in ms; default max(5 ms, 5 %), taken once when the call starts. */
  readonly reserveMs?: number
  /** Default: full jitter, 50 ms doubled up to 20 s, from 1 s after a throttling answer. */
  readonly backoff?: Backoff
  /** What is repeated; default every failure except an answer that blames the request. */
  readonly retryOn?: readonly RetryCondition[]
  /** No retry starts later than this after the call began, in ms. */
  readonly retryStartWithinMs?: number
  /** Whether a request that is itself a retry is not retried here; default true. */
  readonly chainStop?: boolean
}

/** How an attempt, or the waiting for the next one, ended. */
export type AttemptResult =
  | { readonly ended: 'succeeded' }
  | {
      readonly ended: 'failed'
      readonly cause: FailureCause
      /** False only if it is certain that nothing reached the callee; default true. */
      readonly sent?: boolean
      /** What the callee asked for, in ms: honoured exactly or the call ends. */
      readonly retryAfterMs?: number
      /** The error itself, kept for whoever asks why the call failed. */
      readonly reason?: unknown
    }
  | { readonly ended: 'aborted'; readonly reason?: unknown }

/** An attempt that failed. */
export type FailedAttempt = Extract<AttemptResult, { ended: 'failed' }>

/** Why no further attempt is made. */
export type StopWhy =
  | 'succeeded'
  | 'aborted'
  | 'attempts-used'
  | 'unsafe'
  | 'not-retried-on'
  | 'chain-stop'
  | 'no-time'
  | 'retry-after'
  | 'retry-start-within'
  | 'retry-budget'
  | 'breaker'

/** What to do next. `waitMs` may be 0; ask the retry budget before waiting, and `nextStep` again when the wait is over. */
export type AttemptStep =
  | { readonly do: 'start'; readonly attempt: number; readonly grantMs: number; readonly last: boolean }
  | { readonly do: 'wait'; readonly waitMs: number; readonly beforeAttempt: number }
  | { readonly do: 'stop'; readonly why: StopWhy; readonly started: number; readonly lastFailure: FailedAttempt | undefined }

/** One call's attempts under way; made by `beginAttempts`, advanced only by `nextStep` and `refuseRetry`. */
export interface AttemptRun {
  readonly plan: AttemptPlan
  readonly startedAt: number
  /** When the call ends whatever happens, on the monotonic clock: min(now + timeout, deadline - reserve); `Infinity` without either. */
  readonly endsAt: number
  /** Whose limit `endsAt` is: the call's own timeout or the deadline it inherited. */
  readonly whose: 'own' | 'inherited'
  readonly isRetry: boolean
  phase: 'ready' | 'running' | 'waiting' | 'stopped'
  started: number
  lastFailure: FailedAttempt | undefined
  stop: AttemptStep | undefined
}

/**
 * Begins the attempts of one call at `now` under `deadline`: one end for all of them, set here and never moved.
 *
 * `isRetry` says that the request being served is itself a retry. Throws RangeError for a plan with attempts below 1, an attempt bound of 0, NaN or negative times.
 */
export function beginAttempts(plan: AttemptPlan, deadline: Deadline, now: number, isRetry = false): AttemptRun {
  checkPlan(plan)
  const run: AttemptRun = {
    plan,
    startedAt: now,
    endsAt: now,
    whose: 'own',
    isRetry,
    phase: 'ready',
    started: 0,
    lastFailure: undefined,
    stop: undefined,
  }
  beginAgain(run, deadline, now, isRetry)
  return run
}

/** Begins the attempts of another call with the plan of `run` in the same object, whatever became of the first: for those who make millions of them. */
export function beginAgain(run: AttemptRun, deadline: Deadline, now: number, isRetry = false): void {
  const { timeoutMs = Number.POSITIVE_INFINITY, reserveMs: keptMs } = run.plan
  const leftMs = remainingMs(deadline, now)
  const spendableMs = leftMs - reserveMs(leftMs, keptMs)
  const again: { -readonly [P in keyof AttemptRun]: AttemptRun[P] } = run
  again.startedAt = now
  again.endsAt = now + Math.min(timeoutMs, spendableMs)
  again.whose = timeoutMs < spendableMs ? 'own' : 'inherited'
  again.isRetry = isRetry
  again.phase = 'ready'
  again.started = 0
  again.lastFailure = undefined
  again.stop = undefined
}

/**
 * Decides what happens next: start an attempt, wait, or stop.
 *
 * Call it without a result to begin and after each wait, with one when an attempt ended; `aborted` may come at any time and is
 * terminal. After a stop it repeats that stop. `random` is drawn from [0, 1).
 */
export function nextStep(run: AttemptRun, now: number, random: number, result?: AttemptResult): AttemptStep {
  if (run.stop !== undefined) return run.stop
  if (result === undefined) return startAttempt(run, now)
  if (result.ended === 'aborted') return stopRun(run, 'aborted')
  if (run.phase !== 'running') throw new Error(`an attempt ended that was not running (the call is ${run.phase})`)
  if (result.ended === 'succeeded') return stopRun(run, 'succeeded')
  run.lastFailure = result
  return afterFailure(run, now, random, result)
}

/** Ends a run that wanted to retry but was refused by the retry budget or the breaker; the last real failure is kept. */
export function refuseRetry(run: AttemptRun, why: 'retry-budget' | 'breaker'): AttemptStep {
  return run.stop ?? stopRun(run, why)
}

function startAttempt(run: AttemptRun, now: number): AttemptStep {
  if (run.phase === 'running') throw new Error('the attempt before has not ended')
  const { attempts = 1, attemptMs, floorMs } = run.plan
  const leftMs = run.endsAt - now
  if (!mayStart(leftMs, 0, floorMs)) return stopRun(run, 'no-time')
  // Asked again because the timer of the wait may have fired late.
  if (run.started > 0 && isTooLateToRetry(run, now)) return stopRun(run, 'retry-start-within')
  run.phase = 'running'
  run.started += 1
  return { do: 'start', attempt: run.started, grantMs: grantMs(attemptMs, leftMs, 0), last: run.started >= attempts }
}

function afterFailure(run: AttemptRun, now: number, random: number, failure: FailedAttempt): AttemptStep {
  const refusal = whyNoRetry(run, failure)
  if (refusal !== undefined) return stopRun(run, refusal)
  const askedMs = failure.retryAfterMs
  const isAsked = askedMs !== undefined && askedMs >= 0
  const pauseMs = isAsked ? askedMs : waitMs(backoffAfter(run.plan, failure), run.started, random)
  // Sleeping first and finding out afterwards would hold the caller for nothing.
  if (!mayStart(run.endsAt - now - pauseMs, 0, run.plan.floorMs)) return stopRun(run, isAsked ? 'retry-after' : 'no-time')
  if (isTooLateToRetry(run, now + pauseMs)) return stopRun(run, 'retry-start-within')
  run.phase = 'waiting'
  return { do: 'wait', waitMs: pauseMs, beforeAttempt: run.started + 1 }
}

function whyNoRetry(run: AttemptRun, failure: FailedAttempt): StopWhy | undefined {
  const { plan } = run
  if (run.started >= (plan.attempts ?? 1)) return 'attempts-used'
  if (!isRetriedOn(failure.cause, plan.retryOn)) return 'not-retried-on'
  if (!maySendAgain(plan, failure)) return 'unsafe'
  return run.isRetry && plan.chainStop !== false ? 'chain-stop' : undefined
}

/** What certainly never left cannot happen twice, whatever it does; people's work is not repeated even then. */
function maySendAgain(plan: AttemptPlan, failure: FailedAttempt): boolean {
  const { does = 'write' } = plan
  return mayRetry(does, plan) || (failure.sent === false && does !== 'manual')
}

function isTooLateToRetry(run: AttemptRun, startAt: number): boolean {
  return startAt - run.startedAt > (run.plan.retryStartWithinMs ?? Number.POSITIVE_INFINITY)
}

function backoffAfter(plan: AttemptPlan, failure: FailedAttempt): Backoff {
  return plan.backoff ?? (isThrottling(failure.cause) ? throttledBackoff : defaultBackoff)
}

function stopRun(run: AttemptRun, why: StopWhy): AttemptStep {
  run.phase = 'stopped'
  run.stop = { do: 'stop', why, started: run.started, lastFailure: run.lastFailure }
  return run.stop
}

function checkPlan(plan: AttemptPlan): void {
  const { attempts = 1 } = plan
  if (!(Number.isInteger(attempts) && attempts >= 1)) throw new RangeError(`attempts must be a whole number of 1 or more, not ${attempts}`)
  if (plan.attemptMs !== undefined && !(plan.attemptMs > 0)) throw new RangeError(`attemptMs must be above 0 ms, not ${plan.attemptMs}`)
  for (const name of ['timeoutMs', 'floorMs', 'reserveMs', 'retryStartWithinMs'] as const) {
    const ms = plan[name]
    if (ms !== undefined && !(ms >= 0)) throw new RangeError(`${name} must be 0 ms or more, not ${ms}`)
  }
}
