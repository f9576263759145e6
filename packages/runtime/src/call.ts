import type { Answer, CallContext, CallOptions, ReadOptions, WriteOptions } from './call-options.js'
import { type CallFunction, planCall } from './call-plan.js'
import { startCall } from './call-run.js'
import { ConfigError } from './errors.js'

/** A call that is made with the arguments its function takes after the context. */
export type GuardedCall<Args extends readonly unknown[], T> = (...args: Args) => Promise<Answer<T>>

/**
 * Makes a call that keeps its limits: a deadline for all attempts, retries within a budget, breaker, bulkhead, fallbacks, a record.
 *
 * The promise settles exactly once and in time: with an `Answer`, with the callee's own last error (see `explain`), or with a `SandglassError`.
 * Throws `ConfigError`, TypeError or RangeError here, not later, for options that make no sense: NaN, a fallback that a write cannot have.
 */
export function call<Args extends readonly unknown[], T, F = never>(
  name: string,
  options: ReadOptions<F>,
  fn: (context: CallContext, ...args: Args) => T | PromiseLike<T>,
): GuardedCall<Args, T | F>
export function call<Args extends readonly unknown[], T, F = never>(
  name: string,
  options: WriteOptions<F>,
  fn: (context: CallContext, ...args: Args) => T | PromiseLike<T>,
): GuardedCall<Args, T | F>
export function call(
  name: string,
  options: CallOptions<unknown>,
  fn: (context: CallContext, ...args: never[]) => unknown,
): (...args: readonly unknown[]) => Promise<Answer<unknown>> {
  let plan = planCall(name, options, fn as CallFunction)
  options.limits?.register((next) => {
    const limits = next.call(name)
    if (limits !== undefined && limits.does !== options.does)
      throw new ConfigError(`${name}: the file says ${limits.does}, the code ${options.does}`)
    const changed = planCall(name, options, fn as CallFunction, { ...options, ...limits }, plan)
    return () => {
      plan = changed
    }
  })
  return (...args) => startCall(plan, args)
}
