import type { LibraryModel } from './library-model.js'
import { type PlainSdk, plainSdk } from './plain-sdk.js'
import { onClient } from './row-parts.js'

const WHERE_MADE = 'timeout: … (ms) where the client is made'

const rows: readonly PlainSdk[] = [
  {
    id: 'webdav',
    packages: ['webdav'],
    clients: [{ kind: 'client', on: null, made: ['createClient'], types: ['WebDAVClient'], optionsAt: -1 }],
    calls: [
      onClient(/^(getQuota|getDAVCompliance)$/, 0),
      onClient(/^(getDirectoryContents|getFileContents|stat|exists|createDirectory|deleteFile|customRequest|lock|search)$/, 1),
      onClient(/^(putFileContents|moveFile|copyFile|unlock)$/, 2),
    ],
    over: { '>=5': 'forever' },
    signal: 'signal',
    remedy: 'signal: AbortSignal.timeout(…)',
  },
  {
    id: 'woocommerce',
    packages: ['@woocommerce/woocommerce-rest-api'],
    clients: [{ kind: 'client', on: null, made: ['', 'default', 'WooCommerceRestApi'], types: ['', 'default'], optionsAt: 0 }],
    calls: [onClient(/^(get|post|put|delete|options)$/)],
    over: 'forever',
    limit: { setting: 'timeout', kind: 'silence' },
    replacedBy: ['axiosConfig'],
    remedy: WHERE_MADE,
  },
  {
    id: 'shopify-api-node',
    packages: ['shopify-api-node'],
    clients: [{ kind: 'client', on: null, made: ['', 'default', 'Shopify'], types: ['', 'default'], optionsAt: 0 }],
    calls: [onClient(/^([a-z]\w*\.(list|get|create|update|delete|count|search)|graphql|request)$/)],
    over: 'forever',
    limit: { setting: 'timeout', kind: 'total', hasDefault: true },
    retries: 'unknown',
    remedy: WHERE_MADE,
  },
  {
    id: 'contentful-management',
    packages: ['contentful-management'],
    clients: [{ kind: 'client', on: null, made: ['createClient'], types: ['PlainClientAPI', 'ClientAPI'], optionsAt: 0 }],
    calls: [
      onClient(
        /^(get[A-Z]\w*|rawRequest|([a-z]\w*\.)+(get|getMany|getPublished|create|createWithId|update|delete|publish|unpublish|archive|patch|upsert))$/,
      ),
    ],
    over: 'forever',
    limit: { setting: 'timeout', kind: 'silence', hasDefault: true },
    retries: 'unknown',
    remedy: 'timeout: … (ms) and retryLimit: … where the client is made',
  },
  {
    id: 'datocms',
    packages: ['@datocms/cma-client-node', '@datocms/cma-client'],
    clients: [{ kind: 'client', on: null, made: ['buildClient'], types: ['Client'], optionsAt: 0 }],
    calls: [onClient(/^[a-z]\w*\.(list|find|create|update|destroy|publish|unpublish|rawList|rawFind|rawCreate|rawUpdate)$/)],
    over: 'fetch',
    limit: { setting: 'requestTimeout', kind: 'headers', hasDefault: true },
    replacedBy: ['fetchFn'],
    retries: 'unknown',
    remedy: 'requestTimeout: … (ms) where the client is made',
  },
  {
    id: 'storyblok',
    packages: ['storyblok-js-client'],
    clients: [{ kind: 'client', on: null, made: ['', 'default', 'StoryblokClient'], types: ['', 'default'], optionsAt: 0 }],
    calls: [onClient(/^(get|getAll|getStory|getStories|post|put|delete)$/)],
    over: { '>=6': 'fetch' },
    limit: { setting: 'timeout', kind: 'headers', unitMs: 1000 },
    replacedBy: ['fetch'],
    retries: 'unknown',
    remedy: 'timeout: … (s) where the client is made',
  },
  {
    id: 'prismic',
    packages: ['@prismicio/client'],
    clients: [
      { kind: 'client', on: null, made: ['createClient', 'default.createClient'], types: ['Client'], optionsAt: 1, isFirstPlain: true },
    ],
    calls: [
      onClient(/^(get|getFirst|getRepository|getRefs|getTags)$/, 0),
      onClient(/^(getAllByType|getByType|getByID|getSingle)$/, 1),
      onClient(/^getByUID$/, 2),
    ],
    over: { '>=7': 'fetch' },
    replacedBy: ['fetch', 'fetchOptions.signal'],
    remedy: 'fetchOptions: { signal: AbortSignal.timeout(…) } among the options of a call',
  },
  {
    id: 'openid-client',
    packages: ['openid-client'],
    calls: [{ on: null, method: /^discovery$/, optionsAt: 4 }],
    over: { '>=6': 'fetch' },
    limit: { setting: 'timeout', kind: 'total', unitMs: 1000, hasDefault: true },
    remedy: 'timeout: … (s) among the options, which is that of all that follows',
  },
]

/** What asks for contents, shops, files and identities. */
export const contentSdkModels: readonly LibraryModel[] = rows.map(plainSdk)
