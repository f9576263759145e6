import { beginAttempts, createAdmission, createBreaker, createRetryBudget, noDeadline } from '@sandglass/runtime/core'
import type { Call, Chain, Operation } from '../model/chain.js'
import type { Problem } from '../model/diagnostic.js'
import type { Spot } from '../model/sourced.js'
import { breakerOptions, planOf } from './build-world.js'

/** Policies whose values the runtime refuses, one line each: what cannot run there cannot be simulated either. */
export function policyProblems(chain: Chain): readonly Problem[] {
  return [...chain.calls.flatMap(callProblems), ...[...chain.operations.values()].flatMap(admissionProblems)]
}

function callProblems(call: Call): Problem[] {
  const { breaker, retryBudget, callee } = call
  if (callee === null) return []
  const name = `${call.from.id} > ${call.to.value}`
  const budget = retryBudget?.value
  return [
    ...refusalOf(call.spot, name, () => beginAttempts(planOf(call), noDeadline, 0)),
    ...(breaker ? refusalOf(breaker.spot, name, () => createBreaker(breakerOptions(breaker, call), () => 0)) : []),
    ...(budget?.kind === 'share' ? refusalOf(call.spot, name, () => createRetryBudget({ share: budget.share, cap: budget.cap })) : []),
  ]
}

function admissionProblems({ id, service, floorMs, spot }: Operation): Problem[] {
  const mode = service.admission.value
  const floor = floorMs?.value
  if (mode === 'none' || typeof floor !== 'number') return []
  return refusalOf(floorMs?.origin.spot ?? spot, id, () => createAdmission({ mode, floorMs: floor }))
}

function refusalOf(spot: Spot, name: string, make: () => unknown): Problem[] {
  try {
    make()
    return []
  } catch (error) {
    return [{ file: spot.source.file, spot, message: `${name}: ${error instanceof Error ? error.message : String(error)}` }]
  }
}
