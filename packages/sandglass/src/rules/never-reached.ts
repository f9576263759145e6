import { formatDuration } from '@sandglass/runtime/core'
import { msOf, ownBounds, ownP99Ms } from '../model/arithmetic.js'
import type { Call, LimitMs, Operation } from '../model/chain.js'
import { advice, anyOf } from '../model/change.js'
import type { Consequence, Diagnostic, Factor, Severity } from '../model/diagnostic.js'
import { boundFactors, factor, layerFactors, ownTimeFactors } from '../model/factors.js'
import { findingAt, type Rule } from '../model/rule.js'
import { type Arrival, pathOf, type Visit } from '../model/situations.js'
import type { Sourced } from '../model/sourced.js'
import type { View } from '../model/view.js'
import { exceeds } from './measure/exceeds.js'
import { type Left, type Lefts, leftBefore } from './measure/left.js'
import { layerSpot } from './measure/limit-spot.js'

/** The least time a call is worth starting with: its own floor or the callee's, whichever is longer. */
function floorOf({ floorMs, callee }: Call): Sourced<LimitMs> {
  const ofCallee = callee?.floorMs
  return ofCallee && msOf(ofCallee) > msOf(floorMs) ? ofCallee : floorMs
}

/** Error where even typical steps before use the time up, info where only the worst case does. */
function severityOf(call: Call, left: Left, floorMs: number): Severity | null {
  if (call.async.value || call.optional.value) return null
  if (exceeds(floorMs, left.typicalMs)) return 'error'
  const isWorst = left.isBudget && left.worstMs !== null && exceeds(floorMs, left.worstMs)
  return isWorst && !call.fallback ? 'info' : null
}

interface Found {
  readonly visit: Visit
  readonly left: Left
  readonly severity: Severity
  readonly later: Visit[]
}

/** Above the rounding that {@link exceeds} allows for. */
const SLACK_MS = 0.001

/** What an operation needs before and for the start of its latest call, where no budget is handed down and each step takes its typical time. */
function neededMs(view: View, { steps }: Operation, ownMs: number): number {
  let usedMs = ownMs
  let most = 0
  for (const step of steps) {
    let longest = 0
    for (const call of step.kind === 'call' ? [step.call] : step.calls) {
      if (call.async.value) continue
      if (!call.optional.value) most = Math.max(most, usedMs + msOf(floorOf(call)))
      longest = Math.max(longest, view.typicalCallMs(call, ownBounds(call).total))
    }
    usedMs += longest
  }
  return most
}

/** The situations in which a call may come too late: those with a budget, and those whose caller waits less than the latest call needs. */
function lateArrivals(view: View): ReadonlySet<Arrival> {
  const late = new Set<Arrival>()
  for (const [operation, arrivals] of view.situations.arrivals) {
    if (operation.calls.length === 0) continue
    const needed = neededMs(view, operation, ownP99Ms(operation))
    for (const arrival of arrivals) {
      const { budget, callerBound } = arrival
      if (budget || (callerBound.state === 'bounded' && needed + SLACK_MS > callerBound.ms)) late.add(arrival)
    }
  }
  return late
}

function* check(view: View): Iterable<Diagnostic> {
  const late = lateArrivals(view)
  if (late.size === 0) return
  const search: Search = { lefts: leftBefore(view), firsts: new Map(), flagged: new Map(), worst: new Map() }
  for (const arrivals of view.situations.arrivals.values()) for (const arrival of arrivals) lookIn(search, arrival, late)
  for (const each of search.worst.values()) yield findingOf(each)
}

function lookIn(search: Search, arrival: Arrival, late: ReadonlySet<Arrival>): void {
  const outer = arrival.via ? search.flagged.get(arrival.via) : undefined
  if (outer || late.has(arrival)) for (const visit of arrival.visits) look(search, visit, outer)
}

interface Search {
  readonly lefts: Lefts
  readonly firsts: Map<Arrival, Map<Severity, Found>>
  readonly flagged: Map<Visit, Severity>
  readonly worst: Map<Call, Found>
}

function look({ lefts, firsts, flagged, worst }: Search, visit: Visit, outer: Severity | undefined): void {
  const left = lefts.get(visit)
  const severity = outer === 'error' ? outer : left && severityOf(visit.call, left, msOf(floorOf(visit.call)))
  if (!left || !severity) return
  flagged.set(visit, severity)
  // What a call that is not started would have asked follows from it.
  if (outer === severity) return
  const found = { visit, left, severity, later: [] }
  const before = worst.get(visit.call)
  if (isFirst(firsts, found) && (!before || isWorse(found, before))) worst.set(visit.call, found)
}

/** True for the first such call of a situation; the later ones are its consequences. */
function isFirst(firsts: Map<Arrival, Map<Severity, Found>>, found: Found): boolean {
  const bySeverity = firsts.get(found.visit.arrival) ?? new Map<Severity, Found>()
  firsts.set(found.visit.arrival, bySeverity)
  const first = bySeverity.get(found.severity)
  if (first) first.later.push(found.visit)
  else bySeverity.set(found.severity, found)
  return !first
}

function isWorse(a: Found, b: Found): boolean {
  if (a.severity !== b.severity) return a.severity === 'error'
  return shownLeft(a) < shownLeft(b)
}

function shownLeft({ left, severity }: Found): number {
  return severity === 'error' ? left.typicalMs : (left.worstMs ?? left.typicalMs)
}

function findingOf(each: Found): Diagnostic {
  const { visit, left, severity, later } = each
  const { call, arrival } = visit
  const floor = floorOf(call)
  const floorMs = msOf(floor)
  const leftMs = shownLeft(each)
  const hasMs = severity === 'error' ? left.hasMs : (left.hasWorstMs ?? left.hasMs)
  const reserveMs = left.isBudget ? msOf(call.reserveMs) : 0
  const usedMs = hasMs - reserveMs - leftMs
  return findingAt(visit, {
    rule: 'never-reached',
    severity,
    message: sentence(call, severity, leftMs, floorMs),
    arithmetic: `${formatDuration(hasMs)} - ${formatDuration(usedMs)} used before${reserveMs > 0 ? ` - reserve ${formatDuration(reserveMs)}` : ''} = ${formatDuration(leftMs)} < ${formatDuration(floorMs)}`,
    why: left.isBudget
      ? 'A call that cannot be answered in time is not sent, so the steps before it were made for nothing.'
      : 'The caller has given up before this call can be answered.',
    spot: call.to.origin.spot,
    label: 'comes too late',
    related: arrival.caller ? [layerSpot(arrival.caller)] : [],
    values: { leftMs, floorMs, hasMs, usedMs },
    factors: [
      ...factorsBefore(visit),
      { ...factor('reserve', call.reserveMs, 'ms') },
      factor('floor', floor, 'ms'),
      ...(arrival.caller ? layerFactors(arrival.caller) : []),
    ],
    consequences: later.map((after) => consequenceOf(after, call)),
    suggestion: anyOf([
      advice(`give ${call.to.value} a fallback, make it optional, move it forward, or run it beside the steps before it`),
    ]),
  })
}

function sentence(call: Call, severity: Severity, leftMs: number, floorMs: number): string {
  const leave = leftMs > 0 ? `leave ${formatDuration(leftMs)}` : `leave nothing (${formatDuration(-leftMs)} too little)`
  const needs = floorMs > 0 ? `, and it needs ${formatDuration(floorMs)}` : ''
  const before = `the steps before it in ${call.from.id}`
  if (severity === 'error') return `${call.to.value} is typically never reached: ${before} ${leave}${needs}`
  return `${call.to.value} is not reached when ${before} use their whole limits: they ${leave}${needs}`
}

/** What the steps before a call consist of. */
function factorsBefore({ call, arrival }: Visit): Factor[] {
  const { operation } = arrival
  const position = operation.steps.findIndex((step) => (step.kind === 'call' ? step.call === call : step.calls.includes(call)))
  const before = operation.steps.slice(0, position).flatMap((step) => (step.kind === 'call' ? [step.call] : step.calls))
  const waited = before.filter((other) => !other.async.value)
  return [
    ...ownTimeFactors(operation),
    ...waited.flatMap((other) => [
      ...(other.callee ? ownTimeFactors(other.callee) : []),
      ...boundFactors(other).map((part) => ({ ...part, name: `${other.to.value} ${part.name}` })),
    ]),
  ]
}

function consequenceOf(after: Visit, call: Call): Consequence {
  return {
    message: `${after.call.to.value} comes after ${call.to.value} and is not started either`,
    path: pathOf(after),
    values: {},
    spot: after.call.to.origin.spot,
  }
}

/** After the steps before it there is not enough time left to start a call. */
export const neverReached: Rule = {
  id: 'never-reached',
  severity: 'error',
  summary: 'after the steps before it, there is not enough left to start',
  check,
}
