import type { Callee } from './callee.js'
import type { Verdict } from './classify.js'
import type { Backoff } from './core/backoff.js'
import type { BreakerOptions } from './core/breaker-options.js'
import type { BulkheadOptions } from './core/bulkhead.js'
import type { HedgeOptions } from './core/hedge.js'
import type { ErrorCode } from './core/outcome.js'
import type { RetryBudgetOptions } from './core/retry-budget.js'
import type { RetryCondition } from './core/retry-on.js'
import type { Does, FallbackTier } from './core/safety.js'
import type { DeferFallback, Fallback } from './fallback.js'
import type { LimitsFile } from './limits-file.js'

/** What the function of a call is given beside its arguments. */
export interface CallContext {
  /** Aborts when the attempt's time is up or nobody wants the answer; never after a success. Made when it is first asked for. */
  readonly signal: AbortSignal
  /** Number of the attempt, from 1. */
  readonly attempt: number
  /** What is left for this attempt (ms), never negative. */
  readonly remainingMs: () => number
}

/** Which policies only count what they would refuse: all, or those named. */
export type ObserveOnly = boolean | readonly ('breaker' | 'bulkhead' | 'floor' | 'retry-budget')[]

/** Limits and policies of one call; every part is optional. */
export interface CallLimits {
  /** Upper bound of the whole call (ms): tries, back-off, queueing. Left out: what is left of the deadline, and 10 000 ms where there is none. 0 or less: expired at once. `Infinity`: no limit of its own, on purpose. */
  readonly timeoutMs?: number
  /** Bound of one attempt (ms). Left out: everything that is left. */
  readonly attemptMs?: number
  /** All tries, the first included; default 1. A write is never tried twice without `idempotencyKey`. */
  readonly attempts?: number
  /** Waits between tries; default full jitter, 50 ms doubled up to 20 s, from 1 s after a throttling answer. */
  readonly backoff?: Backoff
  /** What is tried again; default everything but an answer that says the request is wrong. */
  readonly retryOn?: readonly RetryCondition[]
  /** No try starts later than this after the call began (ms). */
  readonly retryStartWithinMs?: number
  /** The budget of retries and hedges; default 100 tokens at 3 a retry. `none`: no cap. */
  readonly retryBudget?: RetryBudgetOptions | 'none'
  /** The least time with which an attempt is worth starting (ms); default 0. */
  readonly floorMs?: number
  /** What is kept back from the deadline (ms); default max(5 ms, 5 %). */
  readonly reserveMs?: number
  /** The callee recognises a repetition by a key. */
  readonly idempotencyKey?: boolean
  /** The callee checks the state it changes (a `compensation`). */
  readonly stateGuard?: boolean
  /** Whether a request that is itself a retry is not retried here; default true. */
  readonly chainStop?: boolean
  /** Default: none. `{}` has all defaults. */
  readonly breaker?: BreakerOptions
  /** Default: none. */
  readonly bulkhead?: BulkheadOptions
  /** A second copy of a slow read; default: none. */
  readonly hedge?: HedgeOptions
}

interface AllOptions extends CallLimits {
  /** Policies shared with other calls to the same callee; its own otherwise. */
  readonly callee?: Callee
  /** A file of limits that this call takes its own from, by its name; what the file says goes before what is written here. */
  readonly limits?: LimitsFile
  /** Ends every call under way when it aborts, such as a shutdown. One listener, however many calls. */
  readonly signal?: AbortSignal
  /** Refusals are counted and published, but not made; default false. */
  readonly observeOnly?: ObserveOnly
  /** What fallbacks may take beyond `timeoutMs` where the deadline has room (ms); default 50. */
  readonly fallbackMs?: number
  /** What an answer (an object) says, for answers that are failures; default: HTTP responses by their `status` or `statusCode`. Undefined: it is an answer. What it throws fails the attempt. */
  readonly judge?: (value: unknown) => Verdict | undefined
  /** What an error says; default `classifyError`, also where this one throws. */
  readonly classify?: (error: unknown) => Verdict
}

/** A call that reads: it may be repeated, hedged and answered from fallbacks. */
export interface ReadOptions<F> extends AllOptions {
  readonly does: 'read'
  /** Ways to answer when the call cannot, tried as snapshot, constant, empty, defer. */
  readonly fallback?: Fallback<F> | readonly Fallback<F>[]
}

/** A call that changes something: it fails clearly, or is deferred. */
export interface WriteOptions<F> extends AllOptions {
  readonly does: Exclude<Does, 'read'>
  readonly fallback?: DeferFallback<F> | readonly [DeferFallback<F>]
  readonly hedge?: never
}

/** Options of any call. */
export type CallOptions<F = unknown> = ReadOptions<F> | WriteOptions<F>

/** What a call answers: always marked when it is not the callee's own answer. */
export interface Answer<T> {
  readonly value: T
  /** Null for the callee's own answer. */
  readonly degraded: Degraded | null
}

/** Where a degraded answer comes from. */
export interface Degraded {
  readonly tier: FallbackTier
  /** How old it is (ms), null where age has no meaning. */
  readonly ageMs: number | null
  /** Why the call itself gave no answer: a code of ours, or `ERROR` for the callee's error. */
  readonly why: ErrorCode | 'ERROR'
}
