import { settingOfCall } from '../limits/settings.js'
import type { Term } from '../terms/term.js'
import type { Site } from './library-model.js'

/** What asks for an SDK: the `fetch` that the platform has, with its own silence, or something that waits for ever. */
export type Asks = 'fetch' | 'forever'

const WAIT_FOR_EVER = /^(node-fetch|cross-fetch|isomorphic-fetch):(default|fetch)?$/
const OF_PLATFORM = /^(global:fetch|undici:fetch|(isomorphic-unfetch|node-fetch-native):(default|fetch)?)$/

/** What asks by the `fetch` that an SDK is given; null where it is given none, or one that nobody knows. */
export function givenFetch({ options, client, evaluator }: Site, name = 'fetch'): Asks | null {
  const { setting } = settingOfCall(options, client, name, evaluator)
  return setting.state === 'term' && setting.mayBeReplacedBy.length === 0 ? askedBy(setting.term) : null
}

function askedBy(term: Term): Asks | null {
  if (term.kind !== 'external') return null
  const name = `${term.package}:${term.path.join('.')}`
  if (WAIT_FOR_EVER.test(name)) return 'forever'
  return OF_PLATFORM.test(name) ? 'fetch' : null
}
