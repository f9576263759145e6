import type { LibraryModel } from './library-model.js'
import { type PlainSdk, plainSdk } from './plain-sdk.js'
import { isQueryPart } from './query-part.js'

/** Neon over HTTP. */
export const neonModel: LibraryModel = plainSdk({
  id: 'neon',
  packages: ['@neondatabase/serverless'],
  clients: [{ kind: 'sql', on: null, made: ['neon'], types: ['NeonQueryFunction'], optionsAt: 1, isFirstPlain: true }],
  calls: [
    { on: 'sql', method: /^$/, optionsAt: -1, isTag: true, unless: isQueryPart },
    { on: 'sql', method: /^(|query)$/, optionsAt: 2, unless: isQueryPart },
    { on: 'sql', method: /^transaction$/, optionsAt: 1 },
  ],
  over: 'fetch',
  signal: 'fetchOptions.signal',
  replacedBy: ['fetchOptions'],
  remedy: 'fetchOptions: { signal: AbortSignal.timeout(…) } in each query',
})

const rows: readonly PlainSdk[] = [
  {
    id: 'slack-webhook',
    packages: ['@slack/webhook'],
    clients: [{ kind: 'client', on: null, made: ['IncomingWebhook'], types: ['IncomingWebhook'], optionsAt: 1, isFirstPlain: true }],
    calls: [{ on: 'client', method: /^send$/, optionsAt: -1 }],
    over: { '<8': 'forever', '>=8': 'fetch' },
    limit: { setting: 'timeout', kind: { '<8': 'silence', '>=8': 'total' } },
    replacedBy: ['fetch'],
    remedy: 'timeout: … (ms) where the client is made',
  },
  {
    id: 'hubspot',
    packages: ['@hubspot/api-client'],
    clients: [{ kind: 'client', on: null, made: ['Client'], types: ['Client'], optionsAt: 0 }],
    calls: [{ on: 'client', method: /^(apiRequest|[a-z]\w*(\.[a-z]\w*)*\.\w*[aA]pi\.[a-z]\w*)$/, optionsAt: -1 }],
    over: 'forever',
    remedy: 'a race with a timer',
  },
  {
    id: 'gitbeaker',
    packages: ['@gitbeaker/rest'],
    clients: [{ kind: 'client', on: null, made: /^[A-Z]\w*$/, types: ['Gitlab'], optionsAt: 0 }],
    calls: [{ on: 'client', method: /^([A-Z]\w*\.)?(?!requester$)[a-z]\w*$/, optionsAt: -1 }],
    over: 'fetch',
    limit: { setting: 'queryTimeout', kind: 'total', hasDefault: true },
    replacedBy: ['requesterFn'],
    remedy: 'queryTimeout: … (ms) where the client is made',
  },
  {
    id: 'loops',
    packages: ['loops'],
    clients: [{ kind: 'client', on: null, made: ['LoopsClient'], types: ['LoopsClient'], optionsAt: -1 }],
    calls: [{ on: 'client', method: /^((send|create|update|find|delete|get|list)[A-Z]\w*|testApiKey)$/, optionsAt: -1 }],
    over: 'fetch',
    remedy: 'a race with a timer, or setGlobalDispatcher(new Agent({ headersTimeout: …, bodyTimeout: … })) of undici (ms)',
  },
]

/** What keeps rows, and what tells teams and customers. */
export const storageSdkModels: readonly LibraryModel[] = [neonModel, ...rows.map(plainSdk)]
