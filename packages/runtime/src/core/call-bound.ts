import { type Backoff, largestWaitsMs } from './backoff.js'
import { addBounds, type Bound, type BoundKind, boundedBy, earliestBound, unbounded, unknownBound } from './bound.js'

/** One limit: ms, `none` (unbounded on purpose) or `unknown` (could not be read). Left out: not limited. */
export type LimitMs = number | 'none' | 'unknown'

/** The limits of one call as its file or code states them. */
export interface CallLimits {
  /** All attempts, back-off and queueing together. */
  readonly timeoutMs?: LimitMs
  /** One attempt, from start to end. */
  readonly attemptMs?: LimitMs
  /** Establishing the connection. */
  readonly connectMs?: LimitMs
  /** Sending the request. */
  readonly writeMs?: LimitMs
  /** Between two bytes of the answer; the only phase limit that a callee which never answers runs into. */
  readonly silenceMs?: LimitMs
  /** Waiting for a slot or connection, over all attempts together. */
  readonly queueMs?: LimitMs
  /** Waiting for a slot or connection, anew for each attempt. */
  readonly queuePerAttemptMs?: LimitMs
  /** All tries, the first included; default 1. */
  readonly attempts?: number | 'unknown'
  /** Left out: the next try starts at once. */
  readonly backoff?: Backoff | 'unknown'
  /** Whether a try that timed out is repeated (`retryOn` includes `timeout`); default true. */
  readonly retriesTimeouts?: boolean | 'unknown'
  /** No new try starts later than this after the first began. */
  readonly retryStartWithinMs?: LimitMs
}

/**
 * How long one attempt may take: `attempt` if given, else connect + write + silence of those given, of kind `silence`.
 *
 * Without `silence` the other phase limits do not bound it: once connected and written to, the callee may never answer.
 */
export function attemptBound(limits: CallLimits): Bound {
  const attempt = limitBound(limits.attemptMs, 'attempt')
  if (attempt.state !== 'unbounded') return attempt
  const silence = limitBound(limits.silenceMs, 'silence')
  if (silence.state !== 'bounded') return silence
  return addBounds(addBounds(phaseBound(limits.connectMs, 'connect'), phaseBound(limits.writeMs, 'write')), silence)
}

/**
 * How long all attempts may take: attempts x (attempt + its own queueing) + the largest back-offs.
 *
 * A try that timed out is repeated only if `retriesTimeouts`; otherwise a slow call ends with its first attempt.
 */
export function triesBound(limits: CallLimits): Bound {
  const queue = limits.queuePerAttemptMs === undefined ? noWait : limitBound(limits.queuePerAttemptMs, 'queue')
  const once = addBounds(attemptBound(limits), queue)
  if (once.state !== 'bounded' || limits.retriesTimeouts === false) return once
  const { attempts = 1, backoff } = limits
  if (attempts === 1) return once
  if (attempts === 'unknown' || backoff === 'unknown' || limits.retriesTimeouts === 'unknown') return unknownBound
  const allMs = attempts * once.ms + largestWaitsMs(backoff, attempts)
  const all = Number.isFinite(allMs) ? boundedBy(allMs, once.kind) : unbounded
  const lastStart = limitBound(limits.retryStartWithinMs, once.kind)
  return lastStart.state === 'unbounded' ? all : earliestBound(all, addBounds(lastStart, once))
}

/**
 * How long the caller may be held: min(timeout, tries).
 *
 * `queue` counts inside `timeout`; where there is no total it is added. Unbounded if neither is finite, unknown if an operand is.
 */
export function callBound(limits: CallLimits): Bound {
  const total = limitBound(limits.timeoutMs, 'total')
  const tries = triesBound(limits)
  if (total.state !== 'unbounded' || limits.queueMs === undefined) return earliestBound(total, tries)
  return addBounds(tries, limitBound(limits.queueMs, 'queue'))
}

/** A call's bound where a budget is handed down to its caller: min(own, budget - reserve), never below 0. */
export function effectiveBound(own: Bound, budget: Bound, reserveMs: number): Bound {
  if (budget.state !== 'bounded') return earliestBound(own, budget)
  return earliestBound(own, boundedBy(Math.max(0, budget.ms - reserveMs), budget.kind))
}

/** One limit as a bound: left out or `none` is unbounded, `unknown` stays unknown. Throws RangeError for a negative or NaN number. */
export function limitBound(limit: LimitMs | undefined, kind: BoundKind): Bound {
  if (limit === 'unknown') return unknownBound
  if (limit === undefined || limit === 'none' || limit === Number.POSITIVE_INFINITY) return unbounded
  return boundedBy(limit, kind)
}

const noWait: Bound = Object.freeze({ state: 'bounded', ms: 0, kind: 'queue' })

/** A phase that has no limit of its own counts 0 beside a `silence` limit: the sum is of those given. */
function phaseBound(limit: LimitMs | undefined, kind: BoundKind): Bound {
  const bound = limitBound(limit, kind)
  return bound.state === 'unbounded' ? noWait : bound
}
