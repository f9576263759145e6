import { authLimit, authOptions, authRemedy } from './google-auth.js'
import type { LibraryModel, Site } from './library-model.js'
import { type PlainSdk, plainSdk } from './plain-sdk.js'

/** What its clients answer to: a part of an API, and what is asked of that. */
const OF_API = /^(?!context\.)[a-z]\w*(\.[a-z]\w*)+$/

/** What asks for a token, or looks one up. */
const OF_AUTH =
  /^(getToken|refreshAccessToken|getAccessToken|getTokenInfo|revokeToken|revokeCredentials|verifyIdToken|request|getRequestHeaders|authorize)$/

const gaxios = {
  over: 'forever',
  limit: { setting: 'timeout', kind: 'total' },
  signal: 'signal',
  retries: 'unknown',
  remedy: 'timeout: … (ms) where the client is made, or google.options({ timeout: … })',
} as const

const isAuth = ({ client }: Site) => client?.kind === 'auth'

const rows: readonly PlainSdk[] = [
  {
    ...gaxios,
    id: 'googleapis',
    packages: ['googleapis'],
    clients: [
      { kind: 'api', on: null, made: /^google\.(?!(auth|options|discoverAPI|addAPIs)$)\w+$/, optionsAt: 0 },
      { kind: 'api', on: null, made: /^\w+_v\d\w*\.[A-Z]\w*$/, optionsAt: 0 },
      { kind: 'auth', on: null, made: /^(google\.)?auth\.(OAuth2|GoogleAuth|JWT)$/, optionsAt: -1 },
    ],
    calls: [
      { on: 'api', method: OF_API, optionsAt: 1 },
      { on: 'auth', method: OF_AUTH, optionsAt: -1 },
    ],
    optionsOf: (site) => (isAuth(site) ? authOptions(site) : site.options),
    limit: (site) => (isAuth(site) ? authLimit(site) : gaxios.limit),
    setBy: ['google.options', 'google.discoverAPI'],
    remedy: (site) => (isAuth(site) ? authRemedy(site) : gaxios.remedy),
  },
  {
    ...gaxios,
    id: 'google-auth-library',
    packages: ['google-auth-library'],
    clients: [
      {
        kind: 'auth',
        on: null,
        made: ['OAuth2Client', 'GoogleAuth', 'JWT', 'UserRefreshClient'],
        types: ['OAuth2Client', 'GoogleAuth', 'JWT'],
        optionsAt: -1,
      },
    ],
    calls: [{ on: 'auth', method: OF_AUTH, optionsAt: -1 }],
    optionsOf: authOptions,
    limit: authLimit,
    remedy: authRemedy,
  },
  {
    ...gaxios,
    id: '@googleapis',
    packages: ['@googleapis/*'],
    clients: [
      { kind: 'api', on: null, made: /^(?!auth(\.|$))[a-z]\w*$/, optionsAt: 0 },
      { kind: 'api', on: null, made: /^\w+_v\d\w*\.[A-Z]\w*$/, optionsAt: 0 },
    ],
    calls: [{ on: 'api', method: OF_API, optionsAt: 1 }],
    remedy: 'timeout: … (ms) where the client is made',
  },
  {
    id: 'google-genai',
    packages: ['@google/genai'],
    clients: [
      { kind: 'client', on: null, made: ['GoogleGenAI'], types: ['GoogleGenAI'], optionsAt: 0 },
      { kind: 'chat', on: 'client', made: ['chats.create'], optionsAt: 0 },
    ],
    calls: [
      { on: 'client', method: /^(models|files|caches|operations|batches|tunings)\.(?!constructor$)[a-z]\w*$/, optionsAt: 0 },
      { on: 'chat', method: /^sendMessage(Stream)?$/, optionsAt: 0 },
    ],
    optionsOf: ({ options, evaluator }) => (options?.kind === 'object' ? evaluator.memberOf(options, 'config') : options),
    over: { '<=2.26': 'fetch', '>=2.29': 'forever' },
    limit: { setting: 'httpOptions.timeout', kind: 'total' },
    signal: 'abortSignal',
    replacedBy: ['config.httpOptions', 'config.abortSignal', 'httpOptions.fetch'],
    remedy: 'httpOptions: { timeout: … } (ms) where the client is made',
  },
  {
    id: 'google-generative-ai',
    packages: ['@google/generative-ai'],
    clients: [
      { kind: 'client', on: null, made: ['GoogleGenerativeAI'], types: ['GoogleGenerativeAI'], optionsAt: -1 },
      { kind: 'model', on: 'client', made: ['getGenerativeModel'], types: ['GenerativeModel'], optionsAt: 1 },
      { kind: 'model', on: 'model', made: ['startChat'], types: ['ChatSession'], optionsAt: -1 },
    ],
    calls: [
      {
        on: 'model',
        method: /^(generateContent|generateContentStream|countTokens|embedContent|batchEmbedContents|sendMessage|sendMessageStream)$/,
        optionsAt: 1,
      },
    ],
    over: 'fetch',
    limit: { setting: 'timeout', kind: 'total' },
    signal: 'signal',
    remedy: 'getGenerativeModel({ … }, { timeout: … }) (ms)',
  },
]

/** What asks Google: over gaxios, which waits for ever, or over fetch. */
export const googleSdkModels: readonly LibraryModel[] = rows.map(plainSdk)
