import { type Reading, readingOf } from '../limits/reading.js'
import type { LibraryModel, Site } from './library-model.js'
import { answerPhases, missingLimits, notCancelled, postgresLimits } from './postgres-limits.js'
import { rootClient } from './root-client.js'
import { addressIn, writtenUrl } from './url-settings.js'

/** pg-promise: a database object over a pool of pg, with the options of that. */
export const pgPromiseModel: LibraryModel = {
  id: 'pg-promise',
  packages: ['pg-promise'],
  clients: [
    { kind: 'database', on: null, made: ['()'], types: ['IDatabase', 'IMain'], optionsAt: 0, isJudged: true },
    ...['tx', 'task', 'taskIf', 'txIf'].map((made) => ({ kind: 'database', on: 'database', made: [made], handedAs: 0, optionsAt: -1 })),
  ],
  calls: [
    {
      on: 'database',
      method: /^(any|one|none|many|oneOrNone|manyOrNone|result|multi|multiResult|query|func|proc|map|each)$/,
      optionsAt: -1,
    },
  ],
  read,
  targetOf: ({ client, evaluator }) => writtenUrl(addressIn(rootClient(client)?.options, 'connectionString', evaluator))?.text ?? null,
}

function read(site: Site): Reading {
  const root = rootClient(site.client)
  const limits = postgresLimits({ ...site, client: root }, { options: root?.options })
  return readingOf({
    phases: [{ what: 'a free client', kind: 'queue', limit: limits.connection }, ...answerPhases(limits)],
    findings: notCancelled(limits),
    missing: missingLimits(limits, true, true),
    remedy: 'connectionTimeoutMillis: …, query_timeout: …, and statement_timeout: … below that (ms)',
  })
}
