import type { ServerLimits } from '../model/chain.js'
import { declared, type Source, type Spot } from '../model/sourced.js'
import type { YamlEntry, YamlNode } from '../model/yaml-tree.js'
import { readEnvironment, substituted, type Variables } from './compose-variables.js'
import { pooledHops } from './environment-pools.js'
import {
  addNote,
  type Claim,
  type Facts,
  type FactsDraft,
  type HopFact,
  type Importer,
  newFacts,
  type ServiceFact,
  type Surroundings,
} from './facts.js'
import type { Written } from './limit-fact.js'
import { dockerfileCommand, type ProcessCommand } from './process-commands.js'
import { flagsOf } from './server-flags.js'
import { kindOfName, nameOf, socketHost, targetOf } from './target.js'
import { templateIn } from './templates.js'
import { at, itemsAt, textAt, writtenAt, yamlMaps } from './yaml-path.js'

const ENVIRONMENT = /(^|\/)\.env(\.[\w-]+)?$/

/** Compose files with the `.env` beside them. */
export const compose: Importer = {
  format: 'docker-compose',
  accepts: ({ file, text }) =>
    ENVIRONMENT.test(file) ||
    (/\.ya?ml$/.test(file) &&
      !/^(apiVersion|sandglass):/m.test(text) &&
      /^services:[ \t]*(#.*)?$/m.test(text) &&
      /(^[ \t]+|[{,][ \t]*)(image|build):/m.test(text)),
  read(sources, surroundings) {
    const draft = newFacts()
    const claims: Claim[] = []
    const environments = new Map<string, ReadonlyMap<string, Written>>()
    for (const source of sources) {
      if (!ENVIRONMENT.test(source.file))
        readCompose(source, { draft, claims, environments, surroundings, variables: environmentOf(source, surroundings) })
    }
    return { ...draft, claims: unique(claims), environments } satisfies Facts
  },
}

interface Reading {
  readonly draft: FactsDraft
  readonly claims: Claim[]
  /** What each service finds in its environment. */
  readonly environments: Map<string, ReadonlyMap<string, Written>>
  readonly surroundings: Surroundings
  readonly variables: Variables
}

function environmentOf(source: Source, { filesLike }: Surroundings): Variables {
  const folder = source.file.slice(0, source.file.lastIndexOf('/') + 1)
  const file = filesLike('.env', source.file).find((each) => each.file === `${folder}.env`)
  return file ? readEnvironment(file) : new Map()
}

/** Two services built from one folder: whose its files are cannot be told. */
function unique(claims: readonly Claim[]): readonly Claim[] {
  const owners = new Map<string, Set<string>>()
  for (const { path, owner } of claims) owners.set(path, (owners.get(path) ?? new Set()).add(owner.name))
  return claims.filter(({ path }) => owners.get(path)?.size === 1)
}

function readCompose(source: Source, reading: Reading): void {
  for (const root of yamlMaps(source, reading.draft)) {
    const services = at(root, 'services')
    if (services?.kind !== 'map') continue
    const images = new Map(
      services.entries.map(({ key, value }) => [key.text.toLowerCase(), substituted(textAt(value, 'image'), reading.variables)] as const),
    )
    for (const entry of services.entries) readService(entry, root, images, reading)
  }
}

function readService({ key, value }: YamlEntry, root: YamlNode, images: ReadonlyMap<string, string>, reading: Reading): void {
  const { draft, variables } = reading
  const name = nameOf(key.text)
  const image = substituted(textAt(value, 'image'), variables)
  const replicas = writtenAt(value, 'deploy', 'replicas') ?? writtenAt(value, 'scale')
  const instances = replicas && countOf(replicas, variables)
  const own = hopsOf(value, key.text, new Set(images.keys()), reading)
  const built = builtCommand(value, reading)
  const flags = flagsOf({
    command: built?.words ?? commandOf(value, variables),
    image,
    environment: new Map([...(built?.environment ?? []), ...environmentOfService(key, reading)]),
    draft,
    version: versionOf(image),
    at: key,
    fileNamed: (path) => fileNamed(path, value, reading),
  })
  const { hops, processPools } = pooledHops(
    own,
    environmentOfService(key, reading),
    draft,
    (hop) => isDatabase(hop, images),
    flags.connections,
  )
  claim(value, root, name, image, reading)
  noteRest(value, draft)
  draft.services.push({
    name,
    spot: key,
    kind: kindOfName(image) ?? 'service',
    hosts: [
      key.text,
      textAt(value, 'container_name'),
      textAt(value, 'hostname'),
      ...aliasesOf(value),
      ...(flags.sockets ?? []).map(socketHost),
    ]
      .filter((host) => host !== '')
      .map((host) => host.toLowerCase()),
    ports: [...new Set([...portsOf(value, variables), ...(flags.ports ?? [])])],
    innerPorts: innerPortsOf(value, variables),
    intercepts: [],
    ...(flags.product ? { product: flags.product } : {}),
    ...(flags.processes ? { processes: flags.processes } : {}),
    ...(flags.pooler?.pools ? { pools: flags.pooler.pools } : {}),
    ...(processPools ? { processPools } : {}),
    ...(instances ? { instances: declared(instances, replicas.spot) } : {}),
    ...(flags.concurrency ? { concurrency: flags.concurrency } : {}),
    ...(flags.idleMs ? { keepAlive: { spot: key, idleMs: flags.idleMs } } : {}),
    operations: flags.pooler?.operations ?? operationsOf(hops, flags.limits, key, kindOfName(image)),
  })
}

function environmentOfService(key: { readonly text: string }, { environments }: Reading): ReadonlyMap<string, Written> {
  return environments.get(key.text.toLowerCase()) ?? new Map()
}

/** What a pool of connections goes to: a database by its address or its image, or a pooler in front of one. */
function isDatabase({ target }: HopFact, images: ReadonlyMap<string, string>): boolean {
  const image = images.get(target.host ?? '') ?? ''
  return target.kind === 'database' || kindOfName(image) === 'database' || /pgbouncer/.test(image)
}

/** What the image starts that is built for it, where the compose file has no command of its own. */
function builtCommand(service: YamlNode, reading: Reading): ProcessCommand | null {
  if (at(service, 'command') ?? at(service, 'entrypoint') ?? (at(service, 'build') ? undefined : service)) return null
  const file = fileNamed(textAt(service, 'build', 'dockerfile') || 'Dockerfile', service, reading)
  return file ? dockerfileCommand(file) : null
}

/** A file of the service: where its image is built from, or what is mounted; the folder inside the image is not known. */
function fileNamed(path: string, service: YamlNode, { surroundings, variables }: Reading): Source | undefined {
  const folder = service.source.file.slice(0, service.source.file.lastIndexOf('/') + 1)
  const build = substituted(textAt(service, 'build') || textAt(service, 'build', 'context'), variables)
  const mounts = itemsAt(service, 'volumes').flatMap((item) => {
    const [from = '', to = ''] =
      item.kind === 'scalar' ? substituted(item.text, variables).split(':') : [textAt(item, 'source'), textAt(item, 'target')]
    return to !== '' && path.startsWith(to) ? [tidy(`${folder}${from}${path.slice(to.length)}`)] : []
  })
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  const built = build === '' ? [] : parts.map((_, index) => tidy(`${folder}${build}/${parts.slice(index).join('/')}`))
  const places = [...mounts, ...built]
  return surroundings.all.find(({ file }) => places.includes(file))
}

function operationsOf(
  hops: readonly HopFact[],
  limits: ServerLimits | undefined,
  spot: Spot,
  kind: ServiceFact['kind'] | null,
): ServiceFact['operations'] {
  if (hops.length === 0 && !limits) return []
  const name = kind === 'database' ? 'query' : kind === 'cache' ? 'get' : kind === 'queue' ? 'publish' : 'request'
  return [{ name, spot, path: null, hops, ...(limits ? { limits } : {}) }]
}

function countOf({ text }: Written, variables: Variables): number | 'unknown' | undefined {
  const value = substituted(text, variables)
  if (templateIn(value) !== null) return 'unknown'
  return /^[1-9]\d{0,6}$/.test(value) ? Number(value) : undefined
}

/** The words of `command` and `entrypoint`, each with its place. */
function commandOf(service: YamlNode, variables: Variables): readonly Written[] {
  return ['entrypoint', 'command'].flatMap((name) => {
    const line = writtenAt(service, name)
    const items = line
      ? [line]
      : itemsAt(service, name).flatMap((item) => (item.kind === 'scalar' ? [{ text: item.text, spot: item }] : []))
    return items.flatMap(({ text, spot }) =>
      substituted(text, variables)
        .split(/\s+/)
        .filter((word) => word !== '')
        .map((word) => ({ text: word, spot })),
    )
  })
}

function aliasesOf(service: YamlNode): readonly string[] {
  const networks = at(service, 'networks')
  if (networks?.kind !== 'map') return []
  return networks.entries.flatMap(({ value }) => itemsAt(value, 'aliases').flatMap((item) => (item.kind === 'scalar' ? [item.text] : [])))
}

/** Ports inside, and those published on the machine: callers use either. */
function portsOf(service: YamlNode, variables: Variables): readonly number[] {
  const texts = [...itemsAt(service, 'ports'), ...itemsAt(service, 'expose')].flatMap((item) =>
    item.kind === 'scalar' ? [item.text] : [textAt(item, 'target'), textAt(item, 'published')],
  )
  const ports = texts.flatMap((text) =>
    substituted(text, variables)
      .replace(/\/(tcp|udp)$/, '')
      .split(':'),
  )
  return [...new Set(ports.filter((port) => /^\d{1,5}$/.test(port)).map(Number))]
}

/** Ports of the container that the machine knows by another number: `13306:3306`. */
function innerPortsOf(service: YamlNode, variables: Variables): readonly number[] {
  const pairs = itemsAt(service, 'ports').flatMap((item) => {
    if (item.kind !== 'scalar') return [{ inner: textAt(item, 'target'), outer: textAt(item, 'published') }]
    const [inner = '', outer = ''] = substituted(item.text, variables)
      .replace(/\/(tcp|udp)$/, '')
      .split(':')
      .toReversed()
    return [{ inner, outer }]
  })
  const published = new Set(pairs.map(({ outer }) => outer))
  return pairs.flatMap(({ inner, outer }) =>
    /^\d{1,5}$/.test(inner) && /^\d{1,5}$/.test(outer) && !published.has(inner) ? [Number(inner)] : [],
  )
}

function versionOf(image: string): string | null {
  return /:v?(\d+(?:\.\d+)*)[\w.-]*(?:@.*)?$/.exec(image)?.[1] ?? null
}

/** Files that are mounted, and the folder it is built from, belong to the service. */
function claim(service: YamlNode, root: YamlNode, name: string, image: string, { claims, variables }: Reading): void {
  const folder = service.source.file.slice(0, service.source.file.lastIndexOf('/') + 1)
  const owner = { name, version: versionOf(image), ...(image === '' ? {} : { image }) }
  const build = textAt(service, 'build') || textAt(service, 'build', 'context')
  const mounts = itemsAt(service, 'volumes').map((item) =>
    item.kind === 'scalar' ? (substituted(item.text, variables).split(':')[0] ?? '') : textAt(item, 'source'),
  )
  const configs = itemsAt(service, 'configs').map((item) =>
    textAt(root, 'configs', item.kind === 'scalar' ? item.text : textAt(item, 'source'), 'file'),
  )
  for (const path of [...mounts.filter((mount) => /^\.{0,2}\//.test(mount)), ...configs.filter((file) => file !== '')])
    claims.push({ path: tidy(`${folder}${path}`), owner })
  if (build !== '') claims.push({ path: tidy(`${folder}${substituted(build, variables)}`), owner: { name, version: null } })
}

/** `a/./b/../c` as `a/c`; the folder itself is `.`. */
function tidy(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '.' || part === '') continue
    if (part === '..' && parts.length > 0 && parts[parts.length - 1] !== '..') parts.pop()
    else parts.push(part)
  }
  const plain = parts.join('/')
  return path.startsWith('/') ? `/${plain}` : plain === '' ? '.' : plain
}

const ADDRESS = /(^|_)(URL|URI|ADDR|ADDRESS|ENDPOINT|HOST|HOSTS|DSN|SERVER|SERVERS|BROKERS?|UPSTREAM|BASE)$/i

/** Addresses in the environment, then what it only waits for at its start. */
function hopsOf(service: YamlNode, self: string, names: ReadonlySet<string>, reading: Reading): readonly HopFact[] {
  const hops = new Map<string, HopFact>()
  const add = (text: string, spot: Spot, needsName: boolean, hint: 'address' | 'order') => {
    const target = targetOf(text, spot)
    if (target.host === null || target.host === self.toLowerCase() || hops.has(target.host)) return
    if (needsName && !names.has(target.host)) return
    hops.set(target.host, { spot, target, fields: { timeoutMs: declared('unknown', spot) }, hint, remarks: [] })
  }
  const environment = environmentEntries(service, reading)
  reading.environments.set(self.toLowerCase(), new Map(environment.map(({ name, text, spot }) => [name, { text, spot }])))
  for (const { name, text, spot } of environment) {
    for (const each of text.split(',')) {
      const hasScheme = /^(jdbc:)?[a-z][a-z0-9+]*:\/\//.test(each.trim())
      const isHostAndPort = /^[a-z0-9][\w.-]*:\d{2,5}$/i.test(each.trim())
      if (hasScheme || isHostAndPort || ADDRESS.test(name)) add(each, spot, !(hasScheme && ADDRESS.test(name)), 'address')
    }
  }
  for (const name of ['depends_on', 'links']) {
    const node = at(service, name)
    const items = node?.kind === 'map' ? node.entries.map(({ key }) => key) : itemsAt(service, name)
    for (const item of items) if (item.kind === 'scalar') add(item.text.split(':')[0] ?? '', item, true, 'order')
  }
  return [...hops.values()]
}

interface Variable {
  readonly name: string
  readonly text: string
  readonly spot: Spot
}

/** `environment`, before it the files of `env_file`. A time in it is the program's own affair: noted, never judged. */
function environmentEntries(service: YamlNode, { draft, variables, surroundings }: Reading): readonly Variable[] {
  const found = new Map<string, Variable>()
  for (const file of [
    writtenAt(service, 'env_file'),
    ...itemsAt(service, 'env_file').map((item) => writtenAt(item) ?? writtenAt(item, 'path')),
  ]) {
    const source = file && surroundings.filesLike(file.text, service.source.file)[0]
    if (source) for (const [name, text] of readEnvironment(source)) found.set(name, { name, text, spot: file.spot })
  }
  const node = at(service, 'environment')
  const pairs =
    node?.kind === 'map'
      ? node.entries.map(({ key, value }) => ({ name: key.text, text: textAt(value), spot: value }))
      : itemsAt(service, 'environment').map(pairOf)
  for (const { name, text, spot } of pairs) found.set(name, { name, text: substituted(text, variables), spot })
  const isSpring = surroundings.all.some(({ file }) => /(^|\/)(application|bootstrap)[\w.-]*\.(ya?ml|properties)$/.test(file))
  for (const { name, text, spot } of found.values()) {
    // Spring binds these to its settings, and the importer of Spring reads them.
    if (isSpring && /^(SPRING|SERVER|FEIGN|RESILIENCE4J|DUBBO)_/.test(name)) continue
    if (/TIMEOUT|DEADLINE/i.test(name))
      addNote(
        draft,
        'unknown',
        spot,
        `${name}=${text.slice(0, 40)}: which limit it sets and in which unit is known to the program alone; it is not in the chain`,
      )
  }
  return [...found.values()]
}

function pairOf(item: YamlNode): Variable {
  const text = textAt(item)
  const equals = text.indexOf('=')
  return { name: equals < 0 ? text : text.slice(0, equals), text: equals < 0 ? '' : text.slice(equals + 1), spot: item }
}

function noteRest(service: YamlNode, draft: FactsDraft): void {
  const check = at(service, 'healthcheck', 'timeout')
  if (check) addNote(draft, 'ignored', check, 'healthcheck.timeout limits the health check, no request')
  const extended = at(service, 'extends')
  if (extended) addNote(draft, 'unknown', extended, 'extends: what it takes from elsewhere is not read')
}
