import type { LimitState } from '../limits/limit-state.js'
import { homeOf } from '../limits/limits.js'
import type { Phase } from '../limits/reading.js'
import { type Setting, settingIn, settingOf } from '../limits/settings.js'
import type { ScanFinding } from '../scan-finding.js'
import type { Evaluator } from '../terms/evaluator.js'
import { eitherOf, type Term } from '../terms/term.js'
import type { Site } from './library-model.js'
import { optionIn } from './option-in.js'
import { answerPhases, missingLimits, notCancelled, type PostgresPlaces, postgresLimits } from './postgres-limits.js'
import { orSetBySql } from './set-by-sql.js'

/** Which database a mapper talks to: over which driver its limits are set. `local` is a file in this process. */
export type SqlDialect = 'postgres' | 'mysql' | 'local' | 'unknown'

/** The dialect that a setting names: `pg`, `mysql2`, `better-sqlite3`. */
export function dialectOf(setting: Setting): SqlDialect {
  if (setting.state !== 'given' || typeof setting.value !== 'string') return 'unknown'
  const name = setting.value.toLowerCase()
  if (/^(pg|postgres(ql)?|pg-native|pgnative|cockroachdb|redshift|aurora-postgres)$/.test(name)) return 'postgres'
  if (/^(mysql2?|mariadb|aurora-mysql)$/.test(name)) return 'mysql'
  return /sqlite|^sqljs$|^libsql$|^expo$|^pglite$/.test(name) ? 'local' : 'unknown'
}

/** The dialect that some options name, where all that they may be name the same: `pg` here, `postgresql` there. */
export function dialectIn(options: Term | undefined, name: string, evaluator: Evaluator): SqlDialect {
  if (options?.kind === 'either') return agreed(options.of.map((each) => dialectIn(each, name, evaluator)))
  const named = optionIn(options, name, evaluator)
  const all = named?.kind === 'either' && !named.isFallback ? named.of.map((each) => dialectOf(settingOf(each))) : []
  return all.length > 0 ? agreed(all) : dialectOf(settingIn(options, name, evaluator))
}

/** Of options that a condition chooses from, those that ask a server: a file of this process is waited for by nobody. */
export function serversAmong(options: Term | undefined, name: string, evaluator: Evaluator): Term | undefined {
  if (options?.kind !== 'either') return options
  const servers = options.of.filter((each) => dialectIn(each, name, evaluator) !== 'local')
  return servers.length > 0 ? eitherOf(servers, options.isFallback) : options
}

function agreed([first = 'unknown', ...others]: readonly SqlDialect[]): SqlDialect {
  return others.every((each) => each === first) ? first : 'unknown'
}

/** The dialect by the scheme of an address: `postgres://…`. */
export function dialectOfUrl(text: string | null): SqlDialect {
  const scheme = /^([\w+]+):/.exec(text ?? '')?.[1] ?? ''
  return scheme === 'file' ? 'local' : dialectOf({ state: 'given', value: scheme, spot: NOWHERE, isAssumed: false, mayBeReplacedBy: [] })
}

/** Drivers that ask a server, by their packages; `unknown` for those with limits of their own. */
const DRIVERS: Readonly<Record<string, SqlDialect>> = {
  pg: 'postgres',
  mysql: 'mysql',
  mysql2: 'mysql',
  mariadb: 'unknown',
  tedious: 'unknown',
  oracledb: 'unknown',
  ibm_db: 'unknown',
  'snowflake-sdk': 'unknown',
}

/** The dialect of the only driver that a package needs and that asks a server, where nothing else names it. */
export function dialectOfDriver({ client, at, evaluator }: Site): SqlDialect {
  const { file } = (client?.at ?? at).module.source
  const needed = evaluator.project.manifestOf(file)?.dependencies
  const all = Object.entries(DRIVERS).flatMap(([name, dialect]) => (needed?.has(name) ? [dialect] : []))
  return agreed(all)
}

const NOWHERE = { source: { file: '', text: '' }, start: 0, end: 0 }

/** What of a mapper's query its driver limits, and what else is wrong with that. */
export interface DriverAnswer {
  readonly phases: readonly Phase[]
  readonly findings: readonly ScanFinding[]
  readonly remedy: string
}

/** The wait for the answer of a query by the options of the driver under a mapper; `place` is where they stand: `extra: {}`, with the wait for a client where that is set there too. */
export function driverAnswer(here: Site, dialect: SqlDialect, places: PostgresPlaces, place: string, waiting?: LimitState): DriverAnswer {
  if (dialect === 'postgres') {
    const limits = postgresLimits(here, places)
    const connection = waiting ?? limits.connection
    const missing = missingLimits({ ...limits, connection }, waiting !== undefined, true)
    const remedy = place.replace('{}', `{ ${missing ?? 'query_timeout: …, and statement_timeout: … below that (ms)'} }`)
    return { phases: answerPhases(limits), findings: notCancelled(limits), remedy }
  }
  const what = 'the answer of a query'
  if (dialect === 'mysql') {
    const limit = orSetBySql({ state: 'none', name: 'timeout', spot: homeOf(here), isOff: false }, 'max_execution_time', here)
    return {
      phases: [{ what, kind: 'total', limit }],
      findings: [],
      remedy: 'max_execution_time at the server: the driver has no limit for all queries',
    }
  }
  const why = dialect === 'local' ? 'the database is a file of this process' : 'which database it is, is only known at run time'
  return { phases: [{ what, kind: 'total', limit: { state: 'unknown', name: 'timeout', why } }], findings: [], remedy: '' }
}
