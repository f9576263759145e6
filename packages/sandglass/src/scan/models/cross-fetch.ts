import type { LibraryModel } from './library-model.js'
import { nodeFetchModel } from './node-fetch.js'

/** What cross-fetch 3 and 4 ask with in Node. */
const NODE_FETCH = '2.7.0'

/** cross-fetch: node-fetch 2 in Node, with its `timeout`. */
export const crossFetchModel: LibraryModel = {
  ...nodeFetchModel,
  id: 'cross-fetch',
  packages: ['cross-fetch'],
  asksByFetch: true,
  calls: [{ on: null, method: /^(default|fetch|)$/, optionsAt: 1 }],
  read: (site) => nodeFetchModel.read({ ...site, version: NODE_FETCH }),
}
