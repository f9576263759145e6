import { BREAKER_DEFAULTS, formatDuration } from '@sandglass/runtime/core'
import { boundMs, heldByOneAttempt, isLeaf } from '../model/arithmetic.js'
import type { Breaker, Call } from '../model/chain.js'
import { advice, anyOf } from '../model/change.js'
import type { Diagnostic, Factor, Suggestion } from '../model/diagnostic.js'
import { boundFactors, factor } from '../model/factors.js'
import { quantileMs, shareWithin } from '../model/latency.js'
import { findingAt, type Rule, worstVisits } from '../model/rule.js'
import type { Visit } from '../model/situations.js'
import { byDefault, type Sourced } from '../model/sourced.js'
import type { View } from '../model/view.js'
import { inAllSituations, notableCalls } from './measure/notable-calls.js'

/** So few failures are noise: a breaker that opens on fewer is opened by chance. */
const FEWEST_FAILURES = 3

/** The rate a breaker judges, where it judges one: with no trigger written, the runtime's own. */
function failureRateOf(breaker: Breaker): Sourced<number> | null {
  if (breaker.failureRate) return breaker.failureRate
  return breaker.consecutive || breaker.slowMs ? null : byDefault<number>(BREAKER_DEFAULTS.failureRate, breaker.spot)
}

/** The calls on which a rate is judged at least: never more than the window holds. */
function minCallsOf(breaker: Breaker): Sourced<number> {
  const least = breaker.minCalls ?? byDefault<number>(BREAKER_DEFAULTS.minCalls, breaker.spot)
  const window = breaker.window
  return window && 'calls' in window.value && window.value.calls < least.value ? { ...window, value: window.value.calls } : least
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`
}

/** The share of calls of a healthy callee that a breaker counts as failed: errors, hangs, and answers later than one attempt may take. */
function healthyFailures(visit: Visit): number {
  const { callee } = visit.call
  if (!callee) return 0
  const boundedMs = boundMs(heldByOneAttempt(visit.own, visit.bound))
  const law = isLeaf(callee) ? callee.latency?.value : undefined
  const late = law && boundedMs !== null ? 1 - shareWithin(law, boundedMs) : 0
  const never = Math.min(1, (callee.errors?.value ?? 0) + (boundedMs === null ? 0 : (callee.hangs?.value ?? 0)))
  return never + (1 - never) * late
}

function slowShare(call: Call): number | null {
  const slowMs = call.breaker?.slowMs?.value
  const law = call.callee && isLeaf(call.callee) ? call.callee.latency?.value : undefined
  return typeof slowMs === 'number' && law ? 1 - shareWithin(law, slowMs) : null
}

interface Flap {
  readonly message: string
  readonly arithmetic: string
  readonly at: Sourced<unknown>
  readonly label: string
  readonly values: Readonly<Record<string, number>>
  readonly factors: readonly Factor[]
  readonly suggestion: Suggestion | null
}

function byFailures(visit: Visit, breaker: Breaker, rate: Sourced<number>): Flap | null {
  const { call } = visit
  const share = healthyFailures(visit)
  if (share <= rate.value || !call.callee) return null
  const law = isLeaf(call.callee) ? call.callee.latency : undefined
  const p99Ms = law ? quantileMs(law.value, 0.99) : null
  return {
    message: `${percent(share)} of healthy calls of ${call.to.value} fail for this breaker, which opens above ${percent(rate.value)}`,
    arithmetic: `${percent(share)} expected failures > failureRate ${percent(rate.value)}`,
    at: breaker.failureRate ?? { value: null, origin: rate.origin },
    label: 'reached by a healthy callee',
    values: { failureShare: share, failureRate: rate.value },
    factors: [...boundFactors(call), factor('failureRate', rate, 'share'), ...lawFactors(call)],
    suggestion:
      p99Ms === null || !Number.isFinite(p99Ms)
        ? null
        : anyOf([advice(`let an attempt take at least ${formatDuration(Math.ceil(p99Ms))} (p99 of ${call.to.value}: 1 % would fail)`)]),
  }
}

function lawFactors(call: Call): Factor[] {
  const { callee } = call
  if (!callee) return []
  const law = isLeaf(callee) ? callee.latency : undefined
  return [
    ...(law ? [{ name: `${callee.id} p99`, value: quantileMs(law.value, 0.99), unit: 'ms' as const, origin: law.origin }] : []),
    ...(callee.errors ? [factor(`${callee.id} errors`, callee.errors, 'share')] : []),
    ...(callee.hangs ? [factor(`${callee.id} hangs`, callee.hangs, 'share')] : []),
  ]
}

function byFewCalls(call: Call, breaker: Breaker, rate: Sourced<number>): Flap | null {
  const least = minCallsOf(breaker)
  const failures = Math.round(least.value * rate.value * 1e9) / 1e9
  if (failures >= FEWEST_FAILURES) return null
  const needed = Math.ceil(Math.round((FEWEST_FAILURES / rate.value) * 1e9) / 1e9)
  const opens = Math.max(1, Math.ceil(failures))
  return {
    message: `the breaker on ${call.to.value} opens after ${opens} failure${opens === 1 ? '' : 's'} in ${least.value} calls`,
    arithmetic: `minCalls ${least.value} x failureRate ${percent(rate.value)} = ${failures} < ${FEWEST_FAILURES}`,
    at: breaker.minCalls ?? breaker.failureRate ?? { value: null, origin: rate.origin },
    label: 'judged on too few calls',
    values: { minCalls: least.value, failureRate: rate.value, failures },
    factors: [factor('minCalls', least, 'count'), factor('failureRate', rate, 'share')],
    suggestion: fewCallsSuggestion(breaker, least, needed),
  }
}

function fewCallsSuggestion(breaker: Breaker, least: Sourced<number>, needed: number): Suggestion {
  const edits = breaker.minCalls && breaker.minCalls.origin === least.origin ? [{ spot: least.origin.spot, text: String(needed) }] : []
  return { text: `minCalls ${least.value} -> at least ${needed} (${FEWEST_FAILURES} failures)`, edits }
}

function bySlowness(call: Call, breaker: Breaker): Flap | null {
  const share = slowShare(call)
  const rate = breaker.slowRate ?? (breaker.slowMs ? byDefault<number>(BREAKER_DEFAULTS.slowRate, breaker.spot) : null)
  if (share === null || !rate || !breaker.slowMs || share <= rate.value) return null
  return {
    message: `${percent(share)} of healthy answers of ${call.to.value} are slow for this breaker, which opens above ${percent(rate.value)}`,
    arithmetic: `${percent(share)} expected slow answers > slowRate ${percent(rate.value)}`,
    at: breaker.slowMs,
    label: 'slower than this is usual',
    values: { slowShare: share, slowRate: rate.value },
    factors: [factor('slow', breaker.slowMs, 'ms'), factor('slowRate', rate, 'share'), ...lawFactors(call)],
    suggestion: null,
  }
}

function flapOf(visit: Visit): Flap | null {
  const { call } = visit
  const { breaker } = call
  if (!breaker) return null
  const rate = failureRateOf(breaker)
  if (rate && rate.value > 0) return byFailures(visit, breaker, rate) ?? byFewCalls(call, breaker, rate) ?? bySlowness(call, breaker)
  return bySlowness(call, breaker)
}

function* check(view: View): Iterable<Diagnostic> {
  const withBreaker = worstVisits(inAllSituations(view, notableCalls(view).withBreaker), healthyFailures)
  for (const visit of withBreaker) {
    const flap = flapOf(visit)
    if (!flap) continue
    yield findingAt(visit, {
      rule: 'breaker-flaps',
      severity: 'warning',
      message: flap.message,
      arithmetic: flap.arithmetic,
      why: 'A breaker that trips on a healthy callee turns ordinary noise into an outage, again and again.',
      spot: flap.at.origin.spot,
      label: flap.label,
      values: flap.values,
      factors: flap.factors,
      suggestion: flap.suggestion,
    })
  }
}

/** A breaker that opens although its callee is healthy. */
export const breakerFlaps: Rule = {
  id: 'breaker-flaps',
  severity: 'warning',
  summary: 'the breaker trips on a healthy callee',
  check,
}
