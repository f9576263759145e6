import { holds, type LimitState } from '../limits/limit-state.js'
import { homeOf, limitFrom, limitOf } from '../limits/limits.js'
import { type Phase, type Reading, readingOf } from '../limits/reading.js'
import { settingIn, settingOfCall } from '../limits/settings.js'
import type { ScanFinding } from '../scan-finding.js'
import type { Term } from '../terms/term.js'
import type { LibraryModel, Site } from './library-model.js'
import { rootClient } from './root-client.js'
import { orSetBySql } from './set-by-sql.js'
import { addressIn, writtenUrl } from './url-settings.js'

/** What differs between the two drivers of MySQL. */
interface Driver {
  readonly id: string
  readonly packages: readonly string[]
  /** As the defaults table calls it. */
  readonly system: string
  /** What `timeout` of a query limits. */
  readonly kind: 'total' | 'silence'
  /** Options of pools that do nothing in it. */
  readonly ignored: readonly string[]
}

/** mysql2: a query has a limit only where it brings its own; nothing limits the wait for a connection of a pool. */
export const mysql2Model: LibraryModel = modelOf({
  id: 'mysql2',
  packages: ['mysql2', 'mysql2/promise', 'mysql2/promise.js'],
  system: 'mysql2',
  kind: 'total',
  ignored: ['acquireTimeout', 'timeout'],
})

/** mysql: as mysql2, but its `timeout` is the silence between two packets. */
export const mysqlModel: LibraryModel = modelOf({ id: 'mysql', packages: ['mysql'], system: 'mysql (node)', kind: 'silence', ignored: [] })

function modelOf(driver: Driver): LibraryModel {
  return {
    id: driver.id,
    packages: driver.packages,
    clients: [
      { kind: 'pool', on: null, made: ['createPool'], types: ['Pool'], optionsAt: 0, isJudged: true },
      {
        kind: 'connection',
        on: null,
        made: ['createConnection'],
        types: ['Connection', 'PoolConnection'],
        optionsAt: 0,
        isJudged: true,
      },
      { kind: 'pool', on: 'pool', made: ['promise'], optionsAt: -1 },
      { kind: 'connection', on: 'connection', made: ['promise'], optionsAt: -1 },
      { kind: 'connection', on: 'pool', made: ['getConnection'], optionsAt: -1 },
      { kind: 'connection', on: 'pool', made: ['getConnection'], handedAs: 1, optionsAt: -1 },
    ],
    calls: ['pool', 'connection'].map((on) => ({ on, method: /^(query|execute)$/, optionsAt: 0 })),
    read: (site) => read(site, driver),
    targetOf: ({ client, evaluator }) => {
      const options = rootClient(client)?.options
      const host = settingIn(options, 'host', evaluator)
      const url = writtenUrl(addressIn(options, 'uri', evaluator))?.text
      return url ?? (host.state === 'given' && typeof host.value === 'string' ? host.value : null)
    },
  }
}

function read(site: Site, driver: Driver): Reading {
  const here = { ...site, client: rootClient(site.client) }
  const { system, kind } = driver
  const ofQuery = settingIn(configOf(site.options), 'timeout', site.evaluator)
  const own = limitFrom(ofQuery, here, { setting: 'timeout', kind, default: [system, 'query timeout'] })
  const answer = orSetBySql(own, 'max_execution_time', here)
  const isPooled = here.client?.kind === 'pool' && site.client?.kind === 'pool'
  return readingOf({
    phases: [...(isPooled ? connecting(here, answer, system) : []), { what: 'the answer of a query', kind, limit: answer }],
    findings: ignoredOptions(here, driver),
    remedy: isPooled
      ? 'query({ sql, timeout: … (ms) }) in each query: the pool has no such option, and connections come free as those queries end; queueLimit: … refuses what would wait behind too many'
      : 'query({ sql, timeout: … (ms) }) in each query: the connection has no such option',
  })
}

/** `query({ sql, timeout })`; anything else that is not written as an object is the text of a query. */
function configOf(first: Term | undefined): Term | undefined {
  return first?.kind === 'object' ? first : undefined
}

/** The wait for a connection: without a limit where all are busy, which is only said where nothing ends the queries they are busy with. */
function connecting(here: Site, answer: LimitState, system: string): readonly Phase[] {
  const connect = limitOf(
    { ...here, options: undefined },
    { setting: 'connectTimeout', kind: 'connect', default: [system, 'connectTimeout'] },
  )
  if (answer.state !== 'none') return holds(connect) ? [{ what: 'the connection', kind: 'connect', limit: connect }] : []
  const { setting } = settingOfCall(undefined, here.client, 'waitForConnections', here.evaluator)
  if (setting.state === 'given' && setting.value === false) return []
  return [{ what: 'a free connection', kind: 'queue', limit: { state: 'none', name: 'queueLimit', spot: homeOf(here), isOff: false } }]
}

function ignoredOptions({ client, evaluator, version }: Site, { id, ignored }: Driver): readonly ScanFinding[] {
  return ignored.flatMap((name): ScanFinding[] => {
    const given = settingIn(client?.options, name, evaluator)
    if (given.state !== 'given' || typeof given.value !== 'number') return []
    return [
      {
        rule: 'ignored-option',
        severity: 'warning',
        message: `${id}${version === null ? '' : ` ${version}`} ignores ${name} where a ${client?.kind} is made: ${given.value} has no effect`,
        why: 'The limit looks as if it were there, and nothing ends the wait.',
        spot: given.spot,
        label: 'has no effect',
        values: { [`${name}Ms`]: given.value },
        suggestion: { text: 'set a limit in each query: query({ sql, timeout: … (ms) })', edits: [] },
      },
    ]
  })
}
