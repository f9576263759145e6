import type { Term } from '../terms/term.js'
import { doublingMs } from './attempts-of.js'
import { configured } from './configured.js'
import type { LibraryModel, Site } from './library-model.js'
import { type PlainSdk, plainSdk } from './plain-sdk.js'
import { BY_DISPATCHER, BY_RACE, onClient } from './row-parts.js'

/** `users.get(…)`, `actions.triggers.bindings.list(…)`. */
const OF_A_GROUP = /^([a-z]\w*\.)+[a-z]\w*$/

/** What Fern generates: a limit to the headers, which its client or a call may have. */
const fern = (id: string, name: string, setSince: string): PlainSdk => ({
  id,
  packages: [id],
  clients: [{ kind: 'client', on: null, made: [name], types: [name], optionsAt: 0 }],
  calls: [onClient(OF_A_GROUP)],
  optionsOf: lastObject,
  over: { [setSince]: 'forever' },
  limit: { setting: 'timeoutInSeconds', kind: 'headers', unitMs: 1000, hasDefault: true },
  signal: 'abortSignal',
  replacedBy: ['fetcher', 'fetch'],
  remedy: 'timeoutInSeconds: … where the client is made',
})

/** What Stainless generates: a minute to the headers of each of three attempts. */
const stainless = (id: string, made: readonly string[], since: string): PlainSdk => ({
  id,
  packages: [id],
  clients: [{ kind: 'client', on: null, made, types: made, optionsAt: 0 }],
  calls: [onClient(OF_A_GROUP)],
  optionsOf: lastObject,
  over: { [since]: 'forever' },
  limit: { setting: 'timeout', kind: 'headers', hasDefault: true },
  signal: 'signal',
  limitedBy: ['fetch', 'httpAgent', 'fetchOptions'],
  retries: { settings: ['maxRetries'], hasDefault: true, waitMs: (retries) => doublingMs(retries, 500, 8000) },
  remedy: 'timeout: … (ms) and maxRetries: … where the client is made',
})

const rows: readonly PlainSdk[] = [
  fern('square', 'SquareClient', '>=40'),
  fern('auth0', 'ManagementClient', '>=5'),
  stainless('cloudflare', ['', 'default', 'Cloudflare'], '>=3'),
  stainless('telnyx', ['', 'default', 'Telnyx'], '>=7'),
  {
    id: 'workos',
    packages: ['@workos-inc/node'],
    clients: [{ kind: 'client', on: null, made: ['WorkOS'], types: ['WorkOS'], optionsAt: 1, isFirstPlain: true }],
    calls: [onClient(/^(?!webhooks\.|actions\.)[a-z]\w*\.(?!getAuthorizationUrl$|getLogoutUrl$|getJwksUrl$|loadSealedSession$)[a-z]\w*$/)],
    over: { '>=7.80': 'forever' },
    limit: { setting: 'timeout', kind: 'headers', hasDefault: true },
    limitedBy: ['fetchFn'],
    remedy: 'timeout: … (ms) where the client is made',
  },
  {
    id: 'mercadopago',
    packages: ['mercadopago'],
    clients: [
      {
        kind: 'client',
        on: null,
        made: /^(Payment|Preference|Customer|CustomerCard|CardToken|MerchantOrder|PreApproval|PreApprovalPlan|PaymentRefund|PaymentMethod|Invoice|Order|OAuth|User|Point)$/,
        types: ['Payment', 'Preference', 'Order'],
        optionsAt: -1,
      },
    ],
    calls: [onClient(/^(get|create|update|search|list|capture|cancel|total|refund|process|remove)\w*$/)],
    optionsOf: ({ client }) => configured(client?.args[0]),
    over: { '>=3': 'forever' },
    limit: { setting: 'options.timeout', kind: 'total', hasDefault: true },
    retries: 'unknown',
    remedy: 'new MercadoPagoConfig({ options: { timeout: … } }) (ms)',
  },
  {
    id: 'node-mailjet',
    packages: ['node-mailjet'],
    clients: [
      { kind: 'client', on: null, made: ['', 'default', 'Client'], types: ['', 'Client'], optionsAt: 0 },
      { kind: 'client', on: null, made: /^((default|Client)\.)?(apiConnect|smsConnect)$/, optionsAt: 2 },
    ],
    calls: [onClient(/^(get|post|put|delete)\(\)(\.\w+\(\))*\.request$/)],
    over: { '>=5': 'forever' },
    limit: { setting: 'options.timeout', kind: 'silence' },
    replacedBy: ['options.agent', 'options.httpAgent', 'options.httpsAgent'],
    remedy: 'options: { timeout: … } (ms) where the client is made',
  },
  {
    id: 'jsforce',
    packages: ['jsforce'],
    clients: [{ kind: 'client', on: null, made: ['Connection', 'default.Connection'], types: ['Connection'], optionsAt: -1 }],
    calls: [
      onClient(
        /^(query|queryAll|queryMore|search|create|retrieve|update|upsert|delete|destroy|del|describe\w*|identity|login\w*|authorize|requestGet|requestPost|requestPatch|sobject\(\)\.(create|insert|retrieve|update|upsert|delete|destroy|del|describe|describeGlobal))$/,
      ),
    ],
    over: { '>=3': 'forever' },
    limit: { setting: 'timeout', kind: 'headers', hasDefault: true },
    remedy: BY_RACE,
  },
  {
    id: 'node-zendesk',
    packages: ['node-zendesk'],
    clients: [{ kind: 'client', on: null, made: ['createClient', 'default.createClient'], types: ['ZendeskClient'], optionsAt: 0 }],
    calls: [onClient(OF_A_GROUP)],
    over: { '>=6': 'forever' },
    replacedBy: ['transportConfig'],
    remedy: BY_RACE,
  },
  {
    id: 'okta-sdk',
    packages: ['@okta/okta-sdk-nodejs'],
    clients: [{ kind: 'client', on: null, made: ['Client'], types: ['Client'], optionsAt: 0 }],
    calls: [onClient(/^[a-z]\w*Api\.[a-z]\w*$/)],
    over: { '>=7': 'forever' },
    replacedBy: ['requestExecutor', 'requestTimeout', 'client'],
    remedy: 'requestExecutor: new DefaultRequestExecutor({ requestTimeout: … }) (ms) where the client is made',
  },
  {
    id: 'keycloak-admin-client',
    packages: ['@keycloak/keycloak-admin-client'],
    clients: [
      { kind: 'client', on: null, made: ['', 'default', 'KeycloakAdminClient', 'KcAdminClient'], types: ['', 'default'], optionsAt: 0 },
    ],
    calls: [onClient(/^(auth|[a-z]\w*\.(?!setConfig)[a-z]\w*)$/)],
    over: { '>=22': 'fetch' },
    replacedBy: ['requestOptions'],
    setBy: ['setConfig'],
    remedy: 'requestOptions: { dispatcher: new Agent({ headersTimeout: …, bodyTimeout: … }) } of undici where the client is made (ms)',
  },
  {
    id: 'onesignal-node',
    packages: ['onesignal-node'],
    clients: [{ kind: 'client', on: null, made: ['Client', 'UserClient'], types: ['Client', 'UserClient'], optionsAt: -1 }],
    calls: [onClient(/^(create|cancel|view|notificationHistory|add|edit|delete|export|new|increment|track)\w*$/)],
    over: 'forever',
    remedy: BY_RACE,
  },
  {
    id: 'novu',
    packages: ['@novu/node'],
    clients: [{ kind: 'client', on: null, made: ['Novu'], types: ['Novu'], optionsAt: -1 }],
    calls: [onClient(/^(trigger|bulkTrigger|broadcast|[a-z]\w*\.[a-z]\w*)$/)],
    over: { '>=2': 'forever' },
    remedy: BY_RACE,
  },
  {
    id: 'line-bot-sdk',
    packages: ['@line/bot-sdk'],
    clients: [
      {
        kind: 'client',
        on: null,
        made: /^(default\.)?\w+\.(MessagingApiClient|MessagingApiBlobClient|ChannelAccessTokenClient|InsightClient|LiffClient)$/,
        types: ['messagingApi.MessagingApiClient', 'messagingApi.MessagingApiBlobClient'],
        optionsAt: -1,
      },
    ],
    calls: [onClient(/^[a-z]\w*$/)],
    over: { '>=9': 'fetch' },
    remedy: BY_DISPATCHER,
  },
  {
    id: 'microsoft-graph-client',
    packages: ['@microsoft/microsoft-graph-client'],
    clients: [{ kind: 'client', on: null, made: ['Client.init', 'Client.initWithMiddleware'], types: ['Client'], optionsAt: 0 }],
    calls: [
      onClient(
        /^api\(\)(\.(?!options?\(|middlewareOptions\()\w+\(\))*\.(get|post|patch|put|delete|create|update|del|getStream|putStream)$/,
      ),
    ],
    over: { '>=3': 'fetch' },
    replacedBy: ['fetchOptions', 'middleware'],
    remedy: 'fetchOptions: { dispatcher: new Agent({ headersTimeout: …, bodyTimeout: … }) } of undici where the client is made (ms)',
  },
  {
    id: 'bitbucket',
    packages: ['bitbucket'],
    clients: [{ kind: 'client', on: null, made: ['Bitbucket', '', 'default'], types: ['APIClient', 'Bitbucket'], optionsAt: 0 }],
    calls: [onClient(/^[a-z]\w*\.[a-z]\w*$/, 0)],
    over: { '>=2': 'forever' },
    limit: { setting: 'request.timeout', kind: 'silence' },
    replacedBy: ['request.fetch', 'request.agent', 'request.signal'],
    remedy: 'request: { timeout: … } (ms) where the client is made',
  },
  {
    id: 'gitea-js',
    packages: ['gitea-js'],
    clients: [{ kind: 'client', on: null, made: ['giteaApi'], types: ['Api'], optionsAt: 1 }],
    calls: [onClient(/^[a-z]\w*\.[a-z]\w*$/)],
    optionsOf: lastObject,
    over: 'fetch',
    fetchAt: 'customFetch',
    signal: 'signal',
    replacedBy: ['customFetch', 'baseApiParams.signal'],
    remedy: 'signal: AbortSignal.timeout(…) as the last argument of the call',
  },
  {
    id: 'mollie',
    packages: ['@mollie/api-client'],
    clients: [{ kind: 'client', on: null, made: /^((default\.)?createMollieClient|default)?$/, types: ['MollieClient'], optionsAt: -1 }],
    calls: [onClient(OF_A_GROUP)],
    over: { '>=4': 'forever' },
    remedy: BY_RACE,
  },
  {
    id: 'adyen',
    packages: ['@adyen/api-library'],
    clients: [{ kind: 'client', on: null, made: /^[A-Z]\w*API$/, types: ['CheckoutAPI'], optionsAt: -1 }],
    calls: [onClient(/^([A-Z]\w*Api\.)?[a-z]\w*$/)],
    optionsOf: ({ client }) => configured(client?.args[0]),
    over: { '>=32': 'forever' },
    limit: { setting: 'connectionTimeoutMillis', kind: 'silence' },
    replacedBy: ['httpClient'],
    remedy: 'new Client({ connectionTimeoutMillis: … }) (ms)',
  },
  {
    id: 'paypal-server-sdk',
    packages: ['@paypal/paypal-server-sdk'],
    clients: [{ kind: 'client', on: null, made: /^\w+Controller$/, types: ['OrdersController', 'PaymentsController'], optionsAt: -1 }],
    calls: [onClient(/^[a-z]\w*$/)],
    optionsOf: ({ client }) => configured(client?.args[0]),
    over: { '>=1': 'forever' },
    limit: { setting: 'timeout', kind: 'silence' },
    replacedBy: ['httpClientOptions', 'unstable_httpClientOptions'],
    remedy: 'new Client({ timeout: … }) (ms)',
  },
  {
    id: 'chargebee',
    packages: ['chargebee'],
    clients: [{ kind: 'client', on: null, made: ['', 'default', 'Chargebee'], types: ['', 'default'], optionsAt: 0 }],
    calls: [onClient(OF_A_GROUP)],
    over: { '>=3': 'fetch' },
    limit: { setting: 'timeout', kind: 'headers' },
    replacedBy: ['httpClient'],
    remedy: 'timeout: … (ms) where the client is made',
  },
  {
    id: 'recurly',
    packages: ['recurly'],
    clients: [{ kind: 'client', on: null, made: ['Client', 'default.Client'], types: ['Client'], optionsAt: 1, isFirstPlain: true }],
    calls: [
      onClient(/^(get|create|update|list|cancel|terminate|reactivate|remove|deactivate|preview|pause|resume|void|refund|capture)[A-Z]\w*$/),
    ],
    over: { '>=4.80': 'forever' },
    limit: { setting: 'timeout', kind: 'silence', hasDefault: true },
    limitedBy: ['httpAdapter', 'adapter'],
    remedy: 'an adapter with timeout: … (ms) where the client is made',
  },
  {
    id: 'vonage',
    packages: ['@vonage/server-sdk'],
    clients: [{ kind: 'client', on: null, made: ['Vonage'], types: ['Vonage'], optionsAt: 1 }],
    calls: [onClient(OF_A_GROUP)],
    over: { '>=3': 'forever' },
    limit: { setting: 'timeout', kind: 'total' },
    remedy: '{ timeout: … } (ms) as the second argument where the client is made',
  },
  {
    id: 'plivo',
    packages: ['plivo'],
    clients: [{ kind: 'client', on: null, made: ['Client', 'default.Client'], types: ['Client'], optionsAt: 2 }],
    calls: [onClient(/^[a-z]\w*\.(create|get|list|update|delete|send|verify|search|transfer|buy|cancel)\w*$/)],
    over: { '>=4': 'forever' },
    limit: { setting: 'timeout', kind: 'silence' },
    remedy: '{ timeout: … } (ms) as the third argument where the client is made',
  },
  {
    id: 'mailersend',
    packages: ['mailersend'],
    clients: [{ kind: 'client', on: null, made: ['MailerSend'], types: ['MailerSend'], optionsAt: -1 }],
    calls: [onClient(OF_A_GROUP)],
    over: { '>=3.4': 'fetch' },
    remedy: BY_DISPATCHER,
  },
  {
    id: 'dropbox',
    packages: ['dropbox'],
    clients: [{ kind: 'client', on: null, made: ['Dropbox', 'default.Dropbox'], types: ['Dropbox'], optionsAt: 0 }],
    calls: [onClient(/^(files|users|sharing|fileRequests|fileProperties|check|account|contacts|paper|team)[A-Z]\w*$/)],
    over: { '>=10': 'forever' },
    replacedBy: ['fetch'],
    remedy: 'fetch: (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(…) }) where the client is made',
  },
  {
    id: 'imagekit',
    packages: ['imagekit'],
    clients: [{ kind: 'client', on: null, made: ['', 'default'], types: ['', 'default'], optionsAt: -1 }],
    calls: [
      onClient(
        /^(upload|listFiles|getFile\w*|updateFileDetails|(bulkD|d)elete\w*|purgeCache\w*|(copy|move|rename)File|(copy|move|create)Folder)$/,
      ),
    ],
    over: { '>=5': 'forever' },
    remedy: BY_RACE,
  },
  {
    id: 'xero-node',
    packages: ['xero-node'],
    clients: [{ kind: 'client', on: null, made: ['XeroClient'], types: ['XeroClient'], optionsAt: -1 }],
    calls: [onClient(/^[a-z]\w*Api\.[a-z]\w*$/)],
    over: { '>=5': 'forever' },
    remedy: BY_RACE,
  },
]

/** Where the options stand last among what a call is given. */
function lastObject({ args }: Site): Term | undefined {
  return args.findLast(({ kind }) => kind === 'object')
}

/** What pays, mails, sells, lets in and keeps code for others. */
export const businessSdkModels: readonly LibraryModel[] = rows.map(plainSdk)
