import { formatDuration } from '@sandglass/runtime/core'
import { msOf } from '../model/arithmetic.js'
import type { Call, Operation } from '../model/chain.js'
import { anyOf } from '../model/change.js'
import type { Diagnostic, Factor, Suggestion } from '../model/diagnostic.js'
import { boundFactors, layerFactors, marginFactors, ownTimeFactors } from '../model/factors.js'
import { findingAt, findingIn, type Rule, worstVisits } from '../model/rule.js'
import type { Arrival, Layer, Visit } from '../model/situations.js'
import type { View } from '../model/view.js'
import { exceeds } from './measure/exceeds.js'
import { ladderOf, marginOf, type Rung } from './measure/ladder.js'
import { boundSpot, layerSpot } from './measure/limit-spot.js'
import { lengthening, roomless, shortenings } from './measure/shorten.js'
import { overflows, type Sum, sumInWords, sumOf } from './measure/sums.js'
import { tightArrivals } from './measure/tight.js'

const why = 'Which side gives up first is chance, and when it is the caller, the error of the inner call is lost.'

/** How far a time reaches into the margin of its layer; null where it keeps off it. Equal values count, whatever the margin is. */
function intrusionMs(ms: number, callerMs: number, marginMs: number): number | null {
  if (exceeds(ms, callerMs)) return null
  const over = ms + marginMs - callerMs
  return exceeds(over, 0) || !exceeds(callerMs, ms) ? Math.max(0, over) : null
}

/** A budget that was handed down keeps its reserve by itself; one without reserve does not. */
function keepsItself({ arrival, call, inherited }: Visit): boolean {
  if (inherited) return true
  const { budget, caller } = arrival
  return budget !== null && caller !== null && budget.ms <= caller.ms && msOf(call.reserveMs) > 0
}

function callIntrusion(visit: Visit): number | null {
  const { call, bound, arrival } = visit
  if (call.async.value || bound.state !== 'bounded' || arrival.callerBound.state !== 'bounded' || keepsItself(visit)) return null
  return intrusionMs(bound.ms, arrival.callerBound.ms, marginOf(arrival))
}

/** Situations in which a margin may be missing; those whose steps do not fit at all have a finding of their own. */
function marginless(view: View): readonly Arrival[] {
  return tightArrivals(view).filter((arrival) => {
    const sum = sumOf(view, arrival)
    return !sum || !overflows(sum)
  })
}

function marginInWords({ via }: Arrival): string {
  if (!via) return ''
  const network = msOf(via.call.networkMs)
  const reserve = msOf(via.call.reserveMs)
  return `${network > 0 ? ` + network ${formatDuration(network)}` : ''}${reserve > 0 ? ` + reserve ${formatDuration(reserve)}` : ''}`
}

function* check(view: View): Iterable<Diagnostic> {
  const arrivals = marginless(view)
  const intruding = new Set<Arrival>()
  for (const arrival of arrivals) if (arrival.visits.some((visit) => callIntrusion(visit) !== null)) intruding.add(arrival)
  const visits = [...intruding].flatMap((arrival) => arrival.visits)
  for (const visit of worstVisits(visits, callIntrusion)) {
    const { caller } = visit.arrival
    if (caller) yield callFinding(visit, caller, ladderOf(view).get(visit))
  }
  const others = arrivals.filter((arrival) => !intruding.has(arrival))
  for (const sum of worstSums(view, others)) yield sumFinding(view, sum)
}

function callFinding(visit: Visit, caller: Layer, rung: Rung | undefined): Diagnostic {
  const { call, arrival } = visit
  const boundMs = visit.bound.state === 'bounded' ? visit.bound.ms : 0
  const marginMs = marginOf(arrival)
  const isEqual = !exceeds(caller.ms, boundMs)
  return findingAt(visit, {
    rule: 'no-margin',
    severity: 'warning',
    message: callSentence(visit, caller, boundMs, marginMs),
    arithmetic: `${formatDuration(boundMs)}${marginInWords(arrival)} ${isEqual && marginMs === 0 ? '=' : '>'} ${formatDuration(caller.ms)}`,
    why,
    ...boundSpot(visit),
    related: [layerSpot(caller)],
    values: { boundMs, callerBoundMs: caller.ms, marginMs, leftMs: caller.ms - boundMs },
    factors: [...boundFactors(call), ...layerFactors(caller), ...outerMargin(arrival)],
    suggestion: callSuggestion(visit, caller, rung),
  })
}

function callSentence({ call }: Visit, caller: Layer, boundMs: number, marginMs: number): string {
  const outer = caller.operation === call.from ? 'it may work itself' : `${caller.operation.id} waits for it`
  if (!exceeds(caller.ms, boundMs))
    return `${call.from.id} waits for ${call.to.value} as long as ${outer}: both give up after ${formatDuration(boundMs)}`
  return `${call.from.id} waits for ${call.to.value} almost as long as ${outer}: ${formatDuration(boundMs)} of ${formatDuration(caller.ms)} leave less than the ${formatDuration(marginMs)} of network and reserve`
}

function outerMargin({ via }: Arrival): Factor[] {
  return via ? marginFactors(via.call) : []
}

function callSuggestion(visit: Visit, caller: Layer, rung: Rung | undefined): Suggestion | null {
  if (!rung || rung.outerMs === null) return null
  if (rung.marginMs === 0) return anyOf([roomless(rung.outerMs)])
  const boundMs = visit.bound.state === 'bounded' ? visit.bound.ms : 0
  const ways = shortenings(visit, rung.outerMs - rung.marginMs)
  return anyOf(ways.length > 0 ? ways : [lengthening(visit, caller, boundMs + rung.marginMs)])
}

/** One sum for each operation and caller, the one that reaches furthest into its margin; leaves have no sum. */
function worstSums(view: View, arrivals: readonly Arrival[]): Sum[] {
  const worst = new Map<Call | Operation, { sum: Sum; value: number }>()
  for (const arrival of arrivals) {
    const sum = sumOf(view, arrival)
    const value = sum && sumIntrusion(view, sum)
    if (!sum || value === null) continue
    const key = arrival.via?.call ?? arrival.operation
    if (value > (worst.get(key)?.value ?? -1)) worst.set(key, { sum, value })
  }
  return [...worst.values()].map(({ sum }) => sum)
}

function sumIntrusion(view: View, sum: Sum): number | null {
  if (sum.isCut || sum.steps.length === 0 || view.visitsIn(sum.arrival).some(keepsItself)) return null
  const over = sum.worstMs + sum.marginMs - sum.caller.ms
  if (exceeds(sum.worstMs, sum.caller.ms)) return over
  return intrusionMs(sum.worstMs, sum.caller.ms, sum.marginMs)
}

function sumFinding(view: View, sum: Sum): Diagnostic {
  const { arrival, caller, worstMs, marginMs } = sum
  const { operation } = arrival
  const longest = longestVisit(view, sum)
  const needed = worstMs + marginMs
  return findingIn(arrival, {
    rule: 'no-margin',
    severity: 'warning',
    message: sumSentence(sum),
    arithmetic: `${sumInWords(sum)}${marginInWords(arrival)} ${exceeds(needed, caller.ms) ? '>' : '='} ${formatDuration(caller.ms)}`,
    why,
    ...(longest ? boundSpot(longest) : { spot: operation.spot, label: 'all its steps' }),
    related: [layerSpot(caller)],
    values: { worstMs, callerBoundMs: caller.ms, marginMs, leftMs: caller.ms - worstMs },
    factors: [
      ...ownTimeFactors(operation),
      ...view.visitsIn(arrival).flatMap(({ call }) => named(call.to.value, boundFactors(call))),
      ...layerFactors(caller),
      ...outerMargin(arrival),
    ],
    suggestion: longest ? sumSuggestion(longest, sum) : null,
  })
}

function sumSentence({ arrival, caller, worstMs, marginMs }: Sum): string {
  const takes = `${arrival.operation.id} may take ${formatDuration(worstMs)}`
  const waits = caller.operation === arrival.operation ? 'it has' : `${caller.operation.id} waits`
  if (exceeds(worstMs, caller.ms))
    return `${takes} with its own work, ${formatDuration(worstMs - caller.ms)} more than the ${formatDuration(caller.ms)} ${waits}`
  if (!exceeds(caller.ms, worstMs)) return `${takes}, exactly what ${waits}: both expire together`
  return `${takes} of the ${formatDuration(caller.ms)} ${waits}, which leaves less than the ${formatDuration(marginMs)} of network and reserve`
}

function named(operation: string, factors: readonly Factor[]): Factor[] {
  return factors.map((part) => ({ ...part, name: `${operation} ${part.name}` }))
}

function longestVisit(view: View, { arrival }: Sum): Visit | null {
  const bounded = view.visitsIn(arrival).filter(({ call, bound }) => !call.async.value && bound.state === 'bounded')
  return bounded.reduce<Visit | null>((longest, visit) => (longest && msIn(longest) >= msIn(visit) ? longest : visit), null)
}

function msIn({ bound }: Visit): number {
  return bound.state === 'bounded' ? bound.ms : 0
}

function sumSuggestion(longest: Visit, { worstMs, marginMs, caller }: Sum): Suggestion | null {
  if (marginMs === 0 && !exceeds(worstMs, caller.ms)) return anyOf([roomless(caller.ms)])
  const ways = shortenings(longest, msIn(longest) - (worstMs + marginMs - caller.ms)).map((way) => ({
    ...way,
    text: `${longest.call.to.value}: ${way.text}`,
  }))
  return anyOf(ways.length > 0 ? ways : [lengthening(longest, caller, worstMs + marginMs)])
}

/** Two layers expire together: a call, or all steps of an operation, leave no room for the way back. */
export const noMargin: Rule = { id: 'no-margin', severity: 'warning', summary: 'two layers expire together', check }
