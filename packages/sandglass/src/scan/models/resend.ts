import { readingOf } from '../limits/reading.js'
import { silenceOfFetch } from './fetch-phases.js'
import type { LibraryModel } from './library-model.js'

/** Resend: requests of the `fetch` of Node, once each, and nothing to limit them with. */
export const resendModel: LibraryModel = {
  id: 'resend',
  packages: ['resend'],
  clients: [{ kind: 'client', on: null, made: ['', 'Resend'], types: ['Resend'], optionsAt: 1, isFirstPlain: true }],
  calls: [{ on: 'client', method: /^\w+(\.\w+)?\.(send|create|update|remove|get|list|verify|cancel)$/, optionsAt: -1 }],
  read: (site) =>
    readingOf({
      phases: [{ what: 'the answer', kind: 'silence', limit: silenceOfFetch(site) }],
      remedy: 'a race with a timer, or setGlobalDispatcher(new Agent({ headersTimeout: …, bodyTimeout: … })) of undici (ms)',
    }),
}
