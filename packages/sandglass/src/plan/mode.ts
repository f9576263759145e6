import type { PlanCall } from './plan-call.js'
import type { PlanOperation, PlanTree } from './plan-tree.js'

/** Hard budgets on every layer, or one deadline that everyone sees. */
export type Mode = 'static' | 'propagated'

/** Propagated where every service that asks another one hands the budget on; a client may start it. */
export function modeOf({ root }: PlanTree, promiseMs: number): Mode {
  const { service } = root.operation
  if (service.deadline.value === 'propagate') return handsOn(root) && endsWithin(root, promiseMs) ? 'propagated' : 'static'
  return service.kind.value === 'client' && startsWhole(root, promiseMs) ? 'propagated' : 'static'
}

/** A client without budgets of its own: the services behind it start from the promise, so each of its calls must be able to wait for all of it. */
function startsWhole(root: PlanOperation, promiseMs: number): boolean {
  const [only, ...more] = root.stages
  if (only?.kind !== 'calls' || more.length > 0 || root.endsMs < promiseMs) return false
  const asks = only.calls.some(({ callee }) => asksOthers(callee))
  return (
    asks &&
    only.calls.every(
      (planned) =>
        mayTakeAll(planned, promiseMs) &&
        (!asksOthers(planned.callee) || (handsOn(planned.callee) && endsWithin(planned.callee, promiseMs))),
    )
  )
}

function mayTakeAll({ call, capMs, fixedMs, fixedAttemptMs }: PlanCall, promiseMs: number): boolean {
  return fixedMs === null && fixedAttemptMs === null && capMs >= promiseMs && !call.optional.value
}

function asksOthers({ stages }: PlanOperation): boolean {
  return stages.some((stage) => stage.kind === 'calls')
}

function handsOn(operation: PlanOperation): boolean {
  if (!asksOthers(operation)) return true
  if (operation.operation.service.deadline.value !== 'propagate') return false
  return operation.stages.every(
    (stage) =>
      stage.kind === 'own' ||
      stage.calls.every(({ call, callee }) => handsOn(callee) && (!asksOthers(callee) || call.deadline.value === 'propagate')),
  )
}

/** A request limit above the promise starts a budget longer than the promise. */
function endsWithin({ endsMs }: PlanOperation, promiseMs: number): boolean {
  return endsMs === Number.POSITIVE_INFINITY || endsMs <= promiseMs
}
