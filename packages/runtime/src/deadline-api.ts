import { now } from './clock.js'
import { currentScope } from './context.js'
import { budgetOf, type Deadline, noDeadline } from './core/deadline.js'
import { entryFacts } from './request-facts.js'
import { Scope } from './scope.js'
import { settleIn } from './settle-in.js'
import { linkOf } from './signal-link.js'

/** A budget to run work under. */
export interface DeadlineOptions {
  /** How long the work may take (ms). 0 or less: expired at once. `Infinity`: no limit of its own, on purpose. */
  readonly budgetMs: number
  /** What errors call this deadline. */
  readonly name?: string
  /** Ends the work as well when it aborts. One listener on it, however many scopes follow it. */
  readonly signal?: AbortSignal
}

/** What work under a deadline is given. */
export interface DeadlineContext {
  /** Aborts when time is up or the work is cancelled; never after a success. Made when it is first asked for. */
  readonly signal: AbortSignal
  /** What is left (ms), never negative; `Infinity` without a deadline. */
  readonly remainingMs: () => number
}

/**
 * Runs `fn` under a deadline, never beyond the one it is called under. Rejects with a `SandglassError` as soon as time is up.
 * Throws TypeError for a budget that is NaN or no number; a budget of 0 or less rejects without running `fn`.
 */
export function withDeadline<T>(options: DeadlineOptions | Deadline, fn: (context: DeadlineContext) => T | PromiseLike<T>): Promise<T> {
  const parent = currentScope()
  const nowAt = now()
  const { name, endsAt, signal } = endOf(options, nowAt)
  const scope = new Scope(parent, name, nowAt, endsAt, undefined, parent?.facts ?? entryFacts(nowAt))
  if (signal !== undefined) scope.follow(linkOf(signal))
  if (scope.endsAt <= nowAt) scope.onDue(nowAt)
  return settleIn(scope, () => fn(scope))
}

/** What is left of the present deadline (ms): never negative, `Infinity` without one. */
export function remainingMs(): number {
  return currentScope()?.remainingAt(now()) ?? Infinity
}

/** The present deadline as a value, or the one for none. */
export function currentDeadline(): Deadline {
  return currentScope()?.deadline ?? noDeadline
}

/** The present signal, which aborts when time is up or nobody wants the answer; undefined outside of any deadline. */
export function currentSignal(): AbortSignal | undefined {
  return currentScope()?.signal
}

function endOf(options: DeadlineOptions | Deadline, nowAt: number): { name: string; endsAt: number; signal?: AbortSignal } {
  if ('state' in options)
    return options.state === 'none' ? { name: 'deadline', endsAt: Infinity } : { name: options.name, endsAt: options.endsAt }
  const { budgetMs, name = 'deadline', signal } = options
  return { name, endsAt: nowAt + budgetOf(budgetMs), ...(signal !== undefined && { signal }) }
}
