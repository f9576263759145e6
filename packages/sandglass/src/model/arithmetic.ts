import {
  attemptBound,
  type Bound,
  boundedBy,
  type CallLimits,
  type Backoff as CoreBackoff,
  callBound,
  earliestBound,
  limitBound,
  retryFactor,
  triesBound,
  unknownBound,
} from '@sandglass/runtime/core'
import type { Backoff, Call, LimitMs, Operation, OwnBounds } from './chain.js'
import { quantileMs } from './latency.js'
import { isReconnecting } from './retrying.js'
import type { Sourced } from './sourced.js'

/** The number of a limit that counts as 0 where it is `none` or `unknown` (network, reserve, floor). */
export function msOf(limit: Sourced<LimitMs> | undefined): number {
  return typeof limit?.value === 'number' ? limit.value : 0
}

/** The ms of a bound, or null where it is unbounded or unknown. */
export function boundMs(bound: Bound): number | null {
  return bound.state === 'bounded' ? bound.ms : null
}

function coreBackoff(backoff: Backoff): CoreBackoff | 'unknown' | undefined {
  if (backoff.kind === 'list') return { waitsMs: backoff.largestMs.value }
  const base = backoff.baseMs.value
  const max = backoff.maxMs?.value
  if (base === 'unknown' || max === 'unknown') return 'unknown'
  if (base === 'none') return undefined
  return { baseMs: base, factor: backoff.factor.value, jitter: backoff.jitter.value, ...(typeof max === 'number' ? { maxMs: max } : {}) }
}

/** The back-off of a call as `@sandglass/runtime/core` takes it; undefined where tries follow at once. */
export function backoffOf(call: Call): CoreBackoff | 'unknown' | undefined {
  return call.backoff && coreBackoff(call.backoff)
}

/** True where a try that timed out is repeated. */
export function retriesTimeouts(call: Call): boolean {
  return call.retryOn === undefined || call.retryOn.value.includes('timeout')
}

type Mutable<T> = { -readonly [P in keyof T]: T[P] }

/** The limits of a call as the shared arithmetic takes them. */
export function limitsOf(call: Call): CallLimits {
  const limits: Mutable<CallLimits> = {
    attempts: call.attempts.value === 'none' ? Number.POSITIVE_INFINITY : call.attempts.value,
    retriesTimeouts: retriesTimeouts(call),
  }
  if (call.timeoutMs) limits.timeoutMs = call.timeoutMs.value
  if (call.attemptMs) limits.attemptMs = call.attemptMs.value
  if (call.connectMs) limits.connectMs = call.connectMs.value
  if (call.writeMs) limits.writeMs = call.writeMs.value
  if (call.silenceMs) limits.silenceMs = call.silenceMs.value
  if (call.queue?.totalMs) limits.queueMs = call.queue.totalMs.value
  if (call.queue?.perAttemptMs) limits.queuePerAttemptMs = call.queue.perAttemptMs.value
  if (call.retryStartWithinMs) limits.retryStartWithinMs = call.retryStartWithinMs.value
  const backoff = backoffOf(call)
  if (backoff !== undefined) limits.backoff = backoff
  return limits
}

/** The bounds of a call, computed once: a call does not change after it was linked. */
export function ownBounds(call: Call): OwnBounds {
  const { derived } = call
  if (derived && derived.of === call) return derived.own
  const own = hasOnlyTotal(call) ? boundsOfTotal(call.timeoutMs?.value) : boundsWith(limitsOf(call))
  ;(call as Mutable<Call>).derived = { of: call, own }
  return own
}

function boundsWith(limits: CallLimits): OwnBounds {
  const attempt = attemptBound(limits)
  const isByPhases = limits.attemptMs === undefined || limits.attemptMs === 'none'
  return {
    attempt,
    held: isByPhases ? limitBound(limits.silenceMs, 'silence') : attempt,
    tries: triesBound(limits),
    total: callBound(limits),
  }
}

/** True where one try and at most a total is all that is written: most calls of a large chain, and of few different totals. */
function hasOnlyTotal(call: Call): boolean {
  const phases = call.attemptMs ?? call.connectMs ?? call.writeMs ?? call.silenceMs ?? call.queue
  const retries = call.backoff ?? call.retryOn ?? call.retryStartWithinMs
  return call.attempts.value === 1 && phases === undefined && retries === undefined
}

const MOST_TOTALS = 10_000
const boundsByTotal = new Map<LimitMs | undefined, OwnBounds>()

function boundsOfTotal(timeoutMs: LimitMs | undefined): OwnBounds {
  const known = boundsByTotal.get(timeoutMs)
  if (known) return known
  const own = boundsWith({ attempts: 1, retriesTimeouts: true, ...(timeoutMs === undefined ? {} : { timeoutMs }) })
  if (boundsByTotal.size < MOST_TOTALS) boundsByTotal.set(timeoutMs, own)
  return own
}

/** What one hung attempt gets: the attempt bound (or the silence of a call with phase limits only), at most the whole call. */
export function heldByOneAttempt(own: OwnBounds, effective: Bound): Bound {
  if (own.held.state !== 'bounded') return own.held.state === 'unknown' ? unknownBound : effective
  return earliestBound(own.held, effective)
}

/** The handler's own limit of an operation. */
export function requestLimit(operation: Operation): Bound {
  return limitBound(operation.limits?.requestMs?.value, 'total')
}

/** Attempts a call may add per request: min(attempts, 1 + share of its retry budget); unknown counts 1, and so does what only connects again. */
export function factorOf(call: Call): number {
  if (isReconnecting(call)) return 1
  const { value } = call.attempts
  if (value === 'unknown') return 1
  const attempts = value === 'none' ? Number.POSITIVE_INFINITY : value
  const budget = call.retryBudget?.value
  if (!budget) return retryFactor(attempts)
  return retryFactor(attempts, budget.kind === 'default' ? 'default' : budget.share)
}

/** True where the operation asks nobody and waits for the answer. */
export function isLeaf(operation: Operation): boolean {
  return operation.calls.every((call) => call.async.value)
}

/** Own time of an operation at p99 in ms: its work, or a leaf's whole latency; 0 where nothing is known. */
export function ownP99Ms(operation: Operation): number {
  const law = isLeaf(operation) ? (operation.latency ?? operation.work) : operation.work
  return law ? quantileMs(law.value, 0.99) : 0
}

/** A bound of 0 ms, the start of sums. */
export const nothing: Bound = boundedBy(0, 'total')
