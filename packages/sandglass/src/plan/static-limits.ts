import { ownP99Ms } from '../model/arithmetic.js'
import { floorOf, leastOf } from './floor.js'
import { type Limits, limitOf } from './limits.js'
import type { PlanCall } from './plan-call.js'
import type { PlanOptions } from './plan-options.js'
import type { PlanOperation, PlanTree } from './plan-tree.js'
import { type Reached, reachOf } from './reach.js'
import { StaticPlanner } from './static-plan.js'

/** Times that the steps are made shorter again because a later one would typically not be reached. */
const MOST_REPAIRS = 8
const MOST_FINE_POINTS = 3000

/**
 * The optimal hard budgets of a journey, with the floor of each call. Where the optimum would starve a call (one that few requests
 * make, say), the best plan is taken that starves none, if there is one.
 */
export function staticLimits(tree: PlanTree, promiseMs: number, budgetMs: number, gridMs: number, options: PlanOptions): Limits {
  const best = repaired(tree, promiseMs, { budgetMs, gridMs, everyFloor: false }, options)
  if (!starves(tree, best, budgetMs, options)) return best
  // Where everything just fits, it may fit only on a finer grid.
  for (const finerMs of gridMs > 1 && budgetMs <= MOST_FINE_POINTS ? [gridMs, 1] : [gridMs]) {
    const fed = repaired(tree, promiseMs, { budgetMs, gridMs: finerMs, everyFloor: true }, options)
    if (!starves(tree, fed, budgetMs, options)) return fed
  }
  return best
}

/** True where a call gets less than makes it worth starting, or own work and calls together more than there is. */
export function starves(tree: PlanTree, limits: Limits, budgetMs: number, options: PlanOptions): boolean {
  if ([...limits].some(([planned, { attemptMs }]) => attemptMs < leastOf(planned, 'static', options) - ROUNDING_MS)) return true
  const insides = [...limits.values()].map(
    ({ planned, attemptMs, reserveMs }) => [planned.callee, attemptMs - planned.networkMs - reserveMs] as const,
  )
  return [[tree.root, budgetMs] as const, ...insides].some(([operation, insideMs]) => overflows(operation, insideMs, limits))
}

const ROUNDING_MS = 1e-6

function overflows({ operation, stages, endsMs }: PlanOperation, insideMs: number, limits: Limits): boolean {
  const calls = stages.filter((stage) => stage.kind === 'calls')
  const callsMs = calls.reduce(
    (sum, stage) => sum + stage.calls.reduce((most, planned) => Math.max(most, limits.get(planned)?.timeoutMs ?? 0), 0),
    0,
  )
  return calls.length > 0 && ownP99Ms(operation) + callsMs > Math.min(insideMs, endsMs) + ROUNDING_MS
}

interface Frame {
  readonly budgetMs: number
  readonly gridMs: number
  readonly everyFloor: boolean
}

function repaired(tree: PlanTree, promiseMs: number, { budgetMs, gridMs, everyFloor }: Frame, options: PlanOptions): Limits {
  const extraMs = new Map<PlanOperation, number>()
  for (let repairs = 0; ; repairs++) {
    const planner = new StaticPlanner(tree.root, budgetMs, gridMs, options, { extraMs, everyFloor })
    const limits = new Map(
      planner
        .decisions()
        .map((decision) => [decision.planned, limitOf(decision, callFloorMs(decision.planned, decision.attemptMs, options))]),
    )
    const reached = reachOf(tree.root, promiseMs, limits, 'static', options)
    if (repairs === MOST_REPAIRS || !takeMore(extraMs, reached, gridMs)) return withFloorsWithin(limits, reached)
  }
}

/** The floor of a call: the callee's median and its callees' floors, its hop included, never above what one attempt gets. */
export function callFloorMs(planned: PlanCall, attemptMs: number, options: PlanOptions): number {
  return Math.max(0, Math.min(Math.ceil(floorOf(planned.callee, options) + planned.networkMs), Math.floor(attemptMs)))
}

/** Takes more from operations with a step that would not be reached; false where there is none. */
function takeMore(extraMs: Map<PlanOperation, number>, reached: ReadonlyMap<PlanCall, Reached>, gridMs: number): boolean {
  const missing = new Map<PlanOperation, number>()
  for (const { operation, shortMs } of reached.values())
    if (shortMs > 1e-6) missing.set(operation, Math.max(shortMs, missing.get(operation) ?? 0))
  for (const [operation, ms] of missing) extraMs.set(operation, (extraMs.get(operation) ?? 0) + Math.ceil(ms / gridMs) * gridMs)
  return missing.size > 0
}

/** A floor above what is typically left would refuse calls that are worth making. */
export function withFloorsWithin(limits: Limits, reached: ReadonlyMap<PlanCall, Reached>): Limits {
  return new Map(
    [...limits].map(([planned, limit]) => [
      planned,
      { ...limit, floorMs: Math.max(0, Math.min(limit.floorMs, Math.floor(reached.get(planned)?.leftMs ?? Number.POSITIVE_INFINITY))) },
    ]),
  )
}
