import { compareVersions } from '../../model/default-of.js'
import type { CallShape, LibraryModel } from './library-model.js'
import { type PlainSdk, plainSdk } from './plain-sdk.js'
import { BY_DISPATCHER } from './row-parts.js'

const OWN_FETCH = 'fetch: (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(…) }) where the client is made'
const plain = (method: RegExp): readonly CallShape[] => [{ on: 'client', method, optionsAt: -1 }]

const isOldTwilio = (version: string | null) => version !== null && compareVersions(version, '5.3.6') < 0

const rows: readonly PlainSdk[] = [
  {
    id: 'twilio',
    packages: ['twilio'],
    clients: [{ kind: 'client', on: null, made: ['', 'Twilio', 'twilio'], types: ['Twilio'], optionsAt: 2, isJudged: true }],
    calls: plain(/^[a-z]\w*(\(\))?(\.\w+(\(\))?)*\.(create|fetch|update|remove|list|page|getPage)$/),
    over: 'forever',
    // Before 5.3.6 only the client of HTTP that it is given takes one.
    limit: ({ version }) => ({ setting: isOldTwilio(version) ? 'httpClient.timeout' : 'timeout', kind: 'silence', hasDefault: true }),
    replacedBy: ['httpClient'],
    remedy: ({ version }) =>
      `${isOldTwilio(version) ? 'httpClient: new RequestClient({ timeout: … })' : 'timeout: …'} (ms) where the client is made`,
  },
  {
    id: 'postmark',
    packages: ['postmark'],
    clients: [
      {
        kind: 'client',
        on: null,
        made: ['ServerClient', 'AccountClient', 'Client'],
        types: ['ServerClient'],
        optionsAt: 1,
        isFirstPlain: true,
      },
    ],
    calls: plain(/^(send|get|create|edit|delete|activate|archive|unarchive|bypass|retry|validate|push|verify|request|rotate)\w*$/),
    over: 'forever',
    limit: { setting: 'timeout', kind: { '<5': 'silence', '>=5': 'total' }, unitMs: 1000, hasDefault: true },
    remedy: 'timeout: … (s) where the client is made',
  },
  {
    id: 'web-push',
    packages: ['web-push'],
    calls: [{ on: null, method: /^sendNotification$/, optionsAt: 2 }],
    over: 'forever',
    limit: { setting: 'timeout', kind: 'silence' },
    remedy: 'timeout: … (ms)',
  },
  {
    id: 'clerk',
    packages: ['@clerk/backend', '@clerk/nextjs/server', '@clerk/express', '@clerk/fastify', '@clerk/astro/server'],
    clients: [{ kind: 'client', on: null, made: ['createClerkClient', 'clerkClient'], types: ['ClerkClient'], optionsAt: -1 }],
    calls: [
      { on: 'client', method: ofClerk(), optionsAt: -1 },
      { on: null, method: ofClerk('clerkClient\\.'), optionsAt: -1 },
    ],
    over: 'fetch',
    remedy: BY_DISPATCHER,
  },
  {
    id: 'linear',
    packages: ['@linear/sdk'],
    clients: [{ kind: 'client', on: null, made: ['LinearClient'], types: ['LinearClient'], optionsAt: 0 }],
    calls: plain(/^([a-z]\w*|client\.(rawRequest|request))$/),
    over: 'fetch',
    replacedBy: ['signal'],
    remedy: BY_DISPATCHER,
  },
  {
    id: 'planetscale',
    packages: ['@planetscale/database'],
    clients: [
      { kind: 'client', on: null, made: ['connect', 'Client'], types: ['Client', 'Connection'], optionsAt: 0 },
      { kind: 'client', on: 'client', made: ['connection'], optionsAt: -1 },
    ],
    calls: plain(/^(execute|transaction|refresh)$/),
    over: 'fetch',
    replacedBy: ['fetch'],
    remedy: OWN_FETCH,
  },
  {
    id: 'meilisearch',
    packages: ['meilisearch'],
    clients: [
      { kind: 'client', on: null, made: ['MeiliSearch', 'Meilisearch'], types: ['MeiliSearch', 'Meilisearch'], optionsAt: 0 },
      { kind: 'index', on: 'client', made: ['index'], types: ['Index'], optionsAt: -1 },
    ],
    calls: [
      {
        on: 'client',
        method: /^(multiSearch|get[A-Z]\w*|create[A-Z]\w*|update[A-Z]\w*|delete[A-Z]\w*|swapIndexes|health|isHealthy|stats|version)$/,
        optionsAt: -1,
      },
      { on: 'index', method: /^(search\w*|get[A-Z]\w*|add[A-Z]\w*|update[A-Z]\w*|delete[A-Z]\w*|reset[A-Z]\w*|fetchInfo)$/, optionsAt: -1 },
    ],
    over: 'fetch',
    limit: { setting: 'timeout', kind: { '<0.45': 'headers', '>=0.45': 'total' } },
    replacedBy: ['httpClient', 'requestInit', 'requestConfig'],
    remedy: 'timeout: … (ms) where the client is made',
  },
  {
    id: 'zod-bird',
    packages: ['@chronark/zod-bird'],
    clients: [
      { kind: 'client', on: null, made: ['Tinybird'], types: ['Tinybird'], optionsAt: 0 },
      { kind: 'pipe', on: 'client', made: ['buildPipe', 'buildIngestEndpoint'], optionsAt: -1 },
    ],
    calls: [{ on: 'pipe', method: /^$/, optionsAt: -1 }],
    over: 'fetch',
    remedy: BY_DISPATCHER,
  },
]

/** Services that send, know users, search and count. */
export const serviceSdkModels: readonly LibraryModel[] = rows.map(plainSdk)

/** What Clerk keeps, and what is asked of it. */
function ofClerk(before = ''): RegExp {
  return new RegExp(
    `^${before}(users|organizations|sessions|invitations|emailAddresses|phoneNumbers|clients|domains|allowlistIdentifiers|redirectUrls|signInTokens|samlConnections|waitlistEntries)\\.[a-z]\\w*$`,
  )
}
