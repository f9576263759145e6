import type { LimitMs, ServerLimits, Service } from '../model/chain.js'
import type { Sourced, Spot } from '../model/sourced.js'
import { addDead, addNote, type FactsDraft } from './facts.js'
import { countFact, limitFact, type Setting, type Written } from './limit-fact.js'

/** Where the settings of a MySQL or MariaDB server are looked up. */
export interface MysqlServer {
  readonly draft: FactsDraft
  /** Which of the two it is; null where nothing says so. */
  readonly system: 'mysql' | 'mariadb' | null
  readonly version: string | null
  /** What is written for a variable, by its name with `_`. */
  readonly get: (name: string) => Written | undefined
  readonly at: Spot
}

/** What a server sets itself: limits of its statements and locks, connections, how long idle ones are kept. */
export interface MysqlFacts {
  readonly limits?: ServerLimits
  readonly concurrency: NonNullable<Service['concurrency']>
  readonly idleMs?: Sourced<LimitMs>
}

const ELSEWHERE: readonly (readonly [string, string])[] = [
  ['lock_wait_timeout', 'limits waiting for the lock of a table definition, not of rows'],
  ['net_read_timeout', 'limits the gap between two parts of what a client sends'],
  ['net_write_timeout', 'limits the gap between two parts of what a client takes'],
  ['connect_timeout', 'limits how long the server waits for a client to log in'],
  ['interactive_timeout', 'holds for consoles; programs have wait_timeout'],
]

/** Reads the variables of MySQL (max_execution_time, in ms) and MariaDB (max_statement_time, in seconds). */
export function mysqlFacts(server: MysqlServer): MysqlFacts {
  const { draft, version, at, get } = server
  const setting = (key: string): Setting => ({ draft, system: server.system ?? 'mysql', version, key, at })
  for (const [name, why] of ELSEWHERE) {
    const written = get(name)
    if (written) addNote(draft, 'ignored', written.spot, `${name} ${why}`)
  }
  const statementMs = statementLimit(server)
  const lockMs = limitFact(setting('innodb_lock_wait_timeout'), get('innodb_lock_wait_timeout'), 'int-s')
  const idleMs = limitFact(setting('wait_timeout'), get('wait_timeout'), 'int-s')
  const spot = (statementMs ?? lockMs)?.origin.spot
  return {
    ...(spot ? { limits: { spot, ...(statementMs ? { statementMs } : {}), ...(lockMs ? { lockMs } : {}) } } : {}),
    concurrency: countFact(setting('max_connections'), get('max_connections')),
    ...(idleMs ? { idleMs } : {}),
  }
}

function statementLimit(server: MysqlServer): Sourced<LimitMs> | undefined {
  const { draft, version, at, get, system } = server
  const ofMysql = get('max_execution_time')
  const ofMariadb = get('max_statement_time')
  if (ofMysql && system === 'mariadb') sayForeign(server, 'max_execution_time', ofMysql, 'max_statement_time, in seconds')
  if (ofMariadb && system === 'mysql') sayForeign(server, 'max_statement_time', ofMariadb, 'max_execution_time, in milliseconds')
  if (ofMariadb && system !== 'mysql')
    return limitFact({ draft, system: 'mariadb', version, key: 'max_statement_time', at }, ofMariadb, 'decimal-s', 'none')
  if (!ofMysql || system === 'mariadb') return undefined
  addNote(draft, 'ignored', ofMysql.spot, 'max_execution_time ends SELECT statements alone; what writes goes on')
  return limitFact({ draft, system: 'mysql', version, key: 'max_execution_time', at }, ofMysql, 'int-ms', 'none')
}

function sayForeign({ draft, system }: MysqlServer, name: string, written: Written, instead: string): void {
  addDead(draft, {
    setting: name,
    written: written.text,
    spot: written.spot,
    because: `${system === 'mysql' ? 'MySQL' : 'MariaDB'} does not know it, and does not start; it has ${instead}`,
    effective: 'no limit of a statement',
  })
}
