import { formatDuration, mayRetry } from '@sandglass/runtime/core'
import { slotsOf } from '../model/slots.js'
import { draftOf } from './draft.js'
import { leastInside, leastOf } from './floor.js'
import type { Mode } from './mode.js'
import { occupancyCapMs, type PlanCall, slotsToLast } from './plan-call.js'
import { gridOf, type PlanOptions } from './plan-options.js'
import { type PlanOperation, type PlanStage, type PlanTree, rebuilt } from './plan-tree.js'
import { planPropagated, propagatedSuccess } from './propagated-plan.js'
import { shortageOf } from './shortage.js'
import { StaticPlanner } from './static-plan.js'
import { successOf } from './static-success.js'

/** One change of the chain that could make a plan fit. */
export interface Variant {
  readonly change: string
  readonly tree: PlanTree
}

/** A change that would help, and what it would bring. */
export interface WayOut {
  readonly change: string
  readonly success: number
  /** 0 where it fits then; infinite where no promise would be long enough. */
  readonly shortByMs: number
}

/** Steps of the plan for a longer promise. */
const LONGER_STEPS = 1000

/** Steps of its grid by which a longer promise is made longer still, until a plan of it fits. */
const MOST_STEPS_LONGER = 6

/** What saves less is no way out. */
const LEAST_HELP_MS = 0.5

/** In larger trees cut-offs are not searched anew for each variant. */
const MOST_SEARCHED = 100
const ROUGH_POINTS = 240

/** Ways out that are shown. */
const SHOWN = 3

/** Variants looked at, at most: beyond it a chain is not mended by one change. */
const MAX_VARIANTS = 60
/** Of a chain with many calls, each of which costs more to plan. */
const MAX_VARIANTS_OF_MANY = 16
const MANY_CALLS = 20

/** The three cheapest changes: those that leave the least missing, then those with the most success. What does not help is left out. */
export function waysOut(tree: PlanTree, mode: Mode, promiseMs: number, now: Omit<WayOut, 'change'>, options: PlanOptions): WayOut[] {
  const tried = mostPromising(variantsOf(tree, mode, options), mode, promiseMs, options).map(({ change, tree: variant }): WayOut => {
    const success = reachedBy(variant, mode, promiseMs, options)
    const shortByMs = rounded(shortageOf(variant, mode, promiseMs, success, options, 'rough').ms)
    return shortByMs > 0 || variant.calls.length > MANY_CALLS
      ? { change, success, shortByMs }
      : { change, ...plannedWith(variant, mode, promiseMs, options) }
  })
  const longer = longerPromise(tree, mode, promiseMs, now.shortByMs, options)
  const helping = tried.filter(({ shortByMs }) => shortByMs < now.shortByMs - LEAST_HELP_MS)
  return [...helping, ...longer].sort((one, other) => one.shortByMs - other.shortByMs || other.success - one.success).slice(0, SHOWN)
}

/** What the plan of a variant gives that should fit. */
function plannedWith(tree: PlanTree, mode: Mode, promiseMs: number, options: PlanOptions): Omit<WayOut, 'change'> {
  const { fits, shortMs, gridMs, alone } = draftOf('', tree, promiseMs, { ...options, objective: 'success' }, mode)
  return { success: alone, shortByMs: fits ? 0 : shortMs || gridMs }
}

/** Where the floors do not fit, only variants that save the most of them are planned. */
function mostPromising(variants: readonly Variant[], mode: Mode, promiseMs: number, options: PlanOptions): readonly Variant[] {
  const overs = new Map(
    variants.map((variant) => [
      variant,
      Math.max(0, leastInside(variant.tree.root, mode, options) - Math.min(promiseMs, variant.tree.root.endsMs)),
    ]),
  )
  if ([...overs.values()].every((over) => over === 0)) return variants
  return [...variants].sort((one, other) => (overs.get(one) ?? 0) - (overs.get(other) ?? 0)).slice(0, 2 * SHOWN)
}

function reachedBy(tree: PlanTree, mode: Mode, budgetMs: number, options: PlanOptions): number {
  if (mode === 'propagated' && tree.calls.length > MOST_SEARCHED)
    return propagatedSuccess(tree, budgetMs, options, new Map(), { points: ROUGH_POINTS })
  if (mode === 'propagated') return planPropagated(tree, budgetMs, options).success
  const planner = new StaticPlanner(tree.root, budgetMs, gridOf(budgetMs, options), options)
  return successOf(tree.root, planner.decisions(), budgetMs).success
}

/** The promise that could be kept as the chain stands; none where something else than time is missing. */
function longerPromise(tree: PlanTree, mode: Mode, promiseMs: number, shortByMs: number, options: PlanOptions): WayOut[] {
  if (!Number.isFinite(shortByMs) || tree.root.endsMs < promiseMs + shortByMs) return []
  const shortestMs = Math.ceil(promiseMs + shortByMs - 1e-6)
  const kept = tree.calls.length > MANY_CALLS ? roughlyKept(tree, mode, shortestMs, options) : keptFrom(tree, shortestMs, options)
  if (!kept || shortageOf(tree, mode, kept.ms, Math.max(kept.success, options.target ?? 0), options, 'rough').ms > 0) return []
  return [{ change: `promise ${formatDuration(kept.ms)} instead of ${formatDuration(promiseMs)}`, success: kept.success, shortByMs: 0 }]
}

interface Kept {
  readonly ms: number
  readonly success: number
}

/** What planning that promise would give; a little longer where whole steps of its grid need it. */
function keptFrom(tree: PlanTree, shortestMs: number, options: PlanOptions): Kept | null {
  let ms = shortestMs
  for (let tries = 0; tries < MOST_STEPS_LONGER; tries++) {
    const { fits, alone, gridMs } = draftOf('', tree, ms, { ...options, objective: 'success' })
    if (fits && alone >= (options.target ?? 0)) return { ms, success: alone }
    ms = (Math.floor(ms / gridMs) + 1) * gridMs
  }
  return null
}

function roughlyKept(tree: PlanTree, mode: Mode, ms: number, options: PlanOptions): Kept {
  return { ms, success: reachedBy(tree, mode, ms, { ...options, gridMs: Math.max(1, Math.ceil(ms / LONGER_STEPS)) }) }
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100
}

/** Each single change that may help: more slots, two steps in parallel, an optional call left out, no retries of a call, a second try of a harmless one, a read made optional. */
function variantsOf(tree: PlanTree, mode: Mode, options: PlanOptions): Variant[] {
  const variants = [
    ...moreSlots(tree, mode, options),
    ...inParallel(tree),
    ...withoutOptional(tree),
    ...withoutRetries(tree),
    ...withRetries(tree),
    ...withoutReads(tree),
  ]
  return variants.slice(0, tree.calls.length > MANY_CALLS ? MAX_VARIANTS_OF_MANY : MAX_VARIANTS)
}

/** Slots that let a call last as long as it needs, where occupancy cuts it below that; all such calls at once. */
function moreSlots(tree: PlanTree, mode: Mode, options: PlanOptions): Variant[] {
  const tight = tree.calls.filter((planned) => planned.capMs < leastOf(planned, mode, options))
  if (tight.length === 0) return []
  const pools = new Map<string, number>()
  for (const planned of tight)
    pools.set(poolName(planned), Math.max(pools.get(poolName(planned)) ?? 0, slotsToLast(planned, leastOf(planned, mode, options))))
  const change = [...pools].map(([name, needed]) => `${name} ${needed}`).join(' and ')
  const wider = (planned: PlanCall): PlanCall => {
    const slots = pools.get(poolName(planned))
    return slots === undefined ? planned : { ...planned, capMs: Math.max(planned.capMs, occupancyCapMs(slots, planned.perSlotMs)) }
  }
  return [{ change: `set ${change} (or more instances)`, tree: rebuilt(tree, (operation) => operation, wider) }]
}

function poolName({ call }: PlanCall): string {
  const kind = slotsOf(call)?.kind ?? 'concurrency'
  if (kind === 'bulkhead') return `the bulkhead of ${call.to.value} to`
  return kind === 'pool'
    ? `the pool ${call.pool?.value} of ${call.from.service.name} to`
    : `the concurrency of ${call.from.service.name} to`
}

/** Optional calls that are not made at all. */
function withoutOptional(tree: PlanTree): Variant[] {
  const optional = tree.calls.filter(({ call }) => call.optional.value)
  return optional.map((planned) => ({ change: `leave out ${planned.call.to.value}, which is optional`, tree: withoutCall(tree, planned) }))
}

function withoutCall(tree: PlanTree, left: PlanCall): PlanTree {
  const without = (operation: PlanOperation): PlanOperation => ({
    ...operation,
    stages: operation.stages.flatMap((stage): PlanStage[] => {
      if (stage.kind === 'own') return [stage]
      const calls = stage.calls.filter((call) => call !== left)
      return calls.length > 0 ? [{ kind: 'calls', calls }] : []
    }),
  })
  return rebuilt(tree, without, (call) => call)
}

function inParallel(tree: PlanTree): Variant[] {
  const variants: Variant[] = []
  for (const operation of operationsOf(tree.root)) {
    for (const [i, first] of operation.stages.entries()) {
      const second = operation.stages[i + 1]
      if (first.kind !== 'calls' || second?.kind !== 'calls') continue
      const stages = operation.stages.flatMap((stage, at): PlanStage[] =>
        at === i ? [{ kind: 'calls', calls: [...first.calls, ...second.calls] }] : at === i + 1 ? [] : [stage],
      )
      variants.push({
        change: `run ${namesOf(first.calls)} and ${namesOf(second.calls)} in parallel`,
        tree: changed(tree, operation, { ...operation, stages }),
      })
    }
  }
  return variants
}

function withoutRetries(tree: PlanTree): Variant[] {
  const retried = tree.calls.filter((planned) => planned.maxAttempts > 1)
  return retried.map((planned) => ({
    change: `drop the retries of ${planned.call.to.value}`,
    tree: changedCall(tree, planned, { ...planned, maxAttempts: 1 }),
  }))
}

/** Calls that may be repeated and are not, where no layer above or below retries. */
function withRetries(tree: PlanTree): Variant[] {
  const once = tree.calls.filter(
    ({ call, callee, maxAttempts, keptAttempts }) =>
      maxAttempts === 1 && keptAttempts === 1 && mayRetry(callee.operation.does.value, { idempotencyKey: call.idempotencyKey.value }),
  )
  return once.map((planned) => ({
    change: `allow a second attempt of ${planned.call.to.value}`,
    tree: changedCall(tree, planned, { ...planned, maxAttempts: 2 }),
  }))
}

/** The only call of an operation is what it is there for. */
function withoutReads(tree: PlanTree): Variant[] {
  const reads = tree.calls.filter(
    ({ callee, call }) => callee.operation.does.value === 'read' && !call.optional.value && call.from.calls.length > 1,
  )
  return reads.map((planned) => {
    const call = { ...planned.call, optional: { ...planned.call.optional, value: true } }
    return { change: `make ${planned.call.to.value} optional (answer without it)`, tree: changedCall(tree, planned, { ...planned, call }) }
  })
}

function namesOf(calls: readonly PlanCall[]): string {
  return calls.map(({ call }) => call.to.value).join(' + ')
}

function operationsOf(root: PlanOperation): PlanOperation[] {
  const below = root.stages.flatMap((stage) => (stage.kind === 'calls' ? stage.calls.flatMap(({ callee }) => operationsOf(callee)) : []))
  return [root, ...below]
}

function changed(tree: PlanTree, from: PlanOperation, to: PlanOperation): PlanTree {
  return rebuilt(
    tree,
    (operation) => (operation === from ? to : operation),
    (call) => call,
  )
}

function changedCall(tree: PlanTree, from: PlanCall, to: PlanCall): PlanTree {
  return rebuilt(
    tree,
    (operation) => operation,
    (call) => (call === from ? to : call),
  )
}
