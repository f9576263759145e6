import { compareVersions } from '../../model/default-of.js'
import type { LibraryModel, Site } from './library-model.js'
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
  remedy: overRedis,
}

const gridFsStorage: PlainStore = {
  id: 'multer-gridfs-storage',
  packages: ['multer-gridfs-storage'],
  clients: [{ kind: 'store', on: null, made: ['', 'GridFsStorage'], types: ['GridFsStorage'], optionsAt: 0, isJudged: true }],
  calls: [],
  waits: [
    {
      what: 'each answer of MongoDB while a file is kept',
      kind: 'silence',
      limits: [
        { settings: ['options.socketTimeoutMS'], kind: 'silence' },
        { settings: ['options.timeoutMS'], kind: 'total' },
      ],
    },
  ],
  others: ['db', 'client'],
  addressAt: 'url',
  remedy: 'options: { socketTimeoutMS: … } (ms)',
}

const redisPubSub: PlainStore = {
  id: 'graphql-redis-subscriptions',
  packages: ['graphql-redis-subscriptions'],
  clients: [{ kind: 'store', on: null, made: ['RedisPubSub'], types: ['RedisPubSub'], optionsAt: 0, isJudged: true }],
  calls: [],
  waits: [
    {
      what: 'the answer of Redis to what is published',
      kind: 'total',
      limits: [
        { settings: ['connection.commandTimeout'], kind: 'total' },
        { settings: ['connection.socketTimeout'], kind: 'silence' },
      ],
    },
  ],
  others: ['publisher'],
  remedy: 'connection: { commandTimeout: … } (ms)',
}

/** Version 3 is over ioredis, 4 over redis 4, which has no limit of a command. */
function overRedis({ version }: Site): string {
  if (version !== null && compareVersions(version, '4') < 0) return 'commandTimeout: … (ms)'
  if (version !== null && compareVersions(version, '5') < 0) return 'a race with a timer: socketTimeout came with version 5'
  return `socket: { socketTimeout: … } (ms)${version === null ? ', from version 5 on' : ''}`
}

/** Where sessions and caches are kept, over a client that the store makes itself. */
export const sessionStoreModels: readonly LibraryModel[] = [connectMongo, keyvRedis, gridFsStorage, redisPubSub].map(plainStore)
