import { quantileMs } from '../model/latency.js'
import { meanMs } from '../model/latency-mean.js'
import { type PlanCall, reserveOf } from './plan-call.js'
import type { PlanOptions } from './plan-options.js'
import { meanOf, type PlanOperation, type PlanStage, p99Of, stageWeight } from './plan-tree.js'
import type { Decision } from './static-success.js'

/** What a reviewer will ask about: equal split, in proportion to means or to p99s, and p99 x 1.5. */
export const RULES_OF_THUMB = ['equal', 'mean', 'p99', 'p99x1.5'] as const

/** One of {@link RULES_OF_THUMB}. */
export type RuleOfThumb = (typeof RULES_OF_THUMB)[number]

/** The limits a rule of thumb gives: each stage floored to the grid, the last one getting the rest; one attempt each. */
export function thumbDecisions(rule: RuleOfThumb, root: PlanOperation, budgetMs: number, gridMs: number, options: PlanOptions): Decision[] {
  const decisions: Decision[] = []
  const split = (operation: PlanOperation, insideMs: number): void => {
    for (const [stage, givenMs] of shares(rule, operation, Math.max(0, insideMs), gridMs)) {
      for (const planned of stage.kind === 'calls' ? stage.calls : [])
        give(planned, rule === 'p99x1.5' ? Math.min(givenMs, ownThumbMs(planned)) : givenMs)
    }
  }
  const give = (planned: PlanCall, timeoutMs: number): void => {
    const reserveMs = reserveOf(planned, timeoutMs, options)
    decisions.push({ planned, timeoutMs, attemptMs: timeoutMs, attempts: 1, reserveMs })
    split(planned.callee, timeoutMs - planned.networkMs - reserveMs)
  }
  split(root, budgetMs)
  return decisions
}

/** What each stage gets: p99 x 1.5 as long as there is something left, else its part floored to the grid, the last one the rest. */
function shares(rule: RuleOfThumb, { stages }: PlanOperation, insideMs: number, gridMs: number): [PlanStage, number][] {
  const weights = stages.map((stage) => weightOf(rule, stage))
  const sum = weights.reduce((total, weight) => total + weight, 0) || 1
  const isOwn = rule === 'p99x1.5'
  let leftMs = insideMs
  return stages.map((stage, i) => {
    const weight = weights[i] ?? 0
    const wantedMs = isOwn ? weight : floored((insideMs * weight) / sum, gridMs)
    const givenMs = i === stages.length - 1 && !isOwn ? leftMs : Math.min(leftMs, wantedMs)
    leftMs -= givenMs
    return [stage, givenMs]
  })
}

function floored(ms: number, gridMs: number): number {
  return Math.floor(ms / gridMs + 1e-9) * gridMs
}

function ownThumbMs({ callee, networkMs }: PlanCall): number {
  return 1.5 * p99Of(callee) + networkMs
}

function weightOf(rule: RuleOfThumb, stage: PlanStage): number {
  if (rule === 'equal') return 1
  if (rule === 'mean') return stageWeight(stage, meanMs, meanOf)
  if (rule === 'p99') return stageWeight(stage, (law) => quantileMs(law, 0.99), p99Of)
  return stage.kind === 'own'
    ? 1.5 * quantileMs(stage.law, 0.99)
    : stage.calls.reduce((most, planned) => Math.max(most, ownThumbMs(planned)), 0)
}
