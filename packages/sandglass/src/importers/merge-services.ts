import type { HopFact, OperationFact, ServiceFact } from './facts.js'

/** Merges what several files say of the same service: each adds what the others do not have. */
export function mergeServices(services: readonly ServiceFact[]): readonly ServiceFact[] {
  const merged = new Map<string, ServiceFact>()
  for (const service of services) {
    const known = merged.get(service.name)
    merged.set(service.name, known ? join(known, service) : service)
  }
  return [...merged.values()].map(withoutHints)
}

function join(a: ServiceFact, b: ServiceFact): ServiceFact {
  return {
    ...b,
    ...a,
    kind: a.kind === 'service' ? b.kind : a.kind,
    hosts: [...new Set([...a.hosts, ...b.hosts])],
    ports: [...new Set([...a.ports, ...b.ports])],
    intercepts: [...new Set([...a.intercepts, ...b.intercepts])],
    operations: joinOperations(a.operations, b.operations),
  }
}

function joinOperations(a: readonly OperationFact[], b: readonly OperationFact[]): readonly OperationFact[] {
  const operations = new Map(a.map((operation) => [operation.name, operation]))
  for (const operation of b) {
    const known = operations.get(operation.name)
    operations.set(operation.name, known ? { ...operation, ...known, hops: [...known.hops, ...operation.hops] } : operation)
  }
  return [...operations.values()]
}

/** A hint that a service calls another says nothing where a file with its limits says the same; who waits for whom at the start says least. */
function withoutHints(service: ServiceFact): ServiceFact {
  const hops = service.operations.flatMap((operation) => operation.hops)
  const told = new Set(hops.filter(({ hint }) => hint === undefined).map(({ target }) => target.host))
  const isToldAll = service.kind === 'proxy' && told.size > 0
  const hasAddress = hops.some(({ hint }) => hint !== 'order')
  const isKept = ({ hint, target }: HopFact) =>
    hint === undefined || (hint === 'address' && !isToldAll && !told.has(target.host)) || (hint === 'order' && !hasAddress)
  const operations = service.operations.map((operation) => ({ ...operation, hops: operation.hops.filter(isKept) }))
  const isEmptied = (operation: OperationFact, index: number) =>
    operation.hops.length === 0 && (service.operations[index]?.hops.length ?? 0) > 0
  return { ...service, operations: operations.filter((operation, index) => !isEmptied(operation, index)) }
}
