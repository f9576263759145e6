import { type Bound, boundedBy, earliestBound } from '@sandglass/runtime/core'
import { boundMs, isLeaf, msOf, nothing, ownBounds, ownP99Ms } from './arithmetic.js'
import type { Call, Chain, Journey, Operation, Step } from './chain.js'
import { computeFlow, type Flow } from './flow.js'
import { later } from './later.js'
import { type Order, orderChain } from './order.js'
import { type Arrival, findSituations, type Situations, type Visit, worstBound } from './situations.js'

/** A journey with its sums: null where a bound on the way is missing or unknown. */
export interface JourneySums {
  readonly journey: Journey
  readonly worst: Bound
  readonly worstMs: number | null
  readonly typicalMs: number | null
}

/** A chain with everything derived from it that more than one command needs. Computed once, read by all. */
export interface View {
  readonly chain: Chain
  readonly order: Order
  readonly situations: Situations
  readonly flow: Flow
  /** One visit for each call, the one with the tightest layer outside: for rules that ask only about the call itself. */
  readonly perCall: readonly Visit[]
  /** Visits made in one situation, in the order of the operation's calls. */
  visitsIn(arrival: Arrival): readonly Visit[]
  /** typical(o): own work at p99, and for each call min(bound, typical of the callee) + network, in ms. */
  typicalMs(operation: Operation): number
  /** What one call typically takes, its network included: min(bound, typical(callee)) + network, in ms. */
  typicalCallMs(call: Call, bound: Bound): number
  /** worst(o) in one situation, the budget that holds there not yet applied. */
  worst(arrival: Arrival): Bound
  readonly journeys: readonly JourneySums[]
}

/** Derives a view; `journeys` restricts it to some of the chain's journeys. What not every command needs is derived when it is asked for. */
export function viewOf(chain: Chain, journeys: readonly Journey[] = chain.journeys): View {
  const order = orderChain(chain)
  const situations = findSituations(chain, order, journeys)
  const typical = later(() => typicalTimes(order))
  const flow = later(() => computeFlow(chain, order, journeys))
  const perCall = later(() => tightestOfEachCall(situations))
  const worst = worstTimes()
  const typicalMs = (operation: Operation): number => typical().get(operation) ?? 0
  return {
    chain,
    order,
    situations,
    get flow() {
      return flow()
    },
    get perCall() {
      return perCall()
    },
    visitsIn: (arrival) => arrival.visits,
    typicalMs,
    typicalCallMs: (call, bound) => typicalCall(call, bound, typical()),
    worst,
    journeys: journeys.map((journey) => sumsOf(journey, situations, worst, typicalMs)),
  }
}

/** worst(o) of situations, each added up once; where no budget is handed down, all of an operation's situations have the same. */
function worstTimes(): (arrival: Arrival) => Bound {
  const byArrival = new Map<Arrival, Bound>()
  const withoutBudget = new Map<Operation, Bound>()
  return (arrival) => {
    const known = arrival.budget ? byArrival.get(arrival) : withoutBudget.get(arrival.operation)
    if (known) return known
    const worst = worstBound(arrival)
    if (arrival.budget) byArrival.set(arrival, worst)
    else withoutBudget.set(arrival.operation, worst)
    return worst
  }
}

/** All calls of an operation are made in the same situations, so one of these is the tightest for each. */
function tightestOfEachCall({ arrivals }: Situations): readonly Visit[] {
  const tightest: Visit[] = []
  for (const ways of arrivals.values()) {
    let least = ways[0]
    for (const way of ways) if (least && outsideMs(way) < outsideMs(least)) least = way
    if (least) tightest.push(...least.visits)
  }
  return tightest
}

function outsideMs({ tightest }: Arrival): number {
  return tightest?.ms ?? Number.POSITIVE_INFINITY
}

function sumsOf(
  journey: Journey,
  situations: Situations,
  worst: (arrival: Arrival) => Bound,
  typicalMs: (operation: Operation) => number,
): JourneySums {
  const arrival =
    journey.start && situations.arrivals.get(journey.start)?.find((candidate) => candidate.journey === journey && candidate.via === null)
  if (!journey.start || !arrival) return { journey, worst: nothing, worstMs: null, typicalMs: null }
  const sum = worst(arrival)
  const capped = arrival.budget ? earliestBound(sum, boundedBy(arrival.budget.ms, 'total')) : sum
  return { journey, worst: capped, worstMs: boundMs(capped), typicalMs: typicalMs(journey.start) }
}

function typicalCall(call: Call, bound: Bound, typical: ReadonlyMap<Operation, number>): number {
  const callee = call.callee ? (typical.get(call.callee) ?? 0) : 0
  const held = bound.state === 'bounded' ? Math.min(bound.ms, callee) : callee
  return held + msOf(call.networkMs)
}

/** typical(o) of every operation, callees first. */
function typicalTimes(order: Order): ReadonlyMap<Operation, number> {
  const typical = new Map<Operation, number>()
  for (let i = order.operations.length - 1; i >= 0; i--) {
    const operation = order.operations[i]
    if (!operation) continue
    let sum = ownP99Ms(operation)
    if (!isLeaf(operation)) for (const step of operation.steps) sum += typicalStep(step, typical)
    typical.set(operation, sum)
  }
  return typical
}

function typicalStep(step: Step, typical: ReadonlyMap<Operation, number>): number {
  const calls = (step.kind === 'call' ? [step.call] : step.calls).filter((call) => !call.async.value)
  return calls.reduce((longest, call) => Math.max(longest, typicalCall(call, ownBounds(call).total, typical)), 0)
}
