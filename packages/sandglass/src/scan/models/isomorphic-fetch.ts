import { crossFetchModel } from './cross-fetch.js'
import { fetchModel } from './fetch.js'
import type { LibraryModel } from './library-model.js'

/** isomorphic-fetch: what it gives under a name is node-fetch 2 in Node, whatever `fetch` there is. */
export const isomorphicFetchModel: LibraryModel = { ...crossFetchModel, id: 'isomorphic-fetch', packages: ['isomorphic-fetch'] }

/** What hands on the `fetch` that Node has. */
export const platformFetchModels: readonly LibraryModel[] = ['isomorphic-unfetch', 'node-fetch-native'].map((id) => ({
  ...fetchModel,
  id,
  packages: [id],
  calls: [{ on: null, method: /^(default|fetch|)$/, optionsAt: 1 }],
  asksByFetch: true,
}))
