import type { Node } from 'oxc-parser'
import { compareVersions } from '../../model/default-of.js'
import { firstText, joined } from '../calls/target-text.js'
import { settingIn, settingOfCall } from '../limits/settings.js'
import { isText } from '../terms/is-text.js'
import type { Term } from '../terms/term.js'
import type { LibraryModel, Site } from './library-model.js'
import { type PlainSdk, plainSdk, type SdkRetries } from './plain-sdk.js'

const rows: readonly PlainSdk[] = [
  {
    id: 'request',
    packages: ['request', 'request-promise', 'request-promise-native', 'request-promise-any'],
    clients: [null, 'request'].map((on) => ({ kind: 'request', on, made: ['defaults'], optionsAt: 0 })),
    calls: [null, 'request'].map((on) => ({ on, method: /^(get|head|options|post|put|patch|del|delete|)$/, optionsAt: 0 })),
    optionsOf: uriOrOptions,
    over: 'forever',
    limit: { setting: 'timeout', kind: 'silence' },
    remedy: 'timeout: … (ms)',
    targetOf: (site) => baseJoined(site, 'baseUrl'),
  },
  {
    id: 'ofetch',
    packages: ['ofetch', 'ohmyfetch'],
    clients: [null, 'instance'].map((on) => ({
      kind: 'instance',
      on,
      made: ['create', 'ofetch.create', '$fetch.create'],
      types: ['$Fetch'],
      optionsAt: 0,
    })),
    calls: [
      { on: null, method: /^(ofetch|\$fetch)(\.raw)?$/, optionsAt: 1 },
      { on: 'instance', method: /^(raw)?$/, optionsAt: 1 },
    ],
    over: 'fetch',
    limit: { setting: 'timeout', kind: 'headers' },
    signal: 'signal',
    retries: retriesOfFetch,
    remedy: 'signal: AbortSignal.timeout(…)',
    targetOf: (site) => baseJoined(site, 'baseURL'),
  },
  {
    id: 'graphql-request',
    packages: ['graphql-request'],
    clients: [{ kind: 'client', on: null, made: ['GraphQLClient'], types: ['GraphQLClient'], optionsAt: 1, isFirstPlain: true }],
    calls: [
      { on: null, method: /^(|request|rawRequest|batchRequests)$/, optionsAt: 0 },
      { on: 'client', method: /^(request|rawRequest|batchRequests)$/, optionsAt: 0 },
    ],
    optionsOf: ({ options }) => (options?.kind === 'object' || options?.kind === 'parameter' ? options : undefined),
    over: { '<7': 'forever', '>=7': 'fetch' },
    limit: { setting: 'timeout', kind: 'total', versions: '<7' },
    signal: 'signal',
    replacedBy: ['fetch', 'signal'],
    remedy: (site) =>
      takesNoSignal(site) ? 'new GraphQLClient(url, { signal: AbortSignal.timeout(…) }) for the call' : 'signal: AbortSignal.timeout(…)',
    targetOf: ({ client, args }) => firstText((client?.args ?? args)[0]),
  },
  {
    id: 'gaxios',
    packages: ['gaxios'],
    clients: [{ kind: 'client', on: null, made: ['Gaxios'], types: ['Gaxios'], optionsAt: 0 }],
    calls: [null, 'client'].map((on) => ({ on, method: /^request$/, optionsAt: 0 })),
    over: { '>=7': 'forever' },
    limit: { setting: 'timeout', kind: 'total' },
    signal: 'signal',
    replacedBy: ['adapter', 'fetchImplementation'],
    remedy: 'timeout: … (ms)',
    targetOf: (site) => baseJoined(site, 'baseURL'),
  },
  {
    id: 'bent',
    packages: ['bent'],
    clients: [{ kind: 'client', on: null, made: ['', 'default'], optionsAt: -1 }],
    calls: [{ on: 'client', method: /^$/, optionsAt: -1 }],
    over: 'forever',
    remedy: 'a race with a timer: it has no option for it',
  },
  {
    id: 'typed-rest-client',
    packages: ['typed-rest-client', 'typed-rest-client/RestClient', 'typed-rest-client/HttpClient'],
    clients: [
      { kind: 'client', on: null, made: ['RestClient'], types: ['RestClient'], optionsAt: 3 },
      { kind: 'client', on: null, made: ['HttpClient'], types: ['HttpClient'], optionsAt: 2 },
    ],
    calls: [{ on: 'client', method: /^(get|create|update|replace|del|options|post|patch|put|head|request|uploadStream)$/, optionsAt: -1 }],
    over: 'forever',
    limit: { setting: 'socketTimeout', kind: 'silence', hasDefault: true },
    remedy: 'socketTimeout: … (ms) where the client is made',
  },
]

/** Libraries that ask by HTTP and have one limit or none. */
export const httpSdkModels: readonly LibraryModel[] = rows.map(plainSdk)

/** Before version 4 `request(url, document)` takes variables and headers, and nothing else. */
function takesNoSignal({ client, version }: Site): boolean {
  return client === null && version !== null && compareVersions(version, '4') < 0
}

/** `request(options)`, `request(url, options)`, `request(url)`: an address is no options, nor is one of several addresses. */
function uriOrOptions({ args: [first, second], node, at }: Site): Term | undefined {
  if (first?.kind === 'object' || (first?.kind === 'either' && first.of.some(({ kind }) => kind === 'object'))) return first
  if (second && second.kind !== 'function') return second
  const [written] = node.type === 'CallExpression' ? node.arguments : []
  const isAddress = firstText(first) !== null || (written !== undefined && isText(written as Node, at.module))
  return isAddress ? undefined : first
}

/** What sends something is not tried again, and its own timeout ends all attempts. */
function retriesOfFetch({ options, client, evaluator }: Site): SdkRetries | null {
  const setting = (name: string) => settingOfCall(options, client, name, evaluator).setting
  if (setting('timeout').state === 'given') return null
  const method = setting('method')
  const delay = setting('retryDelay')
  const delayMs = delay.state === 'given' && typeof delay.value === 'number' ? delay.value : 0
  const waitMs = (retries: number) => [retries * delayMs, retries * delayMs] as const
  return {
    settings: ['retry'],
    hasDefault: method.state === 'absent' || (method.state === 'given' && ASKS.test(String(method.value))),
    waitMs,
  }
}

const ASKS = /^(get|head|options)$/i

function baseJoined({ args, client, evaluator }: Site, name: string): string | null {
  const [first] = args
  const base = settingIn(client?.options, name, evaluator)
  const url = first?.kind === 'object' ? urlIn(first, { evaluator }) : firstText(first)
  return joined(url, base.state === 'given' && typeof base.value === 'string' ? base.value : null)
}

function urlIn(options: Term, { evaluator }: Pick<Site, 'evaluator'>): string | null {
  for (const name of ['url', 'uri']) {
    const found = firstText(evaluator.memberOf(options, name))
    if (found !== null) return found
  }
  return null
}
