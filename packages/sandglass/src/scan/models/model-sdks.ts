import type { CallShape, LibraryModel } from './library-model.js'
import { type PlainSdk, plainSdk } from './plain-sdk.js'

const FETCH = 'fetch: (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(…) }) where the client is made'

/** What Speakeasy generates: every method is a part of an API, with a timeout of its own after what it asks for. */
const speakeasy = (id: string, name: string, client: string): PlainSdk => ({
  id,
  packages: [name],
  clients: [{ kind: 'client', on: null, made: [client], types: [client], optionsAt: 0 }],
  calls: [{ on: 'client', method: /^[a-z]\w*(\.[a-z]\w*)+$/, optionsAt: 1 }],
  over: 'fetch',
  limit: { setting: 'timeoutMs', kind: 'total' },
  signal: 'fetchOptions.signal',
  replacedBy: ['httpClient'],
  retries: { settings: ['retries', 'retryConfig'], waitMs: () => [0, 0] },
  remedy: 'timeoutMs: … (ms)',
})

const ASKS_MODEL =
  /^((withStructuredOutput|bindTools|withConfig)\(\)\.)*(invoke|stream|batch|embedQuery|embedDocuments|generate|predict|call)$/

/** Models of LangChain, which hands a timeout to what asks, and tries again by itself. */
const langchain = (id: string, name: string, models: readonly string[], over: PlainSdk['over']): PlainSdk => ({
  id,
  packages: [name],
  clients: [{ kind: 'model', on: null, made: models, types: models, optionsAt: 0 }],
  calls: [{ on: 'model', method: ASKS_MODEL, optionsAt: 1 }],
  over,
  limit: { setting: 'timeout', kind: 'headers' },
  signal: 'signal',
  replacedBy: ['configuration', 'clientOptions', 'createClient'],
  retries: 'unknown',
  remedy: 'timeout: … (ms) and maxRetries: …',
})

const rows: readonly PlainSdk[] = [
  speakeasy('mistral', '@mistralai/mistralai', 'Mistral'),
  speakeasy('dub', 'dub', 'Dub'),
  speakeasy('polar', '@polar-sh/sdk', 'Polar'),
  langchain(
    'langchain-openai',
    '@langchain/openai',
    ['ChatOpenAI', 'OpenAIEmbeddings', 'AzureChatOpenAI', 'AzureOpenAIEmbeddings', 'DallEAPIWrapper'],
    { '>=0.6': 'fetch' },
  ),
  {
    id: 'ollama',
    packages: ['ollama'],
    clients: [{ kind: 'client', on: null, made: ['Ollama'], types: ['Ollama'], optionsAt: 0 }],
    calls: [null, 'client'].flatMap((on): readonly CallShape[] => [
      { on, method: /^(ollama\.|default\.)?(chat|generate|pull|push|create|delete|copy|list|show|embed|embeddings|ps)$/, optionsAt: -1 },
    ]),
    over: 'fetch',
    replacedBy: ['fetch'],
    remedy: FETCH,
  },
  {
    id: 'qdrant',
    packages: ['@qdrant/js-client-rest'],
    clients: [{ kind: 'client', on: null, made: ['QdrantClient'], types: ['QdrantClient'], optionsAt: 0 }],
    calls: [
      {
        on: 'client',
        method:
          /^(search\w*|query\w*|scroll|recommend\w*|discover\w*|count|facet|upsert|retrieve|delete\w*|update\w*|create\w+|recreate\w+|get[A-Z]\w+|setPayload|overwritePayload|clearPayload|batchUpdate|collectionExists)$/,
        optionsAt: -1,
      },
    ],
    over: 'forever',
    limit: { setting: 'timeout', kind: 'total', hasDefault: true },
    remedy: 'timeout: … (ms) where the client is made',
  },
  {
    id: 'pinecone',
    packages: ['@pinecone-database/pinecone'],
    clients: [
      { kind: 'client', on: null, made: ['Pinecone'], types: ['Pinecone'], optionsAt: 0 },
      { kind: 'index', on: 'client', made: ['index', 'Index'], types: ['Index'], optionsAt: -1 },
      { kind: 'index', on: 'index', made: ['namespace'], optionsAt: -1 },
    ],
    calls: [
      {
        on: 'index',
        method: /^(query|upsert|upsertRecords|searchRecords|fetch|update|delete\w+|listPaginated|describeIndexStats)$/,
        optionsAt: -1,
      },
      {
        on: 'client',
        method: /^(createIndex|createIndexForModel|listIndexes|describeIndex|deleteIndex|configureIndex|inference\.\w+)$/,
        optionsAt: -1,
      },
    ],
    over: { '>=4': 'fetch' },
    replacedBy: ['fetchApi'],
    retries: 'unknown',
    remedy: 'fetchApi: (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(…) })',
  },
]

/** Models and vectors of others. */
export const modelSdkModels: readonly LibraryModel[] = rows.map(plainSdk)
