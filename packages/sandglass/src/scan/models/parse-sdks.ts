import type { LibraryModel } from './library-model.js'
import { type PlainSdk, plainSdk } from './plain-sdk.js'

const rows: readonly PlainSdk[] = [
  {
    id: 'parse-server',
    packages: ['parse-server'],
    clients: [
      {
        kind: 'server',
        on: null,
        made: /^(default\.)?(ParseServer)?(\.?startApp)?$/,
        types: ['ParseServer'],
        optionsAt: 0,
        isJudged: true,
      },
    ],
    calls: [],
    what: 'the answer of the database',
    over: { '>=5': 'forever' },
    limit: { setting: 'databaseOptions.socketTimeoutMS', kind: 'silence' },
    replacedBy: ['databaseAdapter', 'databaseOptions.maxTimeMS', 'databaseOptions.timeoutMS'],
    remedy: 'databaseOptions: { socketTimeoutMS: … } (ms)',
  },
  {
    id: 'parse-s3-adapter',
    packages: ['@parse/s3-files-adapter'],
    clients: [{ kind: 'adapter', on: null, made: ['', 'default', 'S3Adapter'], optionsAt: 0, isJudged: true }],
    calls: [],
    // A bucket may stand before the options.
    optionsOf: ({ client }) => client?.args.findLast(({ kind }) => kind !== 'constant'),
    what: 'the answer of S3',
    over: { '>=4': 'forever' },
    replacedBy: ['s3overrides.requestHandler'],
    remedy: 's3overrides: { requestHandler: { requestTimeout: …, throwOnRequestTimeout: true } } (ms)',
  },
]

/** Parse, with the database and the files behind it. */
export const parseSdkModels: readonly LibraryModel[] = rows.map(plainSdk)
