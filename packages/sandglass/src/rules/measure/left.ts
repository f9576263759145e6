import { type Bound, maxBound } from '@sandglass/runtime/core'
import { msOf, nothing, ownP99Ms } from '../../model/arithmetic.js'
import type { Arrival, Visit } from '../../model/situations.js'
import type { View } from '../../model/view.js'
import { oncePerView } from './once-per-view.js'

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

/** What is left before each call in each situation; undefined where nothing limits it. */
export interface Lefts {
  readonly get: (visit: Visit) => Left | undefined
}

/**
 * What is left before each call: a budget shrinks with what is used on the whole way, the wait of a caller without budgets only within
 * the operation. Calls in situations without any known limit are left out.
 */
export const leftBefore: (view: View) => Lefts = oncePerView((view) => {
  const lefts = new Array<Left | undefined>(view.situations.visitCount)
  const walked = new Set<Arrival>()
  const lookUp: Lefts = { get: ({ index }) => lefts[index] }
  // Budgets shrink along the way, callers first; what nobody hands down is worked out where it is asked for.
  for (const arrivals of view.situations.arrivals.values())
    for (const arrival of arrivals) if (arrival.budget) walk(view, arrival, lookUp, lefts)
  return {
    get(visit) {
      const { arrival } = visit
      if (!arrival.budget && !walked.has(arrival)) {
        walked.add(arrival)
        walk(view, arrival, lookUp, lefts)
      }
      return lefts[visit.index]
    },
  }
})

function walk(view: View, arrival: Arrival, known: Lefts, lefts: (Left | undefined)[]): void {
  const has = hasAtStart(arrival, known)
  if (!has) return
  let typicalMs = ownP99Ms(arrival.operation)
  let worstMs: number | null = typicalMs
  let at = 0
  for (const step of arrival.operation.steps) {
    const visits = arrival.visits.slice(at, (at += step.kind === 'call' ? 1 : step.calls.length))
    for (const visit of visits) lefts[visit.index] = leftOf(visit, has, typicalMs, worstMs)
    const waited = visits.filter(({ call }) => !call.async.value)
    typicalMs += waited.reduce((longest, { call, bound }) => Math.max(longest, view.typicalCallMs(call, bound)), 0)
    const bound = waited.reduce<Bound>((longest, visit) => maxBound(longest, visit.bound), nothing)
    worstMs = worstMs === null || bound.state !== 'bounded' ? null : worstMs + bound.ms
  }
}

function leftOf({ call }: Visit, has: Has, typicalMs: number, worstMs: number | null): Left {
  const reserve = has.isBudget ? msOf(call.reserveMs) : 0
  return {
    hasMs: has.typicalMs,
    hasWorstMs: has.worstMs,
    typicalMs: has.typicalMs - typicalMs - reserve,
    worstMs: has.worstMs === null || worstMs === null ? null : has.worstMs - worstMs - reserve,
    isBudget: has.isBudget,
  }
}

/** A budget that is handed over is at most what was left of the caller's own. */
function hasAtStart({ budget, callerBound, via }: Arrival, left: Lefts): Has | null {
  if (!budget) return callerBound.state === 'bounded' ? { typicalMs: callerBound.ms, worstMs: callerBound.ms, isBudget: false } : null
  const before = via && via.call.deadline.value === 'propagate' && !via.call.async.value ? left.get(via) : undefined
  if (!before?.isBudget) return { typicalMs: budget.ms, worstMs: budget.ms, isBudget: true }
  return {
    typicalMs: Math.min(budget.ms, before.typicalMs),
    worstMs: before.worstMs === null ? null : Math.min(budget.ms, before.worstMs),
    isBudget: true,
  }
}
