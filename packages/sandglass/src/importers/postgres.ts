import type { ServerLimits } from '../model/chain.js'
import type { Source, Spot } from '../model/sourced.js'
import { addNote, type FactsDraft, type Importer, newFacts, type OperationFact, type Surroundings } from './facts.js'
import type { Written } from './limit-fact.js'
import { includedByPostgres, readPostgresConf } from './postgres-conf.js'
import { type PostgresOverride, readOverrides } from './postgres-overrides.js'
import { type PostgresServer, postgresConnections, postgresLimits } from './postgres-settings.js'
import { nameOf } from './target.js'
import { withoutTemplateEnding } from './template-ending.js'
import { withoutTemplates } from './templates.js'

const TOLD = /^[ \t]*(shared_buffers|effective_cache_size|wal_level|max_wal_size|listen_addresses|work_mem|statement_timeout)\b/im
const ALTERS =
  /\bALTER\s+(ROLE|USER|DATABASE|SYSTEM)\b[^;]{0,300}\bSET\s+(statement_timeout|lock_timeout|transaction_timeout|idle_session_timeout|max_connections)\b/i

/** `postgresql.conf` with what it includes, and the `ALTER ROLE … SET` of small scripts. */
export const postgres: Importer = {
  format: 'postgresql',
  accepts: ({ file, text }) => (isScript(file) ? hasOverrides({ file, text }) : isConf(withoutTemplateEnding(file), text)),
  read(sources, surroundings) {
    const draft = newFacts()
    const included = new Set(sources.filter(({ file }) => !isScript(file)).flatMap((source) => includedByPostgres(source, surroundings)))
    const roots = sources.filter((source) => !included.has(source))
    const servers = new Map<string, Source[]>()
    for (const root of roots) {
      const name = serverOf(root, roots, surroundings)
      servers.set(name, [...(servers.get(name) ?? []), root])
    }
    for (const [name, files] of servers) readServer(name, files, surroundings, draft)
    return draft
  },
}

function hasOverrides(source: Source): boolean {
  return ALTERS.test(source.text) && readOverrides(source).some(({ name }) => LIMITS.has(name) || name === 'max_connections')
}

function isScript(file: string): boolean {
  return file.endsWith('.sql')
}

function isConf(file: string, text: string): boolean {
  if (!file.endsWith('.conf') || /^[ \t]*(\[|backend_hostname)|[{};][ \t]*$/m.test(withoutTemplates(text))) return false
  return /(^|\/)postgresql[\w.-]*\.conf$/.test(file) || TOLD.test(text)
}

/** The service a file belongs to; one that belongs to none is of the only server there is. */
function serverOf(root: Source, roots: readonly Source[], { ownerOf }: Surroundings): string {
  const confs = roots.filter(({ file }) => !isScript(file))
  const folders = new Set(confs.filter(({ file }) => ownerOf(file) === null).map(folderOf))
  const nameOfConf = (conf: Source) => ownerOf(conf.file)?.name ?? (folders.size === 1 ? 'postgres' : nameOf(`postgres-${folderOf(conf)}`))
  if (!isScript(root.file)) return nameOfConf(root)
  const [only = 'postgres', ...others] = new Set(confs.map(nameOfConf))
  return ownerOf(root.file)?.name ?? (others.length === 0 ? only : 'postgres')
}

function folderOf({ file }: Source): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/')))
}

/** `postgresql.auto.conf`, which ALTER SYSTEM writes, is read last by the server. */
function rank({ file }: Source): number {
  return isScript(file) ? 2 : file.endsWith('auto.conf') ? 1 : 0
}

function readServer(name: string, files: readonly Source[], surroundings: Surroundings, draft: FactsDraft): void {
  const sorted = files.toSorted((a, b) => rank(a) - rank(b))
  const [first] = sorted
  if (!first) return
  const settings = new Map<string, Written>()
  for (const file of sorted.filter((each) => !isScript(each.file)))
    for (const [key, written] of readPostgresConf(file, surroundings, draft)) settings.set(key, written)
  const overrides = sorted.filter(({ file }) => isScript(file)).flatMap((file) => readOverrides(file))
  for (const { role, database, name: key, value } of overrides) if (role === null && database === null) settings.set(key, value)
  const owner = surroundings.ownerOf(first.file)
  const at = { source: first, start: 0, end: 1 }
  const server = { draft, version: owner?.version ?? null, get: (key: string) => settings.get(key), at }
  const port = settings.get('port')?.text ?? ''
  draft.services.push({
    name,
    spot: at,
    kind: 'database',
    product: 'postgresql',
    hosts: [],
    ports: [/^\d{1,5}$/.test(port) ? Number(port) : Number(STANDARD_PORT)],
    intercepts: [],
    ...(owner ? {} : { anywhere: true as const }),
    ...(rank(first) < 2 ? { concurrency: postgresConnections(server) } : {}),
    operations: operationsOf(server, overrides),
  })
}

const STANDARD_PORT = '5432'

/** One operation for all, and one for each role and database that have limits of their own. */
function operationsOf(server: PostgresServer, overrides: readonly PostgresOverride[]): readonly OperationFact[] {
  const own = overrides.filter(({ role, database, name }) => (role !== null || database !== null) && LIMITS.has(name))
  const databases = [null, ...new Set(own.flatMap(({ database }) => database ?? []))]
  const roles = [null, ...new Set(own.flatMap(({ role }) => role ?? []))]
  const operations: OperationFact[] = []
  for (const database of databases)
    for (const role of roles) {
      const mine = own.filter(
        (each) => (each.role === null || each.role === role) && (each.database === null || each.database === database),
      )
      const isSpecial =
        mine.some((each) => each.role === role && each.database === database) || (database !== null && role !== null && isBoth(mine))
      if ((database !== null || role !== null) && !isSpecial) continue
      operations.push(operationFor(server, database, role, mine))
    }
  for (const { role, value } of own.filter((each) => each.role !== null))
    addNote(server.draft, 'ignored', value.spot, `holds for sessions of role ${role}: for calls whose address names that user`)
  return operations
}

const LIMITS = new Set(['statement_timeout', 'lock_timeout', 'transaction_timeout', 'idle_session_timeout'])

/** A role and a database that both set something: a session of that role there has a mixture of its own. */
function isBoth(mine: readonly PostgresOverride[]): boolean {
  return (
    mine.some(({ role, database }) => role !== null && database === null) &&
    mine.some(({ role, database }) => role === null && database !== null)
  )
}

function operationFor(
  server: PostgresServer,
  database: string | null,
  role: string | null,
  mine: readonly PostgresOverride[],
): OperationFact {
  // What is closer holds: the server's file, the database, the role, the role in that database.
  const closeness = ({ role: of, database: where }: PostgresOverride) => (of === null ? 0 : 1) * 2 + (where === null ? 0 : 1)
  const ranked = mine.toSorted((a, b) => closeness(a) - closeness(b))
  const get = (name: string) => ranked.findLast((each) => each.name === name)?.value ?? server.get(name)
  const limits: ServerLimits | undefined = postgresLimits({ ...server, get })
  const spot: Spot = ranked.at(-1)?.value.spot ?? limits?.spot ?? server.at
  return {
    name: ['query', ...(database === null ? [] : [nameOf(database)]), ...(role === null ? [] : [`as-${nameOf(role)}`])].join('-'),
    spot,
    path: database === null ? null : `/${database}`,
    ...(role === null ? {} : { user: role }),
    hops: [],
    ...(limits ? { limits } : {}),
  }
}
