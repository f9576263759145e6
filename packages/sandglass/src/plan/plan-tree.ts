import { type Backoff, largestWaitsMs, largestBoundMs, mayRetry } from '@sandglass/runtime/core'
import { backoffOf, msOf, ownP99Ms } from '../model/arithmetic.js'
import type { Call, Latency, Operation } from '../model/chain.js'
import type { Note } from '../model/diagnostic.js'
import { meanMs } from '../model/latency-mean.js'
import { quantileMs } from '../model/latency.js'
import type { View } from '../model/view.js'

/** What a plan may decide on. */
export interface PlanOptions {
  /** Step of the budgets in ms; default 5. */
  readonly gridMs: number
  /** Most attempts where vocabulary allows them and the file does not say; default 1. */
  readonly attempts: number
  /** Never an attempt bound below the callee's p99; default false. */
  readonly keepTail: boolean
  /** What each hop keeps where the file does not say; default max(5 ms, 5 %). */
  readonly reserveMs: number | null
  /** Success that is asked for (0 to 1); null: as much as can be had. */
  readonly target: number | null
}

export const PLAN_DEFAULTS: PlanOptions = { gridMs: 5, attempts: 1, keepTail: false, reserveMs: null, target: null }

/** One call to plan, at one place of the journey's tree. */
export interface PlanCall {
  readonly call: Call
  /** From the journey's start to the callee. */
  readonly path: readonly string[]
  readonly callee: PlanOperation
  readonly maxAttempts: number
  readonly backoff: Backoff | undefined
  readonly networkMs: number
  /** Occupancy: no bound beyond 80 % of the pool at the journey's rate; infinite where nothing limits it. */
  readonly capMs: number
  /** A limit that a platform sets, which the plan cannot change. */
  readonly fixedMs: number | null
  /** No attempt below this (keep-tail); 0 where any will do. */
  readonly leastAttemptMs: number
}

/** A serial step: own work, or calls made together. */
export type PlanStage = { readonly kind: 'own'; readonly law: Latency } | { readonly kind: 'calls'; readonly calls: readonly PlanCall[] }

/** An operation of the journey's tree. */
export interface PlanOperation {
  readonly operation: Operation
  /** 1 - errors - hangs. */
  readonly sound: number
  readonly errors: number
  readonly stages: readonly PlanStage[]
}

export interface PlanTree {
  readonly root: PlanOperation
  readonly calls: readonly PlanCall[]
  readonly notes: readonly Note[]
}

/** A plan looks at no more than so many calls of one journey, shared ones counted each time. */
export const MAX_PLAN_CALLS = 2000

/** Unrolls a journey into the tree of calls to plan; a call that closes a cycle or has no callee is left out and noted. */
export function planTree(view: View, start: Operation, options: PlanOptions): PlanTree | { readonly tooMany: number } {
  const calls: PlanCall[] = []
  const notes: Note[] = []
  const unknownOf = new Set<Operation>()
  const grow = (operation: Operation, path: readonly string[]): PlanOperation => {
    const stages: PlanStage[] = []
    const waits = operation.calls.some((call) => !call.async.value && call.callee && !view.order.closing.has(call))
    const law = waits ? operation.work?.value : (operation.latency?.value ?? operation.work?.value)
    if (law) stages.push({ kind: 'own', law })
    if (!law && !waits && !unknownOf.has(operation)) {
      unknownOf.add(operation)
      notes.push({ spot: operation.spot, message: `${operation.id} has no latency: its calls are planned as if it answered at once; declare it, or learn it from traces` })
    }
    for (const step of operation.steps) {
      const members = (step.kind === 'call' ? [step.call] : step.calls).filter((call) => !call.async.value && call.callee && !view.order.closing.has(call))
      if (members.length > 0 && calls.length < MAX_PLAN_CALLS) stages.push({ kind: 'calls', calls: members.map((call) => member(call, path)) })
    }
    const errors = operation.errors?.value ?? 0
    return { operation, errors, sound: Math.max(0, 1 - errors - (operation.hangs?.value ?? 0)), stages }
  }
  const member = (call: Call, before: readonly string[]): PlanCall => {
    const path = [...before, call.to.value]
    const planned = planCall(view, call, path, grow(call.callee as Operation, path), options)
    calls.push(planned)
    return planned
  }
  const root = grow(start, [start.id])
  return calls.length >= MAX_PLAN_CALLS ? { tooMany: calls.length } : { root, calls, notes }
}

function planCall(view: View, call: Call, path: readonly string[], callee: PlanOperation, options: PlanOptions): PlanCall {
  const allowed = mayRetry(callee.operation.does.value, { idempotencyKey: call.idempotencyKey.value })
  const written = call.attempts.origin.kind === 'declared' ? call.attempts.value : options.attempts
  const backoff = backoffOf(call)
  const fixed = call.timeoutMs?.fixed && typeof call.timeoutMs.value === 'number' ? call.timeoutMs.value : null
  return {
    call,
    path,
    callee,
    maxAttempts: allowed && typeof written === 'number' ? Math.min(10, written) : 1,
    backoff: backoff === 'unknown' ? undefined : backoff,
    networkMs: msOf(call.networkMs),
    capMs: occupancyCapMs(view, call),
    fixedMs: fixed,
    leastAttemptMs: options.keepTail ? ownP99Ms(callee.operation) : 0,
  }
}

/** The longest bound with which hanging calls keep to 80 % of the slots they draw on. */
function occupancyCapMs(view: View, call: Call): number {
  const { service } = call.from
  const slots = call.bulkhead?.value ?? (call.pool ? service.pools.get(call.pool.value)?.value : undefined) ?? service.concurrency?.value
  const rate = view.flow.callRatePerS(call)
  const instances = service.instances.value
  if (typeof slots !== 'number' || rate === null || rate === 0 || typeof instances !== 'number') return Number.POSITIVE_INFINITY
  return largestBoundMs(slots, rate / instances)
}

/** Largest waits between `attempts` attempts of a call, in ms. */
export function waitsMs(planned: PlanCall, attempts: number): number {
  return largestWaitsMs(planned.backoff, attempts)
}

/** What a hop keeps of `budgetMs`: as declared, as asked for, or max(5 ms, 5 %). */
export function reserveOf(call: Call, budgetMs: number, options: PlanOptions): number {
  if (call.reserveMs.origin.kind === 'declared') return msOf(call.reserveMs)
  return options.reserveMs ?? Math.max(5, budgetMs * 0.05)
}

/** The mean time of an operation with everything below it: what "in proportion to means" weighs. */
export function meanOf(operation: PlanOperation): number {
  return operation.stages.reduce((sum, stage) => sum + stageWeight(stage, meanMs, meanOf), 0)
}

/** The sum of p99s of an operation with everything below it. */
export function p99Of(operation: PlanOperation): number {
  return operation.stages.reduce((sum, stage) => sum + stageWeight(stage, (law) => quantileMs(law, 0.99), p99Of), 0)
}

/** A stage weighs as its own time, or as the largest branch of its group. */
export function stageWeight(stage: PlanStage, own: (law: Latency) => number, below: (operation: PlanOperation) => number): number {
  if (stage.kind === 'own') return own(stage.law)
  return stage.calls.reduce((largest, { callee, networkMs }) => Math.max(largest, below(callee) + networkMs), 0)
}
