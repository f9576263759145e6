import type { CallFields, LimitMs, Service } from '../model/chain.js'
import { declared, type Source, type Sourced } from '../model/sourced.js'
import { addDead, addNote, type FactsDraft, type HopFact, type Importer, newFacts, type OperationFact, type Surroundings } from './facts.js'
import { readSections, type Section } from './haproxy-sections.js'
import { targetFor } from './haproxy-target.js'
import { countFact, defaultLimit, formatLimit, limitFact, type Setting, type Written } from './limit-fact.js'
import { numbered } from './numbered.js'
import { parseDuration } from './parse-duration.js'
import { type RouteMatch, shadowedRoutes } from './shadowed.js'
import { nameOf } from './target.js'
import { templateIn } from './templates.js'

/** haproxy.cfg. */
export const haproxy: Importer = {
  format: 'haproxy',
  accepts: ({ file, text }) =>
    /\.(cfg|conf|template|tmpl|tpl|j2|jinja2?)$/.test(file) &&
    /^[ \t]*(frontend|backend|listen)[ \t]+\S+[ \t]*(#.*|from[ \t]+\S+.*)?$/m.test(text) &&
    !/^[ \t]*server\s*\{/m.test(text),
  read(sources, surroundings) {
    const draft = newFacts()
    for (const source of sources) readFile(source, sources.length > 1, surroundings, draft)
    return draft
  },
}

interface Proxy {
  readonly section: Section
  /** The lines of the `defaults` it stands below, or that it names. */
  readonly defaults: Section | undefined
}

interface Running {
  readonly draft: FactsDraft
  readonly version: string | null
}

function readFile(source: Source, isOneOfMany: boolean, surroundings: Surroundings, draft: FactsDraft): void {
  const owner = surroundings.ownerOf(source.file)
  const running: Running = { draft, version: owner?.version ?? null }
  const proxies = proxiesOf(readSections(source))
  const fronts = proxies.filter(({ section }) => section.kind === 'frontend' || section.kind === 'listen')
  const backs = new Map(
    proxies.filter(({ section }) => section.kind === 'backend' || section.kind === 'listen').map((proxy) => [proxy.section.name, proxy]),
  )
  const operations = fronts.flatMap((front) => frontOperations(front, backs, running))
  if (operations.length === 0) return
  const first = fronts[0]
  const keepAlive = first && keepAliveOf(first, running)
  draft.services.push({
    name: owner?.name ?? (isOneOfMany ? nameOf(`haproxy-${source.file.replace(/\.\w+$/, '')}`) : 'haproxy'),
    spot: { source, start: 0, end: 1 },
    kind: 'proxy',
    hosts: [],
    ports: fronts.flatMap((front) => portsOf(front)),
    intercepts: [],
    ...(keepAlive ? { keepAlive } : {}),
    operations: numbered(operations),
  })
}

/** The most recent `defaults` above a section holds for it, unless it names another with `from`. */
function proxiesOf(sections: readonly Section[]): readonly Proxy[] {
  const named = new Map(sections.filter(({ kind }) => kind === 'defaults').map((section) => [section.name, section]))
  const proxies: Proxy[] = []
  let recent: Section | undefined
  for (const section of sections) {
    if (section.kind === 'defaults') recent = section
    const from = section.words.findIndex(({ text }) => text === 'from')
    const defaults = from > 0 ? named.get(section.words[from + 1]?.text ?? '') : recent
    if (/^(frontend|backend|listen)$/.test(section.kind)) proxies.push({ section, defaults })
  }
  return proxies
}

/** The value behind the given words, in the section or else in its defaults; the last line holds. */
function find({ section, defaults }: Proxy, ...words: readonly string[]): Written | undefined {
  for (const lines of [section.lines, defaults?.lines ?? []]) {
    const line = lines.findLast((each) => words.every((word, index) => each[index]?.text === word))
    if (line) return line[words.length] ?? line[words.length - 1]
  }
  return undefined
}

function modeOf(proxy: Proxy): string {
  return find(proxy, 'mode')?.text ?? 'tcp'
}

function portsOf({ section }: Proxy): readonly number[] {
  const binds = [section.words[2], ...section.lines.filter((line) => line[0]?.text === 'bind').map((line) => line[1])]
  return binds.flatMap((bind) => {
    const port = /:(\d{1,5})$/.exec(bind?.text ?? '')
    return port ? [Number(port[1])] : []
  })
}

function frontOperations(front: Proxy, backs: ReadonlyMap<string, Proxy>, running: Running): readonly OperationFact[] {
  const { section } = front
  if (section.kind === 'listen') {
    const hops = hopsOf(front, running)
    // One without servers shows statistics.
    return hops.length === 0
      ? []
      : [{ name: nameOf(section.name), spot: section.spot, path: null, hops, ...frontFacts(front, front, running) }]
  }
  const uses = section.lines.filter(([word]) => word?.text === 'use_backend' || word?.text === 'default_backend')
  const fallback = front.defaults?.lines.find(([word]) => word?.text === 'default_backend')
  sayShadowedBackends(uses, running)
  const names = [...uses, ...(uses.length === 0 && fallback ? [fallback] : [])].flatMap((line) => line[1] ?? [])
  return names.flatMap((name) => {
    const back = backs.get(name.text)
    if (templateIn(name.text) !== null || /%\[/.test(name.text))
      addNote(running.draft, 'unknown', name.spot, `use_backend ${name.text}: the backend is chosen at run time`)
    if (!back) return []
    const base = names.length === 1 ? section.name : `${section.name}/${name.text}`
    const facts = frontFacts(front, back, running)
    return [{ name: base.replace(/[^A-Za-z0-9_/-]+/g, '-'), spot: name.spot, path: null, hops: hopsOf(back, running), ...facts }]
  })
}

/** Where a front answers, and after which silence it closes a connection that it only passes on: the tunnel's, else the shorter of both sides. */
function frontFacts(front: Proxy, back: Proxy, running: Running): Pick<OperationFact, 'ports' | 'limits'> {
  const ports = portsOf(front)
  const at = ports.length > 0 ? { ports } : {}
  if (modeOf(front) !== 'tcp') return at
  const limit = (proxy: Proxy, name: string) => {
    const written = find(proxy, 'timeout', name)
    return written && timerOf(settingOf(running, `timeout ${name}`, proxy), written)
  }
  const tunnel = limit(back, 'tunnel') ?? limit(front, 'tunnel')
  const sides = [limit(front, 'client'), limit(back, 'server')].filter((each) => typeof each?.value === 'number')
  const idleMs = tunnel ?? sides.toSorted((a, b) => Number(a?.value) - Number(b?.value))[0]
  return idleMs ? { ...at, limits: { spot: idleMs.origin.spot, idleMs } } : at
}

/** The first `use_backend` whose condition holds is taken, whatever stands below; `default_backend` comes last, and takes what a computed name does not find. */
function sayShadowedBackends(uses: readonly (readonly Written[])[], { draft }: Running): void {
  const isDefault = (line: readonly Written[]) => line[0]?.text === 'default_backend'
  const isComputed = (line: readonly Written[]) => line[1]?.text.includes('%[') === true
  const rules = uses.filter((line) => !isDefault(line)).map((line) => ({ line, matches: [backendMatch(line)] }))
  const last = uses.filter(isDefault).map((line) => ({ line, matches: [backendMatch(line)] }))
  // What stands below a computed name is not asked where the name is not found.
  const computed = rules.findIndex(({ line }) => isComputed(line))
  const named = computed < 0 ? rules : rules.slice(0, computed)
  const shadowed = [...shadowedRoutes(rules), ...shadowedRoutes([...named, ...last]).filter(({ route }) => isDefault(route.line))]
  for (const { route, by } of shadowed) {
    const [word, name] = route.line
    if (!word || !name) continue
    addDead(draft, {
      setting: word.text,
      written: name.text,
      spot: name.spot,
      because: `use_backend ${by.line[1]?.text ?? ''} above takes every request it could`,
      effective: `backend ${by.line[1]?.text ?? ''}`,
    })
  }
}

function backendMatch(line: readonly Written[]): RouteMatch {
  const condition = line
    .slice(2)
    .map(({ text }) => text)
    .join(' ')
  return { host: null, path: null, others: condition === '' ? [] : [condition], isClear: true }
}

function settingOf({ draft, version }: Running, key: string, proxy: Proxy): Setting {
  return { draft, system: 'haproxy', version, key, at: proxy.section.spot }
}

/** Of `1m30s` older versions take the first part and drop the rest without a word (seen in 2.6); newer ones do not start. */
function timerOf(setting: Setting, written: Written | undefined): Sourced<LimitMs> | undefined {
  const first = written && !parseDuration(written.text, 'haproxy').ok ? /^\d+(?:us|ms|[smhd])(?=.)/.exec(written.text)?.[0] : undefined
  if (!written || first === undefined || templateIn(written.text) !== null) return limitFact(setting, written, 'haproxy', 'none')
  const taken = limitFact(setting, { text: first, spot: written.spot }, 'haproxy', 'none')
  addDead(setting.draft, {
    setting: setting.key,
    written: written.text,
    spot: written.spot,
    because: 'a time has one unit: what stands behind it is dropped by older versions, and newer ones do not start',
    effective: formatLimit(taken),
  })
  return taken
}

function hopsOf(back: Proxy, running: Running): readonly HopFact[] {
  const servers = back.section.lines.filter(([word]) => word?.text === 'server' && word !== undefined)
  const active = servers.filter((line) => !line.some(({ text }) => text === 'backup' || text === 'disabled'))
  const dynamic = back.section.lines.find(([word]) => word?.text === 'server-template')
  const used = active.length > 0 ? active : dynamic ? [dynamic] : servers
  const backups = active.length > 0 ? servers.filter((line) => !active.includes(line) && !line.some(({ text }) => text === 'disabled')) : []
  const [first] = used
  if (!first) return []
  const limit = (name: string) => timerOf(settingOf(running, `timeout ${name}`, back), find(back, 'timeout', name))
  const connectMs = limit('connect')
  const silenceMs = limit('server')
  const queue = queueOf(back, used, connectMs, running)
  noteOthers(back, running)
  const missing = [connectMs ? null : 'timeout connect', silenceMs ? null : 'timeout server'].filter((name) => name !== null)
  return [
    {
      spot: first[0]?.spot ?? back.section.spot,
      target: targetFor(back.section, {
        servers: used,
        backups,
        isTemplate: dynamic !== undefined,
        isInOrder: find(back, 'balance')?.text === 'first',
      }),
      fields: {
        ...(connectMs ? { connectMs } : {}),
        ...(silenceMs ? { silenceMs } : {}),
        ...(queue ? { queue } : {}),
        ...retryFields(back, running),
      },
      remarks: missing.length > 0 ? [`${missing.join(' and ')} not set: HAProxy waits without end.`] : [],
    },
  ]
}

/** A request waits only where a server takes no more at once; the wait falls back to `timeout connect`. */
function queueOf(
  back: Proxy,
  servers: readonly (readonly Written[])[],
  connectMs: Sourced<LimitMs> | undefined,
  running: Running,
): CallFields['queue'] | undefined {
  const limited = servers.flat().find(({ text }) => text === 'maxconn') ?? find(back, 'default-server', 'maxconn')
  if (!limited) return undefined
  const written = find(back, 'timeout', 'queue')
  const wait = written ? timerOf(settingOf(running, 'timeout queue', back), written) : connectMs
  return { spot: limited.spot, ...(wait ? { perAttemptMs: wait } : {}) }
}

const CAUSES: ReadonlyMap<string, readonly string[]> = new Map([
  ['conn-failure', ['connect']],
  ['empty-response', ['reset']],
  ['junk-response', ['reset']],
  ['response-timeout', ['timeout']],
  ['0rtt-rejected', ['connect']],
  ['all-retryable-errors', ['connect', 'reset', 'timeout', '500', '502', '503', '504']],
])

/** `retries` leaves the first try out, and repeats connecting alone unless `retry-on` says more (which tcp mode does not read). */
function retryFields(back: Proxy, running: Running): Pick<Partial<CallFields>, 'attempts' | 'retryOn'> {
  const retries = countFact(settingOf(running, 'retries', back), find(back, 'retries'))
  if (retries.value === 0) return {}
  const attempts: Sourced<number | 'unknown'> = retries.value === 'unknown' ? retries : { ...retries, value: retries.value + 1 }
  const lines = [back.section.lines, back.defaults?.lines ?? []].map((each) => each.findLast(([word]) => word?.text === 'retry-on'))
  const line = lines.find((each) => each)
  const spot = line?.[0]?.spot
  if (line && spot && modeOf(back) === 'tcp') {
    addDead(running.draft, {
      setting: 'retry-on',
      written: line
        .slice(1)
        .map(({ text }) => text)
        .join(' '),
      spot,
      because: 'mode tcp reads no answers',
      effective: 'only connecting is repeated',
    })
  }
  const words = line && modeOf(back) !== 'tcp' ? line.slice(1).map(({ text }) => text) : ['conn-failure']
  const causes = [...new Set(words.flatMap((word) => CAUSES.get(word) ?? (/^[45]\d\d$/.test(word) ? [word] : [])))]
  const retryOn: Sourced<readonly string[]> =
    line && spot
      ? declared(causes, spot)
      : {
          value: causes,
          origin: { kind: 'default', product: 'haproxy', version: running.version, setting: 'retry-on', spot: back.section.spot },
        }
  return { attempts, retryOn }
}

/** Timers that limit no request to a server. */
function noteOthers(back: Proxy, { draft }: Running): void {
  for (const [name, why] of [
    ['check', 'limits health checks, no request'],
    ['tunnel', 'limits the silence of an upgraded connection'],
  ] as const) {
    const written = find(back, 'timeout', name)
    if (written) addNote(draft, 'ignored', written.spot, `timeout ${name} ${why}`)
  }
  noteReplaced(back, draft)
}

/** `http-request set-timeout` puts another limit in the place of one, for the requests its condition fits. */
function noteReplaced({ section, defaults }: Proxy, draft: FactsDraft): void {
  for (const line of [...section.lines, ...(defaults?.lines ?? [])]) {
    const [rule, action, name, value] = line
    if (rule && /^http-(request|response)$/.test(rule.text) && action?.text === 'set-timeout' && name)
      addNote(
        draft,
        'unknown',
        action.spot,
        `set-timeout ${name.text} ${value?.text ?? ''} replaces timeout ${name.text} for some requests; the chain has what holds for the others`,
      )
  }
}

/** How long idle connections of callers are kept: http-keep-alive, else http-request, else client. */
function keepAliveOf(front: Proxy, running: Running): Service['keepAlive'] | undefined {
  if (modeOf(front) === 'tcp') return undefined
  const name = ['http-keep-alive', 'http-request', 'client'].find((each) => find(front, 'timeout', each) !== undefined)
  const idle = name === undefined ? undefined : timerOf(settingOf(running, `timeout ${name}`, front), find(front, 'timeout', name))
  const upstream = defaultLimit(settingOf(running, 'pool-purge-delay', front), front.section.spot)
  if (typeof idle?.value !== 'number' && !upstream) return undefined
  return {
    spot: front.section.spot,
    ...(typeof idle?.value === 'number' ? { idleMs: idle } : {}),
    ...(upstream ? { upstreamIdleMs: upstream } : {}),
  }
}
