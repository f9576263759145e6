import { formatDuration, largestWaitsMs } from '@sandglass/runtime/core'
import { backoffOf, heldByOneAttempt, retriesTimeouts } from '../../model/arithmetic.js'
import type { Call } from '../../model/chain.js'
import { advice, type Change, changeCount, changeLimit } from '../../model/change.js'
import type { Arrival, Layer, Visit } from '../../model/situations.js'
import { addTimeout } from './add-timeout.js'
import { exceeds } from './exceeds.js'
import { attemptLimit, decidingLimit } from './limit-spot.js'
import { tailOf } from './tail.js'

/** The ways to make a call hold its caller for at most `targetMs` by its own limits, the least change first; none where they are fixed. */
export function shortenings(visit: Visit, targetMs: number): Change[] {
  const deciding = decidingLimit(visit)
  if (!deciding || deciding.limit.fixed || !(targetMs > 0)) return []
  if (deciding.field !== 'timeout') {
    const ways = triesWithin(visit, targetMs)
    const total = ways.length > 0 ? null : withTotal(visit.call, targetMs)
    return total ? [withAttempts(visit, total, targetMs)] : ways
  }
  const timeout = changeLimit('timeout', deciding.limit, targetMs)
  return timeout ? [withAttempts(visit, timeout, targetMs)] : []
}

/** A total that is new or shorter, and what makes all tries fit into it where they take longer: otherwise it would only move the fault. */
export function withAttempts(visit: Visit, total: Change, targetMs: number): Change {
  const { tries } = visit.own
  if (tries.state !== 'bounded' || !exceeds(tries.ms, targetMs)) return total
  const one = retriesTimeouts(visit.call) ? changeCount('attempts', visit.call.attempts, 1) : null
  const fitting = triesWithin(visit, targetMs)[0] ?? one
  if (!fitting) return total
  return { text: `${total.text} and ${fitting.text}`, edits: [...total.edits, ...fitting.edits] }
}

/** Shorter or fewer attempts; fewer first where shorter ones would end before the callee's p99 and kill healthy answers. */
function triesWithin(visit: Visit, targetMs: number): Change[] {
  const tail = tailOf(visit.call.callee)
  const eachMs = attemptWithin(visit.call, targetMs)
  const isBelowTail = tail !== null && eachMs !== null && exceeds(tail.p99Ms, eachMs)
  const shorter = shorterAttempt(visit, targetMs)
  const fewer = fewerAttempts(visit, targetMs)
  return (isBelowTail ? [fewer, shorter] : [shorter, fewer]).filter((change) => change !== null)
}

interface Tries {
  readonly attempts: number
  readonly waitsMs: number
  readonly queuePerAttemptMs: number
  readonly queueMs: number
  readonly connectMs: number
}

/** The parts of a call's tries beside the limit of one attempt; null where one of them is no number. */
function triesOf(call: Call, attempts: number): Tries | null {
  const backoff = backoffOf(call)
  const queuePerAttemptMs = call.queue?.perAttemptMs?.value ?? 0
  const queueMs = call.timeoutMs ? 0 : (call.queue?.totalMs?.value ?? 0)
  if (backoff === 'unknown' || typeof queuePerAttemptMs !== 'number' || typeof queueMs !== 'number') return null
  const before = [call.connectMs?.value, call.writeMs?.value].filter((ms) => typeof ms === 'number')
  const connectMs = call.attemptMs ? 0 : before.reduce((sum, ms) => sum + ms, 0)
  return { attempts, waitsMs: backoff ? largestWaitsMs(backoff, attempts) : 0, queuePerAttemptMs, queueMs, connectMs }
}

function attemptsOf(call: Call): number | null {
  if (!retriesTimeouts(call)) return 1
  return typeof call.attempts.value === 'number' ? call.attempts.value : null
}

/** What each attempt may take when all of them take `targetMs`; null where that is no number. */
function attemptWithin(call: Call, targetMs: number): number | null {
  const attempts = attemptsOf(call)
  const tries = attempts === null ? null : triesOf(call, attempts)
  return tries && (targetMs - tries.waitsMs - tries.queueMs) / tries.attempts - tries.queuePerAttemptMs - tries.connectMs
}

function shorterAttempt({ call }: Visit, targetMs: number): Change | null {
  const deciding = attemptLimit(call)
  const eachMs = attemptWithin(call, targetMs)
  if (!deciding || eachMs === null) return null
  return typeof deciding.limit.value === 'number' && eachMs < deciding.limit.value
    ? changeLimit(deciding.field, deciding.limit, eachMs)
    : null
}

/** All tries of a call with so many attempts, in ms; null where that is no number. */
function triesMs({ call, own }: Visit, attempts: number): number | null {
  const tries = triesOf(call, attempts)
  if (!tries || own.attempt.state !== 'bounded') return null
  return attempts * (own.attempt.ms + tries.queuePerAttemptMs) + tries.waitsMs + tries.queueMs
}

function fewerAttempts(visit: Visit, targetMs: number): Change | null {
  const { call } = visit
  const now = attemptsOf(call)
  if (now === null || now < 2) return null
  for (let attempts = Math.min(now - 1, 100); attempts >= 1; attempts--) {
    const ms = triesMs(visit, attempts)
    if (ms !== null && !exceeds(ms, targetMs)) return changeCount('attempts', call.attempts, attempts)
  }
  return null
}

/** A total over everything, where no attempt is short enough because the queueing alone takes too long. */
function withTotal(call: Call, targetMs: number): Change | null {
  const wholeMs = Math.floor(targetMs + 1e-6)
  if (call.timeoutMs || wholeMs < 1) return null
  return addTimeout(call, wholeMs, 'over all of it')
}

/** Gives an outer layer more time instead, where a platform fixes the inner limit; null where it does not, or fixes the outer one too. */
export function lengthening(inner: Visit, layer: Layer, neededMs: number): Change | null {
  const { call, operation } = layer
  if (!decidingLimit(inner)?.limit.fixed) return null
  const change = call
    ? call.timeoutMs?.value === layer.ms
      ? changeLimit('timeout', call.timeoutMs, Math.ceil(neededMs))
      : changeLimit('attempt', call.attemptMs, Math.ceil(neededMs))
    : changeLimit('limits.request', operation.limits?.requestMs, Math.ceil(neededMs))
  if (!change) return null
  if (leastOutside(inner, layer) < neededMs)
    return advice(
      `nothing outside waits as long as the platform lets ${inner.call.to.value} take: answer before it is done (async: true), or promise more`,
    )
  return { ...change, text: `${operation.id}: ${change.text}` }
}

/** The least time that the other layers outside have, the journey's promise included: giving one of them more than that only moves the fault outwards. */
function leastOutside(inner: Visit, layer: Layer): number {
  let leastMs = Number.POSITIVE_INFINITY
  let arrival: Arrival | undefined = inner.arrival
  while (arrival) {
    const { via, journey, operation }: Arrival = arrival
    const request = operation.limits?.requestMs?.value
    if (typeof request === 'number' && (layer.call !== null || layer.operation !== operation)) leastMs = Math.min(leastMs, request)
    const promise = via ? undefined : journey?.promiseMs?.value
    if (typeof promise === 'number') leastMs = Math.min(leastMs, promise)
    const held = via && !via.call.async.value && via.call !== layer.call ? heldByOneAttempt(via.own, via.bound) : null
    if (held?.state === 'bounded') leastMs = Math.min(leastMs, held.ms)
    arrival = via?.call.async.value ? undefined : via?.arrival
  }
  return leastMs
}

/** Says that a value has no room, where neither network nor reserve is declared. */
export function roomless(outerMs: number): Change {
  return advice(
    `make it shorter than ${formatDuration(outerMs)} by what the hop and the way back take: with defaults.network and defaults.reserve a value is worked out`,
  )
}
