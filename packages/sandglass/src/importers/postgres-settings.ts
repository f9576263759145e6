import type { LimitMs, ServerLimits, Service } from '../model/chain.js'
import { compareVersions } from '../model/default-of.js'
import type { Sourced, Spot } from '../model/sourced.js'
import { addDead, addNote, type FactsDraft } from './facts.js'
import { countFact, limitFact, type Setting, type Written } from './limit-fact.js'

/** Where the settings of a PostgreSQL server are looked up. */
export interface PostgresServer {
  readonly draft: FactsDraft
  readonly version: string | null
  /** What is written for a setting, by its name in lower case. */
  readonly get: (name: string) => Written | undefined
  /** Where they would stand. */
  readonly at: Spot
}

/** Times that are no limit of a request, and what they are. */
const ELSEWHERE: readonly (readonly [string, string])[] = [
  ['deadlock_timeout', 'says when a deadlock is looked for, not how long a lock is waited for'],
  ['idle_in_transaction_session_timeout', 'ends a session that does nothing inside a transaction, no statement'],
]

function settingOf({ draft, version, at }: PostgresServer, key: string): Setting {
  return { draft, system: 'postgresql', version, key, at }
}

/** The limits that the server sets itself; undefined where nothing is written of them. */
export function postgresLimits(server: PostgresServer): ServerLimits | undefined {
  const limit = (name: string): Sourced<LimitMs> | undefined => {
    const written = server.get(name)
    return written && limitFact({ ...settingOf(server, name), at: written.spot }, written, 'postgres-ms', 'none')
  }
  for (const [name, why] of ELSEWHERE) {
    const written = server.get(name)
    if (written) addNote(server.draft, 'ignored', written.spot, `${name} ${why}`)
  }
  const statementMs = shorter(limit('statement_timeout'), transactionLimit(server))
  const [lockMs, idleMs] = [limit('lock_timeout'), limit('idle_session_timeout')]
  const spot = (statementMs ?? lockMs ?? idleMs)?.origin.spot
  if (!spot) return undefined
  return { spot, ...(statementMs ? { statementMs } : {}), ...(lockMs ? { lockMs } : {}), ...(idleMs ? { idleMs } : {}) }
}

const TRANSACTION_LIMIT_SINCE = '17'

/** `transaction_timeout` ends the statement too; before version 17 the server does not know it. */
function transactionLimit(server: PostgresServer): Sourced<LimitMs> | undefined {
  const written = server.get('transaction_timeout')
  if (!written) return undefined
  const { draft, version } = server
  if (version === null || compareVersions(version, TRANSACTION_LIMIT_SINCE) >= 0)
    return limitFact({ ...settingOf(server, 'transaction_timeout'), at: written.spot }, written, 'postgres-ms', 'none')
  addDead(draft, {
    setting: 'transaction_timeout',
    written: written.text,
    spot: written.spot,
    because: `PostgreSQL ${version} does not know it, and does not start`,
    effective: 'no limit',
  })
  return undefined
}

function shorter(a: Sourced<LimitMs> | undefined, b: Sourced<LimitMs> | undefined): Sourced<LimitMs> | undefined {
  if (typeof a?.value !== 'number' || typeof b?.value !== 'number')
    return typeof b?.value === 'number' && a?.value === 'none' ? b : (a ?? b)
  return a.value <= b.value ? a : b
}

/** How many connections applications get: what is kept for superusers is not theirs. */
export function postgresConnections(server: PostgresServer): NonNullable<Service['concurrency']> {
  const all = countFact(settingOf(server, 'max_connections'), server.get('max_connections'))
  const superusers = countFact(settingOf(server, 'superuser_reserved_connections'), server.get('superuser_reserved_connections'))
  const written = server.get('reserved_connections')
  const reserved = written ? countFact(settingOf(server, 'reserved_connections'), written) : undefined
  const kept = [superusers, reserved].map((each) => each?.value ?? 0)
  const [first = 0, second = 0] = kept
  if (all.value === 'unknown' || first === 'unknown' || second === 'unknown') return { ...all, value: 'unknown' }
  const left = all.value - first - second
  const sum = [
    `max_connections ${all.value}`,
    `superuser_reserved_connections ${first}`,
    ...(second > 0 ? [`reserved_connections ${second}`] : []),
  ]
  return left === all.value || left < 1 ? all : { ...all, value: left, worked: sum.join(' - ') }
}
