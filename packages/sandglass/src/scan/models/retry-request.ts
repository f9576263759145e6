import type { Term } from '../terms/term.js'
import { doublingMs } from './attempts-of.js'
import type { LibraryModel, Site } from './library-model.js'
import { plainSdk } from './plain-sdk.js'

/** retry-request over request, which it takes up to version 6 where it is given nothing else; without an answer it asks three times. */
export const retryRequestModel: LibraryModel = plainSdk({
  id: 'retry-request',
  packages: ['retry-request'],
  calls: [{ on: null, method: /^$/, optionsAt: 0 }],
  optionsOf: bothOptions,
  over: { '<7': 'forever' },
  limit: { setting: 'timeout', kind: 'silence' },
  replacedBy: ['request'],
  retries: { settings: ['noResponseRetries'], hasDefault: true, waitMs: (retries) => doublingMs(retries, 2000, 64_000, 1000) },
  remedy: 'timeout: … (ms)',
})

/** `request(options, how, callback)`: what is asked, and how often, as one. */
function bothOptions({ args, at }: Site): Term | undefined {
  const [first, second] = args
  const asked = first && isText(first) ? undefined : first
  const how = second && (args.length > 2 || second.kind === 'object') ? second : undefined
  if (!asked || !how) return asked ?? how
  return { kind: 'object', parts: [asked, how].map((spread) => ({ spread, at })), at }
}

function isText(term: Term): boolean {
  return term.kind === 'constant' || (term.kind === 'made' && term.callee.kind === 'external' && term.callee.package === 'operator')
}
