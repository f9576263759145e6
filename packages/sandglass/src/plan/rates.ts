import { shareWithin } from '../model/latency.js'
import { atOnce, type Distribution, inSeries, later, within } from './distribution.js'
import type { Limits } from './limits.js'
import type { PlanCall } from './plan-call.js'
import { isPlainLeaf, ownLaw, type PlanOperation } from './plan-tree.js'
import type { PropagatedEvaluation } from './propagated-search.js'
import { type StaticSuccess, sharedSuccess } from './static-success.js'

/** The share of calls that end at a limit of their own, of hard budgets: the last attempt is late, all before it have failed. */
export function staticTimeoutRates(limits: Limits, { calls }: StaticSuccess): Map<PlanCall, number> {
  return new Map(
    [...limits].map(([planned, limit]) => {
      const insideMs = limit.attemptMs - planned.networkMs - limit.reserveMs
      const once = calls.get(planned)?.once ?? 0
      return [planned, (1 - once) ** (limit.attempts - 1) * lateShare(planned.callee, insideMs, limits)]
    }),
  )
}

/** The share of attempts whose own work is too long for what its calls leave, or that hang. */
function lateShare(operation: PlanOperation, insideMs: number, limits: Limits): number {
  const law = ownLaw(operation)
  const ownMs = Math.min(insideMs, operation.endsMs) - callsMs(operation, limits)
  const inTime = ownMs < 0 ? 0 : law ? shareWithin(law, ownMs) : 1
  return operation.sound * (1 - inTime) + (1 - operation.sound - operation.errors)
}

function callsMs({ stages }: PlanOperation, limits: Limits): number {
  return stages.reduce(
    (sum, stage) =>
      sum + (stage.kind === 'own' ? 0 : stage.calls.reduce((most, planned) => Math.max(most, limits.get(planned)?.timeoutMs ?? 0), 0)),
    0,
  )
}

/**
 * 1 - the sum of all failures of required parts: what holds of hard budgets without assuming that calls are independent.
 *
 * Boole's inequality; 0 where the sum is 1 or more.
 */
export function unionBoundOf(root: PlanOperation, budgetMs: number, limits: Limits, { calls }: StaticSuccess): number {
  const failures = (operation: PlanOperation, insideMs: number): number => {
    let sum = operation.errors + lateShare(operation, insideMs, limits)
    for (const stage of operation.stages) {
      for (const planned of stage.kind === 'calls' ? stage.calls : [])
        if (!planned.call.optional.value) sum += planned.call.share.value * ofCall(planned)
    }
    return Math.min(1, sum)
  }
  const ofCall = (planned: PlanCall): number => {
    const limit = limits.get(planned)
    if (!limit) return 1
    const retried = 1 - (calls.get(planned)?.success ?? 0)
    if (isPlainLeaf(planned.callee)) return retried
    const once = failures(planned.callee, limit.attemptMs - planned.networkMs - limit.reserveMs)
    return limit.attempts > 1 ? Math.min(once, Math.max(retried, once ** limit.attempts)) : once
  }
  return Math.max(0, 1 - failures(root, budgetMs))
}

/** The share of calls that are still running when the promise is over, where everyone sees what is left. */
export function propagatedTimeoutRates(evaluation: PropagatedEvaluation): Map<PlanCall, number> {
  const rates = new Map<PlanCall, number>()
  const { stepMs, model } = evaluation
  const points = model.points + 2
  const walk = (operation: PlanOperation, before: Distribution): void => {
    let prefix = before
    for (const stage of operation.stages) {
      for (const planned of stage.kind === 'calls' ? stage.calls : []) {
        const started = within(prefix, model.usableMs, stepMs)
        const ended = within(inSeries(prefix, evaluation.attempts(planned)), model.usableMs, stepMs)
        const hanging = (1 - planned.callee.sound - planned.callee.errors) ** evaluation.cutOf(planned).attempts
        const late = started > 0 ? eventual(planned, evaluation) - ended / started : 1
        rates.set(planned, Math.min(1, Math.max(0, late) + Math.max(0, hanging)))
        walk(planned.callee, later(prefix, planned.networkMs, stepMs))
      }
      prefix = inSeries(prefix, evaluation.stage(stage))
    }
  }
  walk(model.tree.root, atOnce(points))
  return rates
}

/** Success of a call that could take as long as it wants. */
function eventual(planned: PlanCall, evaluation: PropagatedEvaluation): number {
  let once = planned.callee.sound
  for (const stage of planned.callee.stages) {
    for (const inner of stage.kind === 'calls' ? stage.calls : [])
      if (!inner.call.optional.value) once *= sharedSuccess(inner, eventual(inner, evaluation))
  }
  return 1 - (1 - once) ** evaluation.cutOf(planned).attempts
}
