import { msOf, ownP99Ms } from '../model/arithmetic.js'
import { leastInside } from './floor.js'
import type { Limits } from './limits.js'
import type { Mode } from './mode.js'
import type { PlanCall } from './plan-call.js'
import type { PlanOptions } from './plan-options.js'
import type { PlanOperation, PlanStage } from './plan-tree.js'

/** What is left when a call starts in the typical case, and by how many ms that is too little. */
export interface Reached {
  readonly leftMs: number
  readonly shortMs: number
  /** The operation whose steps before it use too much. */
  readonly operation: PlanOperation
}

/** What an operation typically has at its start; null where nothing limits it. */
interface Has {
  readonly ms: number
  readonly isBudget: boolean
}

/**
 * What is left before each call when every step before it takes its p99, cut by its bound: the arithmetic of the rule `never-reached`.
 * A call is short of its callee's own declared floor, of 1 ms, or, where a budget is handed on, of what its callee needs or plans with.
 */
export function reachOf(
  root: PlanOperation,
  promiseMs: number,
  limits: Limits,
  mode: Mode,
  options: PlanOptions,
): ReadonlyMap<PlanCall, Reached> {
  const reached = new Map<PlanCall, Reached>()
  const { stageMs } = typicalTimes(limits)
  const needOf = (planned: PlanCall, isBudget: boolean): number => {
    const { callee, call } = planned
    const asks = callee.stages.some((stage) => stage.kind === 'calls')
    if (call.optional.value && !asks) return Number.NEGATIVE_INFINITY
    const leastMs = Math.max(1, msOf(callee.operation.floorMs))
    const handsOn = isBudget && asks && call.deadline.value === 'propagate' && callee.operation.service.deadline.value === 'propagate'
    if (!handsOn) return leastMs
    return Math.max(leastMs, mode === 'static' ? (limits.get(planned)?.attemptMs ?? 0) : leastInside(callee, mode, options))
  }
  const enter = (planned: PlanCall, operation: PlanOperation, has: Has | null, usedMs: number): void => {
    const isBudget = has?.isBudget ?? false
    const leftMs = has ? has.ms - usedMs - (isBudget ? (limits.get(planned)?.reserveMs ?? 0) : 0) : null
    if (leftMs !== null) reached.set(planned, { leftMs, shortMs: Math.max(0, needOf(planned, isBudget) - leftMs), operation })
    walk(planned.callee, handedOn(planned, operation === root, promiseMs, leftMs, has, limits))
  }
  const walk = (operation: PlanOperation, has: Has | null): void => {
    let usedMs = ownP99Ms(operation.operation)
    for (const stage of operation.stages) {
      for (const planned of stage.kind === 'calls' ? stage.calls : []) enter(planned, operation, has, usedMs)
      usedMs += stageMs(stage)
    }
  }
  walk(root, hasAtStart(root, promiseMs))
  return reached
}

function hasAtStart(root: PlanOperation, promiseMs: number): Has | null {
  const requestMs = ownRequestMs(root)
  if (root.operation.service.deadline.value === 'propagate') return { ms: requestMs ?? promiseMs, isBudget: true }
  return requestMs === null ? null : { ms: requestMs, isBudget: false }
}

function ownRequestMs({ operation }: PlanOperation): number | null {
  const request = operation.limits?.requestMs?.value
  return typeof request === 'number' ? request : null
}

function handedOn(
  planned: PlanCall,
  isStart: boolean,
  promiseMs: number,
  leftMs: number | null,
  has: Has | null,
  limits: Limits,
): Has | null {
  const { callee, call } = planned
  const givenMs = limits.get(planned)?.attemptMs ?? 0
  const requestMs = ownRequestMs(callee)
  const heldMs = Math.min(givenMs, requestMs ?? Number.POSITIVE_INFINITY)
  if (callee.operation.service.deadline.value !== 'propagate') return { ms: heldMs, isBudget: false }
  if (call.deadline.value !== 'propagate') {
    const behindClient = isStart && call.from.service.kind.value === 'client'
    const startedMs = requestMs ?? (behindClient ? promiseMs : null)
    return startedMs === null ? { ms: heldMs, isBudget: false } : { ms: startedMs, isBudget: true }
  }
  return { ms: has?.isBudget && leftMs !== null ? Math.min(heldMs, leftMs) : heldMs, isBudget: true }
}

/** typical(o) of every operation of a tree under its limits: own work at p99, and each step as long as its p99 or its bound. */
function typicalTimes(limits: Limits): { readonly stageMs: (stage: PlanStage) => number } {
  const known = new Map<PlanOperation, number>()
  const operationMs = (operation: PlanOperation): number => {
    let ms = known.get(operation)
    if (ms === undefined) {
      ms = ownP99Ms(operation.operation) + operation.stages.reduce((sum, stage) => sum + stageMs(stage), 0)
      known.set(operation, ms)
    }
    return ms
  }
  const stageMs = (stage: PlanStage): number =>
    stage.kind === 'own'
      ? 0
      : stage.calls.reduce(
          (most, planned) => Math.max(most, Math.min(limits.get(planned)?.timeoutMs ?? 0, operationMs(planned.callee)) + planned.networkMs),
          0,
        )
  return { stageMs }
}

/** By how many ms the call that is worst off is short; 0 where all are reached. */
export function mostShort(reached: ReadonlyMap<PlanCall, Reached>): number {
  return [...reached.values()].reduce((most, { shortMs }) => (shortMs > 1e-6 ? Math.max(most, shortMs) : most), 0)
}
