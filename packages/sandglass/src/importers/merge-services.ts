import type { ServerLimits, Service } from '../model/chain.js'
import type { Sourced } from '../model/sourced.js'
import type { HopFact, OperationFact, ServiceFact } from './facts.js'

/** Merges what several files say of the same service: each adds what the others do not have. */
export function mergeServices(services: readonly ServiceFact[]): readonly ServiceFact[] {
  const merged = new Map<string, ServiceFact>()
  for (const service of services) {
    const known = merged.get(service.name)
    merged.set(service.name, known ? join(known, service) : service)
  }
  return placed([...merged.values()]).map((service) => withUsedPools(withProcessPools(withoutHints(service))))
}

/** A server's config that belongs to no service is that of the only server of its product, where there is one. */
function placed(services: readonly ServiceFact[]): readonly ServiceFact[] {
  const hosts = new Map<ServiceFact, ServiceFact>()
  const isLoose = ({ anywhere, isUnplaced }: ServiceFact) => anywhere === true || isUnplaced === true
  for (const service of services.filter((each) => isLoose(each) && each.product !== undefined)) {
    const same = services.filter((each) => !isLoose(each) && each.product === service.product)
    const [only] = same
    if (only && same.length === 1) hosts.set(service, only)
  }
  if (hosts.size === 0) return services
  return services.flatMap((service) => {
    if (hosts.has(service)) return []
    return [...hosts].reduce(
      (joined, [config, host]) => (host === service ? join(joined, { ...config, name: host.name }) : joined),
      service,
    )
  })
}

type KeepAlive = NonNullable<Service['keepAlive']>

function join(a: ServiceFact, b: ServiceFact): ServiceFact {
  const { anywhere: _a, isUnplaced: _u, ...first } = a
  const { anywhere: _b, isUnplaced: _v, ...second } = b
  return {
    ...second,
    ...first,
    ...(a.anywhere && b.anywhere ? { anywhere: true as const } : {}),
    kind: a.kind === 'service' ? b.kind : a.kind,
    hosts: [...new Set([...a.hosts, ...b.hosts])],
    ports: [...new Set([...a.ports, ...b.ports])],
    intercepts: [...new Set([...a.intercepts, ...b.intercepts])],
    ...withKnown('instances', surer(a.instances, b.instances)),
    ...withKnown('concurrency', surer(a.concurrency, b.concurrency)),
    ...withKnown('keepAlive', fieldwise<KeepAlive>(a.keepAlive, b.keepAlive)),
    ...withKnown('processes', surer(a.processes, b.processes)),
    ...(a.processPools || b.processPools ? { processPools: new Map([...(b.processPools ?? []), ...(a.processPools ?? [])]) } : {}),
    ...(a.pools || b.pools ? { pools: new Map([...(b.pools ?? []), ...(a.pools ?? [])]) } : {}),
    operations: joinOperations(a.operations, b.operations),
  }
}

function withKnown<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]: V })
}

/** What is written wins over what only holds by default; else what was read first. */
function surer<T>(a: Sourced<T> | undefined, b: Sourced<T> | undefined): Sourced<T> | undefined {
  return a && b && a.origin.kind === 'default' && b.origin.kind !== 'default' ? b : (a ?? b)
}

/** Two records of limits, field by field. */
function fieldwise<T extends object>(a: T | undefined, b: T | undefined): T | undefined {
  if (!a || !b) return a ?? b
  const own = new Map<string, unknown>(Object.entries(a))
  const surest = Object.entries(b).map(([key, other]) => {
    const known = own.get(key)
    return [key, key === 'spot' ? known : surer(known as Sourced<unknown> | undefined, other as Sourced<unknown>)] as const
  })
  return { ...a, ...Object.fromEntries(surest) }
}

function joinOperations(a: readonly OperationFact[], b: readonly OperationFact[]): readonly OperationFact[] {
  const operations = new Map(a.map((operation) => [operation.name, operation]))
  for (const operation of b) {
    const known = operations.get(operation.name)
    operations.set(operation.name, known ? joinOperation(known, operation) : operation)
  }
  return [...operations.values()]
}

function joinOperation(a: OperationFact, b: OperationFact): OperationFact {
  const limits = fieldwise<ServerLimits>(a.limits, b.limits)
  return { ...b, ...a, hops: [...a.hops, ...b.hops], ...(limits ? { limits } : {}) }
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

/** The pools of an instance: what each of its processes has, times the processes; not known where their number is not. */
function withProcessPools(service: ServiceFact): ServiceFact {
  const { processPools, processes, ...rest } = service
  if (!processPools) return rest
  const count = processes?.value ?? 1
  const sizes = [...processPools].map(([name, size]) => {
    if (count === 'unknown') return [name, { value: count, origin: size.origin }] as const
    const each = size.worked === undefined ? `${size.value}` : `(${size.worked})`
    const from = size.origin.kind === 'default' && processes ? processes : size
    return [name, count === 1 ? size : { ...from, value: size.value * count, worked: `${each} x ${count} processes` }] as const
  })
  return { ...rest, pools: new Map([...sizes, ...(service.pools ?? [])]) }
}

/** A pool stays where a call draws on it: with its hint the reason for it goes. */
function withUsedPools(service: ServiceFact): ServiceFact {
  if (!service.pools) return service
  const used = new Set(service.operations.flatMap(({ hops }) => hops.map(({ fields }) => fields.pool?.value)))
  const pools = new Map([...service.pools].filter(([name]) => used.has(name)))
  const { pools: _, ...rest } = service
  return pools.size > 0 ? { ...rest, pools } : rest
}
