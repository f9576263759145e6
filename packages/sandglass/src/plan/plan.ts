import { formatDuration } from '@sandglass/runtime/core'
import type { Chain, Journey } from '../model/chain.js'
import type { Note } from '../model/diagnostic.js'
import { quantileMs } from '../model/latency.js'
import { type View, viewOf } from '../model/view.js'
import { isPlainLeaf } from './static-plan.js'
import { PLAN_DEFAULTS, type PlanCall, type PlanOperation, type PlanOptions, type PlanTree, planTree, reserveOf, waitsMs } from './plan-tree.js'
import { planPropagated, propagatedSuccess } from './propagated-plan.js'
import { type RuleOfThumb, RULES_OF_THUMB, thumbDecisions } from './rules-of-thumb.js'
import { type Decision, falseKillOf, floorOf, StaticPlanner, successOf } from './static-plan.js'
import { variantsOf } from './ways-out.js'

/** The limits of one call, and why. */
export interface PlannedCall {
  readonly planned: PlanCall
  readonly path: readonly string[]
  readonly timeoutMs: number
  /** Null where there is one attempt, which gets the whole timeout. */
  readonly attemptMs: number | null
  readonly attempts: number
  readonly reserveMs: number
  readonly floorMs: number
  /** Share of calls that end at a limit. */
  readonly timeoutRate: number
  /** Share of healthy answers that the attempt bound cuts off. */
  readonly falseKill: number
  readonly basis: string
}

export interface Alternative {
  readonly name: RuleOfThumb
  readonly success: number
  readonly calls: readonly { readonly path: readonly string[]; readonly timeoutMs: number }[]
}

/** A change that would help, and what it would bring. */
export interface WayOut {
  readonly change: string
  readonly success: number
  readonly shortByMs: number
}

export interface JourneyPlan {
  readonly name: string
  readonly promiseMs: number
  readonly feasible: boolean
  readonly shortByMs: number
  readonly mode: 'static' | 'propagated'
  readonly success: number
  /** 1 - the sum of failures: what holds without assuming independence. */
  readonly unionBound: number
  readonly calls: readonly PlannedCall[]
  readonly alternatives: readonly Alternative[]
  readonly waysOut: readonly WayOut[]
  readonly notes: readonly Note[]
}

export interface ChainPlan {
  readonly journeys: readonly JourneyPlan[]
  /** Journeys without a promise, or whose start names nothing, with the reason. */
  readonly notPlanned: readonly { readonly journey: string; readonly why: string }[]
}

/** The most points of the search for the budget that a target needs. */
const SEARCH_POINTS = 2000

/** Derives limits backwards from each journey's promise. */
export function planChain(chain: Chain, options: Partial<PlanOptions> = {}): ChainPlan {
  const view = viewOf(chain)
  const settled = { ...PLAN_DEFAULTS, ...options }
  const journeys: JourneyPlan[] = []
  const notPlanned: { journey: string; why: string }[] = []
  for (const journey of chain.journeys) {
    const why = planJourney(view, journey, settled)
    if (typeof why === 'string') notPlanned.push({ journey: journey.name, why })
    else journeys.push(why)
  }
  return { journeys, notPlanned }
}

function planJourney(view: View, journey: Journey, options: PlanOptions): JourneyPlan | string {
  const promiseMs = journey.promiseMs?.value
  if (typeof promiseMs !== 'number') return promiseMs === undefined ? 'it has no promise' : `its promise is ${promiseMs}`
  if (!journey.start) return `it starts at ${journey.starts.value}, which is not defined`
  const tree = planTree(view, journey.start, options)
  if ('tooMany' in tree) return `it makes more than ${tree.tooMany} calls, shared ones counted each time; plan a part of it`
  const solver = solverFor(tree, options)
  const success = solver.success(promiseMs)
  const floorMs = floorOf(tree.root, options)
  const wanted = options.target
  const feasible = floorMs <= promiseMs && (wanted === null || success >= wanted)
  const shortByMs = feasible ? 0 : rounded(shortage(solver, promiseMs, floorMs, wanted))
  return {
    name: journey.name,
    promiseMs,
    feasible,
    shortByMs,
    mode: solver.mode,
    success,
    ...solver.calls(promiseMs),
    alternatives: RULES_OF_THUMB.map((name) => alternative(name, tree, promiseMs, options)),
    waysOut: feasible ? [] : waysOut(tree, promiseMs, options),
    notes: tree.notes,
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100
}

/** How many ms are missing: to the floors, or to the success that is asked for. */
function shortage(solver: Solver, promiseMs: number, floorMs: number, wanted: number | null): number {
  if (wanted === null) return floorMs - promiseMs
  const neededMs = solver.neededMs(wanted, promiseMs)
  return neededMs === null ? Number.POSITIVE_INFINITY : Math.max(neededMs - promiseMs, floorMs - promiseMs)
}

interface Solver {
  readonly mode: 'static' | 'propagated'
  success(budgetMs: number): number
  /** The budget that reaches `wanted`, or null where none does. */
  neededMs(wanted: number, fromMs: number): number | null
  calls(budgetMs: number): { readonly calls: readonly PlannedCall[]; readonly unionBound: number }
}

function solverFor(tree: PlanTree, options: PlanOptions): Solver {
  return isPropagated(tree.root) ? propagatedSolver(tree, options) : staticSolver(tree, options)
}

/** True where every service that asks another one hands the budget on; a client starts it. */
function isPropagated(root: PlanOperation): boolean {
  const asks = root.stages.some((stage) => stage.kind === 'calls')
  const { service } = root.operation
  if (asks && service.kind.value !== 'client' && service.deadline.value !== 'propagate') return false
  return root.stages.every((stage) => stage.kind === 'own' || stage.calls.every(({ callee }) => isPropagated(callee)))
}

function searchNeeded(success: (budgetMs: number) => number, wanted: number, fromMs: number): number | null {
  let low = fromMs
  let high = fromMs * 2
  while (success(high) < wanted) {
    low = high
    high *= 2
    if (high > 1e8) return null
  }
  while (high - low > 0.005) {
    const middle = (low + high) / 2
    if (success(middle) >= wanted) high = middle
    else low = middle
  }
  return high
}

function staticSolver(tree: PlanTree, options: PlanOptions): Solver {
  const points = tree.calls.length > 12 ? 400 : SEARCH_POINTS
  const finely = (budgetMs: number): number => new StaticPlanner(tree.root, budgetMs, budgetMs / points, options).plan().success
  const plan = (budgetMs: number): ReturnType<StaticPlanner['plan']> => new StaticPlanner(tree.root, budgetMs, options.gridMs, options).plan()
  return {
    mode: 'static',
    success: (budgetMs) => plan(budgetMs).success,
    neededMs: (wanted, fromMs) => searchNeeded(finely, wanted, fromMs),
    calls: (budgetMs) => staticCalls(plan(budgetMs).decisions, budgetMs, options),
  }
}

function staticCalls(decisions: readonly Decision[], promiseMs: number, options: PlanOptions): { calls: PlannedCall[]; unionBound: number } {
  const calls = decisions.map((decision): PlannedCall => {
    const { planned, attempts, attemptSuccess } = decision
    const timeoutMs = Math.floor(decision.timeoutMs)
    const attemptMs = attempts > 1 ? Math.floor(decision.attemptMs) : null
    const slow = Math.max(0, 1 - attemptSuccess - planned.callee.errors)
    const facts = { planned, path: planned.path, timeoutMs, attemptMs, attempts, reserveMs: Math.floor(decision.reserveMs), floorMs: floorMsOf(planned, attemptMs ?? timeoutMs, options), timeoutRate: slow ** attempts, falseKill: falseKillOf(planned, decision.attemptMs) }
    return { ...facts, basis: basisOf(facts, promiseMs, `success ${percent(decision.success)}`) }
  })
  const failures = decisions.filter(({ planned }) => isPlainLeaf(planned.callee) && !planned.call.optional.value).reduce((sum, { success, planned }) => sum + planned.call.share.value * (1 - success), 0)
  return { calls, unionBound: Math.max(0, 1 - failures) }
}

/** The floor of a call: the callee's median and its callees' floors, never above what one attempt gets. */
function floorMsOf(planned: PlanCall, attemptMs: number, options: PlanOptions): number {
  return Math.max(0, Math.min(Math.ceil(floorOf(planned.callee, options) + planned.networkMs), attemptMs))
}

function propagatedSolver(tree: PlanTree, options: PlanOptions): Solver {
  return {
    mode: 'propagated',
    success: (budgetMs) => planPropagated(tree, budgetMs, options).success,
    neededMs: (wanted, fromMs) => {
      const { cuts } = planPropagated(tree, fromMs, options)
      return searchNeeded((budgetMs) => propagatedSuccess(tree, budgetMs, options, cuts), wanted, fromMs)
    },
    calls: (budgetMs) => propagatedCalls(tree, budgetMs, options),
  }
}

/** Where everyone sees what is left, a call's timeout is what the steps after it do not need as their floors. */
function propagatedCalls(tree: PlanTree, promiseMs: number, options: PlanOptions): { calls: PlannedCall[]; unionBound: number } {
  const { cuts } = planPropagated(tree, promiseMs, options)
  const calls: PlannedCall[] = []
  let failures = 0
  const walk = (operation: PlanOperation, insideMs: number): void => {
    let afterMs = 0
    for (const stage of [...operation.stages].reverse()) {
      if (stage.kind === 'own') {
        afterMs += quantileMs(stage.law, 0.5)
        continue
      }
      const beforeMs = stage.calls.reduce((most, { callee, networkMs }) => Math.max(most, floorOf(callee, options) + networkMs), 0)
      for (const planned of stage.calls) failures += give(planned, Math.max(0, insideMs - afterMs))
      afterMs += beforeMs
    }
  }
  const give = (planned: PlanCall, leftMs: number): number => {
    const cut = cuts.get(planned)
    const keptMs = reserveOf(planned.call, leftMs, options)
    const timeoutMs = Math.max(0, Math.floor(Math.min(planned.fixedMs ?? leftMs - keptMs, planned.capMs, planned.call.optional.value && cut ? cut.cutMs : leftMs - keptMs)))
    const attempts = cut && cut.attempts * cut.cutMs + waitsMs(planned, cut.attempts) <= timeoutMs ? cut.attempts : 1
    const attemptMs = attempts > 1 && cut ? Math.floor(cut.cutMs) : null
    const inner = isPlainLeaf(planned.callee) ? 1 - falseKillOf(planned, timeoutMs) : planned.callee.sound
    const facts = { planned, path: planned.path, timeoutMs, attemptMs, attempts, reserveMs: Math.floor(keptMs), floorMs: floorMsOf(planned, attemptMs ?? timeoutMs, options), timeoutRate: Math.max(0, 1 - inner), falseKill: falseKillOf(planned, timeoutMs) }
    calls.push({ ...facts, basis: basisOf(facts, promiseMs, 'what the steps after it leave; at run time, what is left') })
    walk(planned.callee, Math.max(0, (attemptMs ?? timeoutMs) - planned.networkMs))
    return isPlainLeaf(planned.callee) && !planned.call.optional.value ? planned.call.share.value * (1 - planned.callee.sound * inner) : 0
  }
  walk(tree.root, promiseMs)
  return { calls: calls.reverse(), unionBound: Math.max(0, 1 - failures) }
}

type Facts = Pick<PlannedCall, 'planned' | 'timeoutMs' | 'attemptMs' | 'attempts' | 'falseKill'>

function basisOf({ planned, timeoutMs, attemptMs, attempts, falseKill }: Facts, promiseMs: number, tail: string): string {
  const own = planned.callee.stages.find((stage) => stage.kind === 'own')
  const p99 = own?.kind === 'own' && isPlainLeaf(planned.callee) ? `, p99 ${formatDuration(quantileMs(own.law, 0.99))}` : ''
  const tries = attempts > 1 && attemptMs !== null ? `${attempts} attempts x ${formatDuration(attemptMs)} in ` : ''
  const killed = falseKill >= 0.0005 ? `, cuts off ${percent(falseKill)} of good answers` : ''
  return `sandglass plan: ${tries}${formatDuration(timeoutMs)} of the promise ${formatDuration(promiseMs)}; ${tail}${p99}${killed}`
}

function percent(share: number): string {
  return `${(share * 100).toFixed(share > 0.999 || share < 0.001 ? 3 : 1)} %`
}

function alternative(name: RuleOfThumb, tree: PlanTree, promiseMs: number, options: PlanOptions): Alternative {
  const decisions = thumbDecisions(name, tree.root, promiseMs, options)
  return { name, success: successOf(tree.root, decisions, promiseMs, options), calls: decisions.map(({ planned, timeoutMs }) => ({ path: planned.path, timeoutMs: Math.floor(timeoutMs) })) }
}

/** The three cheapest changes: those that leave the least missing, then the most success. */
function waysOut(tree: PlanTree, promiseMs: number, options: PlanOptions): WayOut[] {
  const tried = variantsOf(tree).map(({ change, tree: variant }): WayOut => {
    const solver = solverFor(variant, options)
    const success = solver.success(promiseMs)
    const floorMs = floorOf(variant.root, options)
    const enough = floorMs <= promiseMs && (options.target === null || success >= options.target)
    return { change, success, shortByMs: enough ? 0 : rounded(Math.max(0, shortage(solver, promiseMs, floorMs, options.target))) }
  })
  const solver = solverFor(tree, options)
  const neededMs = options.target === null ? floorOf(tree.root, options) : solver.neededMs(options.target, promiseMs)
  if (neededMs !== null) tried.push({ change: `promise ${formatDuration(Math.ceil(neededMs))} instead of ${formatDuration(promiseMs)}`, success: solver.success(neededMs), shortByMs: 0 })
  return tried.sort((one, other) => one.shortByMs - other.shortByMs || other.success - one.success).slice(0, 3)
}
