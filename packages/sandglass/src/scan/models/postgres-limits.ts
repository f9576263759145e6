import { holds, type Limit, type LimitState } from '../limits/limit-state.js'
import { limitFrom } from '../limits/limits.js'
import type { Phase } from '../limits/reading.js'
import { type Setting, settingIn } from '../limits/settings.js'
import type { ScanFinding } from '../scan-finding.js'
import { secondsText } from '../seconds-text.js'
import type { Term } from '../terms/term.js'
import type { Site } from './library-model.js'
import { orSetBySql } from './set-by-sql.js'
import { addressIn, firstSetting, settingInServerOptions, settingInUrl } from './url-settings.js'

/** What ends a query on `pg`, by its driver's own options: those of a pool, a client, or of what passes them on. */
export interface PostgresLimits {
  /** The wait for a free client and for its connection. */
  readonly connection: LimitState
  /** The client gives up; the server goes on. */
  readonly query: LimitState
  /** The server gives up. */
  readonly statement: LimitState
}

/** Where limits of `pg` may stand. */
export interface PostgresPlaces {
  /** The options of a pool or client, or its address in their place. */
  readonly options: Term | undefined
  /** An address that stands elsewhere. */
  readonly url?: Term | undefined
  /** A query's own config object. */
  readonly ofQuery?: Term | undefined
  /** What the wait before a query is for. Default: a free client of a pool. */
  readonly waitKind?: 'queue' | 'connect'
}

/** Reads the options of `pg`. */
export function postgresLimits(site: Site, places: PostgresPlaces): PostgresLimits {
  const { ofQuery, waitKind = 'queue' } = places
  const within = addressIn(places.options, 'connectionString', site.evaluator)
  const url = places.url ?? within
  const options = places.options === within ? undefined : places.options
  const asked = (name: string) =>
    firstSetting([settingIn(ofQuery, name, site.evaluator), settingInUrl(url, [name]), ownSetting(options, name, site)])
  return {
    connection: limitFrom(ownSetting(options, 'connectionTimeoutMillis', site), site, {
      setting: 'connectionTimeoutMillis',
      kind: waitKind,
      default: ['pg-pool', 'connectionTimeoutMillis'],
    }),
    query: limitFrom(asked('query_timeout'), site, {
      setting: 'query_timeout',
      kind: 'total',
      cancels: false,
      default: ['pg (node)', 'query_timeout'],
    }),
    statement: orSetBySql(
      limitFrom(firstSetting([asked('statement_timeout'), inServerOptions(options, url, site)]), site, {
        setting: 'statement_timeout',
        kind: 'statement',
        default: ['pg (node)', 'statement_timeout'],
      }),
      'statement_timeout',
      site,
    ),
  }
}

function ownSetting(options: Term | undefined, name: string, { evaluator }: Site): Setting {
  return settingIn(options, name, evaluator)
}

function inServerOptions(options: Term | undefined, url: Term | undefined, site: Site): Setting {
  const written = [settingInUrl(url, ['options']), ownSetting(options, 'options', site)]
  return firstSetting(written.map((each) => settingInServerOptions(each, 'statement_timeout')))
}

/** What a query waits for: whichever of the two limits there is, both where there is none. */
export function answerPhases({ query, statement }: PostgresLimits): readonly Phase[] {
  const ofClient: Phase = { what: 'the answer of a query', kind: 'total', limit: query }
  const ofServer: Phase = { what: 'the statement at the server', kind: 'statement', limit: statement }
  if (holds(query)) return [ofClient]
  if (query.state === 'none' && statement.state === 'none') return [ofClient, ofServer]
  return [query.state === 'none' ? ofServer : ofClient]
}

/** What to write for the limits that a call does not have: of the two for the answer either is enough, where one is there. */
export function missingLimits({ connection, query, statement }: PostgresLimits, isWaiting: boolean, isAsking: boolean): string | undefined {
  const waits = isWaiting && connection.state === 'none' ? ['connectionTimeoutMillis: …'] : []
  const asks =
    isAsking && query.state === 'none' && statement.state === 'none' ? ['query_timeout: …', 'statement_timeout: … below that'] : []
  const names = [...waits, ...asks]
  return names.length === 0 ? undefined : `${names.slice(0, -1).join(', ')}${names.length > 1 ? ', and ' : ''}${names.at(-1)} (ms)`
}

/** The client's limit without a shorter one at the server: the statement and its connection stay busy. */
export function notCancelled({ query, statement }: PostgresLimits): readonly ScanFinding[] {
  if (!holds(query) || statement.state === 'unknown') return []
  if (holds(statement) && statement.ms < query.ms) return []
  return [findingOf(query, holds(statement) ? statement : null)]
}

function findingOf(query: Limit, statement: Limit | null): ScanFinding {
  const there = statement ? `; statement_timeout ${secondsText(statement.ms)} comes too late` : ''
  return {
    rule: 'work-not-cancelled',
    severity: 'warning',
    message: `query_timeout gives up after ${secondsText(query.ms)} but does not cancel: the statement and the connection stay busy${there}`,
    why: 'The next caller finds the pool empty while the database works for nobody.',
    spot: query.origin.spot,
    label: 'the client gives up, the server does not',
    values: { queryTimeoutMs: query.ms, statementTimeoutMs: statement?.ms ?? null },
    suggestion: { text: `${statement ? 'set' : 'add'} statement_timeout below ${query.ms}`, edits: [] },
  }
}
