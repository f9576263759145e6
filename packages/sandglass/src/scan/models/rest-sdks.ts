import { compareVersions, coversVersion } from '../../model/default-of.js'
import type { CallNode } from '../syntax/module.js'
import type { CallShape, Client, LibraryModel } from './library-model.js'
import { type PlainSdk, plainSdk } from './plain-sdk.js'
import { BY_RACE, onClient } from './row-parts.js'
import { isAddress } from './url-settings.js'

const WHERE_MADE = 'timeout: … (ms) where the client is made'
/** A part of an API, and what is asked of that. */
const OF_API = /^[a-z]\w*\.[a-z]\w*$/

const rows: readonly PlainSdk[] = [
  {
    id: 'wreck',
    packages: ['@hapi/wreck', 'wreck'],
    clients: [{ kind: 'client', on: null, made: /^(default\.)?defaults$/, optionsAt: 0 }],
    calls: [null, 'client'].flatMap((on): readonly CallShape[] => [
      { on, method: /^(default\.)?(get|post|put|patch|delete)$/, optionsAt: 1 },
      { on, method: /^(default\.)?request$/, optionsAt: 2 },
    ]),
    over: 'forever',
    limit: ({ method }) => ({ setting: 'timeout', kind: method.endsWith('request') ? 'headers' : 'total' }),
    remedy: 'timeout: … (ms)',
  },
  {
    id: 'simple-oauth2',
    packages: ['simple-oauth2'],
    clients: [
      {
        kind: 'client',
        on: null,
        made: ['AuthorizationCode', 'ClientCredentials', 'ResourceOwnerPassword'],
        types: ['AuthorizationCode', 'ClientCredentials', 'ResourceOwnerPassword'],
        optionsAt: 0,
      },
      { kind: 'token', on: 'client', made: ['createToken'], optionsAt: -1 },
    ],
    calls: [
      onClient(/^getToken$/, -1, { unless: hasOptions }),
      { on: 'token', method: /^(refresh|revoke|revokeAll)$/, optionsAt: -1, unless: hasOptions },
    ],
    over: 'forever',
    limit: { setting: 'http.timeout', kind: 'total' },
    remedy: 'http: { timeout: … } (ms) where the client is made',
  },
  {
    id: 'jira-client',
    packages: ['jira-client'],
    clients: [{ kind: 'client', on: null, made: ['', 'default'], types: ['', 'default'], optionsAt: 0 }],
    calls: [onClient(/^(?!make[A-Z]|to[A-Z]|constructor$|valueOf$)[a-z]\w*$/)],
    over: 'forever',
    limit: { setting: 'timeout', kind: 'silence' },
    replacedBy: ['request'],
    remedy: 'timeout: … (ms) where the client is made',
  },
  {
    id: 'jira.js',
    packages: ['jira.js'],
    clients: [
      {
        kind: 'client',
        on: null,
        made: ['Version2Client', 'Version3Client', 'AgileClient', 'ServiceDeskClient'],
        types: ['Version2Client', 'Version3Client', 'AgileClient'],
        optionsAt: 0,
      },
    ],
    calls: [onClient(OF_API)],
    over: 'forever',
    limit: { setting: 'baseRequestConfig.timeout', kind: 'silence' },
    remedy: 'baseRequestConfig: { timeout: … } (ms) where the client is made',
  },
  {
    id: 'bigquery',
    packages: ['@google-cloud/bigquery'],
    clients: [
      { kind: 'client', on: null, made: ['BigQuery'], types: ['BigQuery'], optionsAt: 0 },
      { kind: 'dataset', on: 'client', made: ['dataset'], types: ['Dataset'], optionsAt: -1 },
      { kind: 'table', on: 'dataset', made: ['table'], types: ['Table'], optionsAt: -1 },
    ],
    calls: [
      onClient(/^(query|createQueryJob|createJob|getDatasets|createDataset|getJobs)$/),
      { on: 'dataset', method: /^(query|get|exists|create|delete|getTables|createTable|getMetadata|setMetadata)$/, optionsAt: -1 },
      { on: 'table', method: /^(query|get|exists|create|delete|insert|getRows|getMetadata|setMetadata)$/, optionsAt: -1 },
    ],
    over: 'forever',
    limit: { setting: 'timeout', kind: 'total', hasDefault: true, versions: '<8' },
    retries: 'unknown',
    remedy: ({ version }) => (version !== null && coversVersion('<8', version) ? WHERE_MADE : BY_RACE),
  },
  {
    id: 'graphql-executor',
    packages: ['@graphql-tools/executor-http'],
    clients: [{ kind: 'client', on: null, made: ['buildHTTPExecutor'], optionsAt: 0 }],
    calls: [onClient(/^$/)],
    over: { '>=3': 'forever' },
    limit: { setting: 'timeout', kind: 'total' },
    replacedBy: ['fetch'],
    remedy: WHERE_MADE,
  },
  {
    id: 'npm-registry-fetch',
    packages: ['npm-registry-fetch'],
    calls: [{ on: null, method: /^((default\.)?json)?$/, optionsAt: 1 }],
    over: 'forever',
    limit: { setting: 'timeout', kind: 'total', hasDefault: true },
    signal: 'signal',
    retries: 'unknown',
    remedy: 'timeout: … (ms)',
  },
  {
    id: 'kubernetes-client',
    packages: ['@kubernetes/client-node'],
    clients: [
      { kind: 'config', on: null, made: ['KubeConfig'], types: ['KubeConfig'], optionsAt: -1 },
      {
        kind: 'client',
        on: 'config',
        made: ['makeApiClient'],
        types: ['CoreV1Api', 'AppsV1Api', 'BatchV1Api', 'NetworkingV1Api', 'RbacAuthorizationV1Api', 'CustomObjectsApi'],
        optionsAt: -1,
      },
    ],
    calls: [onClient(/^(list|read|get|create|delete|patch|replace)[A-Z]\w*$/)],
    over: { '<1': 'forever', '>=1 <2': 'forever' },
    remedy: BY_RACE,
  },
  {
    id: 'brevo',
    packages: ['@getbrevo/brevo'],
    clients: [
      { kind: 'client', on: null, made: ['BrevoClient'], types: ['BrevoClient'], optionsAt: 0 },
      { kind: 'api', on: null, made: /^(default\.)?[A-Z]\w*Api$/, types: ['TransactionalEmailsApi', 'ContactsApi'], optionsAt: -1 },
    ],
    calls: [
      onClient(OF_API, 1),
      {
        on: 'api',
        method: /^(send|get|create|update|delete|add|remove|import)[A-Z]\w*$/,
        optionsAt: -1,
      },
    ],
    over: { '>=2 <4': 'forever', '>=6': 'fetch' },
    limit: ({ client }) =>
      client?.kind === 'api'
        ? { setting: 'timeout', kind: 'total' }
        : { setting: 'timeoutInSeconds', kind: 'headers', unitMs: 1000, hasDefault: true },
    remedy: ({ client }) => (client?.kind === 'api' ? BY_RACE : 'timeoutInSeconds: … where the client is made'),
  },
  {
    id: 'mailchimp-marketing',
    packages: ['@mailchimp/mailchimp_marketing'],
    calls: [{ on: null, method: /^(default\.)?(?!default\b)[a-z]\w*\.[a-z]\w*$/, optionsAt: -1 }],
    over: 'forever',
    limit: { setting: 'timeout', kind: 'total', hasDefault: true },
    remedy: BY_RACE,
  },
  {
    id: 'braintree',
    packages: ['braintree'],
    clients: [{ kind: 'client', on: null, made: ['BraintreeGateway', 'connect'], types: ['BraintreeGateway'], optionsAt: -1 }],
    calls: [
      onClient(
        /^(transaction|customer|paymentMethod|paymentMethodNonce|clientToken|creditCard|subscription|plan|merchantAccount|dispute|address|addOn|discount)\.(create|find|sale|refund|void|submitForSettlement|update|delete|generate|cancel|all|retryCharge|cloneTransaction)$/,
      ),
    ],
    over: 'forever',
    limit: { setting: 'timeout', kind: 'silence', hasDefault: true },
    assigned: 'config.timeout',
    remedy: 'gateway.config.timeout = … (ms)',
  },
  {
    id: 'discordjs-rest',
    packages: ['@discordjs/rest', 'discord.js'],
    clients: [
      { kind: 'client', on: null, made: ['REST'], types: ['REST'], optionsAt: 0 },
      { kind: 'client', on: 'client', made: ['setToken'], optionsAt: -1 },
      { kind: 'bot', on: null, made: ['Client'], optionsAt: 0, isJudged: true },
    ],
    calls: [onClient(/^(get|put|post|patch|delete)$/)],
    what: ({ client }) => (client?.kind === 'bot' ? 'the answer of Discord to each request' : 'the answer'),
    over: 'forever',
    limit: ({ client, version }) => ({ setting: settingOfDiscord(client?.kind === 'bot', version), kind: 'headers', hasDefault: true }),
    limitedBy: ['makeRequest'],
    retries: 'unknown',
    remedy: ({ client, version }) => {
      const setting = settingOfDiscord(client?.kind === 'bot', version)
      return `${setting === 'rest.timeout' ? 'rest: { timeout: … }' : `${setting}: …`} (ms) where the client is made`
    },
  },
  {
    id: 'ali-oss',
    packages: ['ali-oss'],
    clients: [{ kind: 'client', on: null, made: [''], types: [''], optionsAt: 0 }],
    calls: [onClient(/^(get|put|putStream)$/, 2), onClient(/^(head|getStream|delete|deleteMulti|list|listV2|listBuckets)$/, 1)],
    over: 'forever',
    limit: { setting: 'timeout', kind: 'total', hasDefault: true },
    retries: 'unknown',
    remedy: WHERE_MADE,
  },
  {
    id: 'tencentcloud',
    packages: ['tencentcloud-sdk-nodejs', 'tencentcloud-sdk-nodejs-*'],
    clients: [{ kind: 'client', on: null, made: /^(default\.)?[a-z]\w*\.v\d{8}\.Client$/, optionsAt: 0 }],
    calls: [onClient(/^[A-Z]\w*$/)],
    over: 'forever',
    limit: { setting: 'profile.httpProfile.reqTimeout', kind: 'total', unitMs: 1000, hasDefault: true },
    remedy: 'profile: { httpProfile: { reqTimeout: … } } (s) where the client is made',
  },
]

function hasOptions(node: CallNode): boolean {
  return node.type === 'TaggedTemplateExpression' || node.arguments.length > 1
}

/** What asks is written with its address, or with that and settings: another provider may have limits of its own. */
function isOther(_: CallNode, client: Client | null): boolean {
  const [first] = client?.args ?? []
  return first === undefined || !(isAddress(first) || first.kind === 'object')
}

/** A bot keeps the options of its requests for itself; up to 13 it has one of its own for them. */
function settingOfDiscord(isBot: boolean, version: string | null): string {
  if (!isBot) return 'timeout'
  return version !== null && compareVersions(version, '14') < 0 ? 'restRequestTimeout' : 'rest.timeout'
}

const ASKS_CHAIN =
  /^(get(BlockNumber|Balance|Transaction|TransactionReceipt|TransactionCount|Block|Code|Storage|StorageAt|Network|Logs|FeeData|GasPrice)|call|estimateGas|send|broadcastTransaction|sendTransaction|resolveName|lookupAddress)$/

const BY_REQUEST = 'a FetchRequest with timeout: … (ms) in place of the address'
const BY_CONNECTION = '{ url: …, timeout: … } (ms) in place of the address'

function isOldEthers(version: string | null): boolean {
  return version !== null && compareVersions(version, '6') < 0
}

const chains: readonly PlainSdk[] = [
  {
    id: 'ethers',
    packages: ['ethers', '@ethersproject/providers'],
    clients: [
      {
        kind: 'client',
        on: null,
        made: /^(ethers\.)?(providers\.)?(Static)?JsonRpcProvider$/,
        optionsAt: -1,
      },
    ],
    calls: [onClient(ASKS_CHAIN, -1, { unless: isOther })],
    optionsOf: ({ client }) => (client?.args[0]?.kind === 'object' ? client.args[0] : undefined),
    over: 'forever',
    limit: { setting: 'timeout', kind: { '>=6': 'silence', '<6': 'total' }, hasDefault: true },
    // Up to 5 one timer ends all attempts together.
    retries: ({ version }) => (isOldEthers(version) ? null : 'unknown'),
    remedy: ({ version }) => {
      if (version === null) return `${BY_REQUEST}; up to 5 ${BY_CONNECTION}`
      return isOldEthers(version) ? BY_CONNECTION : BY_REQUEST
    },
  },
  {
    id: 'thirdweb',
    packages: ['thirdweb'],
    clients: [{ kind: 'client', on: null, made: ['createThirdwebClient'], optionsAt: 0, isJudged: true }],
    calls: [],
    what: 'the answer of a chain',
    over: { '>=5': 'fetch' },
    limit: { setting: 'config.rpc.fetch.requestTimeoutMs', kind: 'headers', hasDefault: true },
    remedy: 'config: { rpc: { fetch: { requestTimeoutMs: … } } } (ms)',
  },
  {
    id: 'web3',
    packages: ['web3'],
    clients: [{ kind: 'client', on: null, made: ['', 'Web3'], optionsAt: -1 }],
    calls: [
      onClient(
        /^eth\.(get(BlockNumber|Balance|Block|Transaction|TransactionReceipt|TransactionCount|GasPrice|Code|StorageAt|ChainId|PastLogs)|call|estimateGas)$/,
        -1,
        { unless: isOther },
      ),
    ],
    over: { '>=4': 'forever' },
    remedy: 'new HttpProvider(…, { providerOptions: { signal: … } }), or a race with a timer',
  },
  {
    id: 'solana-web3',
    packages: ['@solana/web3.js'],
    clients: [{ kind: 'client', on: null, made: ['Connection'], types: ['Connection'], optionsAt: 1 }],
    calls: [onClient(/^(get[A-Z]\w*|sendRawTransaction|sendEncodedTransaction|simulateTransaction|requestAirdrop)$/)],
    over: { '>=1.90 <2': 'fetch' },
    replacedBy: ['fetch', 'fetchMiddleware', 'httpAgent'],
    remedy: 'fetch: (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(…) }) where the connection is made',
  },
]

/** What asks an API, a cloud or a chain by a client of its own. */
export const restSdkModels: readonly LibraryModel[] = [...rows, ...chains].map(plainSdk)
