import { now } from './clock.js'
import { currentScope } from './context.js'
import { budgetOf } from './core/deadline.js'
import type { DeadlineContext } from './deadline-api.js'
import { ConfigError } from './errors.js'
import { isObserved, publish } from './observe.js'
import { entryFacts } from './request-facts.js'
import { Scope } from './scope.js'
import { settleIn } from './settle-in.js'

/** Work that must finish after the answer was given. */
export interface DetachOptions {
  /** How long it may take (ms); its own deadline, not the request's. */
  readonly budgetMs: number
  /** Why it is detached; shown in records. */
  readonly reason: string
}

/**
 * Runs `fn` apart from the present request: neither its deadline nor its end reaches it. Need not be awaited: a failure is in the record, and never an unhandled rejection.
 * Throws TypeError for a budget that is NaN or no number, `ConfigError` without a reason.
 */
export function detach<T>(options: DetachOptions, fn: (context: DeadlineContext) => T | PromiseLike<T>): Promise<T> {
  const budgetMs = budgetOf(options.budgetMs)
  const { reason } = options
  if (typeof reason !== 'string' || reason === '') throw new ConfigError('detach: say why in `reason`')
  const request = currentScope()?.facts?.request ?? 0
  const startedAt = now()
  const scope = new Scope(undefined, reason, startedAt, startedAt + budgetMs, undefined, entryFacts(startedAt))
  if (budgetMs === 0) scope.onDue(startedAt)
  const record = (outcome: 'succeeded' | 'failed' | 'expired'): void => {
    if (isObserved()) publish({ kind: 'detached', reason, request, startedAt, endedAt: now(), budgetMs, outcome })
  }
  const work = settleIn(scope, () => fn(scope))
  work.then(
    () => record('succeeded'),
    () => record(scope.ending?.kind === 'expired' ? 'expired' : 'failed'),
  )
  return work
}
