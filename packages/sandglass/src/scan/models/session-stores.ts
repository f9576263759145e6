import type { LibraryModel } from './library-model.js'
import { type PlainStore, plainStore } from './plain-store.js'

const connectMongo: PlainStore = {
  id: 'connect-mongo',
  packages: ['connect-mongo'],
  clients: [
    {
      kind: 'store',
      on: null,
      made: ['', 'create', 'MongoStore', 'MongoStore.create'],
      types: ['MongoStore'],
      optionsAt: 0,
      isJudged: true,
    },
  ],
  calls: [],
  waits: [
    {
      what: 'the answer of a query',
      kind: 'silence',
      limits: [
        { settings: ['mongoOptions.socketTimeoutMS'], kind: 'silence' },
        { settings: ['mongoOptions.timeoutMS'], kind: 'total' },
      ],
    },
  ],
  others: ['client', 'clientPromise', 'mongooseConnection'],
  addressAt: 'mongoUrl',
  remedy: 'mongoOptions: { socketTimeoutMS: … } (ms)',
}

const keyvRedis: PlainStore = {
  id: 'keyv-redis',
  packages: ['@keyv/redis'],
  clients: [{ kind: 'store', on: null, made: ['', 'KeyvRedis', 'createKeyv'], types: ['KeyvRedis'], optionsAt: 0, isJudged: true }],
  calls: [],
  waits: [
    {
      what: 'the answer of a command',
      kind: 'total',
      limits: [
        { settings: ['commandOptions.timeout'], kind: 'total' },
        { settings: ['socket.socketTimeout'], kind: 'silence' },
        { settings: ['commandTimeout'], kind: 'total' },
      ],
    },
  ],
  remedy: 'socket: { socketTimeout: … } (ms)',
}

/** Where sessions and caches are kept, over a client that the store makes itself. */
export const sessionStoreModels: readonly LibraryModel[] = [connectMongo, keyvRedis].map(plainStore)
