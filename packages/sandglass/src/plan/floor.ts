import { msOf } from '../model/arithmetic.js'
import { quantileMs } from '../model/latency.js'
import type { Mode } from './mode.js'
import { type PlanCall, reserveOf } from './plan-call.js'
import type { PlanOptions } from './plan-options.js'
import { ownLaw, type PlanOperation } from './plan-tree.js'

/**
 * The least time in ms with which an operation is worth starting: max(its median, what its own callees' floors need, network and reserve
 * included); fixed-cost work: the cost. Never below the floor that the operation itself declares. Optional calls need nothing.
 */
export function floorOf(operation: PlanOperation, options: PlanOptions): number {
  return neededBy(operation, options, FLOOR)
}

/**
 * The least time in ms that a plan has to give an operation: as its floor, but with its own work at p99, its optional calls, and the whole
 * of what a platform fixes where no budget cuts that at run time.
 */
export function leastInside(operation: PlanOperation, mode: Mode, options: PlanOptions): number {
  return neededBy(operation, options, PLANNED[mode])
}

/** The least bound in ms that a plan has to give a call: what its callee needs, its network, and the reserve. */
export function leastOf(planned: PlanCall, mode: Mode, options: PlanOptions): number {
  return boundFor(planned, options, PLANNED[mode])
}

interface Needs {
  /** Of an operation that asks others: its own work at the median, or at the p99 that the checker's sums set aside. */
  readonly ownShare: 0.5 | 0.99
  readonly withOptional: boolean
  /** A total that a platform fixes counts whole. */
  readonly withFixed: boolean
  /** What is written, and so a whole number of ms that keeps a tail where that is asked for. */
  readonly isWritten: boolean
}

const FLOOR: Needs = { ownShare: 0.5, withOptional: false, withFixed: false, isWritten: false }
const PLANNED: Readonly<Record<Mode, Needs>> = {
  static: { ownShare: 0.99, withOptional: true, withFixed: true, isWritten: true },
  propagated: { ownShare: 0.99, withOptional: true, withFixed: false, isWritten: true },
}

function neededBy(operation: PlanOperation, options: PlanOptions, needs: Needs): number {
  const law = ownLaw(operation)
  let neededMs = law ? quantileMs(law, operation.stages.length === 1 ? 0.5 : needs.ownShare) : 0
  for (const stage of operation.stages) {
    if (stage.kind === 'own') continue
    const counted = stage.calls.filter(({ call }) => needs.withOptional || !call.optional.value)
    neededMs += counted.reduce((most, planned) => Math.max(most, boundFor(planned, options, needs)), 0)
  }
  const whole = operation.operation.latency?.value
  return Math.max(neededMs, whole ? quantileMs(whole, 0.5) : 0, msOf(operation.operation.floorMs))
}

function boundFor(planned: PlanCall, options: PlanOptions, needs: Needs): number {
  const insideMs = neededBy(planned.callee, options, needs) + planned.networkMs
  // A reserve that is a share of the whole grows with it: x - 5 % of x = what is needed inside.
  const isShare = planned.declaredReserveMs === null && options.reserveMs === null
  const neededMs = isShare ? Math.max(insideMs + 5, insideMs / 0.95) : insideMs + reserveOf(planned, insideMs, options)
  const writtenMs = needs.isWritten ? Math.ceil(Math.max(neededMs, planned.leastAttemptMs) - 1e-6) : neededMs
  return needs.withFixed ? Math.max(writtenMs, planned.fixedMs ?? 0) : writtenMs
}
