import type { Probe, ServiceKind } from '../model/chain.js'
import type { CallPart, ChainFile, Named, OperationPart, ServicePart } from '../model/chain-file.js'
import type { OperationFields } from '../model/service-fields.js'
import { declared, type Source, type Spot } from '../model/sourced.js'
import type { Facts, HopFact, OperationFact, ServiceFact } from './facts.js'
import { atLeastOne, fitFields } from './fit-for-file.js'
import { mergeServices } from './merge-services.js'
import { withCallersUsers } from './pooler-users.js'
import { withShortNames } from './short-names.js'
import { type Directory, directoryOf, spellings, whereTo } from './where-to.js'

/** The operation that stands for all a service can be asked, until somebody knows better. */
const operationOf: Readonly<Record<ServiceKind, string>> = {
  client: 'request',
  edge: 'request',
  proxy: 'request',
  service: 'request',
  database: 'query',
  cache: 'get',
  queue: 'publish',
  'third-party': 'request',
}

const FIRST_KINDS: ReadonlySet<ServiceKind> = new Set(['client', 'edge', 'proxy', 'service'])

/** A chain file as an importer makes one, with what must be read beside its calls. */
export interface JoinedFile extends ChainFile {
  readonly remarks: ReadonlyMap<CallPart, readonly string[]>
}

/** Makes one chain of what many files say: edges are found by host and port, by the names of services, and by URLs. */
export function joinFacts(facts: Facts, source: Source): JoinedFile {
  const services = withCallersUsers(withShortNames(mergeServices(facts.services)).map(withHealthCheck))
  const directory = directoryOf(services)
  const joining: Joining = {
    directory,
    names: new Set(services.map(({ name }) => name)),
    leaves: new Map(),
    remarks: new Map(),
    called: new Set(),
    reads: readsOf(directory),
  }
  const parts = services.map((service) => servicePart(service, joining))
  for (const leaf of joining.leaves.values()) parts.push(servicePart(leaf, joining))
  return {
    source,
    include: [],
    defaults: {},
    journeys: journeysOf([...services, ...joining.leaves.values()], joining.called),
    services: parts,
    check: {},
    scenarios: [],
    problems: [],
    notes: facts.notes.map(({ spot, text }) => ({ spot, message: text })),
    deadSettings: facts.dead,
    remarks: joining.remarks,
  }
}

interface Joining {
  readonly directory: Directory
  readonly names: ReadonlySet<string>
  /** What is called and described nowhere, by name. */
  readonly leaves: Map<string, ServiceFact>
  readonly remarks: Map<CallPart, readonly string[]>
  /** Names of services that something calls. */
  readonly called: Set<string>
  /** Services that are retried by callers which repeat only reads, with the place that says so. */
  readonly reads: ReadonlyMap<string, Spot>
}

/** Services all of whose retrying callers repeat only what may be repeated. */
function readsOf(directory: Directory): ReadonlyMap<string, Spot> {
  const retrying = directory.services.flatMap((service) =>
    service.operations.flatMap(({ hops }) =>
      hops.filter(({ fields }) => fields.attempts).flatMap((hop) => namesOf(hop, service, directory).map((name) => ({ name, hop }))),
    ),
  )
  const unsafe = new Set(retrying.filter(({ hop }) => hop.repeatsReadsOnly !== true).map(({ name }) => name))
  return new Map(retrying.filter(({ name }) => !unsafe.has(name)).map(({ name, hop }) => [name, hop.spot]))
}

function namesOf({ target }: HopFact, from: ServiceFact, directory: Directory): readonly string[] {
  const found = whereTo(target, from, directory).map(({ name }) => name)
  return found.length > 0 ? found : [leafName(target)]
}

/** With the health check that its probe asks. */
function withHealthCheck(service: ServiceFact): ServiceFact {
  const { healthChecks, probe, probePath } = service
  const asked = probePath?.text.replace(/[?#].*$/, '').replace(/\/+$/, '')
  const check = probe && healthChecks?.find(({ path }) => path === asked)
  return check ? { ...service, operations: [...operationsOf(service), check] } : service
}

function servicePart(service: ServiceFact, joining: Joining): Named<ServicePart> {
  const { name, spot, kind, instances, concurrency, keepAlive, pools } = service
  const probe = probeOf(service)
  const fields = {
    kind: declared(kind, spot),
    ...(instances ? { instances: atLeastOne(instances) } : {}),
    ...(concurrency ? { concurrency: atLeastOne(concurrency) } : {}),
    ...(keepAlive ? { keepAlive } : {}),
    ...(pools ? { pools: new Map([...pools].map(([pool, size]) => [pool, atLeastOne(size)])) } : {}),
    ...(probe ? { probe } : {}),
  }
  return { name, spot, part: { fields, operations: operationsOf(service).map((operation) => operationPart(operation, service, joining)) } }
}

/** The probe with the operation it asks, where one answers at its path; one that answers everywhere may or may not be it. */
function probeOf(service: ServiceFact): Probe | undefined {
  const { probe, probePath, operations } = service
  if (!probe || probe.operation || !probePath) return probe
  const named = operations.filter(({ path }) => path !== null)
  const [asked] = withPath(named, probePath.text)
  return asked?.path && probePath.text.startsWith(asked.path) ? { ...probe, operation: declared(asked.name, probePath.spot) } : probe
}

function operationsOf(service: ServiceFact): readonly OperationFact[] {
  return service.operations.length > 0
    ? service.operations
    : [{ name: operationOf[service.kind], spot: service.spot, path: null, hops: [] }]
}

function operationPart(operation: OperationFact, service: ServiceFact, joining: Joining): Named<OperationPart> {
  const calls = operation.hops.flatMap((hop) => callsOf(hop, service, joining))
  const [first] = calls
  const reads = joining.reads.get(service.name)
  const fields: Partial<OperationFields> = {
    ...(reads
      ? {
          does: {
            value: 'read',
            origin: { kind: 'default', product: 'import', version: null, setting: 'its callers repeat only reads', spot: reads },
          },
        }
      : {}),
    ...(operation.limits ? { limits: operation.limits } : {}),
  }
  // Whether several calls are made together, one after the other or instead of each other is not in a config; together assumes the least time.
  const steps = first ? [{ spot: operation.spot, parallel: calls.length > 1, calls }] : []
  return { name: operation.name, spot: operation.spot, part: { fields, steps } }
}

/** A hop as calls: one for each operation of the callee that its path may lead to. */
function callsOf(hop: HopFact, from: ServiceFact, joining: Joining): readonly CallPart[] {
  const targets = targetsOf(hop, from, joining)
  return targets.map((to) => {
    const part: CallPart = { ...fitFields(hop.fields), to: declared(to, hop.target.spot), spot: hop.spot }
    if (hop.remarks.length > 0) joining.remarks.set(part, hop.remarks)
    return part
  })
}

function targetsOf({ target }: HopFact, from: ServiceFact, joining: Joining): readonly string[] {
  const found = whereTo(target, from, joining.directory)
  if (found.length === 0 && target.host === null) return ['unknown']
  if (found.length === 0 && isItself(target, from)) return []
  const callees = found.length > 0 ? found : [leafOf(target, joining)]
  return callees.flatMap((callee) => {
    joining.called.add(callee.name)
    return operationsFor(target, callee).map(({ name }) => `${callee.name}.${name}`)
  })
}

/** What a service asks of itself stays in it: a gateway's route to its own documentation. */
function isItself({ host, port }: HopFact['target'], { name, hosts, ports }: ServiceFact): boolean {
  const isNamed = host !== null && spellings(host).some((each) => each === name.toLowerCase() || hosts.includes(each))
  return isNamed && (port === null || ports.includes(port))
}

/** An address of a database that names none means what holds for all of them. */
function pathTo({ path }: HopFact['target'], { kind, product }: ServiceFact): string | null {
  return path ?? (kind === 'database' || product === 'pgbouncer' ? '' : null)
}

/** What a target asks of a service: by the path, and of that what is made for the user who logs in, where there is any. */
function operationsFor(target: HopFact['target'], callee: ServiceFact): readonly OperationFact[] {
  const all = operationsOf(callee)
  const { port } = target
  const usable = all.filter(
    ({ user, ports }) => (user === undefined || user === target.user) && (port === null || ports === undefined || ports.includes(port)),
  )
  const there = withPath(usable.length > 0 ? usable : all, pathTo(target, callee))
  const own = there.filter(({ user }) => user !== undefined)
  return own.length > 0 && usable.length > 0 ? own : there
}

/** The operations that a path leads to: those with the longest fitting prefix; all of them where the path is not known. */
function withPath(operations: readonly OperationFact[], path: string | null): readonly OperationFact[] {
  if (path === null || path === '/') return operations
  const fitting = operations.filter((operation) => operation.path !== null && path.startsWith(operation.path))
  const longest = Math.max(...fitting.map((operation) => operation.path?.length ?? 0))
  const best = fitting.filter((operation) => operation.path?.length === longest)
  const open = operations.filter((operation) => operation.path === null)
  return best.length > 0 ? best : open.length > 0 ? open : operations
}

function leafOf(target: HopFact['target'], joining: Joining): ServiceFact {
  const base = leafName(target)
  const name = joining.names.has(base) ? `${base}-2` : base
  const known = joining.leaves.get(name)
  if (known) return known
  const leaf: ServiceFact = {
    name,
    spot: target.spot,
    kind: target.kind ?? 'service',
    hosts: [],
    ports: [],
    intercepts: [],
    operations: [],
  }
  joining.leaves.set(name, leaf)
  return leaf
}

/** A name for a host; addresses of the machine itself are told apart by their port. */
function leafName({ host, port }: HopFact['target']): string {
  const plain =
    (host ?? 'unknown')
      .replace(/^unix:.*\/([^/]+?)(\.sock(et)?)?$/, '$1')
      .replace(/\.svc(\.cluster\.local)?$/, '')
      .replace(/[^A-Za-z0-9_-]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 80) || 'unnamed'
  const isAddress = host !== null && (host === 'localhost' || /^[\d.]+$|^\[/.test(host))
  return isAddress && port !== null ? `${plain}-${port}` : plain
}

/** Where requests come in: every operation with calls of a service that nothing calls. */
function journeysOf(services: readonly ServiceFact[], called: ReadonlySet<string>): ChainFile['journeys'] {
  const able = services.filter(({ kind, operations }) => FIRST_KINDS.has(kind) && operations.some(({ hops }) => hops.length > 0))
  const outer = able.filter(({ name }) => !called.has(name))
  const starts = outer.length > 0 ? outer : able.slice(0, 1)
  const taken = new Set<string>()
  return starts.flatMap((service) => {
    const operations = service.operations.filter(({ hops }) => hops.length > 0)
    return operations.map((operation) => {
      const plain = operation.name.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '')
      const base = operations.length === 1 || plain === '' ? service.name : `${service.name}-${plain}`
      const name = taken.has(base) ? `${base}-${taken.size}` : base
      taken.add(name)
      const promiseMs = declared('unknown' as const, operation.spot)
      return { name, spot: operation.spot, part: { promiseMs, starts: declared(`${service.name}.${operation.name}`, operation.spot) } }
    })
  })
}
