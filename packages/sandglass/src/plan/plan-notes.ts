import { formatDuration } from '@sandglass/runtime/core'
import type { Note } from '../model/diagnostic.js'
import { type Draft, sharedCuts } from './draft.js'
import { floorOf } from './floor.js'
import type { Limits } from './limits.js'
import { percent } from './percent.js'
import type { PlanOptions } from './plan-options.js'
import { propagatedSuccess } from './propagated-plan.js'

/** A difference that a person would want to know of: a tenth of a point. */
const NOTABLE = 0.001

/** What a reader of a plan should know: calls that get less than their callee's median, and what a chain file cannot say. */
export function notesOf(draft: Draft, limits: Limits, success: number, options: PlanOptions): Note[] {
  if (!draft.fits) return []
  return [...starved(draft, limits, options), ...locked(draft, limits), ...asWritten(draft, limits, success, options)]
}

function starved({ tree }: Draft, limits: Limits, options: PlanOptions): Note[] {
  const least = tree.calls.filter((planned) => {
    const limit = limits.get(planned)
    return limit !== undefined && !planned.call.optional.value && limit.attemptMs < floorOf(planned.callee, options) + planned.networkMs
  })
  return least.map((planned) => ({
    spot: planned.call.spot,
    message: `${planned.call.to.value} gets ${formatDuration(Math.floor(limits.get(planned)?.attemptMs ?? 0))} although it is only worth starting with ${formatDuration(Math.ceil(floorOf(planned.callee, options) + planned.networkMs))}: there is not more`,
  }))
}

/** A lock wait is the database's own setting: no plan changes it. */
function locked({ tree }: Draft, limits: Limits): Note[] {
  return tree.calls.flatMap((planned) => {
    const lockMs = planned.callee.operation.limits?.lockMs?.value
    const attemptMs = Math.floor(limits.get(planned)?.attemptMs ?? 0)
    if (typeof lockMs !== 'number' || lockMs < attemptMs) return []
    return [
      {
        spot: planned.call.spot,
        message: `${planned.call.to.value} may wait ${formatDuration(lockMs)} for a lock, but the call gets ${formatDuration(attemptMs)}: set its limits.lock below that`,
      },
    ]
  })
}

/** What a chain file cannot say: the last attempt gets everything left; and what it costs that later steps are still reached. */
function asWritten(draft: Draft, limits: Limits, success: number, options: PlanOptions): Note[] {
  if (draft.mode === 'static') return []
  if (draft.uncut !== null && draft.uncut - success >= NOTABLE) {
    return [
      {
        spot: null,
        message: `${draft.name}: the p99s of its steps add up to more than the promise; earlier ones are cut so that the last ones are still reached, which gives ${percent(success)} instead of ${percent(draft.uncut)}`,
      },
    ]
  }
  const { cuts, capsMs } = sharedCuts(draft, limits)
  const written = new Map([...capsMs].map(([planned, ms]) => [planned, Math.min(ms, limits.get(planned)?.timeoutMs ?? ms)]))
  const reached = propagatedSuccess(draft.tree, draft.budgetMs, options, cuts, { capsMs: written, lastIsCut: true })
  if (success - reached < NOTABLE) return []
  return [
    {
      spot: null,
      message: `${draft.name}: ${percent(success)} is what is reached when the last attempt of a call gets everything left; written down, every attempt has the same bound, which reaches ${percent(reached)}`,
    },
  ]
}
