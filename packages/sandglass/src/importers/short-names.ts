import type { ServiceFact } from './facts.js'
import { numbered } from './numbered.js'

/** A name in a chain file has at most 200 characters, and a journey's is made of both. */
const MAX_SERVICE = 80
const MAX_OPERATION = 100

/** The services with names that a chain file can hold: short ones, and each operation with one of its own; generated configs have paths of any length. */
export function withShortNames(services: readonly ServiceFact[]): readonly ServiceFact[] {
  const taken = new Set(services.map(({ name }) => name))
  return services.map((service) => {
    const name = service.name.length <= MAX_SERVICE ? service.name : shortName(service.name, taken)
    const names = new Set(service.operations.map((operation) => operation.name.slice(0, MAX_OPERATION)))
    const isFit = names.size === service.operations.length && !service.operations.some((each) => each.name.length > MAX_OPERATION)
    if (name === service.name && isFit) return service
    const cut = service.operations.map((operation) => ({ ...operation, name: operation.name.slice(0, MAX_OPERATION) }))
    return { ...service, name, operations: isFit ? service.operations : numbered(cut) }
  })
}

function shortName(name: string, taken: Set<string>): string {
  const base = name.slice(0, MAX_SERVICE)
  let short = base
  for (let count = 2; taken.has(short); count++) short = `${base}-${count}`
  taken.add(short)
  return short
}
