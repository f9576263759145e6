import type { BreakerClass } from './breaker.js'
import type { RetryCause } from './retry-budget.js'
import type { FailureCause } from './retry-on.js'
import { type Does, mayRetry, type RetrySafety } from './safety.js'

/** What is known when a call ends: `unknown` was sent and got no answer, so it may have happened. */
export type Outcome = 'succeeded' | 'failed' | 'not-sent' | 'unknown'

/** Whose limit ended a call: its `own`, the `inherited` deadline of its caller, the `caller` that went away, the `peer` that said so. */
export type Whose = 'own' | 'inherited' | 'caller' | 'peer'

/** The codes of the errors this runtime makes itself; programs branch on these. */
export type ErrorCode =
  | 'DEADLINE_EXCEEDED'
  | 'BUDGET_TOO_SMALL'
  | 'CANCELLED'
  | 'BREAKER_OPEN'
  | 'BULKHEAD_FULL'
  | 'RETRY_BUDGET_EMPTY'
  | 'ADMISSION_REFUSED'

/** All {@link ErrorCode}s. */
export const ERROR_CODES: readonly ErrorCode[] = Object.freeze([
  'DEADLINE_EXCEEDED',
  'BUDGET_TOO_SMALL',
  'CANCELLED',
  'BREAKER_OPEN',
  'BULKHEAD_FULL',
  'RETRY_BUDGET_EMPTY',
  'ADMISSION_REFUSED',
] as const)

/**
 * How one attempt ended.
 * `answered` well · `rejected`: the callee says the request is wrong (4xx), so it works · `error`: it says it failed (5xx) ·
 * `throttled`: it refused because it is busy (429, 503 with `retry-after`) · `connect`: no connection, nothing sent ·
 * `lost`: the connection broke or a gateway had no answer (reset, 502, 504) · `timeout`: our own limit · `deadline`: the
 * inherited deadline · `cancelled`: the caller went away · `refused`: by a policy of ours, before sending.
 */
export type AttemptEnd =
  | 'answered'
  | 'rejected'
  | 'error'
  | 'throttled'
  | 'connect'
  | 'lost'
  | 'timeout'
  | 'deadline'
  | 'cancelled'
  | 'refused'

/** What is known after `end`; `sent` is whether any byte of the request had left. A write that was sent and not answered is `unknown`. */
export function outcomeOf(end: AttemptEnd, sent: boolean, does: Does): Outcome {
  if (end === 'answered') return 'succeeded'
  if (!sent || end === 'connect' || end === 'refused') return 'not-sent'
  if (end === 'rejected' || end === 'error' || end === 'throttled') return 'failed'
  return does === 'read' ? 'failed' : 'unknown'
}

/** Whose limit or word `end` was. */
export function whoseOf(end: Exclude<AttemptEnd, 'answered'>): Whose {
  if (end === 'timeout' || end === 'refused') return 'own'
  if (end === 'deadline') return 'inherited'
  return end === 'cancelled' ? 'caller' : 'peer'
}

/**
 * What `end` tells the callee's breaker. An attempt cut by an inherited deadline with less time than the callee's usual p99
 * (`usualP99Ms`, NaN when not known) says nothing about the callee; nor does what was cancelled or refused before sending.
 * @param budgetMs the time the attempt had when it started
 */
export function breakerClassOf(end: AttemptEnd, budgetMs: number, usualP99Ms: number): BreakerClass {
  switch (end) {
    case 'answered':
    case 'rejected':
      return 'success'
    case 'throttled':
      return 'overload'
    case 'cancelled':
    case 'refused':
      return 'neutral'
    case 'deadline':
      return budgetMs < usualP99Ms ? 'neutral' : 'failure'
    default:
      return 'failure'
  }
}

/**
 * Whether repeating is harmless and may help, so the `retryable` of an error: yes when nothing was sent (except what is
 * `manual`), else as `mayRetry` of its `does` says; never after an answer to the point or a cancel.
 */
export function retryableOf(end: AttemptEnd, sent: boolean, does: Does, safety: RetrySafety = {}): boolean {
  if (end === 'answered' || end === 'rejected' || end === 'cancelled') return false
  if (!sent || end === 'connect' || end === 'refused') return does !== 'manual'
  return mayRetry(does, safety)
}

/** What a retry after `end` costs in a retry budget. */
export function retryCauseOf(end: AttemptEnd): RetryCause {
  if (end === 'throttled') return 'throttled'
  return end === 'timeout' || end === 'deadline' ? 'timeout' : 'error'
}

/** The error code of an end that is ours to name; null when the callee's own error is the error. A refusal brings its own code. */
export function codeOf(end: AttemptEnd): ErrorCode | null {
  if (end === 'timeout' || end === 'deadline') return 'DEADLINE_EXCEEDED'
  return end === 'cancelled' ? 'CANCELLED' : null
}

/** The `name` of an error with `code`: what OpenTelemetry and applications branch on. */
export function errorNameOf(code: ErrorCode): 'TimeoutError' | 'AbortError' | 'SandglassError' {
  if (code === 'DEADLINE_EXCEEDED' || code === 'BUDGET_TOO_SMALL') return 'TimeoutError'
  return code === 'CANCELLED' ? 'AbortError' : 'SandglassError'
}

/** The HTTP status an edge answers with: 504 when time ran out, 499 when the caller left, 503 (with `retry-after`) for every refusal. */
export function httpStatusOf(code: ErrorCode): 499 | 503 | 504 {
  if (code === 'DEADLINE_EXCEEDED' || code === 'BUDGET_TOO_SMALL') return 504
  return code === 'CANCELLED' ? 499 : 503
}

/** How an attempt ended that got an HTTP `status` (100 to 599); a 503 is throttling only when it says when to come back. */
export function endOfHttpStatus(status: number, hasRetryAfter: boolean = false): AttemptEnd {
  if (status < 400) return 'answered'
  if (status === 429) return 'throttled'
  if (status === 502 || status === 504 || status === 408) return 'lost'
  if (status < 500) return 'rejected'
  return status === 503 && hasRetryAfter ? 'throttled' : 'error'
}

/** How an attempt ended that failed for `cause`, in the words of `retryOn`. */
export function endOfFailure(cause: FailureCause, hasRetryAfter: boolean = false): AttemptEnd {
  if (typeof cause === 'number') return endOfHttpStatus(cause, hasRetryAfter)
  if (cause === 'reset') return 'lost'
  return cause === 'other' ? 'error' : cause
}

const GRPC_ENDS: readonly AttemptEnd[] = Object.freeze([
  'answered',
  'cancelled',
  'error',
  'rejected',
  'lost',
  'rejected',
  'rejected',
  'rejected',
  'throttled',
  'rejected',
  'rejected',
  'rejected',
  'rejected',
  'error',
  'lost',
  'error',
  'rejected',
] as const)

/** How an attempt ended that got a gRPC status `code` (0 to 16, as do Connect's codes); anything else is an `error`. */
export function endOfGrpcCode(code: number): AttemptEnd {
  return GRPC_ENDS[code] ?? 'error'
}
