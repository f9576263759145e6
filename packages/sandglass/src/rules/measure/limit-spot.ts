import type { Call, LimitMs } from '../../model/chain.js'
import type { Factor, Related } from '../../model/diagnostic.js'
import { boundFactors, factor, layerFactors, limitFactor } from '../../model/factors.js'
import type { Layer, Visit } from '../../model/situations.js'
import type { Sourced } from '../../model/sourced.js'

/** The written limit that decides how long a call may hold its caller, and the name of its field. */
export interface DecidingLimit {
  readonly field: 'timeout' | 'attempt' | 'silence'
  readonly limit: Sourced<LimitMs>
}

/** The limit that decides a call's own bound: its total where that ends first, else what each attempt gets; null where it has none. */
export function decidingLimit(visit: Visit): DecidingLimit | null {
  const { call, own } = visit
  const totalMs = call.timeoutMs?.value
  const isTotal = typeof totalMs === 'number' && (own.tries.state !== 'bounded' || totalMs <= own.tries.ms)
  if (call.timeoutMs && isTotal) return { field: 'timeout', limit: call.timeoutMs }
  if (own.tries.state !== 'bounded') return null
  return attemptLimit(call)
}

/** What one attempt gets by the call's own limits: its `attempt`, else its `silence`. */
export function attemptLimit(call: Call): DecidingLimit | null {
  if (typeof call.attemptMs?.value === 'number') return { field: 'attempt', limit: call.attemptMs }
  return call.silenceMs ? { field: 'silence', limit: call.silenceMs } : null
}

/** Where a finding about a call's bound points, with what that place says. */
export function boundSpot(visit: Visit): Related {
  const { call, inherited } = visit
  if (inherited) return { spot: call.to.origin.spot, label: 'gets what is left of the budget' }
  const deciding = decidingLimit(visit)
  if (!deciding) return { spot: call.to.origin.spot, label: 'nothing limits it' }
  return { spot: deciding.limit.origin.spot, label: labelOf(deciding, call) }
}

/** Everything that goes into the bound of a visit: the call's own limits, and the budget where that is shorter. */
export function heldFactors(visit: Visit): Factor[] {
  return [...boundFactors(visit.call), ...(visit.inherited ? budgetFactors(visit) : [])]
}

function budgetFactors({ call, arrival }: Visit): Factor[] {
  const { budget, operation, caller, journey } = arrival
  const reserve = factor('reserve', call.reserveMs, 'ms')
  if (budget?.source === 'request') return [...limitFactor(`${operation.id} limits.request`, operation.limits?.requestMs), reserve]
  if (budget?.source === 'promise') return [...limitFactor('promise', journey?.promiseMs), reserve]
  return [...(caller ? layerFactors(caller) : []), reserve]
}

function labelOf({ field, limit }: DecidingLimit, call: Call): string {
  if (limit.origin.kind === 'default') return `the default of ${limit.origin.product}`
  if (field === 'timeout') return 'the whole call'
  if (field === 'silence') return 'between two bytes of the answer'
  return call.attempts.value === 1 ? 'its one attempt' : 'each attempt'
}

/** Where the limit of an outer layer stands: `app.load stops waiting after 10 s` in short. */
export function layerSpot(layer: Layer): Related {
  const { call, operation, ms } = layer
  if (!call) return { spot: operation.limits?.requestMs?.origin.spot ?? operation.spot, label: `${operation.id} gives up` }
  const equal = [call.attemptMs, call.timeoutMs, call.silenceMs].find((limit) => limit?.value === ms)
  const written = equal ?? call.timeoutMs ?? call.attemptMs ?? call.silenceMs ?? call.to
  return { spot: written.origin.spot, label: `${operation.id} stops waiting` }
}
