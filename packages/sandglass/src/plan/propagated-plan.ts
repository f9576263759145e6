import { quantileOf, within } from './distribution.js'
import { leastOf } from './floor.js'
import { type PlanCall, reserveOf, waitsMs } from './plan-call.js'
import type { PlanOptions } from './plan-options.js'
import { isPlainLeaf, type PlanOperation, type PlanTree } from './plan-tree.js'
import { type Cut, PropagatedEvaluation } from './propagated-search.js'
import { OPTIONAL_UTILITY } from './static-plan.js'

/** What a propagated budget leads to. */
export interface PropagatedPlan {
  readonly success: number
  readonly cuts: ReadonlyMap<PlanCall, Cut>
}

/** Caps of calls in ms: no call takes longer, whatever is left. */
export type Caps = ReadonlyMap<PlanCall, number>

/** The quantiles of an attempt that are tried as its cut-off. */
export const CUT_MENU: readonly number[] = [0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999]
const COARSE_POINTS = 240
const FINE_POINTS = 1120
const MAX_ROUNDS = 6
/** A retry that brings less than a thousandth of a point is not worth its load. */
const LEAST_GAIN = 1e-5

/** Coordinate ascent over a menu of quantiles; what a move does not touch is convolved once. */
export function planPropagated(tree: PlanTree, budgetMs: number, options: PlanOptions, capsMs: Caps = hardCaps(tree)): PropagatedPlan {
  const usableMs = usableOf(tree, budgetMs, options)
  const search = new PropagatedEvaluation({ tree, budgetMs, usableMs, points: COARSE_POINTS, capsMs })
  ascend(search, options)
  return { success: propagatedSuccess(tree, budgetMs, options, search.cuts, { capsMs }), cuts: search.cuts }
}

/** How decided cuts are evaluated. */
export interface EvaluationOptions {
  readonly capsMs?: Caps
  /** Default 1120; fewer are quicker. */
  readonly points?: number | undefined
  /** As a chain file can say it, with the same bound for every attempt; default false. */
  readonly lastIsCut?: boolean
}

/** Success of decided cuts within a budget. */
export function propagatedSuccess(
  tree: PlanTree,
  budgetMs: number,
  options: PlanOptions,
  cuts: ReadonlyMap<PlanCall, Cut>,
  { capsMs = hardCaps(tree), points = FINE_POINTS, lastIsCut = false }: EvaluationOptions = {},
): number {
  return new PropagatedEvaluation(
    { tree, budgetMs, usableMs: usableOf(tree, budgetMs, options), points, capsMs, lastIsCut },
    cuts,
  ).success()
}

/** What occupancy and platforms allow a call, in ms. */
export function hardCaps({ calls }: PlanTree): Map<PlanCall, number> {
  return new Map(
    calls.map((planned) => [
      planned,
      Math.min(planned.capMs, planned.fixedMs ?? Number.POSITIVE_INFINITY, planned.fixedAttemptMs ?? Number.POSITIVE_INFINITY),
    ]),
  )
}

/** The budget less the reserves kept along the deepest path: what the innermost call can use. */
export function usableOf(tree: PlanTree, budgetMs: number, options: PlanOptions): number {
  const deepest = (operation: PlanOperation, leftMs: number): number => {
    let most = 0
    for (const stage of operation.stages) {
      for (const planned of stage.kind === 'calls' ? stage.calls : []) {
        const keptMs = Math.min(leftMs, keptOf(planned, operation, leftMs, options))
        most = Math.max(most, keptMs + deepest(planned.callee, leftMs - keptMs))
      }
    }
    return most
  }
  const givenMs = Math.min(budgetMs, tree.root.endsMs)
  return Math.max(0, givenMs - deepest(tree.root, givenMs))
}

/** What the caller of a call keeps of its budget; a client that hands none on keeps nothing: the service behind it starts from the whole promise. */
export function keptOf(planned: PlanCall, caller: PlanOperation, leftMs: number, options: PlanOptions): number {
  return caller.operation.service.deadline.value === 'propagate' ? reserveOf(planned, leftMs, options) : 0
}

/** Success, and a little for each optional call that is waited for long enough. */
export function valueOf(search: PropagatedEvaluation): number {
  let value = search.success()
  for (const planned of search.model.tree.calls) {
    if (planned.call.optional.value)
      value *=
        (1 + OPTIONAL_UTILITY * within(search.attempts(planned), search.cutOf(planned).cutMs, search.stepMs)) / (1 + OPTIONAL_UTILITY)
  }
  return value
}

function ascend(search: PropagatedEvaluation, options: PlanOptions): void {
  const movable = search.model.tree.calls.filter((planned) => attemptsWithin(search, planned) > 1 || planned.call.optional.value)
  let best = valueOf(search)
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = best
    for (const planned of movable) best = move(search, planned, best, options)
    if (best - before < 1e-7) return
  }
}

function move(search: PropagatedEvaluation, planned: PlanCall, best: number, options: PlanOptions): number {
  let kept = search.cutOf(planned)
  let value = best
  const choices = choicesOf(search, planned, options)
  search.hold(planned)
  for (const cut of choices) {
    search.set(planned, cut)
    const next = valueOf(search)
    if (next > value + LEAST_GAIN) {
      value = next
      kept = cut
    }
  }
  search.set(planned, kept)
  search.release()
  return value
}

/** Cut-offs to try: those of the menu with which all attempts fit into what a hung call gets, and the longest that does. */
export function choicesOf(search: PropagatedEvaluation, planned: PlanCall, options: PlanOptions): Cut[] {
  if (planned.call.optional.value) return optionalChoices(search, planned, options)
  const most = retriesElsewhere(search, planned) ? 1 : attemptsWithin(search, planned)
  const heldMs = heldOf(search, planned, options)
  // What asks others gets at least what its own calls need.
  const leastMs = Math.max(planned.leastAttemptMs, isPlainLeaf(planned.callee) ? 1 : leastOf(planned, 'propagated', options))
  const choices: Cut[] = search.cuts.has(planned) ? [{ attempts: 1, cutMs: search.model.usableMs }] : []
  for (let attempts = 2; attempts <= most; attempts++) {
    const longestMs = (heldMs - waitsMs(planned, attempts)) / attempts
    const menu = planned.fixedAttemptMs === null ? [...menuOf(search, planned), longestMs] : [planned.fixedAttemptMs]
    for (const cutMs of distinct(menu, search.stepMs)) if (cutMs >= leastMs && cutMs <= longestMs) choices.push({ attempts, cutMs })
  }
  return choices
}

/** How long an optional call is waited for: at least what makes it worth waiting. */
function optionalChoices(search: PropagatedEvaluation, planned: PlanCall, options: PlanOptions): Cut[] {
  const leastMs = Math.max(planned.leastAttemptMs, leastOf(planned, 'propagated', options))
  const menu = [...menuOf(search, planned), heldOf(search, planned, options)].filter((cutMs) => cutMs >= leastMs)
  return distinct(menu.length > 0 ? menu : [leastMs], search.stepMs).map((cutMs) => ({ attempts: 1, cutMs }))
}

function menuOf(search: PropagatedEvaluation, planned: PlanCall): number[] {
  const inner = search.inner(planned)
  return CUT_MENU.map((p) => quantileOf(inner, p, search.stepMs))
}

/** Quantiles of a law with steps coincide. */
function distinct(menu: readonly number[], stepMs: number): number[] {
  return menu.filter((cutMs, i) => menu.findIndex((other) => Math.abs(other - cutMs) < stepMs / 4) === i)
}

/** Behind a client that hands no budget on, a second attempt would start a whole new one: it tries once. */
function attemptsWithin(search: PropagatedEvaluation, planned: PlanCall): number {
  const caller = search.parents.get(planned.callee)?.operation.operation.service
  return caller?.deadline.value === 'propagate' ? planned.maxAttempts : 1
}

/** What a call that hangs from the start gets: the budget less what is kept on its way, no more than any cap or optional cut on it. */
function heldOf(search: PropagatedEvaluation, planned: PlanCall, options: PlanOptions): number {
  const parent = search.parents.get(planned.callee)
  if (!parent) return 0
  const above = search.parents.get(parent.operation)
  const aboveMs = above ? heldOf(search, above.call, options) : search.model.budgetMs
  const cutMs =
    above?.call.call.optional.value || (above && search.cutOf(above.call).attempts > 1)
      ? search.cutOf(above.call).cutMs
      : Number.POSITIVE_INFINITY
  const leftMs = Math.min(aboveMs, cutMs, parent.operation.endsMs)
  return Math.min(leftMs - keptOf(planned, parent.operation, leftMs, options), search.model.capsMs.get(planned) ?? Number.POSITIVE_INFINITY)
}

/** One retrying layer on a path: retries above or below would multiply. */
function retriesElsewhere(search: PropagatedEvaluation, planned: PlanCall): boolean {
  for (const [other, { attempts }] of search.cuts) {
    if (attempts > 1 && other !== planned && onOnePath(other.path, planned.path)) return true
  }
  return false
}

function onOnePath(one: readonly string[], other: readonly string[]): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.every((step, i) => long[i] === step)
}
