import type { HopFact, ServiceFact } from './facts.js'
import { type Directory, directoryOf, whereTo } from './where-to.js'

/** A connection pooler logs in as its callers do: where all of them are one user, so are its own hops. */
export function withCallersUsers(services: readonly ServiceFact[]): readonly ServiceFact[] {
  if (!services.some(({ product }) => product === 'pgbouncer')) return services
  const directory = directoryOf(services)
  return services.map((service) => (service.product === 'pgbouncer' ? withUser(service, usersOf(service, directory)) : service))
}

/** The users of all calls to a service; undefined for one that names none. */
function usersOf(service: ServiceFact, directory: Directory): readonly (string | undefined)[] {
  const users = new Set<string | undefined>()
  for (const caller of directory.services) {
    const targets = caller === service ? [] : caller.operations.flatMap(({ hops }) => hops.map(({ target }) => target))
    for (const target of targets) if (whereTo(target, caller, directory).includes(service)) users.add(target.user)
  }
  return [...users]
}

function withUser(service: ServiceFact, [user, ...others]: readonly (string | undefined)[]): ServiceFact {
  if (user === undefined || others.length > 0) return service
  const asUser = (hop: HopFact): HopFact => (hop.target.user === undefined ? { ...hop, target: { ...hop.target, user } } : hop)
  return { ...service, operations: service.operations.map((operation) => ({ ...operation, hops: operation.hops.map(asUser) })) }
}
