import type { ServiceFact, Target } from './facts.js'

/** Services by what calls may name: made once, because every call of every service is looked up. */
export interface Directory {
  readonly services: readonly ServiceFact[]
  /** By names and hosts, as they are looked up; with the place in the list, so that the first one stays the first. */
  readonly byHost: ReadonlyMap<string, ReadonlySet<number>>
  readonly byPort: ReadonlyMap<number, ReadonlySet<number>>
  /** Sidecars by the names they stand in front of. */
  readonly byIntercept: ReadonlyMap<string, ReadonlySet<number>>
}

/** What can be called, by name, host, port and sidecar. */
export function directoryOf(services: readonly ServiceFact[]): Directory {
  const [byHost, byIntercept, byPort] = [new Map<string, Set<number>>(), new Map<string, Set<number>>(), new Map<number, Set<number>>()]
  for (const [index, { name, hosts, ports, intercepts }] of services.entries()) {
    for (const each of intercepts) put(byIntercept, each, index)
    if (intercepts.length > 0) continue
    for (const each of [name.toLowerCase(), ...hosts]) put(byHost, each, index)
    for (const each of ports) put(byPort, each, index)
  }
  return { services, byHost, byPort, byIntercept }
}

function put<K>(table: Map<K, Set<number>>, key: K, index: number): void {
  const known = table.get(key)
  if (known) known.add(index)
  else table.set(key, new Set([index]))
}

/** The services that a target means: by a sidecar in front of it, by name and port, or by the port alone on the machine itself or of one that could be anywhere. */
export function whereTo(target: Target, from: ServiceFact, directory: Directory): readonly ServiceFact[] {
  const { host, port } = target
  if (host === null) return []
  const names = spellings(host)
  if (from.intercepts.length === 0 && !from.goesDirectly) {
    const between = found(names, directory.byIntercept, from, directory)
    if (between.length > 0) return between
  }
  const atThisPort = () => (port === null ? [] : found([port], directory.byPort, from, directory))
  if (isThisMachine(host))
    return nearest(
      atThisPort().filter((service) => isPublished(service, port)),
      from,
    )
  const named = found(names, directory.byHost, from, directory)
  if (named.length === 0) return alone(atThisPort())
  if (named.length === 1) return named
  const atPort = named.filter(({ ports }) => port !== null && ports.includes(port))
  return one(atPort.length > 0 ? atPort : named.filter(({ name }) => names.includes(name.toLowerCase())))
}

/** The services under any of these keys, in the order of the list, without the one that asks. */
function found<K>(
  keys: readonly K[],
  table: ReadonlyMap<K, ReadonlySet<number>>,
  from: ServiceFact,
  { services }: Directory,
): readonly ServiceFact[] {
  const indexes = new Set(keys.flatMap((key) => [...(table.get(key) ?? [])]))
  return [...indexes].sort((a, b) => a - b).flatMap((index) => (services[index] === from ? [] : (services[index] ?? [])))
}

/** The one service on a port of which no file says where it runs; two of them cannot be told apart. */
function alone(services: readonly ServiceFact[]): readonly ServiceFact[] {
  const possible = services.filter(({ anywhere }) => anywhere === true)
  return possible.length === 1 ? possible : []
}

/** Of those that use one port of a machine the one whose files lie nearest; where several are as near, nobody can tell which one runs. */
function nearest(services: readonly ServiceFact[], from: ServiceFact): readonly ServiceFact[] {
  const far = services.filter((service) => areTogether(service, from)).map((service) => ({ service, shared: sharedFolders(service, from) }))
  const most = Math.max(...far.map(({ shared }) => shared))
  const near = far.filter(({ shared }) => shared === most).map(({ service }) => service)
  return near.length === 1 ? near : []
}

/** False for modules of two projects that lie side by side: `lab-1/desk` and `lab-2/till` are not run together for a port's sake. */
function areTogether(a: ServiceFact, b: ServiceFact): boolean {
  const [left, right] = [moduleOf(a), moduleOf(b)]
  if (left === null || right === null) return true
  const above = (folder: string) => folder.slice(0, folder.lastIndexOf('/') + 1)
  return left.startsWith(above(right)) || right.startsWith(above(left))
}

/** The folder of a module of Java; null for what is no part of one. */
function moduleOf({ spot }: ServiceFact): string | null {
  return /^(.*?)\/?src\/main\//.exec(spot.source.file)?.[1] ?? null
}

/** How many folders two services' files have in common, from the outermost on. */
function sharedFolders(a: ServiceFact, b: ServiceFact): number {
  const [left, right] = [a.spot.source.file.split('/').slice(0, -1), b.spot.source.file.split('/').slice(0, -1)]
  const differing = left.findIndex((part, index) => part !== right[index])
  return differing < 0 ? left.length : differing
}

/** Two services that answer at the same place cannot be told apart: the first is taken. */
function one(services: readonly ServiceFact[]): readonly ServiceFact[] {
  return services.slice(0, 1)
}

/** False for a store whose port has another number on its machine; who runs code may run it there without its container. */
function isPublished({ kind, innerPorts = [] }: ServiceFact, port: number | null): boolean {
  return port === null || !STORES.has(kind) || !innerPorts.includes(port)
}

const STORES: ReadonlySet<ServiceFact['kind']> = new Set(['database', 'cache', 'queue'])

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '127.0.0.1' || host === '[::1]' || host === 'host.docker.internal' || host === '0.0.0.0'
}

/** A name of Kubernetes in its shorter forms: `a.shop.svc.cluster.local` is also `a.shop` and `a`. */
export function spellings(host: string): readonly string[] {
  const lower = host.toLowerCase()
  const found = /^([a-z0-9-]+)\.([a-z0-9-]+)(?:\.svc(?:\.cluster\.local)?)$/.exec(lower)
  return found ? [lower, `${found[1]}.${found[2]}`, found[1] ?? ''] : [lower]
}
