import type { LibraryModel } from '../library-model.js'
import { limitOf } from '../limits.js'
import { readingOf } from '../reading.js'
import { settingOfCall } from '../settings.js'
import { signalIn } from '../signal-in.js'
import { attemptsOf, triesOf } from './attempts-of.js'

/** The client of Elasticsearch: 30 s up to version 8, no limit from 9 on; its own timeouts are repeated only where that is said. */
export const elasticsearchModel: LibraryModel = {
  id: 'elasticsearch-js',
  packages: ['@elastic/elasticsearch'],
  clients: [{ kind: 'client', on: null, made: ['Client'], types: ['Client'], optionsAt: 0 }],
  calls: [
    {
      on: 'client',
      method:
        /^(search|index|get|create|update|delete|bulk|count|exists|mget|msearch|scroll|reindex|deleteByQuery|updateByQuery|ping|info|(cat|cluster|indices|ingest|ml|nodes|snapshot|sql|tasks|security)\.\w+)$/,
      optionsAt: 1,
    },
  ],
  read: (site) => {
    const repeats = settingOfCall(site.options, site.client, 'retryOnTimeout', site.evaluator).setting
    const isRepeated = repeats.state === 'given' && repeats.value === true
    return readingOf({
      overall: signalIn(site, site.options),
      attempt: null,
      phases: [
        {
          what: 'the answer',
          kind: 'total',
          limit: limitOf(site, { setting: 'requestTimeout', kind: 'total', default: ['elasticsearch-js', 'requestTimeout'] }),
        },
      ],
      ...triesOf(
        isRepeated
          ? attemptsOf(site, { settings: ['maxRetries'], default: ['elasticsearch-js', 'maxRetries'], waitMs: () => [0, 0] })
          : null,
      ),
      remedy: 'requestTimeout: … (ms)',
    })
  },
}
