import { formatDuration } from '@sandglass/runtime/core'
import type { Service } from '../model/chain.js'
import { placeOf, type Source, type Sourced, type Spot } from '../model/sourced.js'
import {
  addNote,
  type Facts,
  type FactsDraft,
  type HopFact,
  type Importer,
  newFacts,
  type OperationFact,
  type Owner,
  type Surroundings,
} from './facts.js'
import { limitFact, type Written } from './limit-fact.js'
import { type Family, families, hopOf } from './nginx-hop.js'
import { type Scope, scopeOf } from './nginx-scope.js'
import { type Directive, readNginx } from './nginx-tree.js'
import { readUpstream, type Upstream } from './nginx-upstream.js'
import { surroundingsOf } from './surroundings.js'
import { nameOf } from './target.js'

/** nginx.conf, the files it includes, and snippets of `conf.d`. */
export const nginx: Importer = {
  format: 'nginx',
  accepts: ({ file, text }) =>
    /\.(conf|template|tmpl|tpl|j2|jinja2?|inc)$|(^|\/)(nginx|sites-(enabled|available))[^/]*/.test(file) && isNginx(text),
  read(sources, surroundings) {
    const draft = newFacts()
    const running: Including = { draft, surroundings, trees: new Map(), left: MAX_INCLUDED }
    const included = new Set(sources.flatMap((source) => includedBy(source, treeOf(source, running), surroundings)))
    const roots = sources.filter((source) => !included.has(source))
    for (const root of roots) readRoot(root, roots, { ...running, left: MAX_INCLUDED })
    return draft
  },
}

function isNginx(text: string): boolean {
  const sample = text.slice(0, MAX_SAMPLE)
  if (/^[ \t]*(global|defaults|frontend|backend|listen)\b[^;{\n]*$/m.test(sample)) return false
  return (
    /(?:^|[;{}])[ \t]*(http[ \t]*|server[ \t]*|stream[ \t]*|(?:upstream|location)[ \t][^{;\n]{1,500})(?:\r?\n[ \t]*)?\{/m.test(sample) ||
    /(?:^|[;{}])[ \t]*(proxy|fastcgi|uwsgi|scgi|grpc|memcached)_pass[ \t][^;\n]{1,500};/m.test(sample)
  )
}

const MAX_SAMPLE = 200_000

function includedBy(source: Source, directives: readonly Directive[], surroundings: Surroundings): readonly Source[] {
  return directives.flatMap((directive) => {
    if (directive.block) return includedBy(source, directive.block, surroundings)
    const pattern = directive.args[0]?.text
    return directive.name === 'include' && pattern !== undefined
      ? surroundings.filesLike(pattern, source.file).filter((file) => file !== source)
      : []
  })
}

/** Files that are put in place of an `include`, over one configuration: files that include each other a few times would be millions. */
const MAX_INCLUDED = 2000
const MAX_INCLUDE_DEPTH = 8

/** Reading files that include others; each is parsed once. */
interface Including {
  readonly draft: FactsDraft
  readonly surroundings: Surroundings
  readonly trees: Map<Source, readonly Directive[]>
  left: number
}

/** Replaces each `include` by what it names; one that leads back to a file it stands in is left out, and said. */
function expanded(directives: readonly Directive[], including: Including, open: readonly Source[]): readonly Directive[] {
  return directives.flatMap((directive) => {
    if (directive.block) return [{ ...directive, block: expanded(directive.block, including, open) }]
    const pattern = directive.args[0]
    if (directive.name !== 'include' || !pattern) return [directive]
    const say = (why: string) =>
      addNote(including.draft, 'unknown', pattern.spot, `include ${pattern.text}: ${why}; what it sets is unknown`)
    if (open.length > MAX_INCLUDE_DEPTH + 1) {
      say(`includes nest deeper than ${MAX_INCLUDE_DEPTH}`)
      return []
    }
    return filesIn(pattern, including, say).flatMap((file) => {
      const isCycle = open.includes(file)
      if (!isCycle && including.left-- > 0) return expanded(treeOf(file, including), including, [...open, file])
      say(isCycle ? 'an include cycle, with which nginx does not start' : `more than ${MAX_INCLUDED} files are included`)
      return []
    })
  })
}

/** The files that an `include` names; the one it stands in is among them only where it is named alone. */
function filesIn(pattern: Written, { surroundings }: Including, say: (why: string) => void): readonly Source[] {
  const { file } = pattern.spot.source
  const files = surroundings.filesLike(pattern.text, file)
  if (files.length > 0 || /mime\.types|_params$/.test(pattern.text)) return files
  const own = surroundings.filesLike(pattern.text, file.slice(0, file.lastIndexOf('/') + 1)).filter((found) => found.file === file)
  if (own.length === 0) say('no such file among those that are read')
  return own
}

function treeOf(source: Source, { draft, trees }: Including): readonly Directive[] {
  const known = trees.get(source)
  if (known) return known
  const { directives, problems } = readNginx(source)
  for (const { spot, message } of problems) addNote(draft, 'unknown', spot, `not understood: ${message}`)
  trees.set(source, directives)
  return directives
}

/** One running nginx: its settings from the outside in, and one operation for each location that passes requests on. */
interface Running {
  readonly draft: FactsDraft
  readonly version: string | null
  readonly upstreams: ReadonlyMap<string, Upstream>
  readonly operations: Named[]
  readonly ports: Set<number>
  readonly hosts: Set<string>
  readonly idles: Sourced<number>[]
}

interface Named {
  readonly server: string
  readonly path: string
  readonly spot: Spot
  readonly hops: HopFact[]
  /** Of its server; empty where that does not say. */
  readonly ports: readonly number[]
  readonly limits?: OperationFact['limits']
}

function readRoot(root: Source, roots: readonly Source[], including: Including): void {
  const { draft, surroundings } = including
  const owner = surroundings.ownerOf(root.file)
  const directives = expanded(treeOf(root, including), including, [root])
  const http = directives.flatMap((each) => (each.name === 'http' && each.block ? each.block : [each]))
  const stream = directives.flatMap((each) => (each.name === 'stream' && each.block ? each.block : []))
  const blocks = [...http, ...stream].filter(({ name }) => name === 'upstream')
  const running: Running = {
    draft,
    version: owner?.version ?? null,
    upstreams: new Map(blocks.map((block) => [block.args[0]?.text ?? '', readUpstream(block)])),
    operations: [],
    ports: new Set(),
    hosts: new Set(),
    idles: [],
  }
  const outer = scopeOf(null, http, draft)
  for (const server of http.filter(({ name }) => name === 'server')) readServer(server, outer, running)
  for (const location of http.filter(({ name }) => name === 'location')) readLocation(location, outer, { name: '', ports: [] }, running)
  readStream(stream, running)
  addService(root, roots, owner, running)
}

function addService(root: Source, roots: readonly Source[], owner: Owner | null, running: Running): void {
  if (running.operations.length === 0) return
  const keepAlive = keepAliveOf(running, { source: root, start: 0, end: 1 })
  running.draft.services.push({
    name: owner?.name ?? (roots.length === 1 ? 'nginx' : nameOf(`nginx-${root.file.replace(/\.(conf|template).*$/, '')}`)),
    spot: { source: root, start: 0, end: 1 },
    kind: 'proxy',
    hosts: [...running.hosts],
    ports: [...running.ports],
    intercepts: [],
    product: 'nginx',
    ...(owner === null && roots.length === 1 ? { isUnplaced: true as const } : {}),
    ...(keepAlive ? { keepAlive } : {}),
    operations: named(running.operations),
  })
}

/** Names from paths; the server's name is put before them where several servers pass requests on. */
function named(operations: readonly Named[]): readonly OperationFact[] {
  const servers = new Set(operations.map(({ server }) => server))
  const taken = new Map<string, number>()
  return operations.map(({ server, path, spot, hops, ports, limits }) => {
    const local =
      path === '/'
        ? 'request'
        : path
            .replace(/[^A-Za-z0-9_/-]+/g, '-')
            .replace(/(?<!^)[-/]+$/, '')
            .replace(/^-+(?=\w)/, '')
    const base =
      servers.size > 1 && server !== '' ? `${nameOf(server)}${local.startsWith('/') ? '' : '/'}${local}` : local === '' ? 'request' : local
    const count = (taken.get(base) ?? 0) + 1
    taken.set(base, count)
    return {
      name: count === 1 ? base : `${base}-${count}`,
      spot,
      path: path.startsWith('/') ? path : null,
      hops,
      ...(ports.length > 0 ? { ports } : {}),
      ...(limits ? { limits } : {}),
    }
  })
}

function readServer(server: Directive, outer: Scope, running: Running): void {
  const block = server.block ?? []
  const scope = scopeOf(outer, block, running.draft)
  const names = block.filter(({ name }) => name === 'server_name').flatMap(({ args }) => args.map(({ text }) => text))
  for (const name of names) if (/^[A-Za-z0-9.-]+$/.test(name)) running.hosts.add(name.toLowerCase())
  const ports = block
    .filter(({ name }) => name === 'listen')
    .flatMap((listen) => /(?:^|:)(\d{1,5})$/.exec(listen.args[0]?.text ?? '')?.[1] ?? [])
  const at = { name: names.find((name) => name !== '_') ?? '', ports: ports.map(Number) }
  for (const port of at.ports) running.ports.add(port)
  const idle = idleOf(scope, running, server.spot)
  if (idle) running.idles.push(idle)
  for (const each of block) readLocation(each, scope, at, running)
}

const NESTED = new Set(['location', 'if', 'limit_except'])

/** The server in which a location stands. */
interface ServerAt {
  readonly name: string
  readonly ports: readonly number[]
}

function readLocation(block: Directive, outer: Scope, at: ServerAt, running: Running, path = ''): void {
  if (!NESTED.has(block.name) || !block.block) return
  const own = block.name === 'location' ? (block.args[block.args.length - 1]?.text ?? '/') : path
  const scope = scopeOf(outer, block.block, running.draft)
  const hops = block.block.flatMap((directive) => {
    const family = families.find((each) => `${each}_pass` === directive.name)
    return family ? [hopFrom(directive, family, scope, running)] : []
  })
  const same = block.name === 'location' ? undefined : running.operations.find((each) => each.server === at.name && each.path === own)
  if (hops.length > 0 && same) same.hops.push(...hops)
  else if (hops.length > 0)
    running.operations.push({
      server: at.name,
      path: own,
      spot: block.args[block.args.length - 1]?.spot ?? block.spot,
      hops,
      ports: at.ports,
    })
  for (const inner of block.block) readLocation(inner, scope, at, running, own)
}

function hopFrom(directive: Directive, family: Family, scope: Scope, { draft, version, upstreams }: Running): HopFact {
  return hopOf({ draft, version, upstreams, family, scope, pass: directive })
}

function readStream(stream: readonly Directive[], running: Running): void {
  const outer = scopeOf(null, stream, running.draft)
  for (const server of stream.filter(({ name }) => name === 'server')) {
    const scope = scopeOf(outer, server.block ?? [], running.draft)
    const listen = (server.block ?? []).find(({ name }) => name === 'listen')?.args[0]
    const port = /(?:^|:)(\d{1,5})$/.exec(listen?.text ?? '')?.[1]
    if (port) running.ports.add(Number(port))
    for (const pass of (server.block ?? []).filter(({ name }) => name === 'proxy_pass')) {
      const hop = hopFrom(pass, 'stream proxy', scope, running)
      // The silence of either side closes both connections.
      const idleMs = hop.fields.silenceMs
      running.operations.push({
        server: '',
        path: `tcp-${port ?? 'port'}`,
        spot: server.spot,
        hops: [hop],
        ports: port === undefined ? [] : [Number(port)],
        ...(idleMs ? { limits: { spot: idleMs.origin.spot, idleMs } } : {}),
      })
    }
  }
}

/** How long a caller's idle connection is kept; 0 switches keep-alive off, which is no idle time. */
function idleOf(scope: Scope, { draft, version }: Running, at: Spot): Sourced<number> | undefined {
  const written = scope.get('keepalive_timeout')?.args[0]
  const idle = limitFact(
    { draft, system: 'nginx', version, key: 'keepalive_timeout (client side)', shown: 'keepalive_timeout', at },
    written,
    'nginx',
  )
  return typeof idle?.value === 'number' && idle.value > 0 ? (idle as Sourced<number>) : undefined
}

function keepAliveOf(running: Running, at: Spot): Service['keepAlive'] | undefined {
  const [first, ...rest] = running.idles
  const other = rest.find(({ value }) => value !== first?.value)
  if (first && other) {
    const { line } = placeOf(other.origin.spot)
    addNote(
      running.draft,
      'ignored',
      other.origin.spot,
      `keepalive_timeout differs between servers (${formatDuration(first.value)}, and ${formatDuration(other.value)} in line ${line}); the shortest is taken`,
    )
  }
  const idle = running.idles.reduce<Sourced<number> | undefined>(
    (least, next) => (least && least.value <= next.value ? least : next),
    undefined,
  )
  return idle ? { spot: at, idleMs: idle } : undefined
}

/** What one file says, for tests. */
export function readNginxText(text: string, version: string | null = null): Facts {
  const source = { file: 'nginx.conf', text }
  return nginx.read([source], { ...surroundingsOf([source], []), ownerOf: () => (version === null ? null : { name: 'nginx', version }) })
}
