import { compareVersions } from '../../model/default-of.js'
import { holds } from '../limits/limit-state.js'
import { limitOf } from '../limits/limits.js'
import { readingOf } from '../limits/reading.js'
import { settingOfCall } from '../limits/settings.js'
import { signalIn } from '../signals/signal-in.js'
import { attemptsOf, doublingMs, triesOf } from './attempts-of.js'
import type { LibraryModel, Site } from './library-model.js'

/** What is asked of a search server; those that forked from Elasticsearch kept its names. */
export const SEARCH_METHOD: RegExp =
  /^(search|index|get|create|update|delete|bulk|count|exists|mget|msearch|scroll|reindex|deleteByQuery|updateByQuery|ping|info|(cat|cluster|indices|ingest|ml|nodes|snapshot|sql|tasks|security)\.\w+)$/

const AT_BODY = 'where the body falls silent'

/** The transport that asks: from this version on headers that are late are not asked for again, unless it is told to, which the client never does. */
const GIVES_UP_SINCE = '8.6'

/** Version 7 has a transport of its own. */
const IN_ONE_GIVES_UP_SINCE = '7.17.14'

function repeatsTimeouts(site: Site): boolean {
  const { at, client, evaluator } = site
  if (isInOne(site)) {
    const told = settingOfCall(undefined, client, 'retryOnTimeout', evaluator).setting.state !== 'absent'
    return told || compareVersions(site.version, IN_ONE_GIVES_UP_SINCE) < 0
  }
  const version = evaluator.project.versionOf('@elastic/transport', (client?.at ?? at).module.source.file)
  return version !== null && compareVersions(version, GIVES_UP_SINCE) < 0
}

/** Its limit is over at the headers. */
function isInOne<T extends { readonly version: string | null }>(site: T): site is T & { readonly version: string } {
  return site.version !== null && compareVersions(site.version, '8') < 0
}

/**
 * The client of Elasticsearch: 30 s of silence up to 8.19.1, ten minutes in 8.19.2, no limit from 9 on. A body that falls silent is asked for again; a limit of one
 * call is over at the headers, and so is every limit before 8.
 */
export const elasticsearchModel: LibraryModel = {
  id: 'elasticsearch-js',
  packages: ['@elastic/elasticsearch'],
  clients: [{ kind: 'client', on: null, made: ['Client'], types: ['Client'], optionsAt: 0 }],
  calls: [{ on: 'client', method: SEARCH_METHOD, optionsAt: 1 }],
  read: (site) => {
    const own = limitOf({ ...site, client: null }, { setting: 'requestTimeout', kind: 'headers' })
    const kind = isInOne(site) ? 'headers' : 'silence'
    const limit = holds(own) ? own : limitOf(site, { setting: 'requestTimeout', kind, default: ['elasticsearch-js', 'requestTimeout'] })
    const repeats = repeatsTimeouts(site)
    const attempts = attemptsOf(site, {
      settings: ['maxRetries'],
      default: ['elasticsearch-js', 'maxRetries'],
      waitMs: (retries) => [0, doublingMs(retries, 2000, 4000)[1]],
    })
    return readingOf({
      overall: signalIn(site, site.options),
      phases: [{ what: 'the answer', kind, limit }],
      ...triesOf(
        repeats || attempts === 'unknown' || !attempts
          ? attempts
          : kind === 'headers' || holds(own)
            ? null
            : { ...attempts, when: AT_BODY },
      ),
      remedy: 'requestTimeout: … (ms)',
    })
  },
}
