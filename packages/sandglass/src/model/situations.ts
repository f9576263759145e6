import { addBounds, type Bound, boundedBy, earliestBound, effectiveBound, maxBound, unbounded } from '@sandglass/runtime/core'
import { boundMs, heldByOneAttempt, msOf, nothing, ownBounds, ownP99Ms, requestLimit } from './arithmetic.js'
import type { Call, Chain, Journey, Operation, OwnBounds, Step } from './chain.js'
import { later } from './later.js'
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
  /** Its number among the situations of a chain. */
  readonly index: number
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
  /** The calls made in it, in the order of the operation's calls. */
  readonly visits: readonly Visit[]
}

/** One call in one situation. */
export interface Visit {
  /** Its place in {@link Situations.visits}. */
  readonly index: number
  readonly call: Call
  readonly arrival: Arrival
  readonly own: OwnBounds
  /** How long the caller may be held, a handed-down budget included. */
  readonly bound: Bound
  /** True where the handed-down budget is shorter than the call's own bound. */
  readonly inherited: boolean
  /** The situation it leads to in the callee; null where another visit speaks for that, or where there is none. */
  readonly into: Arrival | null
}

/** All situations of a chain. */
export interface Situations {
  readonly arrivals: ReadonlyMap<Operation, readonly Arrival[]>
  readonly visits: readonly Visit[]
  /** How many visits there are. */
  readonly visitCount: number
  /** Situations left out because an operation is reached in more than {@link MAX_ARRIVALS} different ways. */
  readonly leftOut: number
}

/** An operation is looked at in at most so many situations; those with the least time are kept. */
export const MAX_ARRIVALS = 64

/** Walks the chain from its entries, callers before callees, and finds every situation a call is made in. */
export function findSituations(chain: Chain, order: Order, journeys: readonly Journey[] = chain.journeys): Situations {
  return new Walk(order).run(chain, journeys)
}

type Mutable<T> = { -readonly [P in keyof T]: T[P] }

/** What an operation's situations need of it, looked up once, and the ways in which it was reached so far. */
interface Reached {
  readonly operation: Operation
  readonly propagates: boolean
  readonly request: Bound
  /** The bounds of its calls. */
  readonly own: readonly OwnBounds[]
  readonly arrivals: Way[]
  /** By which call and with which budget (-1: none) each of the arrivals is entered: what tells them apart, for a quick look. */
  readonly calls: (Call | null)[]
  readonly budgetsMs: number[]
}

/** What {@link Way} is made of. */
type Entered = Pick<Arrival, 'journey' | 'via' | 'budget' | 'callerBound' | 'caller' | 'tightest'>

/** An arrival whose visits are made when they are asked for: of most, no rule ever asks. */
class Way implements Arrival {
  index = -1
  /** The index of its first visit. */
  firstVisit = 0
  readonly operation: Operation
  readonly journey: Journey | null
  readonly via: Visit | null
  readonly budget: Arrival['budget']
  readonly callerBound: Bound
  readonly caller: Layer | null
  readonly tightest: Layer | null
  private made: (Visit | undefined)[] | null = null
  private isWhole = false

  constructor(
    private readonly reached: Reached,
    { journey, via, budget, callerBound, caller, tightest }: Entered,
  ) {
    this.operation = reached.operation
    this.journey = journey
    this.via = via
    this.budget = budget
    this.callerBound = callerBound
    this.caller = caller
    this.tightest = tightest
  }

  get visits(): readonly Visit[] {
    if (!this.isWhole) {
      for (const [k, call] of this.operation.calls.entries()) this.visit(call, k)
      this.isWhole = true
    }
    return (this.made ?? []) as readonly Visit[]
  }

  visit(call: Call, k: number): Visit {
    this.made ??= new Array<Visit | undefined>(this.operation.calls.length)
    let visit = this.made[k]
    if (!visit) {
      visit = visitOf(this.firstVisit + k, call, this.reached.own[k] ?? ownBounds(call), this)
      this.made[k] = visit
    }
    return visit
  }
}

class Walk {
  private readonly reached = new Map<Operation, Reached>()
  private arrivals = 0
  private visits = 0
  private leftOut = 0

  constructor(private readonly order: Order) {}

  run(chain: Chain, journeys: readonly Journey[]): Situations {
    for (const journey of journeys) if (journey.start) this.start(journey.start, journey)
    if (journeys.length === chain.journeys.length) {
      for (const entry of this.order.entries) if (!this.reached.has(entry)) this.start(entry, null)
    }
    const settled = new Map<Operation, readonly Way[]>()
    for (const operation of this.order.operations) {
      const reached = this.reached.get(operation)
      if (!reached) continue
      settled.set(operation, reached.arrivals)
      this.goOn(reached)
    }
    const visits = later(() => [...settled.values()].flatMap((ways) => ways.flatMap((way) => way.visits)))
    return {
      arrivals: settled,
      get visits() {
        return visits()
      },
      visitCount: this.visits,
      leftOut: this.leftOut,
    }
  }

  private start(operation: Operation, journey: Journey | null): void {
    const reached = this.reachedOf(operation)
    this.add(reached, new Way(reached, enteredAtStart(reached, journey)))
  }

  private goOn({ operation, arrivals, own }: Reached): void {
    const { calls } = operation
    const callees = calls.map((call) => (call.callee && !this.order.closing.has(call) ? this.reachedOf(call.callee) : null))
    const given = calls.map((call, k) => givenBy(call, own[k] ?? ownBounds(call)))
    for (const arrival of arrivals) {
      arrival.index = this.arrivals++
      arrival.firstVisit = this.visits
      this.visits += calls.length
      if (arrival.via) (arrival.via as Mutable<Visit>).into = arrival
      for (let k = 0; k < calls.length; k++) {
        const reached = callees[k]
        const call = calls[k]
        if (reached && call) this.enter(reached, arrival, call, k, given[k] ?? unbounded)
      }
    }
  }

  private reachedOf(operation: Operation): Reached {
    let reached = this.reached.get(operation)
    if (!reached) {
      const propagates = operation.service.deadline.value === 'propagate'
      const own = operation.calls.map(ownBounds)
      reached = { operation, propagates, request: requestLimit(operation), own, arrivals: [], calls: [], budgetsMs: [] }
      this.reached.set(operation, reached)
    }
    return reached
  }

  /** Arrivals by the same call with the same budget are one situation: the one with the tightest layer outside speaks for all. */
  private enter(reached: Reached, arrival: Way, call: Call, k: number, givenUncut: Bound): void {
    const cut = arrival.budget && !call.async.value ? arrival.visit(call, k) : null
    const given = cut ? heldByOneAttempt(cut.own, cut.bound) : givenUncut
    const budget = reached.propagates ? budgetBy(arrival, call, reached, given) : null
    const known = placeIn(reached, call, budget?.ms ?? -1)
    if (known >= 0) {
      const before = reached.arrivals[known]?.tightest?.ms ?? Number.POSITIVE_INFINITY
      if (tightestMs(arrival, call, reached, given) >= before) return
    }
    const way = new Way(reached, enteredBy(arrival.visit(call, k), reached, given, budget))
    if (known >= 0) reached.arrivals[known] = way
    else this.add(reached, way)
  }

  private add(reached: Reached, arrival: Way): void {
    reached.arrivals.push(arrival)
    reached.calls.push(arrival.via?.call ?? null)
    reached.budgetsMs.push(arrival.budget?.ms ?? -1)
    if (reached.arrivals.length > MAX_ARRIVALS) this.dropLoosest(reached)
  }

  private dropLoosest(reached: Reached): void {
    let loosest = 0
    let mostMs = Number.NEGATIVE_INFINITY
    reached.arrivals.forEach(({ budget, tightest }, at) => {
      const ms = Math.min(budget?.ms ?? Number.POSITIVE_INFINITY, tightest?.ms ?? Number.POSITIVE_INFINITY)
      if (ms <= mostMs) return
      mostMs = ms
      loosest = at
    })
    reached.arrivals.splice(loosest, 1)
    reached.calls.splice(loosest, 1)
    reached.budgetsMs.splice(loosest, 1)
    this.leftOut++
  }
}

/** What one attempt of a call gives its callee where no budget cuts it. */
function givenBy(call: Call, own: OwnBounds): Bound {
  return call.async.value ? unbounded : heldByOneAttempt(own, own.total)
}

function placeIn({ calls, budgetsMs }: Reached, call: Call, budgetMs: number): number {
  for (let at = calls.length - 1; at >= 0; at--) if (calls[at] === call && budgetsMs[at] === budgetMs) return at
  return -1
}

function visitOf(index: number, call: Call, own: OwnBounds, arrival: Arrival): Visit {
  const { budget } = arrival
  if (!budget) return { index, call, arrival, own, bound: own.total, inherited: false, into: null }
  const bound = effectiveBound(own.total, call.async.value ? unbounded : boundedBy(budget.ms, 'total'), msOf(call.reserveMs))
  const inherited = bound.state === 'bounded' && (own.total.state !== 'bounded' || bound.ms < own.total.ms)
  return { index, call, arrival, own, bound, inherited, into: null }
}

function enteredAtStart({ operation, request }: Reached, journey: Journey | null): Entered {
  const caller = request.state === 'bounded' ? { ms: request.ms, operation, call: null } : null
  return { journey, via: null, budget: startedBudget(operation, journey, true), callerBound: request, caller, tightest: caller }
}

/** The budget of a service that propagates and receives none. */
function startedBudget(operation: Operation, journey: Journey | null, atTheEdge: boolean): Arrival['budget'] {
  if (operation.service.deadline.value !== 'propagate') return null
  const request = operation.limits?.requestMs?.value
  if (typeof request === 'number') return { ms: request, source: 'request' }
  const promise = journey?.promiseMs?.value
  return atTheEdge && typeof promise === 'number' ? { ms: promise, source: 'promise' } : null
}

function enteredBy(visit: Visit, { operation, request }: Reached, given: Bound, budget: Arrival['budget']): Entered {
  const { arrival, call } = visit
  const callerBound = earliestBound(given, request)
  const caller = layerOf(visit, operation, given, request)
  const outside = call.async.value ? null : arrival.tightest
  const tightest = outside && (!caller || outside.ms <= caller.ms) ? outside : caller
  return { journey: arrival.journey, via: visit, budget, callerBound, caller, tightest }
}

/** The ms of the tightest layer that {@link enteredBy} would give, without making it. */
function tightestMs(arrival: Arrival, call: Call, { request }: Reached, given: Bound): number {
  const requestMs = request.state === 'bounded' ? request.ms : Number.POSITIVE_INFINITY
  const givenMs = given.state === 'bounded' ? given.ms : Number.POSITIVE_INFINITY
  const outsideMs = call.async.value ? Number.POSITIVE_INFINITY : (arrival.tightest?.ms ?? Number.POSITIVE_INFINITY)
  return Math.min(requestMs, givenMs, outsideMs)
}

function layerOf(visit: Visit, operation: Operation, given: Bound, request: Bound): Layer | null {
  const givenMs = given.state === 'bounded' ? given.ms : Number.POSITIVE_INFINITY
  if (request.state === 'bounded' && request.ms < givenMs) return { ms: request.ms, operation, call: null }
  return given.state === 'bounded' ? { ms: given.ms, operation: visit.call.from, call: visit.call } : null
}

/** The budget that holds in an operation that propagates. */
function budgetBy(arrival: Arrival, call: Call, { operation, request: own }: Reached, given: Bound): Arrival['budget'] {
  const behindClient = arrival.via === null && call.from.service.kind.value === 'client'
  if (call.deadline.value !== 'propagate' || given.state !== 'bounded') return startedBudget(operation, arrival.journey, behindClient)
  return own.state === 'bounded' && own.ms < given.ms ? { ms: own.ms, source: 'request' } : { ms: given.ms, source: 'caller' }
}

/** The bound of one step in a situation: its call, or the longest of its group; async calls do not count. */
export function stepBound(step: Step, boundOf: (call: Call) => Bound): Bound {
  const calls = step.kind === 'call' ? [step.call] : step.calls
  return calls.filter((call) => !call.async.value).reduce<Bound>((longest, call) => maxBound(longest, boundOf(call)), nothing)
}

/** worst(o) in one situation: own work at p99 and the bounds of its steps, before any budget cuts the sum. */
export function worstBound(arrival: Arrival): Bound {
  const { operation, budget } = arrival
  let sum: Bound = boundedBy(ownP99Ms(operation), 'total')
  let at = 0
  for (const step of operation.steps) {
    let longest = nothing
    for (const end = at + (step.kind === 'call' ? 1 : step.calls.length); at < end; at++) {
      const call = operation.calls[at]
      if (!call || call.async.value) continue
      longest = maxBound(longest, budget ? (arrival.visits[at]?.bound ?? nothing) : ownBounds(call).total)
    }
    sum = addBounds(sum, longest)
  }
  return sum
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
