import type { HopFact, OperationFact, ServiceFact, Target } from '../importers/facts.js'
import { type JoinedFile, joinFacts } from '../importers/join.js'
import { nameOf, targetOf } from '../importers/target.js'
import { directoryOf, whereTo } from '../importers/where-to.js'
import type { CallFields, ServiceKind } from '../model/chain.js'
import type { Named, ServicePart } from '../model/chain-file.js'
import { declared, placeOf, type Source } from '../model/sourced.js'
import type { CallLimits } from '../scan/calls/call-limits.js'
import type { ScannedCall } from '../scan/calls/scanned-call.js'

/** The calls of one service's code, and the chain they go into. */
export interface CodeOfService {
  readonly service: string
  readonly operation: string
  readonly calls: readonly ScannedCall[]
  /** Services that a chain file has already: calls lead to them by host, by name, or by what a library is for. */
  readonly known: readonly Named<ServicePart>[]
  /** Operations that the service calls already: where an address names none, these are meant. */
  readonly calledAlready: readonly string[]
}

/** The calls that code makes as a chain: its service, and what it calls that no file describes. */
export function serviceOfCode({ service, operation, calls, known, calledAlready }: CodeOfService, source: Source): JoinedFile {
  const stubs = known.filter(({ name }) => name !== service).map(stubOf)
  const spot = calls[0]?.spot ?? { source, start: 0, end: 1 }
  const from: ServiceFact = { name: service, spot, kind: 'service', hosts: [], ports: [], intercepts: [], operations: [] }
  const leaves = new Map<string, ServiceFact>()
  const hops = grouped(calls.map((call) => hopOf(call, { from, stubs, leaves, calledAlready })))
  const own = { ...from, operations: [{ name: operation, spot, path: null, hops }] }
  return joinFacts({ services: [own, ...stubs, ...leaves.values()], notes: [], dead: [] }, source)
}

/** A service of a chain file as an importer would have it: it answers under its name, each operation at a path of its own. */
function stubOf({ name, spot, part }: Named<ServicePart>): ServiceFact {
  const kind = part.fields.kind?.value ?? 'service'
  const operations = part.operations.map((each): OperationFact => ({ name: each.name, spot: each.spot, path: pathOf(each.name), hops: [] }))
  return { name, spot, kind, hosts: [], ports: [], intercepts: [], operations }
}

const pathOf = (operation: string) => `/${operation.replace(/^\//, '')}`

interface Seeking {
  readonly from: ServiceFact
  readonly stubs: readonly ServiceFact[]
  readonly leaves: Map<string, ServiceFact>
  readonly calledAlready: readonly string[]
}

function hopOf(call: ScannedCall, seeking: Seeking): HopFact {
  const limits = call.limits ?? outcomeLimits(call)
  const product = productOf(call.library)
  const isAddress = call.target !== null && !NO_ADDRESS.has(call.library)
  const written = isAddress && !/[-.]$/.test(call.target) ? targetOf(call.target, call.spot) : null
  const known = calleeOf(written, product, seeking)
  const target = known ? toKnown(known, written, call, seeking.calledAlready) : toLeaf(written, product, call, limits, seeking)
  return { spot: call.spot, target, fields: limits.fields, remarks: [whereText([call]), ...limits.remarks] }
}

/** What their models give as a target is the name of a queue or of a pattern, no address. */
const NO_ADDRESS = new Set(['bullmq', 'nestjs microservices'])

interface Product {
  readonly name: string
  readonly kind: ServiceKind
}

const PRODUCTS: readonly (readonly [RegExp, string, ServiceKind])[] = [
  [/^(pg|pg-promise|pgx|pgjdbc|postgres|psycopg\d?)$/, 'postgres', 'database'],
  [/^(prisma|knex|sequelize|typeorm|drizzle)$/, 'database', 'database'],
  [/mysql/, 'mysql', 'database'],
  [/mariadb/, 'mariadb', 'database'],
  [/redis|redigo|jedis|lettuce|bullmq/, 'redis', 'cache'],
  [/mongo/, 'mongodb', 'database'],
  [/elasticsearch/, 'elasticsearch', 'database'],
  [/^database\/sql$/, 'database', 'database'],
  [/kafka/, 'kafka', 'queue'],
  [/amqp/, 'rabbitmq', 'queue'],
  [/aws-sdk|boto3/, 'aws', 'third-party'],
  [/^(stripe|openai|anthropic)/, '$1', 'third-party'],
]

/** What a library is for, where it is for one thing. */
function productOf(library: string): Product | null {
  for (const [pattern, name, kind] of PRODUCTS) {
    const found = pattern.exec(library)
    if (found) return { name: name === '$1' ? (found[1] ?? library) : name, kind }
  }
  return null
}

/** The service of the chain a call leads to: by its address, else the only one that such a library can mean. */
function calleeOf(target: Target | null, product: Product | null, seeking: Seeking): ServiceFact | null {
  const host = target?.host ?? null
  const isHere = host === null || /^(localhost|127\.0\.0\.1|\[::1\]|host\.docker\.internal)$/.test(host)
  return (target && host !== null ? byAddress(target, host, seeking) : null) ?? (product && isHere ? byProduct(product, seeking) : null)
}

function byAddress(target: Target, host: string, { from, stubs }: Seeking): ServiceFact | null {
  const directory = directoryOf(stubs)
  for (const name of spellingsOf(host)) {
    const [found] = whereTo({ ...target, host: name }, from, directory)
    if (found) return found
  }
  return only(stubs.filter(({ name }) => plainName(name) === plainName(host)))
}

/** One that is named after the product, or the only one of its kind; a third party is only known by its name. */
function byProduct(product: Product, { stubs }: Seeking): ServiceFact | null {
  const named = stubs.filter(({ name }) => name.toLowerCase().includes(product.name))
  if (named.length > 0 || product.kind === 'third-party') return only(named)
  return only(stubs.filter(({ kind }) => kind === product.kind))
}

function only(services: readonly ServiceFact[]): ServiceFact | null {
  return services.length === 1 ? (services[0] ?? null) : null
}

/** `inventory.internal` and `inventory.shop.svc.cluster.local` are the service `inventory` where there is one. */
function spellingsOf(host: string): readonly string[] {
  const first = /^([a-z0-9-]+)\.(?:[a-z0-9.-]*\.)?(?:internal|local|lan|svc|cluster\.local)$/.exec(host)?.[1]
  return first === undefined ? [host] : [host, first]
}

const plainName = (name: string) => name.toLowerCase().replace(/[-_]?(service|svc|api)$/, '')

/** The operation an address means: the one its path names, else those that are called already, else all. */
function toKnown(callee: ServiceFact, target: Target | null, { spot }: ScannedCall, calledAlready: readonly string[]): Target {
  const words = (target?.path ?? '').toLowerCase().split('/')
  const named = callee.operations.filter(({ name }) => words.includes(name.toLowerCase().replace(/^\//, '')) || isPrefix(name, target))
  const already = callee.operations.filter(({ name }) => calledAlready.includes(`${callee.name}.${name}`))
  const [chosen, ...others] = named.length > 0 ? named : already
  const path = chosen && others.length === 0 ? chosen.path : null
  return { text: callee.name, spot, host: callee.name.toLowerCase(), port: null, path, kind: callee.kind }
}

function isPrefix(name: string, target: Target | null): boolean {
  return name.startsWith('/') && name.length > 1 && target?.path?.startsWith(name) === true
}

/** Names of the web; `.internal`, `.local` and single words are the house's own. */
const PUBLIC = /\.(com|net|org|io|dev|app|co|cloud|ai|eu|de|uk|cn)$/

/** A host in the letters that a name may have, no two alike: other scripts as the name system has them (`xn--…`), IPv6 with its gaps. */
function asciiHost(host: string): string {
  const address = /^\[(.*)\]$/.exec(host)?.[1]
  if (address !== undefined) return `ipv6-${address.replaceAll('::', '-0-').replaceAll(':', '-').replace(/^-|-$/g, '')}`
  if (/^[\x20-\x7e]*$/.test(host)) return host
  const spelled = URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : ''
  return spelled === '' ? host.replace(/[^\w.-]/gu, (letter) => `u${letter.codePointAt(0)?.toString(16)}`) : spelled
}

/** What no file describes becomes a service of its own, named after its host or the product. */
function toLeaf(
  target: Target | null,
  product: Product | null,
  { spot }: ScannedCall,
  limits: CallLimits,
  { leaves, from }: Seeking,
): Target {
  const host = target?.host ?? product?.name ?? null
  if (host === null) return { text: 'unknown', spot, host: null, port: null, path: null, kind: null }
  const isNumber = /^(localhost|[\d.]+|\[.*)$/.test(host)
  const spelled = asciiHost(host)
  const plain = nameOf(isNumber && target?.port ? `${spelled}-${target.port}` : spelled)
  const name = plain === from.name ? `${plain}-2` : plain
  // Asked by HTTP it is a service, at whatever port: a client of a database would wait for one of its pool's connections.
  const isWeb = target !== null && /^https?:\/\//i.test(target.text)
  const kind = (isWeb ? null : target?.kind) ?? product?.kind ?? (PUBLIC.test(host) ? 'third-party' : 'service')
  const known = leaves.get(name)
  if (!known || (limits.statementMs && known.operations.length === 0))
    leaves.set(name, { name, spot, kind, hosts: [], ports: [], intercepts: [], operations: serverLimits(limits, kind, spot) })
  return { text: name, spot, host: name.toLowerCase(), port: null, path: null, kind }
}

function serverLimits({ statementMs }: CallLimits, kind: ServiceKind, spot: HopFact['spot']): readonly OperationFact[] {
  if (!statementMs || kind !== 'database') return []
  return [{ name: 'query', spot, path: null, limits: { spot: statementMs.origin.spot, statementMs }, hops: [] }]
}

/** Calls that go to one place with the same limits are one call of the chain. */
function grouped(hops: readonly HopFact[]): readonly HopFact[] {
  const groups = new Map<string, HopFact[]>()
  for (const hop of hops) {
    const key = JSON.stringify([hop.target.host, hop.target.path, fieldsText(hop.fields)])
    const same = groups.get(key)
    if (same) same.push(hop)
    else groups.set(key, [hop])
  }
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const [where = '', ...rest] = first.remarks
    return [{ ...first, remarks: [others.length > 0 ? `${where}, and ${othersText(others)}` : where, ...rest] }]
  })
}

const MAX_PLACES = 3

function othersText(others: readonly HopFact[]): string {
  const shown = others.slice(0, MAX_PLACES).map(({ spot }) => placeText(spot))
  return others.length > MAX_PLACES ? `${shown.join(', ')} and ${others.length - MAX_PLACES} more` : shown.join(', ')
}

function whereText([call]: readonly [ScannedCall]): string {
  const isBuiltIn = call.library === 'fetch' || call.library.startsWith('node:')
  const library = call.version === null ? call.library : `${call.packageName ?? call.library} ${isBuiltIn ? 'of Node ' : ''}${call.version}`
  return `${library} in ${placeText(call.spot)}${call.isShallow ? ' (only the syntax of this file was looked at)' : ''}`
}

function placeText(spot: HopFact['spot']): string {
  const { file, line } = placeOf(spot)
  return `${file}:${line}`
}

/** The values of some fields, without where they come from: `timeout 1500, attempts 3`. */
export function fieldsText(fields: Partial<CallFields>): string {
  const { backoff, queue } = fields
  const plain = (['timeoutMs', 'attemptMs', 'attempts', 'connectMs', 'writeMs', 'silenceMs'] as const).flatMap((key) => {
    const value = fields[key]?.value
    if (value === undefined) return []
    return [`${key.replace(/Ms$/, '')} ${typeof value === 'number' && key.endsWith('Ms') ? `${value} ms` : value}`]
  })
  const wait = queue?.totalMs ?? queue?.perAttemptMs
  const waits = backoff?.kind === 'list' ? [`backoff ${backoff.largestMs.value.join(', ')} ms`] : []
  return [...plain, ...(wait ? [`queue ${typeof wait.value === 'number' ? `${wait.value} ms` : wait.value}`] : []), ...waits].join(', ')
}

/** The limits of a call of which only the outcome is known. */
function outcomeLimits({ outcome, factors, spot }: ScannedCall): CallLimits {
  if (outcome.state === 'unknown') return { fields: { timeoutMs: declared('unknown', spot) }, remarks: [] }
  const origin = factors.find(({ unit }) => unit === 'ms')?.origin ?? { kind: 'declared' as const, spot }
  if (outcome.state === 'unbounded') {
    const isOff = origin.kind === 'declared' && factors.length > 0
    return { fields: isOff ? { timeoutMs: { value: 'none', origin } } : {}, remarks: ['nothing limits it'] }
  }
  const limit = { value: outcome.ms, origin }
  const isSilence = outcome.kind === 'silence' || outcome.kind === 'headers'
  return { fields: outcome.kind === 'total' ? { timeoutMs: limit } : isSilence ? { silenceMs: limit } : { attemptMs: limit }, remarks: [] }
}
