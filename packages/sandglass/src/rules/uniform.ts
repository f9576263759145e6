import { formatDuration } from '@sandglass/runtime/core'
import { boundMs, ownBounds } from '../model/arithmetic.js'
import type { Call } from '../model/chain.js'
import { advice, anyOf } from '../model/change.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { boundFactors } from '../model/factors.js'
import { findingAt, type Rule } from '../model/rule.js'
import type { Arrival, Visit } from '../model/situations.js'
import type { View } from '../model/view.js'
import { boundSpot } from './measure/limit-spot.js'

/** So many layers with one number are no coincidence. */
const LEAST_LAYERS = 3

/** Equal layers are looked for over so many hops, which keeps very deep chains quick. */
const FURTHEST = 100

/** The nearest visit further out with the same bound, and how many there are with this one. */
interface Run {
  readonly outer: Visit
  readonly layers: number
}

function* check(view: View): Iterable<Diagnostic> {
  const runs = runsOf(view)
  const continued = new Set([...runs.values()].map(({ outer }) => outer))
  const ends = [...runs].filter(([visit, { layers }]) => layers >= LEAST_LAYERS && !continued.has(visit))
  ends.sort(([, a], [, b]) => b.layers - a.layers)
  const reported = new Map<number, Set<Call>>()
  for (const [visit] of ends) {
    const ms = boundMs(visit.bound) ?? 0
    const layers = layersOfRun(visit, runs)
    const known = reported.get(ms) ?? new Set<Call>()
    // Branches of one path that share its outer layers are the same habit.
    if (layers.slice(0, 2).some(({ call }) => known.has(call))) continue
    for (const { call } of layers) known.add(call)
    reported.set(ms, known)
    yield findingOf(visit, ms, layers)
  }
}

/** The layers of a run, outermost first. */
function layersOfRun(end: Visit, runs: ReadonlyMap<Visit, Run>): Visit[] {
  const layers: Visit[] = []
  for (let at: Visit | undefined = end; at; at = runs.get(at)?.outer) layers.push(at)
  return layers.reverse()
}

/** The runs of equal bounds that end with each visit, of two layers and more: callers come before callees. */
function runsOf(view: View): ReadonlyMap<Visit, Run> {
  const runs = new Map<Visit, Run>()
  const outside: (readonly number[])[] = []
  for (const [operation, arrivals] of view.situations.arrivals) {
    const totals = operation.calls.map((call) => boundMs(ownBounds(call).total) ?? NONE)
    for (const arrival of arrivals) {
      const bounds = boundsOutside(arrival, outside)
      outside[arrival.index] = bounds
      const isRepeated = bounds.some((ms) => ms !== NONE && totals.includes(ms))
      if (isRepeated) continueRuns(runs, arrival, bounds)
    }
  }
  return runs
}

/** The bounds of their own in ms of the layers outside, nearest first, on the part of the path where somebody waits; {@link NONE} for other layers. */
function boundsOutside({ via }: Arrival, outside: readonly (readonly number[])[]): readonly number[] {
  if (!via || via.call.async.value) return []
  const further = outside[via.arrival.index] ?? []
  return [ownMs(via), ...(further.length < FURTHEST ? further : further.slice(0, FURTHEST - 1))]
}

const NONE = -1

function ownMs({ bound, inherited }: Visit): number {
  return bound.state === 'bounded' && !inherited ? bound.ms : NONE
}

function continueRuns(runs: Map<Visit, Run>, { visits }: Arrival, bounds: readonly number[]): void {
  for (const visit of visits) continueRun(runs, visit, bounds)
}

function continueRun(runs: Map<Visit, Run>, visit: Visit, bounds: readonly number[]): void {
  const ms = ownMs(visit)
  const hops = ms === NONE || visit.call.async.value ? -1 : bounds.indexOf(ms)
  if (hops < 0) return
  let outer = visit.arrival.via
  for (let i = 0; i < hops && outer; i++) outer = outer.arrival.via
  if (outer) runs.set(visit, { outer, layers: (runs.get(outer)?.layers ?? 1) + 1 })
}

function findingOf(visit: Visit, ms: number, layers: readonly Visit[]): Diagnostic {
  return findingAt(visit, {
    rule: 'uniform',
    severity: 'warning',
    message: `${layers.length} layers of this path have the same limit, ${formatDuration(ms)}`,
    arithmetic: `${layers.map(({ call }) => call.from.id).join(', ')}: ${formatDuration(ms)} each`,
    why: 'One number on every layer was copied, not chosen: the outer ones leave no time for the inner ones to fail and be answered for.',
    ...boundSpot(visit),
    related: layers.slice(0, -1).map((layer) => ({ spot: boundSpot(layer).spot, label: `${layer.call.from.id}: the same` })),
    values: { boundMs: ms, layers: layers.length },
    factors: layers.flatMap(({ call }) => boundFactors(call).map((part) => ({ ...part, name: `${call.from.id} ${part.name}` }))),
    suggestion: anyOf([advice('derive each from the promise: "sandglass plan" works the values out from the outside in')]),
  })
}

/** Three or more layers of a path have the same bound. */
export const uniform: Rule = { id: 'uniform', severity: 'warning', summary: 'the same number on every layer', check }
