import type { Backoff } from './core/backoff.js'
import type { BreakerOptions } from './core/breaker-options.js'
import type { QueueOptions } from './core/queue-discipline.js'
import type { RetryBudgetOptions } from './core/retry-budget.js'
import type { Does, FallbackTier } from './core/safety.js'

/** What may be answered by trying again: a timeout, a failed connection, a reset, a status, or all `5xx` (which leaves timeouts out). */
export type RetryOn = 'timeout' | 'connect' | 'reset' | '5xx' | '429' | number

/** The limits of one call, all of them optional but what it does: what is absent here comes from the code. */
export interface CallLimitsJson {
  readonly does: Does
  /** Upper bound of the whole call (ms): tries, back-off and queueing; `none` is unbounded on purpose. */
  readonly timeoutMs?: number | 'none'
  /** Bound of one attempt (ms). */
  readonly attemptMs?: number
  /** All tries, the first included. */
  readonly attempts?: number
  readonly backoff?: Backoff
  readonly retryOn?: readonly RetryOn[]
  /** No attempt starts later than this after the call began (ms). */
  readonly retryStartWithinMs?: number
  /** `none`: no cap on retries. */
  readonly retryBudget?: RetryBudgetOptions | 'none'
  readonly reserveMs?: number
  readonly floorMs?: number
  readonly idempotencyKey?: boolean
  /** The callee checks the state it changes (a `compensation`). */
  readonly stateGuard?: boolean
  /** Left out: the server's. */
  readonly chainStop?: boolean
  readonly breaker?: BreakerOptions
  readonly bulkhead?: { readonly slots: number; readonly queue?: QueueOptions }
  readonly hedge?: { readonly afterMs?: number }
  /** The tiers the chain promises, in order; what they answer with is in the code. */
  readonly fallback?: readonly { readonly tier: FallbackTier; readonly maxAgeMs?: number }[]
}

/** What the service itself promises to its callers. */
export interface ServerLimitsJson {
  /** Budget of a request that names none (ms). */
  readonly budgetMs?: number
  /** No request is given more (ms). */
  readonly maxBudgetMs?: number
  /** What this hop keeps (ms). */
  readonly reserveMs?: number
  readonly admission?: 'none' | 'expired' | 'can-finish'
  /** Requests handled at once, and how others wait. */
  readonly concurrency?: number
  readonly queue?: QueueOptions
  /** A request that is itself a retry is not retried further down; default true. */
  readonly chainStop?: boolean
  /** By operation name. */
  readonly operations?: Readonly<Record<string, { readonly does?: Does; readonly floorMs?: number; readonly budgetMs?: number }>>
}

/**
 * One service's part of a chain file, as `sandglass compile --service <name>` writes it and `limitsFile` reads it.
 * `calls` is keyed by the call's name: `service.operation` of what is called, or `operation>service.operation` where two
 * operations of this service call the same thing with different limits.
 */
export interface CompiledLimits {
  readonly schemaVersion: 1
  readonly service: string
  readonly server?: ServerLimitsJson
  readonly calls: Readonly<Record<string, CallLimitsJson>>
}
