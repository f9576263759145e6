import { formatDuration } from '@sandglass/runtime/core'
import { allOf, anyOf, type Change } from '../model/change.js'
import type { Diagnostic, Factor, Suggestion } from '../model/diagnostic.js'
import { boundFactors, ownTimeFactors } from '../model/factors.js'
import { findingIn, type Rule } from '../model/rule.js'
import type { Arrival, Visit } from '../model/situations.js'
import type { JourneySums, View } from '../model/view.js'
import { exceeds } from './measure/exceeds.js'
import { boundSpot } from './measure/limit-spot.js'
import { shortenings } from './measure/shorten.js'

function* check(view: View): Iterable<Diagnostic> {
  for (const sums of view.journeys) {
    const { journey } = sums
    const promise = journey.promiseMs
    const arrival =
      journey.start &&
      view.situations.arrivals.get(journey.start)?.find((candidate) => candidate.journey === journey && candidate.via === null)
    if (!promise || typeof promise.value !== 'number' || !arrival) continue
    if (sums.worstMs !== null && exceeds(sums.worstMs, promise.value)) yield worstFinding(view, sums, arrival, promise.value)
    if (sums.typicalMs !== null && exceeds(sums.typicalMs, promise.value)) yield typicalFinding(view, sums, arrival, promise.value)
  }
}

function worstFinding(view: View, { journey, worstMs }: JourneySums, arrival: Arrival, promiseMs: number): Diagnostic {
  const worst = worstMs ?? 0
  const longest = longestVisit(view, arrival)
  return findingIn(arrival, {
    rule: 'promise-broken',
    severity: 'error',
    message: `${journey.name} promises an answer within ${formatDuration(promiseMs)}, but may take ${formatDuration(worst)}`,
    arithmetic: `${formatDuration(worst)} > ${formatDuration(promiseMs)}, by ${formatDuration(worst - promiseMs)}`,
    why: 'Nothing ends the request in time, so the user waits longer than promised without an answer or a clear failure.',
    spot: journey.promiseMs?.origin.spot ?? journey.spot,
    label: 'the promise',
    related: longest ? [boundSpot(longest)] : [],
    values: { promiseMs, worstMs: worst, overByMs: worst - promiseMs },
    factors: [...promiseFactors(arrival), ...ownTimeFactors(arrival.operation), ...callFactors(view, arrival)],
    suggestion: longest ? shortened(view, arrival, longest, worst - promiseMs) : null,
  })
}

function typicalFinding(view: View, { journey, typicalMs }: JourneySums, arrival: Arrival, promiseMs: number): Diagnostic {
  const typical = typicalMs ?? 0
  const longest = slowestVisit(view, arrival)
  const part = longest && view.typicalCallMs(longest.call, longest.bound)
  return findingIn(arrival, {
    rule: 'promise-broken',
    severity: 'warning',
    message: `${journey.name} promises an answer within ${formatDuration(promiseMs)}, but when every step is at its p99 it needs ${formatDuration(typical)}`,
    arithmetic: `${formatDuration(typical)} > ${formatDuration(promiseMs)}, by ${formatDuration(typical - promiseMs)}`,
    why: 'The promise cannot be kept even when nothing is broken: a part of the healthy requests is too slow already.',
    spot: journey.promiseMs?.origin.spot ?? journey.spot,
    label: 'the promise',
    related: longest && part !== null ? [{ spot: longest.call.to.origin.spot, label: `typically up to ${formatDuration(part)}` }] : [],
    values: { promiseMs, typicalMs: typical, overByMs: typical - promiseMs },
    factors: [...promiseFactors(arrival), ...typicalFactors(arrival)],
  })
}

function promiseFactors({ journey }: Arrival): Factor[] {
  const promise = journey?.promiseMs
  return promise && typeof promise.value === 'number' ? [{ name: 'promise', value: promise.value, unit: 'ms', origin: promise.origin }] : []
}

function callFactors(view: View, arrival: Arrival): Factor[] {
  return view
    .visitsIn(arrival)
    .flatMap(({ call }) => boundFactors(call).map((part) => ({ ...part, name: `${call.to.value} ${part.name}` })))
}

/** The own times of everything the journey reaches, at most a screenful. */
function typicalFactors({ operation }: Arrival): Factor[] {
  const seen = new Set([operation])
  const waiting = [operation]
  for (let next = waiting.shift(); next && seen.size < 100; next = waiting.shift()) {
    for (const call of next.calls) {
      if (call.callee && !call.async.value && !seen.has(call.callee)) {
        seen.add(call.callee)
        waiting.push(call.callee)
      }
    }
  }
  return [...seen].flatMap((reached) => ownTimeFactors(reached)).slice(0, 20)
}

function longestVisit(view: View, arrival: Arrival): Visit | null {
  return largest(view.visitsIn(arrival), ({ bound }) => (bound.state === 'bounded' ? bound.ms : -1))
}

function slowestVisit(view: View, arrival: Arrival): Visit | null {
  return largest(view.visitsIn(arrival), ({ call, bound }) => view.typicalCallMs(call, bound))
}

function largest(visits: readonly Visit[], measure: (visit: Visit) => number): Visit | null {
  const waited = visits.filter(({ call }) => !call.async.value)
  return waited.reduce<Visit | null>((best, visit) => (best && measure(best) >= measure(visit) ? best : visit), null)
}

/** The longest call shorter by what is too much, and with it each call that runs beside it and would still be too long. */
function shortened(view: View, arrival: Arrival, longest: Visit, overByMs: number): Suggestion | null {
  const targetMs = msOf(longest) - overByMs
  const group = arrival.operation.steps.find((step) => step.kind === 'parallel' && step.calls.includes(longest.call))
  const beside = group?.kind === 'parallel' ? group.calls : [longest.call]
  const tooLong = view
    .visitsIn(arrival)
    .filter((visit) => beside.includes(visit.call) && !visit.call.async.value && exceeds(msOf(visit), targetMs))
  if (tooLong.length === 1) return anyOf(waysOf(longest, targetMs))
  const ways = tooLong.map((visit) => waysOf(visit, targetMs)[0])
  return ways.every((way) => way !== undefined) ? allOf(ways) : null
}

function waysOf(visit: Visit, targetMs: number): Change[] {
  const { from, to } = visit.call
  return shortenings(visit, targetMs).map((way) => ({ ...way, text: `${from.id} > ${to.value}: ${way.text}` }))
}

function msOf({ bound }: Visit): number {
  return bound.state === 'bounded' ? bound.ms : 0
}

/** The journey may take, or typically takes, longer than what was promised. */
export const promiseBroken: Rule = { id: 'promise-broken', severity: 'error', summary: 'the journey cannot keep its promise', check }
