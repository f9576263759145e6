import { type Reading, readingOf } from '../limits/reading.js'
import { settingIn } from '../limits/settings.js'
import type { Term } from '../terms/term.js'
import type { LibraryModel, Site } from './library-model.js'
import { answerPhases, missingLimits, notCancelled, postgresLimits } from './postgres-limits.js'
import { rootClient } from './root-client.js'
import { addressIn, writtenUrl } from './url-settings.js'

/** pg and pg-pool: no limit by default; one for the wait, one that the client keeps, one that the server keeps. */
export const pgModel: LibraryModel = {
  id: 'pg',
  packages: ['pg', 'pg-pool'],
  clients: [
    { kind: 'pool', on: null, made: ['', 'Pool', 'native.Pool'], types: ['Pool'], optionsAt: 0, isJudged: true },
    {
      kind: 'client',
      on: null,
      made: ['Client', 'native.Client'],
      types: ['Client', 'PoolClient', 'ClientBase'],
      optionsAt: 0,
      isJudged: true,
    },
    { kind: 'client', on: 'pool', made: ['connect'], optionsAt: -1 },
    { kind: 'client', on: 'pool', made: ['connect'], handedAs: 1, optionsAt: -1 },
  ],
  calls: [
    { on: 'pool', method: /^(query|connect)$/, optionsAt: 0 },
    { on: 'client', method: /^(query|connect)$/, optionsAt: 0 },
  ],
  read,
  targetOf: ({ client, evaluator }) => {
    const options = rootClient(client)?.options
    const host = settingIn(options, 'host', evaluator)
    return (
      writtenUrl(addressIn(options, 'connectionString', evaluator))?.text ??
      (host.state === 'given' && typeof host.value === 'string' ? host.value : null)
    )
  },
}

function read(site: Site): Reading {
  const { client, method } = site
  const isPool = client?.kind === 'pool'
  const root = rootClient(client)
  const limits = postgresLimits(
    { ...site, client: root },
    { options: root?.options, ofQuery: configOf(site.options), waitKind: isPool ? 'queue' : 'connect' },
  )
  const isWaiting = isPool || method !== 'query'
  const what = isPool ? 'a free client' : 'the connection'
  const waiting = isWaiting ? [{ what, kind: isPool ? ('queue' as const) : ('connect' as const), limit: limits.connection }] : []
  const isAsking = method !== 'connect'
  return readingOf({
    phases: [...waiting, ...(isAsking ? answerPhases(limits) : [])],
    findings: isAsking ? notCancelled(limits) : [],
    missing: missingLimits(limits, isWaiting, isAsking),
    remedy: 'connectionTimeoutMillis: …, query_timeout: …, and statement_timeout: … below that (ms)',
  })
}

/** `query({ text, query_timeout })`; anything else that is not written as an object is the text of a query. */
function configOf(first: Term | undefined): Term | undefined {
  return first?.kind === 'object' ? first : undefined
}
