import type { Call, LimitMs } from '../../model/chain.js'
import type { Related } from '../../model/diagnostic.js'
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
  const { call, arrival, inherited } = visit
  if (inherited && arrival.budget) return budgetSpot(visit)
  const deciding = decidingLimit(visit)
  if (!deciding) return { spot: call.to.origin.spot, label: 'nothing limits it' }
  return { spot: deciding.limit.origin.spot, label: labelOf(deciding, call) }
}

function budgetSpot({ call, arrival }: Visit): Related {
  const request = arrival.operation.limits?.requestMs
  const promise = arrival.journey?.promiseMs
  if (arrival.budget?.source === 'request' && request) return { spot: request.origin.spot, label: 'the budget that is handed on' }
  if (arrival.budget?.source === 'promise' && promise) return { spot: promise.origin.spot, label: 'the budget that is handed on' }
  return { spot: call.to.origin.spot, label: 'gets what is left of the budget' }
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
