import type { BoundKind } from '@sandglass/runtime/core'
import type { LibraryModel, Site } from '../library-model.js'
import type { LimitState } from '../limit-state.js'
import { defaultLimit } from '../limits.js'
import { readingOf } from '../reading.js'
import { signalIn } from '../signal-in.js'
import { firstText } from '../target-text.js'

/** `fetch` as Node has it. */
export const fetchModel: LibraryModel = {
  id: 'fetch',
  packages: ['global'],
  clients: [],
  calls: [{ on: null, method: /^fetch$/, optionsAt: 1 }],
  read: (site) =>
    readingOf({
      overall: signalIn(site, site.options),
      phases: [
        { what: 'the connection', kind: 'connect', limit: limit(site, 'connect timeout', 'connect') },
        { what: 'the headers', kind: 'headers', limit: limit(site, 'headersTimeout', 'headers') },
        { what: 'each part of the body', kind: 'silence', limit: limit(site, 'bodyTimeout', 'silence') },
      ],
      remedy: 'signal: AbortSignal.timeout(…)',
    }),
  targetOf: ({ args }) => firstText(args[0]),
}

function limit(site: Site, setting: string, kind: BoundKind): LimitState {
  return defaultLimit(site, { setting, kind, default: ['node fetch', setting] })
}
