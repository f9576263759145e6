import type { LimitMs, ServerLimits, Service } from '../model/chain.js'
import type { Source, Sourced, Spot } from '../model/sourced.js'
import type { Environment } from './environment-pools.js'
import type { FactsDraft, Product, ServiceFact } from './facts.js'
import { addressesOf, gunicornFacts, gunicornFlags, type ProcessFacts } from './gunicorn-settings.js'
import { countFact, defaultNumber, limitFact, type Setting, type Written } from './limit-fact.js'
import { mysqlFacts } from './mysql-settings.js'
import { pgbouncerFacts } from './pgbouncer-settings.js'
import { postgresConnections, postgresLimits } from './postgres-settings.js'
import { readAssignments } from './python-assignments.js'
import { redisFacts } from './redis-settings.js'
import { targetOf } from './target.js'
import { uwsgiFacts, uwsgiOptions } from './uwsgi-settings.js'

/** A server's command line, its environment, and what its image says it is. */
export interface ServerCommand {
  readonly command: readonly Written[]
  readonly image: string
  readonly environment: Environment
  readonly draft: FactsDraft
  readonly version: string | null
  /** Where what is not written would stand. */
  readonly at: Spot
  /** A file that the command line names, or that is read unless another is named. */
  readonly fileNamed: (path: string) => Source | undefined
}

/** What the flags of a server set. */
export interface ServerFlags {
  readonly product?: Product
  readonly limits?: ServerLimits
  readonly concurrency?: NonNullable<Service['concurrency']>
  readonly idleMs?: Sourced<LimitMs>
  readonly processes?: NonNullable<ServiceFact['processes']>
  readonly ports?: readonly number[]
  /** Sockets in the file system on which it listens. */
  readonly sockets?: readonly string[]
  /** Connections to a database that each process has, where the program has no pool. */
  readonly connections?: Sourced<number>
  /** What a pooler in front of a database is, by its environment. */
  readonly pooler?: Pick<ServiceFact, 'pools' | 'operations'>
}

/** Reads the flags of servers that are known: databases by their image, gunicorn, uvicorn and uWSGI by the word in the command. */
export function flagsOf(server: ServerCommand): ServerFlags {
  const { image } = server
  if (/pgbouncer/.test(image)) return pgbouncerFlags(server)
  if (/postgres|postgis|timescale/.test(image) && !/exporter|backup|admin|operator/.test(image)) return postgresFlags(server)
  if (/mysql|mariadb|percona/.test(image) && !/exporter|backup|admin|operator/.test(image)) return mysqlFlags(server)
  if (/redis|valkey/.test(image) && !/exporter|insight|commander|sentinel/.test(image)) return redisFlags(server)
  if (/(^|\/)nginx(-unprivileged)?(:|@|$)/.test(image)) return { product: 'nginx' }
  if (/(^|\/)php\b.*fpm/.test(image)) return phpFlags(server)
  return programFlags(server)
}

/** The words of the command behind a program, up to where the shell begins another one; null where it is not called. */
function wordsOf({ command }: ServerCommand, program: RegExp): readonly Written[] | null {
  const plain = command.map(({ text, spot }) => ({ text: text.replace(/^["']|["']$/g, ''), spot }))
  const start = plain.findIndex(({ text }) => program.test(text))
  if (start < 0) return null
  const rest = plain.slice(start + 1)
  const end = rest.findIndex(({ text }) => /^(&&|\|\||;|\||&)$/.test(text))
  return end < 0 ? rest : rest.slice(0, end)
}

function programFlags(server: ServerCommand): ServerFlags {
  const gunicorn = wordsOf(server, /(^|\/)gunicorn$/)
  if (gunicorn) return processFlags(gunicornOf(gunicorn, server))
  const uvicorn = wordsOf(server, /(^|\/)uvicorn$/)
  if (uvicorn) return processFlags(uvicornFacts(uvicorn, server))
  const uwsgi = wordsOf(server, /(^|\/)uwsgi$/)
  return uwsgi ? processFlags(uwsgiOf(uwsgi, server)) : {}
}

function processFlags({ limits, concurrency, idleMs, processes, listens }: ProcessFacts): ServerFlags {
  const { ports, sockets } = addressesOf(listens ?? [])
  return {
    ...(limits ? { limits } : {}),
    ...(concurrency ? { concurrency } : {}),
    ...(idleMs ? { idleMs } : {}),
    ...(processes ? { processes } : {}),
    ...(ports.length > 0 ? { ports } : {}),
    ...(sockets.length > 0 ? { sockets } : {}),
  }
}

function valueAfter(words: readonly Written[], ...flags: readonly string[]): Written | undefined {
  for (const [index, { text, spot }] of words.entries()) {
    if (flags.includes(text)) return words[index + 1]
    const flag = flags.find((each) => each.startsWith('--') && text.startsWith(`${each}=`))
    if (flag !== undefined) return { text: text.slice(flag.length + 1), spot }
  }
  return undefined
}

/** The config file, then `GUNICORN_CMD_ARGS`, then the command line: what comes later holds. */
function gunicornOf(words: readonly Written[], server: ServerCommand): ProcessFacts {
  const { environment, draft, version, at } = server
  const flags = gunicornFlags(words)
  const args = environment.get('GUNICORN_CMD_ARGS')
  const more = args ? gunicornFlags(args.text.split(/\s+/).map((text) => ({ text, spot: args.spot }))) : []
  const file = server.fileNamed(flags.get('config')?.text.replace(/^file:/, '') ?? 'gunicorn.conf.py')
  const concurrency = environment.get('WEB_CONCURRENCY')
  const settings = new Map([
    ...(concurrency ? [['workers', concurrency] as const] : []),
    ...(file ? readAssignments(file, draft) : []),
    ...more,
    ...flags,
  ])
  return gunicornFacts(settings, { draft, version, at: words[0]?.spot ?? at })
}

/** uvicorn has no limit of a request; it closes idle connections soon. */
function uvicornFacts(words: readonly Written[], { environment, draft, version, at }: ServerCommand): ProcessFacts {
  const setting = (key: string): Setting => ({ draft, system: 'uvicorn', version, key, at: words[0]?.spot ?? at })
  const limit = valueAfter(words, '--limit-concurrency')
  const processes = countFact(setting('workers'), valueAfter(words, '--workers') ?? environment.get('WEB_CONCURRENCY'))
  const idleMs = limitFact(setting('timeout_keep_alive'), valueAfter(words, '--timeout-keep-alive'), 'int-s')
  const each = limit && countFact(setting('limit_concurrency'), limit)
  const isKnown = each && typeof each.value === 'number' && typeof processes.value === 'number'
  const many = isKnown && processes.value !== 1 ? { worked: `${processes.value} processes x ${each.value}` } : {}
  return {
    ...(isKnown ? { concurrency: { ...each, value: Number(each.value) * Number(processes.value), ...many } } : {}),
    ...(idleMs ? { idleMs } : {}),
    processes,
    listens: [valueAfter(words, '--port', '-p') ?? { text: '', spot: at }],
  }
}

const SHORT: ReadonlyMap<string, string> = new Map([
  ['processes', '-p'],
  ['socket', '-s'],
  ['harakiri', '-t'],
])

function uwsgiOf(words: readonly Written[], server: ServerCommand): ProcessFacts {
  const named = valueAfter(words, '--ini') ?? words.find(({ text }) => text.endsWith('.ini'))
  const file = named && server.fileNamed(named.text)
  const options = file ? uwsgiOptions(file) : new Map<string, Written>()
  const get = (name: string) => {
    const short = SHORT.get(name)
    return valueAfter(words, `--${name}`, ...(short === undefined ? [] : [short])) ?? options.get(name)
  }
  return uwsgiFacts(get, { draft: server.draft, version: null, at: words[0]?.spot ?? server.at })
}

function postgresFlags({ command, draft, version, at }: ServerCommand): ServerFlags {
  const get = (name: string): Written | undefined => {
    const found = command.findLast(({ text }) =>
      text
        .replace(/^--|^-c(?=\w)/, '')
        .replaceAll('-', '_')
        .startsWith(`${name}=`),
    )
    return found && { text: found.text.slice(found.text.indexOf('=') + 1).replace(/^["']|["']$/g, ''), spot: found.spot }
  }
  const server = { draft, version, get, at }
  const limits = postgresLimits(server)
  return { product: 'postgresql', ...(limits ? { limits } : {}), concurrency: postgresConnections(server) }
}

function mysqlFlags({ command, image, draft, version, at }: ServerCommand): ServerFlags {
  const get = (name: string): Written | undefined => {
    const found = command.findIndex(
      ({ text }) => text.replace(/^--/, '').replaceAll('-', '_').split('=')[0] === name && text.startsWith('--'),
    )
    const word = command[found]
    if (!word) return undefined
    const equals = word.text.indexOf('=')
    return equals < 0 ? command[found + 1] : { text: word.text.slice(equals + 1), spot: word.spot }
  }
  const facts = mysqlFacts({ draft, system: image.includes('mariadb') ? 'mariadb' : 'mysql', version, get, at })
  return { product: 'mysql', ...facts }
}

function redisFlags({ command, draft, version, at }: ServerCommand): ServerFlags {
  return { product: 'redis', ...redisFacts({ draft, version, get: (name) => valueAfter(command, `--${name}`), at }) }
}

/** The images of PgBouncer take its settings from variables of the same names, some with `PGBOUNCER_` before them. */
function pgbouncerFlags({ environment, draft, version, at }: ServerCommand): ServerFlags {
  const get = (name: string) => environment.get(`PGBOUNCER_${name.toUpperCase()}`) ?? environment.get(name.toUpperCase())
  const host = environment.get('DB_HOST') ?? environment.get('POSTGRESQL_HOST')
  const url = environment.get('DATABASE_URL') ?? environment.get('DATABASE_URLS')
  const port = environment.get('DB_PORT') ?? environment.get('POSTGRESQL_PORT')
  const where = url ?? (host && { text: `${host.text}:${port?.text ?? POSTGRES_PORT}`, spot: host.spot })
  if (!where) return { product: 'pgbouncer' }
  const target = { ...targetOf(where.text, where.spot), kind: 'database' as const }
  const databases = [{ name: '*', spot: where.spot, target, poolSize: undefined, reserve: undefined, mode: undefined, most: undefined }]
  const { concurrency, keepAlive, ...pooler } = pgbouncerFacts({ draft, version, get, at, databases })
  return {
    product: 'pgbouncer',
    pooler,
    ...(concurrency ? { concurrency } : {}),
    ...(keepAlive?.idleMs ? { idleMs: keepAlive.idleMs } : {}),
  }
}

const POSTGRES_PORT = '5432'

function phpFlags({ draft, at }: ServerCommand): ServerFlags {
  const setting = (key: string): Setting => ({ draft, system: 'php-fpm', version: null, key, at })
  const [port, children, each] = ['listen (official image)', 'pm.max_children', 'connections of a child'].map((key) =>
    defaultNumber(setting(key)),
  )
  return {
    ...(children ? { concurrency: children, processes: children } : {}),
    ...(typeof port?.value === 'number' ? { ports: [port.value] } : {}),
    ...(typeof each?.value === 'number' ? { connections: { ...each, value: each.value } } : {}),
  }
}
