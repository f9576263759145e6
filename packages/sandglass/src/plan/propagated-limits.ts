import { ownP99Ms } from '../model/arithmetic.js'
import { leastOf } from './floor.js'
import { type Limit, type Limits, limitOf } from './limits.js'
import { type PlanCall, waitsMs } from './plan-call.js'
import type { PlanOptions } from './plan-options.js'
import { type PlanOperation, type PlanStage, type PlanTree, p99Of } from './plan-tree.js'
import { type Caps, keptOf } from './propagated-plan.js'
import type { Cut } from './propagated-search.js'
import { reachOf } from './reach.js'
import { callFloorMs, withFloorsWithin } from './static-limits.js'
import type { Decision } from './static-success.js'

/** What an operation has: at most, and when everything before it took its p99. */
interface Room {
  readonly mostMs: number
  readonly typicalMs: number
}

/**
 * Where everyone sees what is left, a call may take all of it but the reserve and what the steps after it need at least; and never so
 * much that a later step would not be reached when this one takes its p99.
 */
export function propagatedLimits(
  tree: PlanTree,
  promiseMs: number,
  budgetMs: number,
  options: PlanOptions,
  cuts: ReadonlyMap<PlanCall, Cut>,
  capsMs: Caps,
): { readonly limits: Limits; readonly isCut: boolean } {
  const limits = new Map<PlanCall, Limit>()
  let isCut = false
  const walk = (operation: PlanOperation, room: Room): void => {
    let usedMs = ownP99Ms(operation.operation)
    const part = partOfTail(operation, room.typicalMs - usedMs, options)
    if (part < 1) isCut = true
    for (const [i, stage] of operation.stages.entries()) {
      if (stage.kind === 'own') continue
      const afterMs = neededAfter(operation, i, options)
      let takenMs = 0
      for (const planned of stage.calls) {
        // Written down a reserve is one number: that of what is typically left, not a share of what could be.
        const keptMs = keptOf(planned, operation, Math.max(0, room.typicalMs - usedMs), options)
        const reachMs = afterMs > 0 ? reachableMs(planned, part, options) : Number.POSITIVE_INFINITY
        const mayTakeMs = Math.min(room.mostMs - keptMs - afterMs, reachMs)
        const limit = isStartedAnew(planned, operation) ? anew(planned, promiseMs) : limitFor(planned, Math.max(0, mayTakeMs), keptMs)
        limits.set(planned, limitOf(limit, callFloorMs(planned, limit.attemptMs, options)))
        const typicalMs = Math.min(limit.attemptMs, room.typicalMs - usedMs - keptMs)
        walk(planned.callee, {
          mostMs: Math.max(0, Math.min(limit.attemptMs - planned.networkMs, planned.callee.endsMs)),
          typicalMs: Math.min(typicalMs, planned.callee.endsMs),
        })
        takenMs = Math.max(takenMs, Math.min(limit.timeoutMs, p99Of(planned.callee)) + planned.networkMs)
      }
      usedMs += takenMs
    }
  }
  const limitFor = (planned: PlanCall, mayTakeMs: number, keptMs: number): Decision => {
    const cut = cuts.get(planned)
    const capMs = Math.min(
      capsMs.get(planned) ?? Number.POSITIVE_INFINITY,
      planned.call.optional.value && cut ? cut.cutMs : Number.POSITIVE_INFINITY,
    )
    const timeoutMs = planned.fixedMs ?? Math.floor(Math.min(mayTakeMs, capMs))
    const attempts = cut?.attempts ?? 1
    if (!cut || attempts === 1)
      return { planned, timeoutMs, attemptMs: Math.min(timeoutMs, planned.fixedAttemptMs ?? timeoutMs), attempts: 1, reserveMs: keptMs }
    const attemptMs = Math.floor(Math.min(cut.cutMs, (timeoutMs - waitsMs(planned, attempts)) / attempts))
    if (attemptMs < 1) return { planned, timeoutMs, attemptMs: timeoutMs, attempts: 1, reserveMs: keptMs }
    return { planned, timeoutMs, attemptMs, attempts, reserveMs: keptMs }
  }
  const startMs = Math.min(budgetMs, tree.root.endsMs)
  walk(tree.root, { mostMs: startMs, typicalMs: startMs })
  return { limits: withFloorsWithin(limits, reachOf(tree.root, promiseMs, limits, 'propagated', options)), isCut }
}

/** True for the call of a client that hands no budget on: the service behind it starts from the promise. */
function isStartedAnew({ call }: PlanCall, caller: PlanOperation): boolean {
  return caller.operation.service.deadline.value !== 'propagate' && call.callee?.service.deadline.value === 'propagate'
}

/** Such a client waits for the whole promise: less would end requests that the services still work for. */
function anew(planned: PlanCall, promiseMs: number): Decision {
  return { planned, timeoutMs: promiseMs, attemptMs: promiseMs, attempts: 1, reserveMs: 0 }
}

/**
 * How much of their tails the steps before the last required one may use, from 0 (their floors) to 1 (their p99s), so that the last one
 * is still reached when all of them take that long.
 */
function partOfTail(operation: PlanOperation, typicalMs: number, options: PlanOptions): number {
  let last = operation.stages.length - 1
  while (last > 0 && neededIn(operation.stages[last], options) === 0) last--
  let leastMs = neededIn(operation.stages[last], options)
  let tailsMs = 0
  for (const stage of operation.stages.slice(0, last)) {
    if (stage.kind === 'own') continue
    const uses = stage.calls.map((planned) => ({ leastMs: leastUse(planned, options), tailMs: tailUse(planned, options) }))
    const longest = Math.max(...uses.map((use) => use.leastMs))
    leastMs += longest
    tailsMs += Math.max(...uses.map((use) => use.tailMs)) - longest
  }
  return tailsMs <= 0 ? 1 : Math.max(0, Math.min(1, (typicalMs - leastMs) / tailsMs))
}

/** What a call may use of the typical time, its hop included: between its floor and its p99; no limit where that is all of it. */
function reachableMs(planned: PlanCall, part: number, options: PlanOptions): number {
  if (part >= 1) return Number.POSITIVE_INFINITY
  const leastMs = leastUse(planned, options)
  return leastMs + part * (tailUse(planned, options) - leastMs) - planned.networkMs
}

function leastUse(planned: PlanCall, options: PlanOptions): number {
  return leastOf(planned, 'propagated', options) + planned.networkMs
}

function tailUse(planned: PlanCall, options: PlanOptions): number {
  return Math.max(p99Of(planned.callee) + planned.networkMs, leastUse(planned, options))
}

/** What the steps after the i-th need at least. */
function neededAfter({ stages }: PlanOperation, i: number, options: PlanOptions): number {
  return stages.slice(i + 1).reduce((sum, stage) => sum + neededIn(stage, options), 0)
}

function neededIn(stage: PlanStage | undefined, options: PlanOptions): number {
  if (stage?.kind !== 'calls') return 0
  return stage.calls.reduce((most, planned) => Math.max(most, leastOf(planned, 'propagated', options)), 0)
}
