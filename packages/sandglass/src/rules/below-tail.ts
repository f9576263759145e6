import { formatDuration } from '@sandglass/runtime/core'
import type { Call } from '../model/chain.js'
import { anyOf, changeLimit } from '../model/change.js'
import type { Diagnostic, Suggestion } from '../model/diagnostic.js'
import { boundFactors } from '../model/factors.js'
import { shareWithin } from '../model/latency.js'
import { roomMs } from '../model/room.js'
import { findingAt, type Rule } from '../model/rule.js'
import type { Visit } from '../model/situations.js'
import type { View } from '../model/view.js'
import { exceeds } from './measure/exceeds.js'
import { attemptLimit, type DecidingLimit, decidingLimit } from './measure/limit-spot.js'
import { type Tail, tailFactor, tailOf } from './measure/tail.js'

/** What one attempt gets by the call's own limits, in ms; null where that is not known. */
function attemptMs({ own, call }: Visit): number | null {
  if (own.attempt.state === 'unknown' || own.total.state === 'unknown') return null
  const totalMs = call.timeoutMs?.value
  const attempt = own.attempt.state === 'bounded' ? own.attempt.ms : Number.POSITIVE_INFINITY
  const least = Math.min(attempt, typeof totalMs === 'number' ? totalMs : Number.POSITIVE_INFINITY)
  return Number.isFinite(least) ? least : null
}

function isBelow(visit: Visit): boolean {
  const { callee, async } = visit.call
  const boundMs = attemptMs(visit)
  if (boundMs === null || async.value || callee?.stream) return false
  const tail = tailOf(callee)
  return tail !== null && exceeds(tail.p99Ms, boundMs)
}

function* check(view: View): Iterable<Diagnostic> {
  for (const visit of view.perCall.filter(isBelow)) {
    const { call } = visit
    const { callee } = call
    const tail = tailOf(callee)
    const boundMs = attemptMs(visit)
    if (!callee || !tail || boundMs === null) continue
    const lostShare = 1 - shareWithin(tail.law.value, boundMs)
    const limit = limitOf(visit, boundMs)
    yield findingAt(visit, {
      rule: 'below-tail',
      severity: 'warning',
      message: `${what(call)} ${call.to.value} ends after ${formatDuration(boundMs)}, which kills ${percent(lostShare)} of its good answers: its p99 is ${formatDuration(tail.p99Ms)}`,
      arithmetic: `${formatDuration(boundMs)} < p99 ${formatDuration(tail.p99Ms)}: ${percent(lostShare)} of the answers take longer`,
      why: 'Slow but healthy answers count as failures, which feeds retries and breakers while nothing is wrong.',
      spot: (limit?.limit ?? call.to).origin.spot,
      label: limit?.limit.origin.kind === 'default' ? `the default of ${limit.limit.origin.product}` : 'shorter than the p99',
      related: [{ spot: tail.law.origin.spot, label: 'how long answers take' }],
      values: { boundMs, p99Ms: tail.p99Ms, lostShare },
      factors: [...boundFactors(call), tailFactor(callee, tail)],
      suggestion: suggest(view, visit, limit, tail),
    })
  }
}

function what(call: Call): string {
  return call.attempts.value === 1 ? 'the call of' : 'each attempt of'
}

function limitOf(visit: Visit, boundMs: number): DecidingLimit | null {
  const attempt = attemptLimit(visit.call)
  const isAttempt = attempt && visit.own.attempt.state === 'bounded' && visit.own.attempt.ms <= boundMs
  return isAttempt ? attempt : decidingLimit(visit)
}

/** A share in percent with two significant digits: `3.6 %`. */
function percent(share: number): string {
  return `${Number((share * 100).toPrecision(2))} %`
}

/** 1.5 x p99 where one attempt is all there is and the caller has as much, else p99. */
function suggest(view: View, visit: Visit, limit: DecidingLimit | null, { p99Ms }: Tail): Suggestion | null {
  if (!limit || visit.call.attempts.value !== 1) return null
  const room = roomMs(view, visit) ?? Number.POSITIVE_INFINITY
  const [ms, basis] = p99Ms * 1.5 <= room ? [p99Ms * 1.5, '1.5 x p99'] : [p99Ms, 'p99']
  const change = ms <= room ? changeLimit(limit.field, limit.limit, Math.ceil(ms)) : null
  return anyOf([change && { ...change, text: `${change.text} (${basis})` }])
}

/** An attempt is shorter than the callee's p99. */
export const belowTail: Rule = { id: 'below-tail', severity: 'warning', summary: 'healthy slow answers are killed', check }
