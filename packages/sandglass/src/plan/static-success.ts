import { shareWithin } from '../model/latency.js'
import type { PlanCall } from './plan-call.js'
import { isPlainLeaf, ownLaw, type PlanOperation, type PlanStage } from './plan-tree.js'

/** What was decided for one call. */
export interface Decision {
  readonly planned: PlanCall
  /** The whole call, all attempts and waits. */
  readonly timeoutMs: number
  /** One attempt; equals the timeout where there is one attempt. */
  readonly attemptMs: number
  readonly attempts: number
  /** What is kept of an attempt's budget for the way back. */
  readonly reserveMs: number
}

/** What hard budgets lead to. */
export interface StaticSuccess {
  /** Success of the required part. */
  readonly success: number
  /** Success of each call within its timeout (independent attempts), and of one attempt. */
  readonly calls: ReadonlyMap<PlanCall, { readonly success: number; readonly once: number }>
}

/** Success of the required part: own work within what its calls leave of the budget, and every required call within its timeout. */
export function successOf(root: PlanOperation, decisions: readonly Decision[], budgetMs: number): StaticSuccess {
  const byCall = new Map(decisions.map((decision) => [decision.planned, decision]))
  const calls = new Map<PlanCall, { success: number; once: number }>()
  const stageMs = (stage: PlanStage): number =>
    stage.kind === 'own' ? 0 : stage.calls.reduce((most, planned) => Math.max(most, byCall.get(planned)?.timeoutMs ?? 0), 0)
  const inside = (operation: PlanOperation, givenMs: number): number => {
    const insideMs = Math.min(givenMs, operation.endsMs)
    const callsMs = operation.stages.reduce((sum, stage) => sum + stageMs(stage), 0)
    const law = ownLaw(operation)
    let success = operation.sound * (law ? shareWithin(law, Math.max(0, insideMs - callsMs)) : 1)
    for (const stage of operation.stages) {
      for (const planned of stage.kind === 'calls' ? stage.calls : []) {
        const once = attempt(planned)
        const all = 1 - (1 - once) ** (byCall.get(planned)?.attempts ?? 1)
        calls.set(planned, { success: all, once })
        if (!planned.call.optional.value) success *= sharedSuccess(planned, all)
      }
    }
    return success
  }
  const attempt = (planned: PlanCall): number => {
    const decision = byCall.get(planned)
    const insideMs = decision ? decision.attemptMs - planned.networkMs - decision.reserveMs : -1
    const reached = inside(planned.callee, Math.max(0, insideMs))
    return insideMs < 0 || !decision || decision.timeoutMs <= 0 ? 0 : reached
  }
  return { success: inside(root, budgetMs), calls }
}

/** A call made by a share of requests succeeds for the others. */
export function sharedSuccess({ call }: PlanCall, success: number): number {
  return 1 - call.share.value * (1 - success)
}

/** The share of healthy answers that an attempt bound kills: 1 - F(t) of a leaf, its network included. */
export function falseKillOf(planned: PlanCall, attemptMs: number): number {
  const law = ownLaw(planned.callee)
  return isPlainLeaf(planned.callee) && law ? 1 - shareWithin(law, attemptMs - planned.networkMs) : 0
}
