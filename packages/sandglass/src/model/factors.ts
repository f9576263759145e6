import { formatDuration, largestWaitsMs } from '@sandglass/runtime/core'
import { backoffOf, isLeaf, retriesTimeouts } from './arithmetic.js'
import type { Call, LimitMs, Operation } from './chain.js'
import type { Factor, Unit } from './diagnostic.js'
import { quantileMs } from './latency.js'
import type { Layer, Visit } from './situations.js'
import type { Sourced } from './sourced.js'

/** A factor from a sourced value. */
export function factor(name: string, sourced: Sourced<number | string | boolean>, unit: Unit): Factor {
  const value = typeof sourced.value === 'boolean' ? String(sourced.value) : sourced.value
  return { name, value, unit, origin: sourced.origin }
}

/** A limit as a factor, when it is written. */
export function limitFactor(name: string, limit: Sourced<LimitMs> | undefined): Factor[] {
  return limit ? [factor(name, limit, 'ms')] : []
}

/** A factor that says a limit is missing at the call. */
export function missingFactor(name: string, call: Call): Factor {
  return { name, value: null, unit: 'ms', origin: { kind: 'default', product: 'sandglass', version: '1', spot: call.spot } }
}

/** Everything that goes into bound(c): each limit that is written, or that none is. */
export function boundFactors(call: Call): Factor[] {
  const factors = [
    ...limitFactor('timeout', call.timeoutMs),
    ...limitFactor('attempt', call.attemptMs),
    ...(call.attemptMs
      ? []
      : [...limitFactor('connect', call.connectMs), ...limitFactor('write', call.writeMs), ...limitFactor('silence', call.silenceMs)]),
    ...limitFactor('queue', call.queue?.totalMs),
    ...limitFactor('queue per attempt', call.queue?.perAttemptMs),
  ]
  if (factors.length === 0) factors.push(missingFactor('timeout', call))
  if (call.attempts.value !== 1) factors.push(factor('attempts', call.attempts, 'count'))
  return [...factors, ...backoffFactors(call)]
}

function backoffFactors(call: Call): Factor[] {
  const backoff = backoffOf(call)
  const { backoff: written } = call
  if (!written || !backoff || backoff === 'unknown' || typeof call.attempts.value !== 'number') return []
  const origin = written.kind === 'list' ? written.largestMs.origin : written.baseMs.origin
  return [{ name: 'largest back-off', value: largestWaitsMs(backoff, call.attempts.value), unit: 'ms', origin }]
}

/** What a call keeps for the way and for itself: network and reserve. */
export function marginFactors(call: Call): Factor[] {
  return [factor('network', call.networkMs, 'ms'), factor('reserve', call.reserveMs, 'ms')]
}

/** The limit of an outer layer: the parts of its call's bound, or an operation's own request limit. */
export function layerFactors(layer: Layer): Factor[] {
  if (layer.call) return boundFactors(layer.call).map((part) => ({ ...part, name: `${layer.operation.id} ${part.name}` }))
  return limitFactor(`${layer.operation.id} limits.request`, layer.operation.limits?.requestMs)
}

/** An operation's own time at p99, when it is known. */
export function ownTimeFactors(operation: Operation): Factor[] {
  const law = isLeaf(operation) ? (operation.latency ?? operation.work) : operation.work
  return law ? [{ name: `${operation.id} p99`, value: quantileMs(law.value, 0.99), unit: 'ms', origin: law.origin }] : []
}

/** The bound of a call as a sum in words: "2 attempts x 700 ms + back-off up to 50 ms = 1.45 s". */
export function boundInWords(visit: Visit): string {
  const { call, bound, own } = visit
  if (visit.inherited && bound.state === 'bounded') return `${formatDuration(bound.ms)} left of the budget handed down`
  if (bound.state === 'unknown') return 'a bound nobody knows'
  if (bound.state === 'unbounded') return 'no bound'
  const waitMs = call.timeoutMs === undefined ? call.queue?.totalMs?.value : undefined
  const queued = typeof waitMs === 'number' ? waitMs : 0
  if (own.tries.state !== 'bounded' || own.tries.ms + queued !== bound.ms) return formatDuration(bound.ms)
  const tries = triesInWords(call, own.attempt) ?? (queued > 0 ? formatDuration(own.tries.ms) : null)
  if (tries === null) return formatDuration(bound.ms)
  return `${tries}${queued > 0 ? ` + wait up to ${formatDuration(queued)}` : ''} = ${formatDuration(bound.ms)}`
}

/** All tries of a call as a sum in words, without what they add up to; null for a single try. */
export function triesInWords(call: Call, attempt: Visit['bound']): string | null {
  const attempts = call.attempts.value
  if (typeof attempts !== 'number' || attempts < 2 || attempt.state !== 'bounded' || !retriesTimeouts(call)) return null
  const backoff = backoffOf(call)
  const waits = backoff && backoff !== 'unknown' ? largestWaitsMs(backoff, attempts) : 0
  const perAttempt = call.queue?.perAttemptMs?.value
  const once =
    typeof perAttempt === 'number' ? `(${formatDuration(attempt.ms)} + wait ${formatDuration(perAttempt)})` : formatDuration(attempt.ms)
  return `${attempts} attempts x ${once}${waits > 0 ? ` + back-off up to ${formatDuration(waits)}` : ''}`
}
