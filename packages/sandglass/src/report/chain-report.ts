import type { Bound } from '@sandglass/runtime/core'
import { boundMs, ownBounds } from '../model/arithmetic.js'
import type { Call, Chain, Service } from '../model/chain.js'
import type { Diagnostic, Note } from '../model/diagnostic.js'
import { later } from '../model/later.js'
import type { View } from '../model/view.js'
import { boundText } from './bound-text.js'
import { type ChainDrawing, type DrawnEdge, edgeKey } from './chain-drawing.js'
import type { CheckReport, Coverage, Hop, JourneyTimes, NotRead } from './check-report.js'

/** What a check found in a chain, ready for every format; `notRead` are files that were there and were left out. */
export function chainReport(
  view: View,
  diagnostics: readonly Diagnostic[],
  notes: readonly Note[] = [],
  notRead: readonly NotRead[] = [],
): CheckReport {
  const bounds = largestBounds(view)
  const hops = later(() => hopsOf(bounds))
  const drawing = later(() => drawingOf(view, bounds))
  return {
    journeys: journeyTimes(view),
    diagnostics,
    notes,
    coverage: coverageOf(view, bounds, notRead),
    hopOf: (from, to) => hops().get(edgeKey(from, to)) ?? null,
    get drawing() {
      return drawing()
    },
  }
}

function hopsOf(bounds: ReadonlyMap<Call, Bound>): ReadonlyMap<string, Hop> {
  const hops = new Map<string, Hop>()
  for (const [call, bound] of bounds) hops.set(edgeKey(call.from.id, call.to.value), { state: bound.state, spot: call.spot })
  return hops
}

/** The times of the journeys of a view. */
export function journeyTimes(view: View): readonly JourneyTimes[] {
  return view.journeys.map(({ journey, worstMs, typicalMs }) => {
    const promise = journey.promiseMs?.value
    return { name: journey.name, promiseMs: typeof promise === 'number' ? promise : null, worstMs, typicalMs }
  })
}

/** The longest that each visited call may hold its caller, over all the situations it is made in. */
export function largestBounds(view: View): ReadonlyMap<Call, Bound> {
  const bounds = new Map<Call, Bound>()
  for (const [operation, arrivals] of view.situations.arrivals) {
    const withBudget = arrivals.filter(({ budget }) => budget !== null)
    operation.calls.forEach((call, k) => {
      let largest = withBudget.length < arrivals.length ? ownBounds(call).total : null
      for (const { visits } of withBudget) {
        const bound = visits[k]?.bound
        if (bound && (!largest || outweighs(bound, largest))) largest = bound
      }
      if (largest) bounds.set(call, largest)
    })
  }
  return bounds
}

/** Unbounded weighs more than unknown, unknown more than any number. */
function outweighs(bound: Bound, other: Bound): boolean {
  const weight = { bounded: 0, unknown: 1, unbounded: 2 }
  if (bound.state !== other.state) return weight[bound.state] > weight[other.state]
  return (boundMs(bound) ?? 0) > (boundMs(other) ?? 0)
}

function coverageOf(view: View, bounds: ReadonlyMap<Call, Bound>, notRead: readonly NotRead[]): Coverage {
  const states = [...bounds.values()].map((bound) => bound.state)
  return {
    journeys: view.journeys.length,
    calls: bounds.size,
    unboundedCalls: states.filter((state) => state === 'unbounded').length,
    unknownCalls: states.filter((state) => state === 'unknown').length,
    notRead,
    servicesWithoutData: withoutData(view.chain),
  }
}

/** Services that others call and of whose own answers no time is known. */
function withoutData(chain: Chain): readonly string[] {
  const called = new Set(chain.calls.flatMap((call) => (call.callee ? [call.callee.service] : [])))
  return [...called].filter(hasNoTimes).map((service) => service.name)
}

function hasNoTimes(service: Service): boolean {
  const leaves = [...service.operations.values()].filter((operation) => operation.calls.length === 0)
  return leaves.length > 0 && leaves.every((operation) => !operation.latency && !operation.work)
}

/** The part of a chain that a view visits, as nodes and edges, callers first. */
export function drawingOf(view: View, bounds: ReadonlyMap<Call, Bound> = largestBounds(view)): ChainDrawing {
  const starts = new Map<string, string[]>()
  for (const { journey } of view.journeys) {
    if (journey.start) starts.set(journey.start.id, [...(starts.get(journey.start.id) ?? []), journey.name])
  }
  const nodes = view.order.operations
    .filter((operation) => view.situations.arrivals.has(operation))
    .map(({ id, name, service }) => ({
      id,
      service: service.name,
      operation: name,
      kind: service.kind.value,
      starts: starts.get(id) ?? [],
    }))
  const edges = [...bounds].filter(([call]) => call.callee !== null).map(([call, bound]) => edgeOf(call, bound))
  return { nodes, edges, leftOut: 0 }
}

function edgeOf(call: Call, bound: Bound): DrawnEdge {
  const attempts = call.attempts.value
  return {
    from: call.from.id,
    to: call.to.value,
    bound: boundText({ state: bound.state, boundMs: boundMs(bound) }),
    state: bound.state,
    attempts: typeof attempts === 'number' ? attempts : null,
    optional: call.optional.value,
    async: call.async.value,
  }
}
