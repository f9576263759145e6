import { compareVersions } from '../../model/default-of.js'
import { settingIn } from '../limits/settings.js'
import type { LibraryModel, Site } from './library-model.js'
import { type PlainSdk, plainSdk, type SdkLimit } from './plain-sdk.js'
import { BY_RACE, onClient } from './row-parts.js'

const rows: readonly PlainSdk[] = [
  {
    id: 'replicate',
    packages: ['replicate'],
    clients: [{ kind: 'client', on: null, made: ['', 'Replicate'], types: ['', 'Replicate'], optionsAt: 0 }],
    calls: [
      onClient(/^(run|stream|request)$/, 1),
      onClient(/^(predictions|trainings)\.create$/, 0),
      onClient(/^(deployments\.predictions\.create|deployments\.\w+|models\.(versions\.)?\w+|collections\.\w+|hardware\.\w+)$/),
      onClient(/^(predictions|trainings)\.(get|cancel|list)$/),
    ],
    over: 'fetch',
    signal: 'signal',
    replacedBy: ['fetch'],
    retries: 'unknown',
    remedy: 'signal: AbortSignal.timeout(…), or fetch: (url, init) => fetch(url, { …init, signal: AbortSignal.timeout(…) })',
  },
  {
    id: 'cohere-ai',
    packages: ['cohere-ai'],
    clients: [
      { kind: 'client', on: null, made: ['CohereClient', 'CohereClientV2'], types: ['CohereClient', 'CohereClientV2'], optionsAt: 0 },
    ],
    calls: [onClient(/^(v2\.)?(chat|chatStream|generate|generateStream|embed|rerank|classify|summarize|tokenize|detokenize)$/, 1)],
    over: { '>=7': 'forever' },
    limit: { setting: 'timeoutInSeconds', kind: 'headers', unitMs: 1000, hasDefault: true },
    signal: 'abortSignal',
    remedy: 'timeoutInSeconds: … (s) among the options of a call',
  },
  {
    id: 'tavily',
    packages: ['@tavily/core'],
    clients: [{ kind: 'client', on: null, made: ['tavily'], types: ['TavilyClient'], optionsAt: -1 }],
    calls: [onClient(/^search(QNA|Context)?$/, 1)],
    over: 'forever',
    limit: { setting: 'timeout', kind: 'silence', unitMs: 1000, hasDefault: true },
    remedy: 'timeout: … (s)',
  },
  {
    id: 'typesense',
    packages: ['typesense'],
    clients: [{ kind: 'client', on: null, made: ['Client', 'SearchClient'], types: ['Client'], optionsAt: 0 }],
    calls: [
      onClient(
        /^(collections|aliases|keys|operations|health|metrics|debug|multiSearch|stopwords|presets|analytics)(\(\))?(\.\w+(\(\))?)*\.(search|create|upsert|update|delete|retrieve|import|export|perform)$/,
      ),
    ],
    over: 'forever',
    limit: { setting: 'connectionTimeoutSeconds', kind: 'silence', unitMs: 1000, hasDefault: true },
    retries: 'unknown',
    remedy: 'connectionTimeoutSeconds: … (s) where the client is made',
  },
  {
    id: 'contentful',
    packages: ['contentful'],
    clients: [{ kind: 'client', on: null, made: ['createClient'], optionsAt: 0 }],
    calls: [onClient(/^(with\w+\.)*(get[A-Z]\w*|sync)$/)],
    over: 'forever',
    limit: { setting: 'timeout', kind: 'silence', hasDefault: true },
    retries: 'unknown',
    remedy: 'timeout: … (ms) and retryLimit: … where the client is made',
  },
  {
    id: 'sanity',
    packages: ['@sanity/client', 'next-sanity'],
    clients: [
      { kind: 'client', on: null, made: ['', 'createClient', 'SanityClient'], types: ['SanityClient'], optionsAt: 0 },
      { kind: 'client', on: 'client', made: ['withConfig', 'clone'], optionsAt: 0 },
    ],
    calls: [
      onClient(/^fetch$/, 2),
      onClient(/^(getDocument|getDocuments|create|createOrReplace|createIfNotExists|delete|mutate)$/, 1),
      onClient(/^(patch|transaction)\(\)(\.\w+\(\))*\.commit$/, 0),
    ],
    over: 'forever',
    limit: { setting: 'timeout', kind: 'headers', hasDefault: true },
    signal: 'signal',
    retries: 'unknown',
    remedy: 'timeout: … (ms) where the client is made',
  },
  {
    id: 'influxdb-client',
    packages: ['@influxdata/influxdb-client'],
    clients: [
      { kind: 'client', on: null, made: ['InfluxDB'], types: ['InfluxDB'], optionsAt: 0, isFirstPlain: true },
      { kind: 'api', on: 'client', made: ['getQueryApi', 'getWriteApi'], types: ['QueryApi', 'WriteApi'], optionsAt: -1 },
    ],
    calls: [{ on: 'api', method: /^(collectRows|collectLines|queryRaw|flush|close)$/, optionsAt: -1 }],
    over: 'forever',
    limit: { setting: 'timeout', kind: 'silence', hasDefault: true },
    retries: 'unknown',
    remedy: 'timeout: … (ms) where the client is made',
  },
  {
    id: 'dockerode',
    packages: ['dockerode'],
    clients: [
      { kind: 'client', on: null, made: ['', 'Docker'], types: ['', 'Docker'], optionsAt: 0 },
      {
        kind: 'part',
        on: 'client',
        made: /^get(Container|Image|Volume|Network|Service|Node|Task|Secret|Config|Exec|Plugin)$/,
        optionsAt: -1,
      },
    ],
    calls: [
      { on: 'client', method: /^(list\w+|create(?!Image)\w+|info|version|ping|df|prune\w+|searchImages|checkAuth)$/, optionsAt: 0 },
      { on: 'client', method: /^createImage$/, optionsAt: 1 },
      {
        on: 'part',
        method: /^(inspect|start|stop|kill|restart|remove|rename|update|pause|unpause|top|stats|tag|history|connect|disconnect)$/,
        optionsAt: 0,
      },
    ],
    over: 'forever',
    limit: { setting: 'timeout', kind: 'headers' },
    signal: 'abortSignal',
    // A callback may stand in the place of the options.
    optionsOf: ({ options }) => (options?.kind === 'function' ? undefined : options),
    replacedBy: ['agent', 'connectionTimeout'],
    remedy: ({ version }) =>
      version !== null && compareVersions(version, '3.3.0') < 0
        ? 'timeout: … (ms) where the client is made, which ends wait, attach and logs as well'
        : 'abortSignal: AbortSignal.timeout(…) in each call; a timeout where the client is made would end wait, attach and logs as well',
  },
  {
    id: 'aws-sdk',
    packages: ['aws-sdk', 'aws-sdk/clients/*'],
    clients: [
      {
        kind: 'client',
        on: null,
        made: /^(?!(\w*Credentials|Config|Endpoint|Service|HttpRequest|HttpClient|Request|AWS|Signers|default)(\.|$))([A-Z]\w*(\.DocumentClient)?|DocumentClient|)$/,
        optionsAt: 0,
      },
    ],
    calls: [onClient(/^[a-z]\w*\(\)\.promise$/)],
    over: 'forever',
    limit: { setting: 'httpOptions.timeout', kind: 'silence', hasDefault: true },
    setBy: [{ call: 'config.update', option: 'httpOptions' }],
    retries: 'unknown',
    remedy: 'httpOptions: { timeout: … } (ms) and maxRetries: … where the client is made',
  },
  {
    id: 'google-cloud-storage',
    packages: ['@google-cloud/storage'],
    clients: [
      { kind: 'client', on: null, made: ['Storage'], types: ['Storage'], optionsAt: 0 },
      { kind: 'bucket', on: 'client', made: ['bucket'], types: ['Bucket'], optionsAt: -1 },
      { kind: 'file', on: 'bucket', made: ['file'], types: ['File'], optionsAt: -1 },
    ],
    calls: [
      onClient(/^(getBuckets|createBucket|getServiceAccount)$/),
      { on: 'bucket', method: /^(exists|getFiles|deleteFiles|getMetadata|setMetadata|create|delete|get)$/, optionsAt: -1 },
      { on: 'bucket', method: /^upload$/, optionsAt: 1 },
      {
        on: 'file',
        method: /^(exists|getMetadata|setMetadata|delete|get|makePublic|makePrivate|isPublic|download|copy|move|rename)$/,
        optionsAt: -1,
      },
      { on: 'file', method: /^save$/, optionsAt: 1 },
    ],
    optionsOf: ({ options, version }) => (version === null || compareVersions(version, '7') < 0 ? options : undefined),
    over: 'forever',
    limit: limitOfStorage,
    retries: 'unknown',
    remedy: (site) => `${SENDS.test(site.method) ? 'resumable: false in the call, and ' : ''}${REMEDY_OF_STORAGE}`,
  },
  {
    id: 'growthbook',
    packages: ['@growthbook/growthbook'],
    clients: [
      { kind: 'client', on: null, made: ['GrowthBook', 'GrowthBookClient'], types: ['GrowthBook', 'GrowthBookClient'], optionsAt: -1 },
    ],
    calls: [onClient(/^(init|loadFeatures|refreshFeatures)$/, 0)],
    over: 'fetch',
    limit: { setting: 'timeout', kind: 'total' },
    replacedBy: ['payload'],
    setBy: [{ call: 'setPolyfills', option: 'fetch' }],
    remedy: 'init({ timeout: … }) or loadFeatures({ timeout: … }) (ms): the client does not take it',
  },
  {
    id: 'express-http-proxy',
    packages: ['express-http-proxy'],
    calls: [{ on: null, method: /^$/, optionsAt: 1 }],
    over: 'forever',
    limit: { setting: 'timeout', kind: 'headers' },
    replacedBy: ['proxyReqOptDecorator'],
    remedy: 'timeout: … (ms)',
  },
]

const SENDS = /^(save|upload)$/
const REMEDY_OF_STORAGE = 'timeout: … (ms) and retryOptions: { autoRetry: false } where the client is made'

/** What is sent has no default, and no limit at all where it may be resumed, which is what holds unless it is switched off. */
function limitOfStorage({ method, args, evaluator }: Site): SdkLimit | null {
  // A body that is late is left alone where it is handed on as a stream.
  if (!SENDS.test(method)) return { setting: 'timeout', kind: method === 'download' ? 'headers' : 'total', hasDefault: true }
  const resumable = settingIn(args[1], 'resumable', evaluator)
  const isResumed = resumable.state === 'absent' || (resumable.state === 'given' && resumable.value !== false)
  return isResumed ? null : { setting: 'timeout', kind: 'total' }
}

const pubsub = plainSdk({
  id: 'google-cloud-pubsub',
  packages: ['@google-cloud/pubsub'],
  clients: [
    { kind: 'client', on: null, made: ['PubSub'], types: ['PubSub'], optionsAt: -1 },
    { kind: 'topic', on: 'client', made: ['topic'], types: ['Topic'], optionsAt: 1, isFirstPlain: true },
  ],
  calls: [
    { on: 'topic', method: /^(publish|publishMessage|publishJSON)$/, optionsAt: -1 },
    onClient(/^auth\.(getAccessToken|getProjectId|getCredentials|getUniverseDomain)$/),
  ],
  over: 'forever',
  setBy: ['setPublishOptions'],
  limit: ({ client }) =>
    client?.kind === 'topic' ? { setting: 'gaxOpts.timeout', kind: 'total', hasDefault: true } : { setting: 'timeout', kind: 'total' },
  remedy: ({ client }) =>
    client?.kind === 'topic' ? 'topic(…, { gaxOpts: { timeout: … } }) (ms), or topic.setPublishOptions with them' : BY_RACE,
})

/** What is published has its limits at its topic, whoever made the client that the topic is of. */
const pubsubModel: LibraryModel = { ...pubsub, read: (site) => pubsub.read(topicAlone(site)) }

function topicAlone(site: Site): Site {
  const { client } = site
  const isMade = client?.kind === 'topic' && client.options?.kind !== 'unknown'
  return isMade ? { ...site, client: { ...client, parent: null } } : site
}

/** What asks for contents, models, files and data. */
export const dataSdkModels: readonly LibraryModel[] = [...rows.map(plainSdk), pubsubModel]
