import type { LibraryModel } from './library-model.js'
import { nodeHttpModel } from './node-http.js'

/** `http` and `https` of follow-redirects hand on the timeout event of Node's requests, and end no more than those. */
export const followRedirectsModel: LibraryModel = {
  ...nodeHttpModel,
  id: 'follow-redirects',
  packages: ['follow-redirects'],
  calls: [{ on: null, method: /^https?\.(request|get)$/, optionsAt: -1 }],
}
