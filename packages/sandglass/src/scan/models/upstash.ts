import { readingOf } from '../limits/reading.js'
import { signalState } from '../signals/signal-limit.js'
import { findProperty } from '../terms/property.js'
import { attemptsOf, triesOf } from './attempts-of.js'
import { growingMs } from './cloud-sdks.js'
import { silenceOfFetch } from './fetch-phases.js'
import type { LibraryModel, Site } from './library-model.js'

/** Redis of Upstash: requests of the `fetch` of Node, six times; a signal counts where it is a function that makes one for each command. */
export const upstashModel: LibraryModel = {
  id: 'upstash-redis',
  packages: ['@upstash/redis', '@vercel/kv'],
  clients: [{ kind: 'redis', on: null, made: ['Redis', 'Redis.fromEnv', 'createClient'], types: ['Redis', 'VercelKV'], optionsAt: 0 }],
  calls: [
    { on: 'redis', method: /^(?!multi$|pipeline$)[a-z]\w*$|^(multi|pipeline)\(\)(\.\w+\(\))*\.exec$/, optionsAt: -1 },
    { on: null, method: /^kv\.((?!multi$|pipeline$)[a-z]\w*|(multi|pipeline)\(\)(\.\w+\(\))*\.exec)$/, optionsAt: -1 },
  ],
  read: (site) =>
    readingOf({
      overall: signalOf(site),
      phases: [{ what: 'the answer', kind: 'silence', limit: silenceOfFetch(site) }],
      ...triesOf(
        attemptsOf(site, { settings: ['retry.retries', 'retry'], default: ['upstash-redis', 'retry.retries'], waitMs: growingMs }),
      ),
      overAll: 'signal: () => AbortSignal.timeout(…) where the client is made',
      remedy: 'signal: () => AbortSignal.timeout(…) and retry: { retries: … }',
    }),
}

function signalOf(site: Site) {
  const options = site.client?.options
  if (!options || options.kind === 'constant') return signalState(site, null)
  const found = options.kind === 'object' ? findProperty(options, 'signal') : null
  const isAbsent = found !== null && found.value === null && found.mayBeReplacedBy.length === 0
  if (isAbsent) return signalState(site, null)
  if (found?.value?.kind !== 'function') return { state: 'unknown' as const, name: 'signal', why: 'it is made elsewhere' }
  return signalState(site, site.evaluator.called(found.value, [], false, site.at))
}
