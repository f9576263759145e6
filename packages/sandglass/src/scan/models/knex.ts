import { holds, type LimitState } from '../limits/limit-state.js'
import { limitFrom, limitOf } from '../limits/limits.js'
import { type Phase, type Reading, readingOf } from '../limits/reading.js'
import { type Setting, settingIn, settingOf } from '../limits/settings.js'
import type { ScanFinding } from '../scan-finding.js'
import { secondsText } from '../seconds-text.js'
import type { Following, LibraryModel, Site } from './library-model.js'
import { optionIn } from './option-in.js'
import { postgresLimits } from './postgres-limits.js'
import { isQueryPart } from './query-part.js'
import { rootClient } from './root-client.js'
import { dialectIn, driverAnswer } from './sql-dialect.js'
import { isAddress, writtenUrl } from './url-settings.js'

const STARTS =
  /^(select|from|into|insert|table|raw|with|withRecursive|withSchema|first|count|countDistinct|max|min|sum|avg|distinct|distinctOn|update|del|delete|truncate|batchInsert|queryBuilder|where)?$/

/** knex: it limits the wait for a connection, 60 s by default; a query ends by its own `.timeout(ms)` or by the driver's options. */
export const knexModel: LibraryModel = {
  id: 'knex',
  packages: ['knex'],
  clients: [
    { kind: 'knex', on: null, made: ['', 'knex', 'Knex'], types: ['Knex', 'Knex.Transaction'], optionsAt: 0, isJudged: true },
    { kind: 'knex', on: 'knex', made: ['transaction'], optionsAt: -1 },
    { kind: 'knex', on: 'knex', made: ['transaction'], handedAs: 0, optionsAt: -1 },
  ],
  calls: [{ on: 'knex', method: STARTS, optionsAt: -1, unless: isQueryPart }],
  read,
  targetOf: ({ client, evaluator }) => {
    const options = rootClient(client)?.options
    const connection = optionIn(options, 'connection', evaluator)
    const host = settingIn(connection, 'host', evaluator)
    return writtenUrl(connection)?.text ?? (host.state === 'given' && typeof host.value === 'string' ? host.value : null)
  },
}

function read(site: Site): Reading {
  const root = rootClient(site.client)
  const here = { ...site, client: root, options: undefined }
  const acquire: Phase = { what: 'a free connection', kind: 'queue', limit: acquireLimit(here) }
  const isAddressAlone = root?.options !== undefined && isAddress(root.options)
  const connection = isAddressAlone ? root.options : optionIn(root?.options, 'connection', site.evaluator)
  const dialect = dialectIn(root?.options, 'client', site.evaluator)
  const timeout = site.followedBy.find(({ name }) => name === 'timeout')
  if (timeout) {
    const setting: Setting = timeout.args[0] ? settingOf(timeout.args[0]) : { state: 'absent' }
    const limit = limitFrom(setting, here, { setting: 'timeout', kind: 'total', cancels: cancels(timeout, site) })
    const statement = dialect === 'mysql' ? null : postgresLimits(here, { options: connection }).statement
    const findings = isEndedAtServer(limit, statement) ? [] : notCancelled(limit, timeout, site)
    return readingOf({ phases: [acquire, { what: ANSWER, kind: 'total', limit }], findings, remedy: '.timeout(…, { cancel: true }) (ms)' })
  }
  const { phases, findings } = driverAnswer(here, dialect, { options: connection }, 'connection: {}')
  return readingOf({
    phases: [acquire, ...phases],
    findings,
    // The drivers of MySQL have no option that ends a query.
    remedy: `.timeout(…, { cancel: true }) (ms) in each query${dialect === 'mysql' ? '' : ', or the limits of the driver in connection'}`,
  })
}

const ANSWER = 'the answer of a query'

/** True where the server ends the statement by then, or may. */
function isEndedAtServer(limit: LimitState, statement: LimitState | null): boolean {
  if (statement === null || !holds(limit)) return false
  return statement.state === 'unknown' || (holds(statement) && statement.ms <= limit.ms)
}

/** Of two names for it the smaller one wins. */
function acquireLimit(here: Site): LimitState {
  const reading = { setting: 'acquireConnectionTimeout', kind: 'queue', default: ['knex', 'acquireConnectionTimeout'] } as const
  const own = limitOf(here, reading)
  const inPool = limitOf(here, { setting: 'pool.acquireTimeoutMillis', kind: 'queue' })
  if (!holds(inPool)) return own
  return holds(own) && own.state === 'written' && own.ms < inPool.ms ? own : inPool
}

function cancels({ args: [, options] }: Following, { evaluator }: Site): boolean {
  const cancel = settingIn(options, 'cancel', evaluator)
  return cancel.state === 'unknown' || (cancel.state === 'given' && cancel.value === true)
}

function notCancelled(limit: LimitState, timeout: Following, site: Site): readonly ScanFinding[] {
  if (!holds(limit) || limit.cancels) return []
  return [
    {
      rule: 'work-not-cancelled',
      severity: 'warning',
      message: `timeout(${limit.ms}) gives up after ${secondsText(limit.ms)} but does not cancel: the statement works on at the server`,
      why: 'The connection is thrown away when it comes back, and the database works for nobody until then.',
      spot: { ...limit.origin.spot, source: site.at.module.source, start: timeout.at.node.start, end: timeout.at.node.end },
      label: 'the client gives up, the server does not',
      values: { timeoutMs: limit.ms },
      suggestion: { text: `write timeout(${limit.ms}, { cancel: true }), which PostgreSQL and MySQL know`, edits: [] },
    },
  ]
}
