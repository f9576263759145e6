import { compareVersions } from '../../model/default-of.js'
import { findProperty } from '../terms/property.js'
import type { Client, LibraryModel } from './library-model.js'
import { type PlainSdk, plainSdk } from './plain-sdk.js'
import { BY_DISPATCHER, BY_RACE, onClient } from './row-parts.js'

const COUCH =
  /^((db\.)?(list|create|destroy|info|compact|replicate|changes)|insert|get|head|bulk|view\w*|find|fetch\w*|search|mango|partitioned\w*|createIndex|auth|session|(attachment|multipart)\.\w+)$/

/** A queue of SQS over a client of its own: the second AWS SDK before a version, with its two minutes, the third from then on, without a limit. */
function queueOfAmazon(id: string, name: string, what: string, third: string): PlainSdk {
  return {
    id,
    packages: [id],
    clients: [{ kind: 'client', on: null, made: [`${name}.create`, name], types: [name], optionsAt: 0, isJudged: true }],
    calls: [],
    what,
    over: 'forever',
    limit: { setting: 'sqs.httpOptions.timeout', kind: 'silence', hasDefault: true },
    replacedBy: ['sqs'],
    // Those of the SDK of AWS that it makes.
    retries: 'unknown',
    remedy: ({ version }) =>
      version !== null && compareVersions(version, third) < 0
        ? 'sqs: new SQS({ httpOptions: { timeout: … } }) (ms)'
        : 'sqs: new SQSClient({ requestHandler: { requestTimeout: …, throwOnRequestTimeout: true } }) (ms)',
  }
}

const rows: readonly PlainSdk[] = [
  {
    id: 'neo4j-driver',
    packages: ['neo4j-driver'],
    clients: [
      { kind: 'driver', on: null, made: ['driver', 'default.driver', 'v1.driver'], types: ['Driver'], optionsAt: -1 },
      { kind: 'session', on: 'driver', made: ['session'], types: ['Session'], optionsAt: -1 },
      { kind: 'transaction', on: 'session', made: ['beginTransaction'], types: ['Transaction', 'ManagedTransaction'], optionsAt: 0 },
      {
        kind: 'transaction',
        on: 'session',
        made: ['executeRead', 'executeWrite', 'readTransaction', 'writeTransaction'],
        handedAs: 0,
        optionsAt: 1,
      },
    ],
    calls: [
      { on: 'session', method: /^run$/, optionsAt: 2 },
      { on: 'session', method: /^(executeRead|executeWrite|readTransaction|writeTransaction)$/, optionsAt: 1 },
      { on: 'transaction', method: /^(run|commit)$/, optionsAt: -1 },
      { on: 'driver', method: /^executeQuery$/, optionsAt: 2 },
    ],
    what: 'the answer of a query',
    over: { '>=4': 'forever' },
    limit: { setting: 'timeout', kind: 'statement' },
    replacedBy: ['transactionConfig'],
    remedy: 'a race with a timer: timeout in the options of a transaction ends it at the server, and nothing ends it here',
  },
  {
    id: 'nano',
    packages: ['nano'],
    clients: [
      { kind: 'client', on: null, made: ['', 'default'], types: ['ServerScope', 'DocumentScope'], optionsAt: 0 },
      { kind: 'client', on: 'client', made: ['use', 'scope', 'db.use', 'db.scope'], optionsAt: -1 },
    ],
    calls: [onClient(COUCH)],
    over: { '>=11': 'fetch' },
    replacedBy: ['agentOptions', 'undiciOptions'],
    remedy: BY_RACE,
  },
  {
    id: 'chromadb',
    packages: ['chromadb'],
    clients: [
      { kind: 'client', on: null, made: ['ChromaClient', 'CloudClient'], types: ['ChromaClient', 'CloudClient'], optionsAt: 0 },
      {
        kind: 'collection',
        on: 'client',
        made: ['getCollection', 'createCollection', 'getOrCreateCollection'],
        types: ['Collection'],
        optionsAt: -1,
      },
    ],
    calls: [
      onClient(/^((get|create|getOrCreate|delete|list|count)Collections?|heartbeat|version|reset)$/),
      { on: 'collection', method: /^(add|upsert|update|modify|query|get|peek|count|delete)$/, optionsAt: -1 },
    ],
    over: { '>=3': 'fetch' },
    replacedBy: ['fetchOptions'],
    remedy: BY_DISPATCHER,
  },
  {
    id: 'libsql',
    packages: ['@libsql/client', '@libsql/client/http', '@libsql/client/web'],
    clients: [{ kind: 'client', on: null, made: ['createClient'], types: ['Client'], optionsAt: 0 }],
    calls: [onClient(/^(execute|executeMultiple|batch|transaction|migrate|sync)$/, -1, { unless: (_, client) => !isRemote(client) })],
    what: 'the answer of a query',
    over: { '>=0.3': 'fetch' },
    replacedBy: ['fetch', 'syncUrl'],
    remedy: 'fetch: (request) => fetch(request, { signal: AbortSignal.timeout(…) }) where the client is made',
  },
  {
    id: 'etcd3',
    packages: ['etcd3'],
    clients: [{ kind: 'client', on: null, made: ['Etcd3'], types: ['Etcd3', 'IKV'], optionsAt: 0 }],
    calls: [
      onClient(
        /^(get\(\)(\.(string|buffer|number|json|exec|exists))?|getAll\(\)(\.\w+\(\))*\.(strings|buffers|numbers|json|keys|count|exec)|put\(\)\.value|put\(\)(\.\w+\(\))*\.exec|delete\(\)\.(key|all|prefix|range|exec)|lock\(\)\.acquire)$/,
      ),
    ],
    over: { '>=1': 'forever' },
    replacedBy: ['defaultCallOptions', 'faultHandling'],
    remedy: 'defaultCallOptions: () => ({ deadline: Date.now() + … })',
  },
  {
    id: 'node-vault',
    packages: ['node-vault'],
    clients: [{ kind: 'client', on: null, made: ['', 'default'], types: ['client'], optionsAt: 0 }],
    calls: [
      onClient(
        /^(read|write|update|list|delete|help|health|status|initialized|unseal|mounts|token[A-Z]\w*|\w+Login|approleLogin|kubernetesLogin|awsIamLogin|(encrypt|decrypt)Data)$/,
      ),
    ],
    over: { '>=0.12': 'forever' },
    limit: { setting: 'requestOptions.timeout', kind: 'silence' },
    replacedBy: ['request-promise', 'rpDefaults'],
    remedy: 'requestOptions: { timeout: … } (ms) where the client is made',
  },
  {
    id: 'consul',
    packages: ['consul'],
    clients: [{ kind: 'client', on: null, made: ['', 'default', 'Consul'], types: ['', 'default', 'Consul'], optionsAt: 0 }],
    calls: [onClient(/^(kv|health|agent|catalog|session|status|event|acl|query)\.(\w+\.)?\w+$/, 0)],
    over: { '>=1': 'forever' },
    limit: { setting: 'timeout', kind: 'total' },
    replacedBy: ['defaults', 'ctx', 'agent'],
    remedy: 'defaults: { timeout: … } (ms) where the client is made',
  },
  {
    id: 'cosmos',
    packages: ['@azure/cosmos'],
    clients: [{ kind: 'client', on: null, made: ['CosmosClient'], types: ['CosmosClient'], optionsAt: 0 }],
    calls: [
      onClient(
        /^database\(\)\.(container\(\)\.)?(items?(\(\))?\.)?(query\(\)\.fetch(All|Next)|readAll\(\)\.fetchAll|create|upsert|read|replace|delete|patch|batch|bulk)$/,
      ),
    ],
    over: { '>=3': 'forever' },
    limit: { setting: 'connectionPolicy.requestTimeout', kind: 'total', hasDefault: true },
    retries: 'unknown',
    remedy: 'connectionPolicy: { requestTimeout: … } (ms) where the client is made',
  },
  {
    id: 'influx',
    packages: ['influx'],
    clients: [{ kind: 'client', on: null, made: ['InfluxDB', 'default.InfluxDB'], types: ['InfluxDB'], optionsAt: 0, isFirstPlain: true }],
    calls: [onClient(/^(query\w*|write(Points|Measurement)|get(Database|Measurement|Users|Series)\w*|create\w+|drop\w+)$/)],
    over: { '>=5': 'forever' },
    limit: { setting: 'pool.requestTimeout', kind: 'silence', hasDefault: true },
    retries: 'unknown',
    remedy: 'pool: { requestTimeout: … } (ms) where the client is made',
  },
  {
    id: 'google-cloud-datastore',
    packages: ['@google-cloud/datastore'],
    clients: [{ kind: 'client', on: null, made: ['Datastore'], types: ['Datastore'], optionsAt: -1 }],
    calls: [onClient(/^(get|save|insert|update|upsert|merge|delete|runQuery|runAggregationQuery|allocateIds)$/, 1)],
    over: { '>=6': 'forever' },
    limit: { setting: 'gaxOptions.timeout', kind: 'total', hasDefault: true },
    limitedBy: ['clientConfig'],
    remedy: '{ gaxOptions: { timeout: … } } (ms) as the second argument of the call',
  },
  queueOfAmazon('sqs-consumer', 'Consumer', 'the answer to each poll', '6'),
  queueOfAmazon('sqs-producer', 'Producer', 'the answer of the queue', '3'),
]

/** What asks a server has a token for it; without one it may be a file beside the program. */
function isRemote(client: Client | null): boolean {
  const options = client?.options
  return options?.kind === 'object' && findProperty(options, 'authToken').value !== null && findProperty(options, 'syncUrl').value === null
}

/** Databases and stores over a protocol of their own or over HTTP. */
export const engineSdkModels: readonly LibraryModel[] = rows.map(plainSdk)
