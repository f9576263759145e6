import { formatDuration } from '@sandglass/runtime/core'
import type { Chain, Journey } from '../model/chain.js'
import type { Note } from '../model/diagnostic.js'
import { type View, viewOf } from '../model/view.js'
import { basisOf } from './basis.js'
import { type Draft, draftOf, settledOf } from './draft.js'
import { differs, type Limit, mergedLimits, placeKey } from './limits.js'
import type { PlanCall } from './plan-call.js'
import { notesOf } from './plan-notes.js'
import { DEFAULT_TARGET, gridOf, PLAN_DEFAULTS, type PlanOptions } from './plan-options.js'
import { type PlanTree, planTree, rebuilt } from './plan-tree.js'
import { RULES_OF_THUMB, type RuleOfThumb, thumbDecisions } from './rules-of-thumb.js'
import { shortageOf } from './shortage.js'
import { falseKillOf, successOf } from './static-success.js'
import { type WayOut, waysOut } from './ways-out.js'

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
  /** True where another place of the same call has smaller limits, which hold here too. */
  readonly isShared: boolean
  readonly basis: string
}

/** The limits that a rule of thumb gives, and their success as hard budgets. */
export interface Alternative {
  readonly name: RuleOfThumb
  readonly success: number
  readonly calls: readonly { readonly path: readonly string[]; readonly timeoutMs: number }[]
}

/** The plan of one journey. */
export interface JourneyPlan {
  readonly name: string
  readonly promiseMs: number
  readonly feasible: boolean
  /** What is missing in ms; 0 where it is feasible, infinite where no promise would be long enough. */
  readonly shortByMs: number
  readonly mode: 'static' | 'propagated'
  /** Step of the budgets in ms. */
  readonly gridMs: number
  /** What is used of the promise, in ms: less than all of it where the shortest plan was asked for. */
  readonly usedMs: number
  readonly success: number
  /** 1 - the sum of failures: what holds without assuming independence. */
  readonly unionBound: number
  readonly calls: readonly PlannedCall[]
  readonly alternatives: readonly Alternative[]
  readonly waysOut: readonly WayOut[]
  readonly notes: readonly Note[]
}

/** The plan of a chain. */
export interface ChainPlan {
  readonly journeys: readonly JourneyPlan[]
  /** Journeys without a promise, or whose start names nothing, with the reason. */
  readonly notPlanned: readonly { readonly journey: string; readonly why: string }[]
}

interface Started {
  readonly journey: Journey
  readonly tree: PlanTree
  readonly promiseMs: number
}

/**
 * Derives limits backwards from each journey's promise. A call that several places or journeys share gets the smallest
 * of its limits; what a journey's plan then leads to is computed with those.
 */
export function planChain(chain: Chain, options: Partial<PlanOptions> = {}): ChainPlan {
  const view = viewOf(chain)
  const settled = settledOptions(options)
  const notPlanned: { journey: string; why: string }[] = []
  const started: Started[] = []
  for (const journey of chain.journeys) {
    const start = startOf(view, journey, settled)
    if (typeof start === 'string') notPlanned.push({ journey: journey.name, why: start })
    else started.push(start)
  }
  return { journeys: planned(started, settled), notPlanned }
}

function settledOptions(options: Partial<PlanOptions>): PlanOptions {
  const settled = { ...PLAN_DEFAULTS, ...options }
  return settled.objective === 'shortest' && settled.target === null ? { ...settled, target: DEFAULT_TARGET } : settled
}

function startOf(view: View, journey: Journey, options: PlanOptions): Started | string {
  const promiseMs = journey.promiseMs?.value
  if (typeof promiseMs !== 'number') return promiseMs === undefined ? 'it has no promise' : `its promise is ${promiseMs}`
  if (promiseMs < 1) return `it promises ${formatDuration(promiseMs)}; plans are made in whole ms`
  if (!journey.start) return `it starts at ${journey.starts.value}, which is not defined`
  const tree = planTree(view, journey.start, options)
  if ('tooMany' in tree) return `it makes ${tree.tooMany}; plan a part of it`
  return { journey, tree, promiseMs }
}

/** Plans each journey, merges what they share, and plans those with hard budgets whose client waits for less than their promise. */
function planned(started: readonly Started[], options: PlanOptions): JourneyPlan[] {
  const first = agreed(started, () => undefined, options)
  const isCut = first.map(({ draft, limits }) => draft.fits && draft.mode === 'propagated' && clientIsCut(draft, limits))
  const settled = isCut.includes(true) ? agreed(started, (i) => (sharesStart(started, isCut, i) ? 'static' : undefined), options) : first
  return settled.map(({ draft, limits }) => journeyPlan(draft, limits, options))
}

interface Agreed {
  readonly draft: Draft
  readonly limits: Draft['limits']
}

/**
 * A call that one place tries less often than another is planned again with the fewer tries everywhere, outer calls first; in the end
 * every call is planned with just the tries it gets, as it will be when the plan is read back. Tries only ever go down.
 */
function agreed(started: readonly Started[], modeOf: (i: number) => Draft['mode'] | undefined, options: PlanOptions): Agreed[] {
  let trees = started.map(({ tree }) => tree)
  for (;;) {
    const drafts = started.map(({ journey, promiseMs }, i) => draftOf(journey.name, trees[i] as PlanTree, promiseMs, options, modeOf(i)))
    const merged = mergedLimits(drafts)
    const result = drafts.map((draft, i) => ({ draft, limits: merged[i] ?? draft.limits }))
    const fewer = disagreeing(result) ?? unused(result)
    if (fewer.size === 0) return result
    trees = trees.map((tree) =>
      rebuilt(
        tree,
        (operation) => operation,
        (planned) => ({ ...planned, maxAttempts: Math.min(planned.maxAttempts, fewer.get(placeKey(planned)) ?? planned.maxAttempts) }),
      ),
    )
  }
}

/** The outermost calls that places try differently often, with the fewest tries; null where all agree. */
function disagreeing(result: readonly Agreed[]): Map<string, number> | null {
  const fewer = new Map<string, { attempts: number; depth: number }>()
  for (const { draft, limits } of result) {
    for (const [planned, own] of draft.fits ? draft.limits : []) {
      const attempts = limits.get(planned)?.attempts ?? own.attempts
      const depth = planned.path.length
      if (attempts < own.attempts)
        fewer.set(placeKey(planned), { attempts, depth: Math.min(depth, fewer.get(placeKey(planned))?.depth ?? depth) })
    }
  }
  if (fewer.size === 0) return null
  const outermost = Math.min(...[...fewer.values()].map(({ depth }) => depth))
  return new Map([...fewer].filter(([, { depth }]) => depth === outermost).map(([key, { attempts }]) => [key, attempts]))
}

/** Tries that a plan could have used and did not: without them its search, or a split between equals, may end elsewhere. */
function unused(result: readonly Agreed[]): Map<string, number> {
  const fewer = new Map<string, number>()
  for (const { draft, limits } of result) {
    if (!draft.fits) continue
    for (const [planned, { attempts }] of limits) if (planned.maxAttempts > attempts) fewer.set(placeKey(planned), attempts)
  }
  return fewer
}

function sharesStart(started: readonly Started[], isCut: readonly boolean[], i: number): boolean {
  return started.some(({ journey }, other) => isCut[other] === true && journey.start === started[i]?.journey.start)
}

/** True where a client that hands no budget on would give up before the service behind it, which starts from the promise. */
function clientIsCut(draft: Draft, limits: Draft['limits']): boolean {
  if (draft.tree.root.operation.service.deadline.value === 'propagate') return false
  const first = draft.tree.root.stages.flatMap((stage) => (stage.kind === 'calls' ? stage.calls : []))
  return first.some((call) => (limits.get(call)?.timeoutMs ?? 0) < draft.promiseMs)
}

function journeyPlan(draft: Draft, limits: Draft['limits'], options: PlanOptions): JourneyPlan {
  const { tree, promiseMs, name, mode } = draft
  const outcome = settledOf(draft, limits, options)
  const missing = shortageOf(tree, draft.mode, promiseMs, draft.alone, options)
  // What would just fit may not fit in whole steps.
  const shortage = { ...missing, ms: Math.max(missing.ms, draft.shortMs) || (draft.fits ? 0 : draft.gridMs) }
  return {
    name,
    promiseMs,
    feasible: shortage.ms === 0,
    shortByMs: rounded(shortage.ms),
    mode,
    gridMs: draft.gridMs,
    usedMs: draft.budgetMs,
    success: outcome.success,
    unionBound: Math.min(outcome.success, outcome.unionBound),
    calls: tree.calls.map((call) => plannedCall(draft, call, limits, outcome)),
    alternatives: RULES_OF_THUMB.map((rule) => alternative(rule, tree, draft.budgetMs, options)),
    waysOut: shortage.ms === 0 ? [] : waysOut(tree, mode, promiseMs, { success: outcome.success, shortByMs: shortage.ms }, options),
    notes: [...shortage.notes, ...tree.notes, ...notesOf(draft, limits, outcome.success, options)],
  }
}

function rounded(ms: number): number {
  return ms === 0 ? 0 : Math.ceil(ms * 100 - 1e-6) / 100
}

function plannedCall(draft: Draft, call: PlanCall, limits: Draft['limits'], outcome: ReturnType<typeof settledOf>): PlannedCall {
  const limit = limits.get(call) ?? noLimit(call)
  const own = draft.limits.get(call) ?? limit
  const attemptMs = limit.attempts > 1 ? Math.floor(limit.attemptMs) : null
  const falseKill = falseKillOf(call, limit.attemptMs)
  const journey = { name: draft.name, promiseMs: draft.promiseMs, mode: draft.mode, fits: draft.fits }
  return {
    planned: call,
    path: call.path,
    timeoutMs: Math.floor(limit.timeoutMs),
    attemptMs,
    attempts: limit.attempts === 1 ? limit.keptAttempts : limit.attempts,
    reserveMs: Math.floor(limit.reserveMs),
    floorMs: limit.floorMs,
    timeoutRate: outcome.timeoutRates.get(call) ?? 0,
    falseKill,
    isShared: differs(own, limit),
    basis: basisOf({
      limit,
      aloneMs: Math.floor(own.timeoutMs) > Math.floor(limit.timeoutMs) ? own.timeoutMs : null,
      journey,
      success: outcome.callSuccess.get(call) ?? null,
      falseKill,
      limits,
    }),
  }
}

function noLimit(planned: PlanCall): Limit {
  return { planned, timeoutMs: 0, attemptMs: 0, attempts: 1, reserveMs: 0, floorMs: 0, keptAttempts: 1 }
}

function alternative(name: RuleOfThumb, tree: PlanTree, budgetMs: number, options: PlanOptions): Alternative {
  const decisions = thumbDecisions(name, tree.root, budgetMs, gridOf(budgetMs, options), options)
  return {
    name,
    success: successOf(tree.root, decisions, budgetMs).success,
    calls: decisions.map(({ planned, timeoutMs }) => ({ path: planned.path, timeoutMs: Math.floor(timeoutMs) })),
  }
}
