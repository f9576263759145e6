import { durationText, formatDuration, largestWaitsMs, longestDurationMs } from '@sandglass/runtime/core'
import { backoffOf, retriesTimeouts } from '../../model/arithmetic.js'
import type { Call } from '../../model/chain.js'
import { advice, type Change, changeCount, changeLimit } from '../../model/change.js'
import type { Layer, Visit } from '../../model/situations.js'
import { exceeds } from './exceeds.js'
import { insertField } from './insert-field.js'
import { attemptLimit, decidingLimit } from './limit-spot.js'

/** The ways to make a call hold its caller for at most `targetMs` by its own limits, the least change first; none where they are fixed. */
export function shortenings(visit: Visit, targetMs: number): Change[] {
  const deciding = decidingLimit(visit)
  if (!deciding || deciding.limit.fixed || !(targetMs > 0)) return []
  if (deciding.field !== 'timeout') {
    const ways = [shorterAttempt(visit, targetMs), fewerAttempts(visit, targetMs)].filter((change) => change !== null)
    return ways.length > 0 ? ways : [withTotal(visit.call, targetMs)].filter((change) => change !== null)
  }
  const timeout = changeLimit('timeout', deciding.limit, targetMs)
  return timeout ? [withAttempts(visit, timeout, targetMs)] : []
}

/** Where all tries fit into the old total, they must fit into the new one as well. */
function withAttempts(visit: Visit, timeout: Change, targetMs: number): Change {
  const { tries } = visit.own
  const attempt = tries.state === 'bounded' && exceeds(tries.ms, targetMs) ? shorterAttempt(visit, targetMs) : null
  if (!attempt) return timeout
  return { text: `${timeout.text} and ${attempt.text}`, edits: [...timeout.edits, ...attempt.edits] }
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

function shorterAttempt({ call }: Visit, targetMs: number): Change | null {
  const deciding = attemptLimit(call)
  const attempts = attemptsOf(call)
  const tries = attempts === null ? null : triesOf(call, attempts)
  if (!deciding || !tries) return null
  const each = (targetMs - tries.waitsMs - tries.queueMs) / tries.attempts - tries.queuePerAttemptMs - tries.connectMs
  return typeof deciding.limit.value === 'number' && each < deciding.limit.value ? changeLimit(deciding.field, deciding.limit, each) : null
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
  return {
    text: `add timeout: ${formatDuration(wholeMs)} over all of it`,
    edits: insertField(call, 'timeout', durationText(Math.min(wholeMs, longestDurationMs))),
  }
}

/** Gives an outer layer more time instead, where a platform fixes the inner limit; null where it does not, or fixes the outer one too. */
export function lengthening(inner: Visit, layer: Layer, neededMs: number): Change | null {
  const { call, operation } = layer
  if (!decidingLimit(inner)?.limit.fixed) return null
  if (!call) return named(operation.id, changeLimit('limits.request', operation.limits?.requestMs, Math.ceil(neededMs)))
  const [name, limit] = call.timeoutMs?.value === layer.ms ? (['timeout', call.timeoutMs] as const) : (['attempt', call.attemptMs] as const)
  return named(operation.id, changeLimit(name, limit, Math.ceil(neededMs)))
}

function named(operation: string, change: Change | null): Change | null {
  return change && { ...change, text: `${operation}: ${change.text}` }
}

/** Says that a value has no room, where neither network nor reserve is declared. */
export function roomless(outerMs: number): Change {
  return advice(
    `make it shorter than ${formatDuration(outerMs)} by what the hop and the way back take: with defaults.network and defaults.reserve a value is worked out`,
  )
}
