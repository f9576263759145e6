import { limitOf } from '../limits/limits.js'
import { readingOf } from '../limits/reading.js'
import { attemptsOf, triesOf } from './attempts-of.js'
import { SEARCH_METHOD } from './elasticsearch.js'
import type { LibraryModel } from './library-model.js'

/** The client of OpenSearch: 30 s to the headers of each of four attempts; a body that falls silent is not ended. */
export const opensearchModel: LibraryModel = {
  id: 'opensearch-js',
  packages: ['@opensearch-project/opensearch'],
  clients: [{ kind: 'client', on: null, made: ['Client'], types: ['Client'], optionsAt: 0 }],
  calls: [{ on: 'client', method: SEARCH_METHOD, optionsAt: 1 }],
  read: (site) =>
    readingOf({
      phases: [
        {
          what: 'the answer',
          kind: 'headers',
          limit: limitOf(site, { setting: 'requestTimeout', kind: 'headers', default: ['opensearch-js', 'requestTimeout'] }),
        },
      ],
      ...triesOf(attemptsOf(site, { settings: ['maxRetries'], default: ['opensearch-js', 'maxRetries'], waitMs: () => [0, 0] })),
      remedy: 'requestTimeout: … (ms) and maxRetries: …',
    }),
}
