import type { CallRun } from './attempt.js'
import { type AttemptEnd, type ErrorCode, type Outcome, outcomeOf, retryableOf, type Whose, whoseOf } from './core/outcome.js'
import { isSandglassError, SandglassError } from './errors.js'
import type { Ending, Scope } from './scope.js'

/** What is known about a failed call beside its error. */
export interface Explanation {
  readonly call: string
  readonly outcome: Outcome
  readonly whose: Whose
  /** Whether the caller may try again without doing harm. */
  readonly retryable: boolean
  readonly attempts: number
  /** Why no further attempt was made: `attempts-used` `unsafe` `not-retried-on` `chain-stop` `no-time` `retry-after` `retry-start-within` `retry-budget` `breaker` `bulkhead` `aborted`. */
  readonly stopped: string
  readonly elapsedMs: number
}

const explanations = new WeakMap<object, Explanation>()

/** What the runtime knows about an error a call was rejected with, or a failed answer (an HTTP 503) it was answered with: both are the callee's own, handed on as they are. Undefined for anything else. */
export function explain(error: unknown): Explanation | undefined {
  return typeof error === 'object' && error !== null ? explanations.get(error) : undefined
}

/** Remembers, with the error itself, why the call ended. */
export function remember(error: unknown, explanation: Explanation): void {
  if ((typeof error === 'object' && error !== null) || typeof error === 'function') explanations.set(error as object, explanation)
}

const BY_GRAVITY: readonly Outcome[] = ['not-sent', 'failed', 'succeeded', 'unknown']

/** The outcome of two attempts together: what may have happened in one of them is not undone by the other. */
export function graver(a: Outcome, b: Outcome): Outcome {
  return BY_GRAVITY.indexOf(a) > BY_GRAVITY.indexOf(b) ? a : b
}

/** What a run that failed tells its caller about its end. */
export function explanationOf(run: CallRun, end: AttemptEnd, sent: boolean, stopped: string, endedAt: number): Explanation {
  const { does, attempts, name } = run.plan
  return {
    call: name,
    outcome: graver(run.outcome, outcomeOf(end, sent, does)),
    whose: end === 'answered' ? 'peer' : whoseOf(end),
    retryable: retryableOf(end, sent && run.started > 0, does, attempts),
    attempts: run.started,
    stopped,
    elapsedMs: endedAt - run.startedAt,
  }
}

/** The error of a run whose time was up in an attempt. */
export function expiryError(run: CallRun, ending: Ending, explanation: Explanation): SandglassError {
  const { whose } = explanation
  const parent = whose === 'inherited' ? deadlineOf(run.parent) : undefined
  return new SandglassError({
    code: 'DEADLINE_EXCEEDED',
    whose,
    outcome: explanation.outcome,
    retryable: explanation.retryable,
    budgetMs: parent?.budgetMs ?? (whose === 'own' ? ending.budgetMs : run.grantedMs),
    elapsedMs: explanation.elapsedMs,
    call: run.plan.name,
    ...(parent !== undefined && { level: parent.name }),
    loopDelayMs: ending.loopDelayMs,
    phase: run.lastPhase ?? 'work',
    stopped: explanation.stopped,
  })
}

/** The error of a run that was refused before anything was sent, or cancelled. */
export function refusalError(
  run: CallRun,
  code: ErrorCode,
  explanation: Explanation,
  more: { budgetMs?: number; retryAfterMs?: number; cause?: unknown; phase?: string; whose?: Whose; loopDelayMs?: number } = {},
): SandglassError {
  const parent = deadlineOf(run.parent)
  return new SandglassError({
    code,
    whose: more.whose ?? explanation.whose,
    outcome: explanation.outcome,
    retryable: explanation.retryable,
    budgetMs: more.budgetMs ?? parent?.budgetMs ?? run.plan.attempts.timeoutMs ?? Infinity,
    elapsedMs: explanation.elapsedMs,
    call: run.plan.name,
    ...(parent !== undefined && { level: parent.name }),
    ...(more.retryAfterMs !== undefined && { retryAfterMs: more.retryAfterMs }),
    ...(more.cause !== undefined && { cause: more.cause }),
    ...(more.phase !== undefined && { phase: more.phase }),
    ...(more.loopDelayMs !== undefined && { loopDelayMs: more.loopDelayMs }),
    stopped: explanation.stopped,
  })
}

/** The code an error goes by in `why` of a degraded answer. */
export function whyOf(error: unknown): ErrorCode | 'ERROR' {
  return isSandglassError(error) ? error.code : 'ERROR'
}

function deadlineOf(scope: Scope | undefined): { budgetMs: number; name: string } | undefined {
  const deadline = scope?.deadline
  return deadline === undefined || deadline.state === 'none'
    ? undefined
    : { budgetMs: deadline.endsAt - deadline.setAt, name: deadline.name }
}
