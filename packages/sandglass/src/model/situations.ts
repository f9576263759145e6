import { addBounds, type Bound, boundedBy, earliestBound, effectiveBound, maxBound, unbounded } from '@sandglass/runtime/core'
import { boundMs, heldByOneAttempt, msOf, nothing, type OwnBounds, ownBounds, ownP99Ms, requestLimit } from './arithmetic.js'
import type { Call, Chain, Journey, Operation, Step } from './chain.js'
import type { Order } from './order.js'
import { pathEnds } from './path-ends.js'

/** Where the budget that holds in an operation comes from. */
export type BudgetSource = 'caller' | 'request' | 'promise'

/** A layer's limit on everything inside it, and the operation that sets it. */
export interface Layer {
  readonly ms: number
  /** The operation whose limit it is. */
  readonly operation: Operation
  /** The call that carries it; null for an operation's own request limit. */
  readonly call: Call | null
}

/** One way in which an operation is entered: from which call, with what time. */
export interface Arrival {
  readonly operation: Operation
  readonly journey: Journey | null
  /** The call it is reached by; null where the chain is entered. */
  readonly via: Visit | null
  /** The budget that holds inside, where a deadline is propagated. */
  readonly budget: { readonly ms: number; readonly source: BudgetSource } | null
  /** What the caller gives calls made here: min(attempt or silence, bound, own request limit); unbounded where nobody waits. */
  readonly callerBound: Bound
  /** The layer that sets `callerBound`, when it is bounded. */
  readonly caller: Layer | null
  /** The tightest layer on the whole path outside. */
  readonly tightest: Layer | null
}

/** One call in one situation. */
export interface Visit {
  readonly call: Call
  readonly arrival: Arrival
  readonly own: OwnBounds
  /** How long the caller may be held, a handed-down budget included. */
  readonly bound: Bound
  /** True where the handed-down budget is shorter than the call's own bound. */
  readonly inherited: boolean
}

/** All situations of a chain. */
export interface Situations {
  readonly arrivals: ReadonlyMap<Operation, readonly Arrival[]>
  readonly visits: readonly Visit[]
  /** Situations left out because an operation is reached in more than {@link MAX_ARRIVALS} different ways. */
  readonly leftOut: number
}

/** An operation is looked at in at most so many situations; those with the least time are kept. */
export const MAX_ARRIVALS = 64

/** Walks the chain from its entries, callers before callees, and finds every situation a call is made in. */
export function findSituations(chain: Chain, order: Order, journeys: readonly Journey[] = chain.journeys): Situations {
  return new Walk(order).run(chain, journeys)
}

class Walk {
  private readonly arrivals = new Map<Operation, Map<string | number, Arrival>>()
  private readonly visits: Visit[] = []
  private leftOut = 0

  constructor(private readonly order: Order) {}

  run(chain: Chain, journeys: readonly Journey[]): Situations {
    for (const journey of journeys) if (journey.start) this.enter(arrivalAtStart(journey.start, journey))
    if (journeys.length === chain.journeys.length) {
      for (const entry of this.order.entries) if (!this.arrivals.has(entry)) this.enter(arrivalAtStart(entry, null))
    }
    const settled = new Map<Operation, readonly Arrival[]>()
    for (const operation of this.order.operations) {
      const arrivals = [...(this.arrivals.get(operation)?.values() ?? [])]
      if (arrivals.length === 0) continue
      settled.set(operation, arrivals)
      for (const arrival of arrivals) this.goOn(arrival)
    }
    return { arrivals: settled, visits: this.visits, leftOut: this.leftOut }
  }

  private goOn(arrival: Arrival): void {
    for (const call of arrival.operation.calls) {
      const visit = visitOf(call, ownBounds(call), arrival)
      this.visits.push(visit)
      if (call.callee && !this.order.closing.has(call)) this.enter(arrivalBy(visit, call.callee))
    }
  }

  private enter(arrival: Arrival): void {
    let known = this.arrivals.get(arrival.operation)
    if (!known) {
      known = new Map()
      this.arrivals.set(arrival.operation, known)
    }
    const key = keyOf(arrival)
    const before = known.get(key)
    if (before) {
      if ((arrival.tightest?.ms ?? Number.POSITIVE_INFINITY) < (before.tightest?.ms ?? Number.POSITIVE_INFINITY)) known.set(key, arrival)
      return
    }
    known.set(key, arrival)
    if (known.size > MAX_ARRIVALS) this.dropLoosest(known)
  }

  private dropLoosest(known: Map<string | number, Arrival>): void {
    let loosest: string | number | null = null
    let mostMs = Number.NEGATIVE_INFINITY
    for (const [key, { budget, tightest }] of known) {
      const ms = Math.min(budget?.ms ?? Number.POSITIVE_INFINITY, tightest?.ms ?? Number.POSITIVE_INFINITY)
      if (ms > mostMs) {
        mostMs = ms
        loosest = key
      }
    }
    if (loosest !== null) known.delete(loosest)
    this.leftOut++
  }
}

/** Arrivals by the same call with the same budget are one situation: the one with the tightest layer outside speaks for all. */
function keyOf({ via, journey, budget }: Arrival): string | number {
  if (!via) return `start ${journey?.name ?? ''}`
  return budget ? `${via.call.index} ${budget.ms}` : via.call.index
}

function visitOf(call: Call, own: OwnBounds, arrival: Arrival): Visit {
  const budget = call.async.value || !arrival.budget ? unbounded : boundedBy(arrival.budget.ms, 'total')
  const bound = arrival.budget ? effectiveBound(own.total, budget, msOf(call.reserveMs)) : own.total
  const inherited = bound.state === 'bounded' && (own.total.state !== 'bounded' || bound.ms < own.total.ms)
  return { call, arrival, own, bound, inherited }
}

function arrivalAtStart(operation: Operation, journey: Journey | null): Arrival {
  const request = requestLimit(operation)
  const caller = request.state === 'bounded' ? { ms: request.ms, operation, call: null } : null
  return { operation, journey, via: null, budget: startedBudget(operation, journey, true), callerBound: request, caller, tightest: caller }
}

/** The budget of a service that propagates and receives none. */
function startedBudget(operation: Operation, journey: Journey | null, atTheEdge: boolean): Arrival['budget'] {
  if (operation.service.deadline.value !== 'propagate') return null
  const request = operation.limits?.requestMs?.value
  if (typeof request === 'number') return { ms: request, source: 'request' }
  const promise = journey?.promiseMs?.value
  return atTheEdge && typeof promise === 'number' ? { ms: promise, source: 'promise' } : null
}

function arrivalBy(visit: Visit, operation: Operation): Arrival {
  const { arrival, call } = visit
  const request = requestLimit(operation)
  const given = call.async.value ? unbounded : heldByOneAttempt(visit.own, visit.bound)
  const callerBound = earliestBound(given, request)
  const caller = layerOf(visit, operation, given, request)
  const outside = call.async.value ? null : arrival.tightest
  const tightest = outside && (!caller || outside.ms <= caller.ms) ? outside : caller
  return { operation, journey: arrival.journey, via: visit, budget: budgetBy(visit, operation, given), callerBound, caller, tightest }
}

function layerOf(visit: Visit, operation: Operation, given: Bound, request: Bound): Layer | null {
  const givenMs = given.state === 'bounded' ? given.ms : Number.POSITIVE_INFINITY
  if (request.state === 'bounded' && request.ms < givenMs) return { ms: request.ms, operation, call: null }
  return given.state === 'bounded' ? { ms: given.ms, operation: visit.call.from, call: visit.call } : null
}

function budgetBy(visit: Visit, operation: Operation, given: Bound): Arrival['budget'] {
  const { call, arrival } = visit
  if (operation.service.deadline.value !== 'propagate') return null
  const behindClient = arrival.via === null && call.from.service.kind.value === 'client'
  if (call.deadline.value !== 'propagate' || given.state !== 'bounded') return startedBudget(operation, arrival.journey, behindClient)
  const own = requestLimit(operation)
  return own.state === 'bounded' && own.ms < given.ms ? { ms: own.ms, source: 'request' } : { ms: given.ms, source: 'caller' }
}

/** The bound of one step in a situation: its call, or the longest of its group; async calls do not count. */
export function stepBound(step: Step, boundOf: (call: Call) => Bound): Bound {
  const calls = step.kind === 'call' ? [step.call] : step.calls
  return calls.filter((call) => !call.async.value).reduce<Bound>((longest, call) => maxBound(longest, boundOf(call)), nothing)
}

/** worst(o) in one situation: own work at p99 and the bounds of its steps, before any budget cuts the sum. */
export function worstBound(operation: Operation, boundOf: (call: Call) => Bound): Bound {
  return operation.steps.reduce((sum, step) => addBounds(sum, stepBound(step, boundOf)), boundedBy(ownP99Ms(operation), 'total'))
}

/** The path of a visit in words: from where the chain is entered to the callee, its middle as `…` where it is very long. */
export function pathOf(visit: Visit): string[] {
  const { head, tail } = pathEnds(visit)
  const path = [(head[0] ?? visit).call.from.id, ...head.map(({ call }) => call.to.value)]
  return tail.length === 0 ? path : [...path, '…', ...tail.map(({ call }) => call.to.value)]
}

/** The bound in ms of each step of that path, one less than its names; null where it is unbounded, unknown, or leads to the `…`. */
export function pathBoundsOf(visit: Visit): (number | null)[] {
  const { head, tail } = pathEnds(visit)
  const bounds = head.map(({ bound }) => boundMs(bound))
  return tail.length === 0 ? bounds : [...bounds, null, null, ...tail.slice(1).map(({ bound }) => boundMs(bound))]
}

/** The path that leads into an arrival. */
export function pathInto(arrival: Arrival): string[] {
  return arrival.via ? pathOf(arrival.via) : [arrival.operation.id]
}

/** The visits of a path, outermost first. */
export function layersOf(visit: Visit): Visit[] {
  const layers: Visit[] = []
  for (let at: Visit | null = visit; at; at = at.arrival.via) layers.push(at)
  return layers.reverse()
}
