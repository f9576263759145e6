import type { Node } from 'oxc-parser'
import type { LimitState } from '../limits/limit-state.js'
import { readingOf } from '../limits/reading.js'
import { settingOfCall } from '../limits/settings.js'
import { keyName } from '../syntax/declare.js'
import type { CallNode } from '../syntax/module.js'
import type { Term } from '../terms/term.js'
import type { CallShape, LibraryModel, Site } from './library-model.js'
import { type PlainSdk, plainSdk } from './plain-sdk.js'
import { isAddress } from './url-settings.js'

const onBlob = (method: RegExp, optionsAt: number): CallShape => ({ on: 'blob', method, optionsAt })

const rows: readonly PlainSdk[] = [
  {
    id: 'needle',
    packages: ['needle'],
    calls: [
      { on: null, method: /^(get|head|delete|)$/, optionsAt: 1 },
      { on: null, method: /^(post|put|patch)$/, optionsAt: 2 },
    ],
    optionsOf: needleOptions,
    over: 'forever',
    limit: { setting: 'response_timeout', kind: 'headers' },
    signal: 'signal',
    replacedBy: ['read_timeout', 'agent'],
    setBy: ['defaults'],
    remedy: 'response_timeout: … and read_timeout: … (ms)',
  },
  {
    id: 'rss-parser',
    packages: ['rss-parser'],
    clients: [{ kind: 'client', on: null, made: [''], types: [''], optionsAt: 0 }],
    calls: [{ on: 'client', method: /^parseURL$/, optionsAt: -1 }],
    over: 'forever',
    limit: { setting: 'timeout', kind: 'total', hasDefault: true },
    remedy: 'timeout: … (ms) where the parser is made',
  },
  {
    id: 'transloadit',
    packages: ['transloadit'],
    clients: [{ kind: 'client', on: null, made: ['', 'Transloadit'], types: ['Transloadit'], optionsAt: -1 }],
    calls: [{ on: 'client', method: /^createAssembly$/, optionsAt: 0, unless: isNotWaitedFor }],
    over: 'forever',
    limit: { setting: 'timeout', kind: 'total', hasDefault: true },
    remedy: 'timeout: … (ms) beside waitForCompletion',
  },
  {
    id: 'azure-blob',
    packages: ['@azure/storage-blob'],
    clients: [
      { kind: 'service', on: null, made: ['BlobServiceClient'], types: ['BlobServiceClient'], optionsAt: 2 },
      { kind: 'service', on: null, made: ['BlobServiceClient.fromConnectionString'], optionsAt: 1, isFirstPlain: true },
      { kind: 'container', on: 'service', made: ['getContainerClient'], types: ['ContainerClient'], optionsAt: -1 },
      {
        kind: 'blob',
        on: 'container',
        made: /^get(Block|Append|Page)?Blob(Client)?$/,
        types: ['BlobClient', 'BlockBlobClient', 'AppendBlobClient', 'PageBlobClient'],
        optionsAt: -1,
      },
    ],
    calls: [
      onBlob(/^(delete|deleteIfExists|exists|getProperties|getTags|undelete)$/, 0),
      onBlob(/^(uploadData|uploadBrowserData|uploadFile|setMetadata|setHTTPHeaders|setTags|syncCopyFromURL|syncUploadFromURL)$/, 1),
      onBlob(/^(upload|download|commitBlockList)$/, 2),
      onBlob(/^(uploadStream|downloadToBuffer|downloadToFile)$/, 3),
      { on: 'container', method: /^(create|createIfNotExists|delete|deleteIfExists|exists|getProperties)$/, optionsAt: 0 },
      { on: 'container', method: /^deleteBlob$/, optionsAt: 1 },
    ],
    optionsOf: ({ args, options }) => options ?? args.findLast(({ kind }) => kind === 'object'),
    over: 'forever',
    // It is told to the service, which ends the work there.
    limit: { setting: 'retryOptions.tryTimeoutInMs', kind: 'statement' },
    signal: 'abortSignal',
    replacedBy: ['httpClient'],
    retries: 'unknown',
    remedy: 'abortSignal: AbortSignal.timeout(…) in each call',
  },
  {
    id: 'azure-queue',
    packages: ['@azure/storage-queue'],
    clients: [
      { kind: 'service', on: null, made: ['QueueServiceClient'], types: ['QueueServiceClient'], optionsAt: 2 },
      { kind: 'service', on: null, made: ['QueueServiceClient.fromConnectionString'], optionsAt: 1, isFirstPlain: true },
      { kind: 'queue', on: 'service', made: ['getQueueClient'], types: ['QueueClient'], optionsAt: -1 },
      { kind: 'queue', on: null, made: ['QueueClient'], optionsAt: 2, isFirstPlain: true },
    ],
    calls: [
      {
        on: 'queue',
        method:
          /^(sendMessage|receiveMessages|deleteMessage|updateMessage|peekMessages|clearMessages|create|createIfNotExists|delete|deleteIfExists|exists|getProperties)$/,
        optionsAt: -1,
      },
    ],
    optionsOf: ({ args }) => args.findLast(({ kind }) => kind === 'object'),
    over: 'forever',
    limit: { setting: 'retryOptions.tryTimeoutInMs', kind: 'statement' },
    signal: 'abortSignal',
    replacedBy: ['httpClient'],
    retries: 'unknown',
    remedy: 'abortSignal: AbortSignal.timeout(…) in each call',
  },
]

const proxies = plainSdk({
  id: 'http-proxy',
  packages: ['http-proxy-middleware', 'http-proxy'],
  clients: [
    { kind: 'proxy', on: null, made: ['', 'createProxyServer', 'createProxy', 'createServer'], types: ['', 'Server'], optionsAt: 0 },
  ],
  calls: [
    { on: null, method: /^(createProxyMiddleware|legacyCreateProxyMiddleware)$/, optionsAt: 0 },
    { on: 'proxy', method: /^web$/, optionsAt: 2 },
  ],
  optionsOf: proxyOptions,
  over: 'forever',
  limit: { setting: 'proxyTimeout', kind: 'silence' },
  // Where the socket of who asks is closed, what is asked for him is given up.
  replacedBy: ['timeout', 'agent', 'plugins'],
  remedy: 'proxyTimeout: … (ms)',
})

/** A proxy of the server that people develop with serves nobody else. */
const proxyModel: LibraryModel = {
  ...proxies,
  read: (site) => {
    const why = OF_DEVELOPERS.test(site.at.module.source.file)
      ? 'it serves who develops'
      : isOfWebSockets(site)
        ? 'a WebSocket stays open, and nothing looks at it there'
        : null
    if (why === null) return proxies.read(site)
    const limit: LimitState = { state: 'unknown', name: 'proxyTimeout', why }
    return readingOf({ phases: [{ what: 'the answer', kind: 'total', limit }], remedy: '' })
  },
}

/** `ws: true` to an address of WebSockets: of what is passed on there `proxyTimeout` ends nothing. */
function isOfWebSockets(site: Site): boolean {
  const of = (name: string) => settingOfCall(proxyOptions(site), site.client, name, site.evaluator).setting
  const [ws, target] = [of('ws'), of('target')]
  return ws.state === 'given' && ws.value === true && target.state === 'given' && /^wss?:/.test(String(target.value))
}

const OF_DEVELOPERS = /(^|\/)(setupProxy|gulpfile|bs-config|[\w.-]+\.config|([\w.-]+[.-])?dev([.-][\w.-]+)?)\.\w+$/i

/** What asks over the web for one thing: a page, a feed, a file. */
export const webSdkModels: readonly LibraryModel[] = [...rows.map(plainSdk), proxyModel]

/** `needle('get', url, data, options)`, `needle('get', url, options)`, `needle.get(url, options)`. */
function needleOptions({ method, args, options }: Site): Term | undefined {
  if (method !== '') return options
  return args.slice(2, 4).findLast(({ kind }) => kind !== 'function' && kind !== 'constant')
}

/** `createProxyMiddleware(options)`, and with what it is for before them. */
function proxyOptions({ client, args, options }: Site): Term | undefined {
  if (client) return options
  const last = args.at(-1)
  return last && isAddress(last) ? undefined : last
}

/** Without `waitForCompletion: true` nothing but an answer is waited for. */
function isNotWaitedFor(node: CallNode): boolean {
  const [first] = node.type === 'TaggedTemplateExpression' ? [] : node.arguments
  if (first?.type !== 'ObjectExpression') return true
  return !first.properties.some(
    (part) =>
      part.type === 'Property' &&
      keyName(part.key as Node, part.computed) === 'waitForCompletion' &&
      part.value.type === 'Literal' &&
      part.value.value === true,
  )
}
