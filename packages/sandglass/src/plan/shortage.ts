import { formatDuration } from '@sandglass/runtime/core'
import type { Note } from '../model/diagnostic.js'
import { leastInside, leastOf } from './floor.js'
import type { Mode } from './mode.js'
import { neededPropagated, neededStatic, type Precision } from './needed-budget.js'
import { percent } from './percent.js'
import type { PlanCall } from './plan-call.js'
import type { PlanOptions } from './plan-options.js'
import type { PlanOperation, PlanTree } from './plan-tree.js'
import { sharedSuccess } from './static-success.js'

/** What a plan is short of: to the floors of its calls, to what a pool or platform allows, to the success that is asked for. */
export interface Shortage {
  /** 0 where nothing is missing; infinite where no promise would be long enough. */
  readonly ms: number
  readonly notes: readonly Note[]
}

/** By how many ms a journey does not fit, and what it is that does not. `success` is what the plan reaches. */
export function shortageOf(
  tree: PlanTree,
  mode: Mode,
  promiseMs: number,
  success: number,
  options: PlanOptions,
  precision: Precision = 'exact',
): Shortage {
  const hasMs = Math.min(promiseMs, tree.root.endsMs)
  const neededMs = leastInside(tree.root, mode, options)
  const floorsMs = Math.max(0, neededMs - hasMs)
  const tight = tree.calls.filter((planned) => mostOf(planned) < leastOf(planned, mode, options))
  const poolMs = tight.reduce((most, planned) => Math.max(most, leastOf(planned, mode, options) - mostOf(planned)), 0)
  const notes = [
    ...(floorsMs > 0 ? [floorNote(tree, neededMs, hasMs, promiseMs, options)] : []),
    ...tight.map((planned) => tightNote(planned, mode, options)),
  ]
  if (options.target === null || success >= options.target) return { ms: Math.max(floorsMs, poolMs), notes }
  const wantedMs = (mode === 'static' ? neededStatic : neededPropagated)(tree, options.target, promiseMs, options, precision)
  if (wantedMs === null) return { ms: Number.POSITIVE_INFINITY, notes: [...notes, ceilingNote(tree, options.target)] }
  return { ms: Math.max(wantedMs - promiseMs, floorsMs, poolMs), notes }
}

function mostOf({ capMs, fixedMs, fixedAttemptMs }: PlanCall): number {
  return Math.min(fixedMs ?? capMs, fixedAttemptMs ?? Number.POSITIVE_INFINITY)
}

function floorNote(tree: PlanTree, neededMs: number, hasMs: number, promiseMs: number, { keepTail }: PlanOptions): Note {
  const has = hasMs < promiseMs ? `its own request limit of ${formatDuration(hasMs)}` : `the promise of ${formatDuration(promiseMs)}`
  return {
    spot: tree.root.operation.spot,
    message: `${tree.root.operation.id} needs ${formatDuration(Math.ceil(neededMs))} for the least its calls are worth starting with (${keepTail ? 'p99s' : 'medians, own work at p99'}, network, reserves, what platforms fix), more than ${has}`,
  }
}

function tightNote(planned: PlanCall, mode: Mode, options: PlanOptions): Note {
  const { call } = planned
  const needs = `${call.to.value} needs at least ${formatDuration(Math.ceil(leastOf(planned, mode, options)))}`
  if (planned.fixedMs !== null || planned.fixedAttemptMs !== null)
    return { spot: call.spot, message: `${needs}, but a platform gives it ${formatDuration(mostOf(planned))}` }
  return {
    spot: call.spot,
    message: `${needs}, but at this rate a call may hold a slot of ${call.from.service.name} for ${formatDuration(planned.capMs)} at most (just below 80 % of its slots when all calls hang)`,
  }
}

/** What errors and hangs alone leave, however long everything may take. */
function ceilingNote({ root }: PlanTree, target: number): Note {
  const most = mostOfAll(root)
  const why =
    most < target ? `errors and hangs alone leave at most ${percent(most)}` : 'pools and the limits of platforms and services leave less'
  return { spot: root.operation.spot, message: `${percent(target)} cannot be reached by ${root.operation.id} with more time: ${why}` }
}

function mostOfAll(operation: PlanOperation): number {
  let most = operation.sound
  for (const stage of operation.stages) {
    for (const planned of stage.kind === 'calls' ? stage.calls : []) {
      if (!planned.call.optional.value) most *= sharedSuccess(planned, 1 - (1 - mostOfAll(planned.callee)) ** planned.maxAttempts)
    }
  }
  return most
}
