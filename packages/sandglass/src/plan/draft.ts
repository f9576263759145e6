import { leastInside, leastOf } from './floor.js'
import { differs, type Limits, limitOf } from './limits.js'
import { type Mode, modeOf } from './mode.js'
import { neededPropagated, neededStatic } from './needed-budget.js'
import { type PlanCall, reserveOf } from './plan-call.js'
import { gridOf, type PlanOptions } from './plan-options.js'
import type { PlanTree } from './plan-tree.js'
import { propagatedLimits } from './propagated-limits.js'
import { type Caps, hardCaps, planPropagated, propagatedSuccess, usableOf } from './propagated-plan.js'
import { type Cut, PropagatedEvaluation } from './propagated-search.js'
import { propagatedTimeoutRates, staticTimeoutRates, unionBoundOf } from './rates.js'
import { mostShort, reachOf } from './reach.js'
import { callFloorMs, starves, staticLimits } from './static-limits.js'
import { StaticPlanner } from './static-plan.js'
import { successOf } from './static-success.js'

/** What one journey would plan for itself. */
export interface Draft {
  readonly name: string
  readonly tree: PlanTree
  readonly promiseMs: number
  /** What of the promise is planned with. */
  readonly budgetMs: number
  readonly gridMs: number
  readonly mode: Mode
  readonly limits: Limits
  /** Of a propagated plan. */
  readonly cuts: ReadonlyMap<PlanCall, Cut>
  /** No call takes longer, whatever is left: by occupancy, by platforms, or so that later steps are still reached. */
  readonly capsMs: Caps
  /** Success without cutting steps so that later ones are still reached; null where none is cut. */
  readonly uncut: number | null
  /** The best success that can be had, before anything is shared. */
  readonly alone: number
  /** False where not even the least that the calls need fits into the promise: the limits are those, then. */
  readonly fits: boolean
  /** What it is short of beside the sum of the least: to reach every step, or to fit in whole steps of the grid. */
  readonly shortMs: number
}

/** What a journey's limits lead to. */
export interface Outcome {
  readonly success: number
  readonly unionBound: number
  readonly timeoutRates: ReadonlyMap<PlanCall, number>
  /** Success of each call within its limits, of hard budgets. */
  readonly callSuccess: ReadonlyMap<PlanCall, number>
}

const RATE_POINTS = 240

/** Plans one journey; `forced` where it may not be planned with a propagated budget. */
export function draftOf(name: string, tree: PlanTree, promiseMs: number, options: PlanOptions, forced?: Mode): Draft {
  const mode = forced ?? modeOf(tree, promiseMs)
  const budgetMs = budgetOf(tree, mode, promiseMs, options)
  const gridMs = gridOf(budgetMs, options)
  const common = {
    name,
    tree,
    promiseMs,
    budgetMs,
    gridMs,
    mode,
    fits: true,
    shortMs: 0,
    cuts: new Map<PlanCall, Cut>(),
    capsMs: hardCaps(tree),
    uncut: null,
  }
  const unfit = (shortMs: number): Draft => ({
    ...common,
    fits: false,
    shortMs,
    limits: leastLimits(tree, mode, options),
    alone: bestWithin(tree, mode, promiseMs, options),
  })
  if (leastInside(tree.root, mode, options) > Math.min(promiseMs, tree.root.endsMs)) return unfit(0)
  if (mode === 'static') {
    const limits = staticLimits(tree, promiseMs, budgetMs, gridMs, options)
    const shortMs = mostShort(reachOf(tree.root, promiseMs, limits, mode, options))
    if (starves(tree, limits, budgetMs, options) || shortMs > 0) return unfit(shortMs)
    return { ...common, limits, alone: successOf(tree.root, [...limits.values()], budgetMs).success }
  }
  const { cuts, success } = planPropagated(tree, budgetMs, options)
  const { limits, isCut } = propagatedLimits(tree, promiseMs, budgetMs, options, cuts, hardCaps(tree))
  const shortMs = mostShort(reachOf(tree.root, promiseMs, limits, mode, options))
  if (shortMs > 0) return unfit(shortMs)
  if (!isCut) return { ...common, limits, cuts, alone: success }
  const capsMs = new Map([...limits].map(([planned, { timeoutMs }]) => [planned, timeoutMs]))
  return { ...common, limits, cuts, capsMs, uncut: success, alone: propagatedSuccess(tree, budgetMs, options, cuts, { capsMs }) }
}

/** What can be had within a budget that is too short. */
function bestWithin(tree: PlanTree, mode: Mode, budgetMs: number, options: PlanOptions): number {
  if (mode === 'propagated') return propagatedSuccess(tree, budgetMs, options, new Map())
  const planner = new StaticPlanner(tree.root, budgetMs, gridOf(budgetMs, options), options)
  return planner.value() === 0 ? 0 : successOf(tree.root, planner.decisions(), budgetMs).success
}

/** The least that each call is worth starting with: what they add up to is too much. */
function leastLimits(tree: PlanTree, mode: Mode, options: PlanOptions): Limits {
  return new Map(
    tree.calls.map((planned) => {
      const timeoutMs = Math.ceil(planned.fixedMs ?? leastOf(planned, mode, options))
      return [
        planned,
        limitOf(
          { planned, timeoutMs, attemptMs: timeoutMs, attempts: 1, reserveMs: reserveOf(planned, timeoutMs, options) },
          callFloorMs(planned, timeoutMs, options),
        ),
      ]
    }),
  )
}

/** The whole promise, or for the shortest plan the least whole step that reaches the target. */
function budgetOf(tree: PlanTree, mode: Mode, promiseMs: number, options: PlanOptions): number {
  if (options.objective === 'success' || options.target === null) return promiseMs
  const neededMs = (mode === 'static' ? neededStatic : neededPropagated)(tree, options.target, promiseMs, options)
  if (neededMs === null || neededMs >= promiseMs) return promiseMs
  const gridMs = gridOf(neededMs, options)
  return Math.min(promiseMs, mode === 'static' ? Math.ceil(neededMs / gridMs) * gridMs : Math.ceil(neededMs))
}

/** What the limits lead to that a journey gets in the end, the smaller ones of shared calls included. */
export function settledOf(draft: Draft, limits: Limits, options: PlanOptions): Outcome {
  if (!draft.fits) return { success: draft.alone, unionBound: 0, timeoutRates: new Map(), callSuccess: new Map() }
  return draft.mode === 'static' ? staticOutcome(draft, limits) : propagatedOutcome(draft, limits, options)
}

function staticOutcome({ tree, budgetMs }: Draft, limits: Limits): Outcome {
  const reached = successOf(tree.root, [...limits.values()], budgetMs)
  return {
    success: reached.success,
    unionBound: unionBoundOf(tree.root, budgetMs, limits, reached),
    timeoutRates: staticTimeoutRates(limits, reached),
    callSuccess: new Map([...reached.calls].map(([planned, { success }]) => [planned, success])),
  }
}

function propagatedOutcome(draft: Draft, limits: Limits, options: PlanOptions): Outcome {
  const { tree, budgetMs } = draft
  const { cuts, capsMs } = sharedCuts(draft, limits)
  const usableMs = usableOf(tree, budgetMs, options)
  const evaluation = new PropagatedEvaluation({ tree, budgetMs, usableMs, points: RATE_POINTS, capsMs }, cuts)
  const isShared = [...limits].some(([planned, limit]) => isLess(draft, planned, limit))
  return {
    success: isShared ? propagatedSuccess(tree, budgetMs, options, cuts, { capsMs }) : draft.alone,
    unionBound: unionOfPropagated(draft, usableMs, options),
    timeoutRates: propagatedTimeoutRates(evaluation),
    callSuccess: new Map(),
  }
}

function isLess(draft: Draft, planned: PlanCall, limit: Parameters<typeof differs>[0]): boolean {
  const own = draft.limits.get(planned)
  return own !== undefined && differs(own, limit)
}

/** The cuts and caps with the smaller limits that shared calls have. */
export function sharedCuts(
  draft: Draft,
  limits: Limits,
): { readonly cuts: ReadonlyMap<PlanCall, Cut>; readonly capsMs: ReadonlyMap<PlanCall, number> } {
  const cuts = new Map(draft.cuts)
  const capsMs = new Map(draft.capsMs)
  for (const [planned, limit] of limits) {
    if (!isLess(draft, planned, limit)) continue
    capsMs.set(planned, Math.min(capsMs.get(planned) ?? Number.POSITIVE_INFINITY, limit.timeoutMs))
    if (cuts.has(planned))
      cuts.set(planned, { attempts: limit.attempts, cutMs: Math.min(cuts.get(planned)?.cutMs ?? limit.attemptMs, limit.attemptMs) })
  }
  return { cuts, capsMs }
}

/** A sum of times is over its budget only if one of them is over its share, for any shares: the best ones of hard budgets are taken. */
function unionOfPropagated({ tree, promiseMs }: Draft, usableMs: number, options: PlanOptions): number {
  const free = { ...options, reserveMs: 0 }
  const decisions = new StaticPlanner(tree.root, usableMs, gridOf(promiseMs, options), free).decisions()
  const limits = new Map(decisions.map((decision) => [decision.planned, limitOf(decision, 0)]))
  return unionBoundOf(tree.root, usableMs, limits, successOf(tree.root, decisions, usableMs))
}
