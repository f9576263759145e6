import type { LimitMs } from '../model/chain.js'
import type { Sourced, Spot } from '../model/sourced.js'
import { addNote, type FactsDraft, type HopFact, type OperationFact, type ServiceFact, type Target } from './facts.js'
import { countFact, defaultText, limitFact, type Setting, type Written } from './limit-fact.js'
import { nameOf } from './target.js'

/** One line of `[databases]`: the name clients ask for (`*`: any), and where it is. */
export interface PooledDatabase {
  readonly name: string
  readonly spot: Spot
  readonly target: Target
  readonly poolSize: Written | undefined
  readonly reserve: Written | undefined
  readonly mode: Written | undefined
  /** Of all users together. */
  readonly most: Written | undefined
}

/** Where the settings of a PgBouncer are looked up. */
export interface PgbouncerServer {
  readonly draft: FactsDraft
  readonly version: string | null
  readonly get: (name: string) => Written | undefined
  readonly at: Spot
  readonly databases: readonly PooledDatabase[]
}

const ELSEWHERE: readonly (readonly [string, string])[] = [
  ['idle_transaction_timeout', 'ends a client that does nothing inside a transaction, no statement'],
  ['server_lifetime', 'says when a connection is replaced after its use'],
  ['client_login_timeout', 'limits logging in'],
  ['reserve_pool_timeout', 'says from when on the reserve of a pool is used'],
]

/** A connection pooler: what applications are let in, and the pools it has to the database, one for each user and database. */
export function pgbouncerFacts(server: PgbouncerServer): Pick<ServiceFact, 'concurrency' | 'keepAlive' | 'pools' | 'operations'> {
  const { draft, version, get, at, databases } = server
  const setting = (key: string): Setting => ({ draft, system: 'pgbouncer', version, key, at })
  for (const [name, why] of ELSEWHERE) {
    const written = get(name)
    if (written) addNote(draft, 'ignored', written.spot, `${name} ${why}`)
  }
  const limit = (key: string): Sourced<LimitMs> | undefined => limitFact(setting(key), get(key), 'decimal-s', 'none')
  const pooled = databases.map((database) => ({ database, size: sizeOf(server, database, setting) }))
  const idleMs = limit('client_idle_timeout')
  const operations = pooled.map(
    ({ database, size }): OperationFact => ({
      name: database.name === '*' ? 'query' : `query-${nameOf(database.name)}`,
      spot: database.spot,
      path: database.name === '*' ? null : `/${database.name}`,
      hops: [hopOf(database, size, limit)],
    }),
  )
  const pools = new Map(
    pooled.flatMap(({ database, size }) =>
      typeof size.value === 'number' ? [[poolName(database), { ...size, value: size.value }] as const] : [],
    ),
  )
  return {
    concurrency: clientsOf(server, pooled, setting),
    ...(idleMs && idleMs.value !== 'none' ? { keepAlive: { spot: idleMs.origin.spot, idleMs } } : {}),
    ...(pools.size > 0 ? { pools } : {}),
    operations,
  }
}

type SettingOf = (key: string) => Setting
type Size = Sourced<number | 'unknown'>

interface Pooled {
  readonly database: PooledDatabase
  readonly size: Size
}

function poolName({ name }: PooledDatabase): string {
  return name === '*' ? 'default' : nameOf(name)
}

/** Connections to the database for one user, and no more than all users of it may have. */
function sizeOf(server: PgbouncerServer, database: PooledDatabase, setting: SettingOf): Size {
  const size = userSizeOf(server, database, setting)
  const most = countFact(setting('max_db_connections'), database.most ?? server.get('max_db_connections'))
  if (typeof most.value !== 'number' || most.value === 0 || typeof size.value !== 'number' || most.value >= size.value) return size
  return { ...most, worked: `a pool of ${size.value}, max_db_connections ${most.value}` }
}

/** `pool_size` of its line or the default, and the reserve. */
function userSizeOf({ get }: PgbouncerServer, { poolSize, reserve }: PooledDatabase, setting: SettingOf): Size {
  const size = countFact(
    { ...setting('default_pool_size'), shown: poolSize ? 'pool_size' : 'default_pool_size' },
    poolSize ?? get('default_pool_size'),
  )
  const more = countFact(setting('reserve_pool_size'), reserve ?? get('reserve_pool_size'))
  if (size.value === 'unknown' || more.value === 'unknown') return { ...size, value: 'unknown' }
  return more.value === 0 ? size : { ...size, value: size.value + more.value, worked: `${size.value} + ${more.value} in reserve` }
}

function hopOf(database: PooledDatabase, size: Size, limit: (key: string) => Sourced<LimitMs> | undefined): HopFact {
  const [connectMs, statementMs, wait, idle] = [
    limit('server_connect_timeout'),
    limit('query_timeout'),
    limit('query_wait_timeout'),
    limit('server_idle_timeout'),
  ]
  return {
    spot: database.spot,
    target: database.target,
    fields: {
      ...(connectMs ? { connectMs } : {}),
      ...(statementMs && statementMs.value !== 'none' ? { attemptMs: statementMs } : {}),
      ...(idle ? { keepAliveMs: idle } : {}),
      ...(wait ? { queue: { spot: wait.origin.spot, totalMs: wait } } : {}),
      ...(typeof size.value === 'number' ? { pool: { value: poolName(database), origin: size.origin } } : {}),
    },
    remarks: ['One pool for each user and database: with several users there are as many.'],
  }
}

/** Pooling sessions, a client keeps its connection until it leaves: no more are served than there are connections. */
function clientsOf(server: PgbouncerServer, pooled: readonly Pooled[], setting: SettingOf): Size {
  const clients = countFact(setting('max_client_conn'), server.get('max_client_conn'))
  const mode = ({ database }: Pooled) =>
    (database.mode ?? server.get('pool_mode'))?.text.toLowerCase() ?? defaultText(setting('pool_mode')).value
  if (pooled.length === 0 || pooled.some((each) => mode(each) !== 'session')) return clients
  const served = pooled.reduce<number | 'unknown'>(
    (sum, { size }) => (sum === 'unknown' || size.value === 'unknown' ? 'unknown' : sum + size.value),
    0,
  )
  const [first] = pooled
  if (served === 'unknown' || clients.value === 'unknown' || served >= clients.value || !first) return clients
  const sum = pooled.map(({ database, size }) => `pool ${poolName(database)} ${size.value}`).join(' + ')
  return { value: served, origin: first.size.origin, worked: `${sum}, pool_mode session: a client keeps its connection until it leaves` }
}
