import type {
  Admission,
  AttemptPlan,
  AttemptRun,
  Breaker,
  Bulkhead,
  FailureCause,
  LatencySketch,
  RetryBudget,
  Waiter,
} from '@sandglass/runtime/core'
import type { Counters } from './counters.js'
import type { EventQueue } from './event-queue.js'
import type { Random } from './random.js'
import type { Sampler } from './sampling.js'

/** What an event is about: a journey, a job, a run, a fault or nothing. */
export const EVENT = {
  arrival: 1,
  deliver: 2,
  workDone: 3,
  handlerLimit: 4,
  queueGiveUp: 5,
  answer: 6,
  attemptTimeout: 7,
  slotGiveUp: 8,
  backoffOver: 9,
  callEnded: 10,
  faultChange: 11,
  tick: 12,
  cut: 13,
  slotFree: 14,
} as const

/** A service: its slots and queue are the runtime's own bulkhead, all instances as one pool. */
export interface SimService {
  readonly name: string
  readonly isLimited: boolean
  readonly slots: Bulkhead<Job>
  readonly operations: SimOperation[]
  /** Slots a fault takes away, and how many of them have been taken so far. */
  seizeTarget: number
  seized: number
  fullSinceAt: number
  exhaustedAt: number
  /** Longest queue since the last tick. */
  longestQueue: number
}

/** An operation, with what faults make of it at the moment. */
export interface SimOperation {
  readonly index: number
  readonly id: string
  readonly service: SimService
  /** Where its counters begin. */
  readonly base: number
  readonly waitHistogram: number
  readonly sample: Sampler
  readonly admission: Admission | null
  readonly steps: (readonly SimCall[])[]
  /** Its own limit once it has a slot, ms; `Infinity` for none. */
  readonly limitMs: number
  /** Whether it honours a budget, and the one it starts itself (ms; `Infinity` for none). */
  readonly propagates: boolean
  readonly requestMs: number
  errorShare: number
  hangShare: number
  times: number
  addMs: number
  speed: number
  isDown: boolean
}

/** A call, with the policies that its runs share. */
export interface SimCall {
  readonly index: number
  readonly to: SimOperation
  readonly plan: AttemptPlan
  readonly breaker: Breaker | null
  /** Usual latencies, where a breaker asks for them. */
  readonly latencies: LatencySketch | null
  readonly budget: RetryBudget | null
  /** Slots of its own or of a pool of the caller. */
  readonly slots: Bulkhead<Run> | null
  readonly queueMs: number
  readonly queuePerAttemptMs: number
  readonly halfHopMs: number
  readonly share: number
  readonly isAsync: boolean
  readonly isOptional: boolean
  readonly hasFallback: boolean
  /** Whether the budget is handed down, and whether giving up stops the callee's work. */
  readonly handsDown: boolean
  /** Whether a request it makes comes directly from a journey's client. */
  readonly isFromClient: boolean
  readonly cancelReaches: boolean
  /** Lane of its attempt timers. */
  readonly lane: number
  /** Runs that are not in use. */
  readonly freeRuns: Run[]
}

/** Where a job is. */
export type JobPhase = 'free' | 'travelling' | 'queued' | 'working' | 'hung' | 'calling' | 'answering' | 'cancelled'

/**
 * The instants of a job, by their place in `world.times` from `handle * size` on: an array and not fields, so that the hundreds
 * of thousands of jobs of a long queue stay small.
 */
export const TIME = {
  arrivedAt: 0,
  startedAt: 1,
  workEndsAt: 2,
  /** Until when it may wait for a slot because its caller says so. */
  waitUntilAt: 3,
  /** When nobody wants its answer any more; `Infinity` without a deadline. */
  deadlineAt: 4,
  size: 5,
} as const

/** One request being served: pooled, known to events by its handle. */
export interface Job extends Waiter {
  readonly handle: number
  phase: JobPhase
  operation: SimOperation
  /** Who waits for the answer; null when nobody does (any more). */
  run: Run | null
  /** The journey it starts; null for requests that come from a call. */
  journey: SimJourney | null
  isRetry: boolean
  isOrphan: boolean
  isDegraded: boolean
  step: number
  /** Calls of the present step still out, as a list. */
  open: Run | null
  openCount: number
  failure: FailureCause | null
  timer: number
  limitTimer: number
}

/** One call under way: pooled, known to events by its handle. */
export interface Run extends Waiter {
  readonly handle: number
  phase: 'free' | 'ready' | 'waiting' | 'sent' | 'pausing' | 'ended'
  readonly call: SimCall
  readonly attempts: AttemptRun
  /** Who waits for it; null for an async call. */
  job: Job | null
  /** Where the counters of the journey begin whose first operation makes this call; -1 in any other operation. */
  journeyBase: number
  child: Job | null
  timer: number
  ticket: number
  holdsSlot: boolean
  sentAt: number
  grantMs: number
  spentTokens: number
  waitedMs: number
  isDegraded: boolean
  failure: FailureCause | null
  previous: Run | null
  next: Run | null
}

/** A journey and how its requests arrive. */
export interface SimJourney {
  readonly index: number
  readonly name: string
  readonly start: SimOperation
  readonly promiseMs: number
  readonly budgetMs: number
  readonly base: number
  readonly histogram: number
  readonly nextArrival: () => number
}

/** Everything of one run. */
export interface World {
  now: number
  readonly endAt: number
  readonly queue: EventQueue
  readonly counters: Counters
  readonly services: readonly SimService[]
  readonly operations: readonly SimOperation[]
  readonly calls: readonly SimCall[]
  readonly journeys: readonly SimJourney[]
  /** Numbers for shares, failures and back-off. */
  readonly random: Random
  readonly jobs: Job[]
  times: Float64Array
  readonly freeJobs: Job[]
  readonly runs: Run[]
}
