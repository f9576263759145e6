import { formatDuration, longestDurationMs } from '@sandglass/runtime/core'
import { boundMs, retriesTimeouts } from '../model/arithmetic.js'
import { advice, anyOf } from '../model/change.js'
import type { Diagnostic, Suggestion } from '../model/diagnostic.js'
import { boundFactors, missingFactor, triesInWords } from '../model/factors.js'
import { retriesOf } from '../model/retrying.js'
import { roomMs } from '../model/room.js'
import { findingAt, type Rule, worstVisits } from '../model/rule.js'
import type { Visit } from '../model/situations.js'
import type { View } from '../model/view.js'
import { addTimeout } from './measure/add-timeout.js'
import { inAllSituations, notableCalls } from './measure/notable-calls.js'
import { withAttempts } from './measure/shorten.js'

/** The sum of all tries where nothing ends them together: no total, no last start, no budget handed down; null elsewhere. */
function endlessTriesMs({ call, own, arrival }: Visit): number | null {
  const total = call.timeoutMs?.value
  const lastStart = call.retryStartWithinMs?.value
  if (retriesOf(call) === null || !retriesTimeouts(call) || own.attempt.state !== 'bounded') return null
  if ((total !== undefined && total !== 'none') || (lastStart !== undefined && lastStart !== 'none')) return null
  if (arrival.budget && !call.async.value) return null
  if (own.tries.state === 'unknown') return null
  return boundMs(own.tries) ?? Number.POSITIVE_INFINITY
}

function suggest(view: View, visit: Visit, triesMs: number): Suggestion | null {
  const room = roomMs(view, visit)
  if (room !== null && room < 1)
    return anyOf([advice('add a timeout, shared by all attempts, and make room for it: the other steps use all the time its caller has')])
  if (room !== null && room < triesMs) {
    const leftMs = Math.floor(room)
    return anyOf([withAttempts(visit, addTimeout(visit.call, leftMs, '(what the caller leaves), shared by all attempts'), leftMs)])
  }
  return triesMs <= longestDurationMs
    ? anyOf([addTimeout(visit.call, triesMs, '(what the attempts take now), shared by all attempts')])
    : null
}

function finding(view: View, visit: Visit, triesMs: number): Diagnostic {
  const { call, own } = visit
  const attemptMs = boundMs(own.attempt) ?? 0
  const attempts = retriesOf(call) ?? 1
  const isFinite = Number.isFinite(triesMs)
  const times = Number.isFinite(attempts) ? `${attempts} attempts` : 'unlimited attempts'
  const sum = isFinite ? formatDuration(triesMs) : 'for ever'
  return findingAt(visit, {
    rule: 'retry-fresh-clock',
    severity: 'error',
    message: `each attempt of ${call.to.value} gets a new ${formatDuration(attemptMs)}: with ${times} the call may take ${sum}, and nothing ends them together`,
    arithmetic: isFinite ? `${triesInWords(call, own.attempt) ?? formatDuration(attemptMs)} = ${sum}` : '',
    why: 'A retry has to live on what is left of the one deadline; a fresh clock goes on long after the caller has given up.',
    spot: (call.attemptMs ?? call.silenceMs ?? call.to).origin.spot,
    label: 'each attempt',
    related: call.attempts.origin.kind === 'declared' ? [{ spot: call.attempts.origin.spot, label: 'so often' }] : [],
    values: { attempts: Number.isFinite(attempts) ? attempts : null, attemptMs, triesMs: isFinite ? triesMs : null },
    factors: [...(call.timeoutMs ? [] : [missingFactor('timeout', call)]), ...boundFactors(call)],
    suggestion: suggest(view, visit, triesMs),
  })
}

function* check(view: View): Iterable<Diagnostic> {
  for (const visit of worstVisits(inAllSituations(view, notableCalls(view).retried), endlessTriesMs)) {
    const triesMs = endlessTriesMs(visit)
    if (triesMs !== null) yield finding(view, visit, triesMs)
  }
}

/** Retries without a total: each try starts a new clock. */
export const retryFreshClock: Rule = {
  id: 'retry-fresh-clock',
  severity: 'error',
  summary: 'each attempt gets a new full timeout, and nothing ends them together',
  check,
}
