import {
  type AttemptPlan,
  type BreakerOptions,
  type Bulkhead,
  createAdmission,
  createBreaker,
  createBulkhead,
  createLatencySketch,
  createRetryBudget,
  fallbackOrder,
  mayRetry,
  type RetryCondition,
  SKETCH_BUCKETS,
} from '@sandglass/runtime/core'
import { backoffOf, boundMs, isLeaf, msOf, ownBounds } from '../model/arithmetic.js'
import type { Breaker, Call, Chain, Count, Journey, LimitMs, Operation, RateStep, Scenario, Service } from '../model/chain.js'
import { orderChain } from '../model/order.js'
import type { Sourced } from '../model/sourced.js'
import { type Adjustment, adjustedCall, adjustedService } from './adjustment.js'
import { createArrivals } from './arrivals.js'
import { createCounters, JOURNEY, OPERATION } from './counters.js'
import { createEventQueue } from './event-queue.js'
import { createRandom, type Random } from './random.js'
import { createSampler } from './sampling.js'
import { loadOf } from './scenario-load.js'
import { type Job, type Run, type SimCall, type SimJourney, type SimOperation, type SimService, TIME, type World } from './world.js'

/** `attempts: none` is taken for so many: without a wait between them they would never end. */
export const MOST_ATTEMPTS = 1000

/** A probe is waited for this long at most, whatever its call allows. */
const LONGEST_LEASE_MS = 86_400_000

type Mutable<T> = { -readonly [P in keyof T]: T[P] }

/** Makes everything of one run, all of it anew: policies start as they do when a process starts. */
export function buildWorld(chain: Chain, scenario: Scenario, seed: number, adjustment: Adjustment = {}): World {
  return new Builder(chain, scenario, seed, adjustment).build()
}

class Builder {
  private readonly services = new Map<Service, SimService>()
  private readonly operations = new Map<Operation, SimOperation>()
  private readonly pools = new Map<string, Bulkhead<Run>>()
  private readonly calls: SimCall[] = []
  private readonly random: Random
  private readonly journeyCount: number

  constructor(
    private readonly chain: Chain,
    private readonly scenario: Scenario,
    private readonly seed: number,
    private readonly adjustment: Adjustment,
  ) {
    this.random = createRandom(seed, 'policies')
    this.journeyCount = loadOf(chain, scenario).length
  }

  build(): World {
    const { chain, scenario, seed } = this
    for (const service of chain.services.values()) this.addService(service)
    const { closing } = orderChain(chain)
    for (const operation of chain.operations.values()) this.addSteps(operation, closing)
    const journeys = loadOf(chain, scenario).map(({ journey, steps }, index) => this.journey(journey, steps, index))
    return {
      now: 0,
      endAt: scenario.durationMs.value,
      queue: createEventQueue(this.calls.length),
      counters: createCounters(journeys.length, this.operations.size),
      services: [...this.services.values()],
      operations: [...this.operations.values()],
      calls: this.calls,
      journeys,
      random: createRandom(seed, 'shares'),
      jobs: [],
      times: new Float64Array(1024 * TIME.size),
      freeJobs: [],
      runs: [],
    }
  }

  private addService(written: Service): void {
    const service = adjustedService(written, this.adjustment)
    const slots = slotsOf(service)
    const limit = service.queue?.limit?.value
    const timeoutMs = service.queue?.timeoutMs?.value
    const made: SimService = {
      name: service.name,
      isLimited: slots < Number.POSITIVE_INFINITY,
      slots: createBulkhead<Job>({
        slots,
        queue: {
          limit: typeof limit === 'number' ? limit * instancesOf(service) : Number.POSITIVE_INFINITY,
          timeoutMs: typeof timeoutMs === 'number' ? timeoutMs : Number.POSITIVE_INFINITY,
          order: service.queue?.order?.value ?? 'fifo',
        },
      }),
      operations: [],
      seizeTarget: 0,
      seized: 0,
      fullSinceAt: -1,
      exhaustedAt: -1,
      longestQueue: 0,
    }
    this.services.set(written, made)
    for (const operation of service.operations.values()) this.addOperation(operation, made)
  }

  private addOperation(operation: Operation, service: SimService): void {
    const index = this.operations.size
    const law = isLeaf(operation) ? (operation.latency ?? operation.work) : operation.work
    const floorMs = operation.floorMs?.value
    const mode = operation.service.admission.value
    const made: SimOperation = {
      index,
      id: operation.id,
      service,
      base: this.journeyCount * JOURNEY.size + index * OPERATION.size,
      waitHistogram: (this.journeyCount + index) * SKETCH_BUCKETS,
      sample: createSampler(law?.value, createRandom(this.seed, `work ${operation.id}`)),
      admission: mode === 'none' ? null : createAdmission({ mode, ...(typeof floorMs === 'number' ? { floorMs } : {}) }),
      steps: [],
      limitMs: Math.min(finite(operation.limits?.requestMs), finite(operation.limits?.statementMs)),
      propagates: operation.service.deadline.value === 'propagate',
      requestMs: finite(operation.limits?.requestMs),
      errorShare: operation.errors?.value ?? 0,
      hangShare: operation.hangs?.value ?? 0,
      times: 1,
      addMs: 0,
      speed: 1,
      isDown: false,
    }
    this.operations.set(operation, made)
    service.operations.push(made)
  }

  private addSteps(operation: Operation, closing: ReadonlySet<Call>): void {
    const made = this.operations.get(operation)
    for (const step of operation.steps) {
      const calls = (step.kind === 'call' ? [step.call] : step.calls).filter((call) => call.callee && !closing.has(call))
      const group = calls.map((call) => this.call(call, this.operations.get(call.callee!)!))
      if (group.length > 0) made?.steps.push(group)
    }
  }

  private call(written: Call, to: SimOperation): SimCall {
    const call = adjustedCall(written, this.adjustment)
    const { breaker, callee } = call
    const budget = call.retryBudget?.value
    const handsDown = call.deadline.value === 'propagate' && to.propagates && !call.async.value
    const made: SimCall = {
      index: this.calls.length,
      to,
      plan: planOf(call),
      breaker: breaker ? createBreaker(breakerOptions(breaker, call), this.random) : null,
      latencies: breaker ? createLatencySketch() : null,
      budget: budget ? createRetryBudget(budget.kind === 'default' ? {} : { share: budget.share, cap: budget.cap }) : null,
      slots: this.slotsOfCall(call),
      queueMs: finite(call.queue?.totalMs),
      queuePerAttemptMs: finite(call.queue?.perAttemptMs),
      halfHopMs: msOf(call.networkMs) / 2,
      share: call.share.value,
      isAsync: call.async.value,
      isOptional: call.optional.value,
      hasFallback:
        fallbackOrder(
          callee!.does.value,
          (call.fallback ?? []).map(({ tier }) => tier.value),
        ).length > 0,
      handsDown,
      isFromClient: call.from.service.kind.value === 'client',
      cancelReaches: call.cancel.value === 'reaches',
      lane: this.calls.length,
      freeRuns: [],
    }
    this.calls.push(made)
    return made
  }

  /** Slots of its own for this call, or the pool that it shares; of all instances of the caller together. */
  private slotsOfCall(call: Call): Bulkhead<Run> | null {
    const { from, bulkhead, pool } = call
    const instances = instancesOf(adjustedService(from.service, this.adjustment))
    if (typeof bulkhead?.value === 'number') return createCallSlots(bulkhead.value * instances)
    const size = pool && from.service.pools.get(pool.value)?.value
    if (!pool || typeof size !== 'number') return null
    const name = `${from.service.name} ${pool.value}`
    const shared = this.pools.get(name) ?? createCallSlots(size * instances)
    this.pools.set(name, shared)
    return shared
  }

  private journey(journey: Journey, steps: readonly RateStep[], index: number): SimJourney {
    const start = this.operations.get(journey.start!)!
    const promiseMs = finite(journey.promiseMs)
    return {
      index,
      name: journey.name,
      start,
      promiseMs,
      budgetMs: start.propagates && start.requestMs === Number.POSITIVE_INFINITY ? promiseMs : Number.POSITIVE_INFINITY,
      base: index * JOURNEY.size,
      histogram: index * SKETCH_BUCKETS,
      nextArrival: createArrivals(steps, this.scenario.arrivals.value, createRandom(this.seed, `arrivals ${journey.name}`)),
    }
  }
}

/** Slots of all instances of a service as one pool; unlimited where no number is known. */
export function slotsOf(service: Service): number {
  const concurrency = service.concurrency?.value
  return typeof concurrency === 'number' ? concurrency * instancesOf(service) : Number.POSITIVE_INFINITY
}

function instancesOf(service: Service): number {
  return typeof service.instances.value === 'number' ? service.instances.value : 1
}

function createCallSlots(slots: number): Bulkhead<Run> {
  return createBulkhead<Run>({ slots, queue: { limit: Number.POSITIVE_INFINITY, order: 'fifo' } })
}

function finite(limit: Sourced<LimitMs> | undefined): number {
  return typeof limit?.value === 'number' ? limit.value : Number.POSITIVE_INFINITY
}

function attemptsOf(count: Count): number {
  if (count === 'unknown') return 1
  return count === 'none' ? MOST_ATTEMPTS : Math.min(count, MOST_ATTEMPTS)
}

/** The limits of a call as the runtime's attempts take them. */
export function planOf(call: Call): AttemptPlan {
  const attemptMs = boundMs(ownBounds(call).attempt)
  const timeoutMs = finite(call.timeoutMs)
  const startWithinMs = finite(call.retryStartWithinMs)
  const backoff = backoffOf(call)
  const idempotencyKey = call.idempotencyKey.value
  const does = call.callee!.does.value
  const plan: Mutable<AttemptPlan> = {
    // The file says what the caller does, sound or not: a write that it repeats is repeated here, and noted.
    does: mayRetry(does, { idempotencyKey }) ? does : 'read',
    idempotencyKey,
    attempts: attemptsOf(call.attempts.value),
    floorMs: msOf(call.floorMs),
    reserveMs: msOf(call.reserveMs),
    backoff: backoff === undefined || backoff === 'unknown' ? { baseMs: 0 } : backoff,
    chainStop: call.from.service.chainStop.value,
  }
  // An attempt without any time cannot be made; core would rightly refuse the plan.
  if (attemptMs !== null) plan.attemptMs = Math.max(attemptMs, Number.MIN_VALUE)
  if (timeoutMs < Number.POSITIVE_INFINITY) plan.timeoutMs = timeoutMs
  if (startWithinMs < Number.POSITIVE_INFINITY) plan.retryStartWithinMs = startWithinMs
  if (call.retryOn) plan.retryOn = call.retryOn.value.map(retryCondition)
  return plan
}

function retryCondition(word: string): RetryCondition {
  if (word === 'timeout' || word === 'connect' || word === 'reset' || word === '5xx' || word === '429') return word
  return Number(word)
}

/** A breaker as the runtime takes it. */
export function breakerOptions(breaker: Breaker, call: Call): BreakerOptions {
  const options: Mutable<BreakerOptions> = {}
  const window = breaker.window?.value
  if (window) {
    if ('ms' in window) options.windowMs = window.ms
    else options.windowCalls = window.calls
  }
  if (breaker.failureRate) options.failureRate = breaker.failureRate.value
  if (breaker.minCalls) options.minCalls = breaker.minCalls.value
  if (breaker.consecutive) options.consecutive = breaker.consecutive.value
  if (breaker.open) options.openMs = openOf(breaker.open.value)
  if (breaker.probes) options.probes = breaker.probes.value
  if (typeof breaker.slowMs?.value === 'number') {
    options.slowMs = breaker.slowMs.value
    if (breaker.slowRate) options.slowRate = breaker.slowRate.value
  }
  const leaseMs = boundMs(ownBounds(call).attempt) ?? boundMs(ownBounds(call).total)
  if (leaseMs !== null) options.leaseMs = Math.min(LONGEST_LEASE_MS, Math.max(1, leaseMs))
  return options
}

function openOf(open: { readonly baseMs: number; readonly maxMs: number }): NonNullable<BreakerOptions['openMs']> {
  return open.baseMs === open.maxMs ? open.baseMs : open
}
