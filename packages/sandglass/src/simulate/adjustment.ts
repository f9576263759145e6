import type { Call, Service } from '../model/chain.js'

/** What is different from the chain in one run, by what it replaces; empty for the chain as it is. */
export interface Adjustment {
  readonly calls?: ReadonlyMap<Call, Partial<Call>>
  readonly services?: ReadonlyMap<Service, Partial<Service>>
}

/** A call with its adjustment. */
export function adjustedCall(call: Call, { calls }: Adjustment): Call {
  const changed = calls?.get(call)
  return changed === undefined ? call : { ...call, ...changed }
}

/** A service with its adjustment. */
export function adjustedService(service: Service, { services }: Adjustment): Service {
  const changed = services?.get(service)
  return changed === undefined ? service : { ...service, ...changed }
}
