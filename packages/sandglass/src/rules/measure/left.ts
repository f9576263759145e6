import { msOf, ownP99Ms } from '../../model/arithmetic.js'
import type { Call, Step } from '../../model/chain.js'
import { type Arrival, stepBound, type Visit } from '../../model/situations.js'
import type { View } from '../../model/view.js'

/** What is left for a call when the steps before it are over, its reserve taken off. */
export interface Left {
  /** What the operation has at its start, in ms: typically, and in the worst case (null where that is not known). */
  readonly hasMs: number
  readonly hasWorstMs: number | null
  readonly typicalMs: number
  readonly worstMs: number | null
  /** True where a budget says so at run time; otherwise it is only how long the caller waits. */
  readonly isBudget: boolean
}

interface Has {
  readonly typicalMs: number
  readonly worstMs: number | null
  readonly isBudget: boolean
}

/**
 * What is left before each call: a budget shrinks with what is used on the whole way, the wait of a caller without budgets only within
 * the operation. Calls in situations without any known limit are left out.
 */
export function leftBefore(view: View): ReadonlyMap<Visit, Left> {
  const left = new Map<Visit, Left>()
  for (const arrivals of view.situations.arrivals.values()) for (const arrival of arrivals) walk(view, arrival, left)
  return left
}

function walk(view: View, arrival: Arrival, left: Map<Visit, Left>): void {
  const has = hasAtStart(arrival, left)
  if (!has) return
  const visits = new Map(view.visitsIn(arrival).map((visit) => [visit.call, visit]))
  let typicalMs = ownP99Ms(arrival.operation)
  let worstMs: number | null = typicalMs
  for (const step of arrival.operation.steps) {
    for (const call of callsOf(step)) {
      const visit = visits.get(call)
      const reserve = has.isBudget ? msOf(call.reserveMs) : 0
      const worstLeft = has.worstMs === null || worstMs === null ? null : has.worstMs - worstMs - reserve
      if (visit)
        left.set(visit, {
          hasMs: has.typicalMs,
          hasWorstMs: has.worstMs,
          typicalMs: has.typicalMs - typicalMs - reserve,
          worstMs: worstLeft,
          isBudget: has.isBudget,
        })
    }
    typicalMs += typicalStep(view, step, visits)
    const bound = stepBound(step, (call) => visits.get(call)?.bound ?? { state: 'unknown' })
    worstMs = worstMs === null || bound.state !== 'bounded' ? null : worstMs + bound.ms
  }
}

function callsOf(step: Step): readonly Call[] {
  return step.kind === 'call' ? [step.call] : step.calls
}

function typicalStep(view: View, step: Step, visits: ReadonlyMap<Call, Visit>): number {
  const waited = callsOf(step).filter((call) => !call.async.value)
  return waited.reduce((longest, call) => Math.max(longest, view.typicalCallMs(call, visits.get(call)?.bound ?? { state: 'unbounded' })), 0)
}

/** A budget that is handed over is at most what was left of the caller's own. */
function hasAtStart({ budget, callerBound, via }: Arrival, left: ReadonlyMap<Visit, Left>): Has | null {
  if (!budget) return callerBound.state === 'bounded' ? { typicalMs: callerBound.ms, worstMs: callerBound.ms, isBudget: false } : null
  const before = via && via.call.deadline.value === 'propagate' && !via.call.async.value ? left.get(via) : undefined
  if (!before?.isBudget) return { typicalMs: budget.ms, worstMs: budget.ms, isBudget: true }
  return {
    typicalMs: Math.min(budget.ms, before.typicalMs),
    worstMs: before.worstMs === null ? null : Math.min(budget.ms, before.worstMs),
    isBudget: true,
  }
}
