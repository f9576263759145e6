import { largestWaitsMs } from '@sandglass/runtime/core'
import { quantileMs, shareWithin } from '../model/latency.js'
import { type PlanCall, reserveOf } from './plan-call.js'
import type { PlanOptions } from './plan-options.js'
import type { PlanOperation, PlanStage } from './plan-tree.js'

/** Every way to hand out `units` to `parts`. */
function* splits(units: number, parts: number): Generator<number[]> {
  if (parts === 0) return
  if (parts === 1) {
    yield [units]
    return
  }
  for (let first = 0; first <= units; first++) for (const rest of splits(units - first, parts - 1)) yield [first, ...rest]
}

/** The best value of an operation with `units` of the grid, by trying everything; `retry` says whether a layer below may still retry. */
export function bruteForce(operation: PlanOperation, units: number, gridMs: number, retry: boolean, options: PlanOptions): number {
  const capped = Math.min(units, Math.floor(operation.endsMs / gridMs + 1e-9))
  const values = [...splits(capped, operation.stages.length)].map((split) =>
    operation.stages.reduce(
      (value, stage, i) => value * stageValue(stage, split[i] ?? 0, operation, { gridMs, retry, options }),
      operation.sound,
    ),
  )
  return operation.stages.length === 0 ? operation.sound : Math.max(0, ...values)
}

interface Frame {
  readonly gridMs: number
  readonly retry: boolean
  readonly options: PlanOptions
}

/** Own work beside calls is given its p99 or more; a leaf's may be cut anywhere. */
function stageValue(stage: PlanStage, given: number, { stages }: PlanOperation, { gridMs, retry, options }: Frame): number {
  if (stage.kind === 'calls') return stage.calls.reduce((value, planned) => value * branch(planned, given, gridMs, retry, options), 1)
  const isShort = stages.length > 1 && given * gridMs < quantileMs(stage.law, 0.99)
  return isShort ? 0 : shareWithin(stage.law, given * gridMs)
}

function branch(planned: PlanCall, units: number, gridMs: number, retry: boolean, options: PlanOptions): number {
  let best = 0
  for (let attempts = 1; attempts <= (retry ? planned.maxAttempts : 1); attempts++) {
    const attemptMs = (units * gridMs - largestWaitsMs(planned.backoff, attempts)) / attempts
    if (attemptMs < 0) continue
    const insideMs = attemptMs - planned.networkMs - reserveOf(planned, attemptMs, options)
    if (insideMs < 0) continue
    const below = retry && attempts === 1
    const leaf = planned.callee.stages.every((stage) => stage.kind === 'own')
    const law = planned.callee.stages[0]
    const once = leaf
      ? planned.callee.sound * (law?.kind === 'own' ? shareWithin(law.law, insideMs) : 1)
      : bruteForce(planned.callee, Math.floor(insideMs / gridMs + 1e-9), gridMs, below, options)
    best = Math.max(best, 1 - (1 - once) ** attempts)
  }
  const shared = 1 - planned.call.share.value * (1 - best)
  return planned.call.optional.value ? (1 + 0.1 * shared) / 1.1 : shared
}
