import type { LibraryModel } from './library-model.js'
import { type PlainStore, plainStore } from './plain-store.js'

const mariadb: PlainStore = {
  id: 'mariadb (node)',
  packages: ['mariadb', 'mariadb/callback'],
  clients: [
    { kind: 'pool', on: null, made: ['createPool'], types: ['Pool'], optionsAt: 0, isJudged: true },
    { kind: 'connection', on: null, made: ['createConnection'], types: ['Connection', 'PoolConnection'], optionsAt: 0, isJudged: true },
    { kind: 'connection', on: 'pool', made: ['getConnection'], optionsAt: -1 },
  ],
  calls: ['pool', 'connection'].map((on) => ({ on, method: /^(query|execute|batch)$/, optionsAt: 0 })),
  waits: [
    {
      what: 'a free connection',
      kind: 'queue',
      at: ['pool'],
      limits: [{ settings: ['acquireTimeout'], kind: 'queue', default: 'acquireTimeout' }],
    },
    {
      what: 'the answer of a query',
      kind: 'silence',
      limits: [
        { settings: ['socketTimeout'], kind: 'silence', default: 'socketTimeout' },
        { settings: ['queryTimeout'], ofCall: 'timeout', kind: 'statement', default: 'queryTimeout' },
      ],
    },
  ],
  remedy: 'socketTimeout: …, and queryTimeout: … below that (ms)',
}

const mssql: PlainStore = {
  id: 'mssql',
  packages: ['mssql', 'mssql/msnodesqlv8'],
  clients: [
    { kind: 'pool', on: null, made: ['connect', 'ConnectionPool'], types: ['ConnectionPool'], optionsAt: 0, isJudged: true },
    { kind: 'pool', on: 'pool', made: ['connect'], optionsAt: -1 },
  ],
  calls: [{ on: 'pool', method: /^(query|batch|request\(\)(\.\w+\(\))*\.(query|execute|batch|bulk))$/, optionsAt: -1 }],
  waits: [
    {
      what: 'a free connection',
      kind: 'queue',
      limits: [{ settings: ['pool.acquireTimeoutMillis'], kind: 'queue', default: 'pool.acquireTimeoutMillis' }],
    },
    {
      what: 'the answer of a query',
      kind: 'total',
      limits: [{ settings: ['options.requestTimeout', 'requestTimeout', 'timeout'], kind: 'total', default: 'requestTimeout' }],
    },
  ],
  remedy: 'requestTimeout: … (ms)',
}

function ldap(id: string, made: string): PlainStore {
  return {
    id,
    packages: [id],
    clients: [{ kind: 'client', on: null, made: [made], types: ['Client'], optionsAt: 0 }],
    calls: [{ on: 'client', method: /^(bind|search|searchPaginated|add|modify|modifyDN|del|compare|exop|startTLS)$/, optionsAt: -1 }],
    waits: [
      { what: 'the connection', kind: 'connect', limits: [{ settings: ['connectTimeout'], kind: 'connect', default: 'connectTimeout' }] },
      { what: 'the answer of the directory', kind: 'total', limits: [{ settings: ['timeout'], kind: 'total', default: 'timeout' }] },
    ],
    remedy: 'connectTimeout: … and timeout: … (ms)',
  }
}

const basicFtp: PlainStore = {
  id: 'basic-ftp',
  packages: ['basic-ftp'],
  clients: [{ kind: 'client', on: null, made: ['Client'], types: ['Client'], optionsAt: 0 }],
  calls: [
    {
      on: 'client',
      method:
        /^(access|list|cd|pwd|size|rename|remove|lastMod|send|uploadFrom|appendFrom|downloadTo|ensureDir|removeDir|clearWorkingDir|uploadFromDir|downloadToDir)$/,
      optionsAt: -1,
    },
  ],
  waits: [{ what: 'the answer of the server', kind: 'silence', limits: [{ settings: [''], kind: 'silence', default: 'timeout' }] }],
  remedy: 'new Client(… (ms))',
}

const minio: PlainStore = {
  id: 'minio',
  packages: ['minio'],
  clients: [{ kind: 'client', on: null, made: ['Client'], types: ['Client'], optionsAt: 0 }],
  calls: [
    {
      on: 'client',
      method:
        /^((get|put|stat|copy|compose|remove|fGet|fPut|getPartial)Object|removeObjects|listBuckets|bucketExists|(make|remove)Bucket|(get|set|remove)(Bucket|Object)\w+)$/,
      optionsAt: -1,
    },
  ],
  waits: [{ what: 'the answer', kind: 'silence', limits: [{ settings: [], kind: 'silence' }] }],
  others: ['transport', 'transportAgent'],
  remedy: 'a race with a timer: the client has no option for it',
}

const amqpManager: PlainStore = {
  id: 'amqp-connection-manager',
  packages: ['amqp-connection-manager'],
  clients: [
    { kind: 'manager', on: null, made: ['connect'], types: ['AmqpConnectionManager'], optionsAt: -1 },
    { kind: 'channel', on: 'manager', made: ['createChannel'], optionsAt: 0 },
  ],
  calls: [
    { on: 'channel', method: /^publish$/, optionsAt: 3 },
    { on: 'channel', method: /^sendToQueue$/, optionsAt: 2 },
  ],
  waits: [
    {
      what: 'the broker to take a message',
      kind: 'total',
      limits: [{ settings: ['publishTimeout'], ofCall: 'timeout', kind: 'total', default: 'publishTimeout' }],
    },
  ],
  remedy: 'createChannel({ publishTimeout: … (ms) })',
}

/** Stores, directories and queues of which nothing has to be known but where their limits stand. */
export const storeModels: readonly LibraryModel[] = [
  mariadb,
  mssql,
  ldap('ldapts', 'Client'),
  ldap('ldapjs', 'createClient'),
  basicFtp,
  minio,
  amqpManager,
].map(plainStore)
