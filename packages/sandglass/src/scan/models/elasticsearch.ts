import { compareVersions } from '../../model/default-of.js'
import { holds } from '../limits/limit-state.js'
import { limitOf } from '../limits/limits.js'
import { readingOf } from '../limits/reading.js'
import { signalIn } from '../signals/signal-in.js'
import { attemptsOf, doublingMs, triesOf } from './attempts-of.js'
import type { LibraryModel, Site } from './library-model.js'

/** What is asked of a search server; those that forked from Elasticsearch kept its names. */
export const SEARCH_METHOD: RegExp =
  /^(search|index|get|create|update|delete|bulk|count|exists|mget|msearch|scroll|reindex|deleteByQuery|updateByQuery|ping|info|(cat|cluster|indices|ingest|ml|nodes|snapshot|sql|tasks|security)\.\w+)$/

const AT_BODY = 'where the body falls silent'

/** The transport that asks: from this version on headers that are late are not asked for again, unless it is told to, which the client never does. */
const GIVES_UP_SINCE = '8.6'

function repeatsTimeouts({ at, client, evaluator }: Site): boolean {
  const version = evaluator.project.versionOf('@elastic/transport', (client?.at ?? at).module.source.file)
  return version !== null && compareVersions(version, GIVES_UP_SINCE) < 0
}

/**
 * The client of Elasticsearch: 30 s of silence up to 8.19.1, ten minutes in 8.19.2, no limit from 9 on. A body that falls silent is asked for again; a limit of one
 * call is over at the headers.
 */
export const elasticsearchModel: LibraryModel = {
  id: 'elasticsearch-js',
  packages: ['@elastic/elasticsearch'],
  clients: [{ kind: 'client', on: null, made: ['Client'], types: ['Client'], optionsAt: 0 }],
  calls: [{ on: 'client', method: SEARCH_METHOD, optionsAt: 1 }],
  read: (site) => {
    const own = limitOf({ ...site, client: null }, { setting: 'requestTimeout', kind: 'headers' })
    const limit = holds(own)
      ? own
      : limitOf(site, { setting: 'requestTimeout', kind: 'silence', default: ['elasticsearch-js', 'requestTimeout'] })
    const repeats = repeatsTimeouts(site)
    const attempts = attemptsOf(site, {
      settings: ['maxRetries'],
      default: ['elasticsearch-js', 'maxRetries'],
      waitMs: (retries) => [0, doublingMs(retries, 2000, 4000)[1]],
    })
    return readingOf({
      overall: signalIn(site, site.options),
      phases: [{ what: 'the answer', kind: 'silence', limit }],
      ...triesOf(repeats || attempts === 'unknown' || !attempts ? attempts : holds(own) ? null : { ...attempts, when: AT_BODY }),
      remedy: 'requestTimeout: … (ms)',
    })
  },
}
