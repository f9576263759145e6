import type { CallShape, LibraryModel } from './library-model.js'
import { type PlainSdk, plainSdk } from './plain-sdk.js'
import { BY_DISPATCHER } from './row-parts.js'

/** Each wait is e times the one before, from 50 ms on. */
export function growingMs(retries: number): readonly [number, number] {
  let ms = 0
  for (let k = 0; k < Math.min(retries, 20); k++) ms += 50 * Math.exp(k)
  return [Math.round(ms), Math.round(ms)]
}

const UPSTASH_RETRIES = { settings: ['retry.retries', 'retry'], hasDefault: true, waitMs: growingMs } as const
const plain = (method: RegExp): readonly CallShape[] => [{ on: 'client', method, optionsAt: -1 }]

const rows: readonly PlainSdk[] = [
  {
    id: 'resend',
    packages: ['resend'],
    clients: [{ kind: 'client', on: null, made: ['', 'Resend'], types: ['Resend'], optionsAt: 1, isFirstPlain: true }],
    calls: plain(/^\w+(\.\w+)?\.(send|create|update|remove|get|list|verify|cancel)$/),
    over: 'fetch',
    remedy: BY_DISPATCHER,
  },
  {
    id: 'upstash-qstash',
    packages: ['@upstash/qstash'],
    clients: [{ kind: 'client', on: null, made: ['Client'], types: ['Client'], optionsAt: 0 }],
    calls: plain(
      /^((queue\(\)\.)?(publish|publishJSON|enqueue|enqueueJSON|upsert|pause|resume|delete|get|list)|batch|batchJSON|logs|events|(schedules|messages|dlq|urlGroups|topics)\.\w+)$/,
    ),
    over: 'fetch',
    retries: UPSTASH_RETRIES,
    remedy: `${BY_DISPATCHER}, and retry: { retries: … }`,
  },
  {
    id: 'upstash-workflow',
    packages: ['@upstash/workflow'],
    clients: [{ kind: 'client', on: null, made: ['Client'], types: ['Client'], optionsAt: 0 }],
    calls: plain(/^(trigger|cancel|notify|getWaiters|logs|dlq\.\w+)$/),
    over: 'fetch',
    retries: UPSTASH_RETRIES,
    remedy: `${BY_DISPATCHER}, and retry: { retries: … }`,
  },
  {
    id: 'upstash-vector',
    packages: ['@upstash/vector'],
    clients: [
      { kind: 'client', on: null, made: ['Index', 'Index.fromEnv'], types: ['Index'], optionsAt: 0 },
      { kind: 'client', on: 'client', made: ['namespace'], optionsAt: -1 },
    ],
    calls: plain(/^(query|queryMany|upsert|update|delete|fetch|range|reset|info|listNamespaces|deleteNamespace)$/),
    over: 'fetch',
    replacedBy: ['signal'],
    retries: UPSTASH_RETRIES,
    remedy: 'signal: () => AbortSignal.timeout(…) and retry: { retries: … }',
  },
  {
    id: 'vercel-edge-config',
    packages: ['@vercel/edge-config'],
    clients: [{ kind: 'client', on: null, made: ['createClient'], types: ['EdgeConfigClient'], optionsAt: 1, isFirstPlain: true }],
    calls: [null, 'client'].map((on) => ({ on, method: /^(get|getAll|has|digest)$/, optionsAt: -1 })),
    over: 'fetch',
    remedy: BY_DISPATCHER,
  },
  {
    id: 'vercel-blob',
    packages: ['@vercel/blob'],
    calls: [
      { on: null, method: /^(put|copy|createMultipartUpload|uploadPart|completeMultipartUpload)$/, optionsAt: 2 },
      { on: null, method: /^(del|head)$/, optionsAt: 1 },
      { on: null, method: /^list$/, optionsAt: 0 },
    ],
    over: 'fetch',
    replacedBy: ['abortSignal'],
    retries: { settings: ['VERCEL_BLOB_RETRIES'], hasDefault: true, waitMs: doubledSeconds },
    remedy: `the abortSignal of a controller with a timer, or ${BY_DISPATCHER}`,
  },
  {
    id: 'notion',
    packages: ['@notionhq/client'],
    clients: [{ kind: 'client', on: null, made: ['Client'], types: ['Client'], optionsAt: 0 }],
    calls: plain(/^(request|search|(blocks|databases|pages|users|comments|dataSources|fileUploads|views)(\.\w+)+)$/),
    over: 'fetch',
    limit: { setting: 'timeoutMs', kind: 'headers', hasDefault: true },
    remedy: 'timeoutMs: … (ms)',
  },
  {
    id: 'sendgrid',
    packages: ['@sendgrid/mail', '@sendgrid/client'],
    clients: [{ kind: 'client', on: null, made: ['MailService', 'Client'], types: ['MailService', 'Client'], optionsAt: -1 }],
    calls: [null, 'client'].map((on) => ({ on, method: /^(send|sendMultiple|request)$/, optionsAt: -1 })),
    over: 'forever',
    setBy: ['setTimeout', 'setDefaultRequest', 'setClient'],
    isOneClient: true,
    // Only the mailer has a name of its own for it.
    remedy: ({ takenFrom }) => (takenFrom === '@sendgrid/client' ? "setDefaultRequest('timeout', …) (ms)" : 'setTimeout(…) (ms)'),
  },
]

/** What stores, queues and sends somewhere else, for whom one limit or none is all there is. */
export const cloudSdkModels: readonly LibraryModel[] = rows.map(plainSdk)

/** From a second on each wait is twice the one before, and up to twice as long. */
function doubledSeconds(retries: number): readonly [number, number] {
  const leastMs = 1000 * (2 ** Math.min(retries, 30) - 1)
  return [leastMs, 2 * leastMs]
}
