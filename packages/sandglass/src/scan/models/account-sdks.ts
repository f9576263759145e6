import type { Node } from 'oxc-parser'
import type { CallNode } from '../syntax/module.js'
import type { Term } from '../terms/term.js'
import { configured } from './configured.js'
import type { CallShape, LibraryModel, Site } from './library-model.js'
import { type PlainSdk, plainSdk } from './plain-sdk.js'
import { BY_RACE } from './row-parts.js'

const OVER_FETCH = 'a race with a timer, or setGlobalDispatcher(new Agent({ headersTimeout: …, bodyTimeout: … })) of undici (ms)'
const plain = (method: RegExp, optionsAt = -1): readonly CallShape[] => [{ on: 'client', method, optionsAt }]

const rows: readonly PlainSdk[] = [
  {
    id: 'cloudinary',
    packages: ['cloudinary'],
    calls: [
      {
        on: null,
        method:
          /^(v2\.)?uploader\.((unsigned_)?upload(_large|_stream|_chunked|_chunked_stream|_large_stream)?|destroy|rename|explicit|explode|multi|text|(create|generate)_\w+|(add|remove|replace|update)_\w+|remove_all_\w+)$/,
        optionsAt: 0,
      },
      { on: null, method: /^(v2\.)?(api\.(?!\w*(sign|url))[a-z]\w*|search\.(\w+\(\)\.)*execute)$/, optionsAt: -1 },
    ],
    optionsOf: uploadOptions,
    over: 'forever',
    // What administers sets a timer that nobody listens to.
    limit: ({ method }) => (isUpload(method) ? { setting: 'timeout', kind: 'silence', hasDefault: true } : null),
    remedy: ({ method }) => (isUpload(method) ? 'timeout: … (ms)' : BY_RACE),
  },
  {
    id: 'paddle',
    packages: ['@paddle/paddle-node-sdk'],
    clients: [{ kind: 'client', on: null, made: ['Paddle'], types: ['Paddle'], optionsAt: -1 }],
    calls: plain(/^(?!(webhooks|client)\.)[a-z]\w*\.[a-z]\w*$/),
    over: { '<2': 'forever', '>=2': 'fetch' },
    remedy: OVER_FETCH,
  },
  {
    id: 'plaid',
    packages: ['plaid'],
    clients: [{ kind: 'client', on: null, made: ['PlaidApi'], types: ['PlaidApi'], optionsAt: -1 }],
    calls: plain(/^[a-z]\w*$/, 1),
    optionsOf: ({ client, options }) => options ?? configured(client?.args[0]),
    over: 'forever',
    limit: ({ args }) => ({ setting: args[1] ? 'timeout' : 'baseOptions.timeout', kind: 'silence' }),
    remedy: 'new Configuration({ baseOptions: { timeout: … } }) (ms)',
  },
  {
    id: 'circle-wallets',
    packages: ['@circle-fin/developer-controlled-wallets'],
    clients: [
      {
        kind: 'client',
        on: null,
        made: ['initiateDeveloperControlledWalletsClient'],
        types: ['CircleDeveloperControlledWalletsClient'],
        optionsAt: -1,
      },
    ],
    calls: plain(/^(create|get|list|update|delete|accelerate|cancel|sign|derive|estimate|request|validate|upgrade)[A-Z]\w*$/),
    over: 'forever',
    remedy: BY_RACE,
  },
  {
    id: 'temporal',
    packages: ['@temporalio/client'],
    clients: [
      { kind: 'client', on: null, made: ['Client'], types: ['Client'], optionsAt: -1 },
      { kind: 'handle', on: 'client', made: ['workflow.getHandle', 'schedule.getHandle'], types: ['WorkflowHandle'], optionsAt: -1 },
    ],
    calls: [
      ...plain(/^(workflow\.(start|signalWithStart|count|startUpdateWithStart)|schedule\.create)$/),
      {
        on: 'handle',
        method: /^(describe|signal|query|terminate|cancel|fetchHistory|startUpdate|pause|unpause|trigger|delete|update|backfill)$/,
        optionsAt: -1,
      },
    ].map((call) => ({ ...call, unless: isWithDeadline })),
    over: 'forever',
    setBy: ['withDeadline', 'withAbortSignal'],
    remedy: 'client.withDeadline(Date.now() + …, () => …)',
  },
  {
    id: 'clamscan',
    packages: ['clamscan'],
    clients: [
      { kind: 'factory', on: null, made: ['', 'NodeClam'], types: [''], optionsAt: -1 },
      { kind: 'client', on: 'factory', made: ['init'], optionsAt: -1 },
    ],
    calls: plain(/^(scanStream|isInfected|scanFile|scanFiles|scanDir|ping|getVersion)$/),
    over: 'forever',
    remedy: 'a race with a timer: clamdscan.timeout only ends its own side of the connection',
  },
  {
    id: 'memcached',
    packages: ['memcached'],
    clients: [{ kind: 'client', on: null, made: [''], types: [''], optionsAt: -1 }],
    calls: plain(
      /^(get|gets|getMulti|set|replace|add|cas|append|prepend|incr|decr|increment|decrement|del|delete|touch|flush|stats|version)$/,
    ),
    over: 'forever',
    remedy: 'a race with a timer: timeout is only for the connection, and who asked is not called when idle closes it',
  },
]

function isUpload(method: string): boolean {
  return method.includes('uploader.')
}

/** The options stand behind what is uploaded or named, and before or behind what is called when it is done. */
function uploadOptions({ method, args }: Site): Term | undefined {
  return args.slice(namedFirst(method)).findLast(({ kind }) => kind !== 'function')
}

/** How many arguments say what it is about. */
function namedFirst(method: string): number {
  if (/_stream$|create_(archive|zip)$/.test(method)) return 0
  return /(rename|unsigned_upload|_tag|_context|_metadata)$/.test(method) ? 2 : 1
}

/** It stands in what `withDeadline` or `withAbortSignal` is given to run. */
function isWithDeadline(call: CallNode): boolean {
  for (let node: Node | null = call; node; node = node.parent ?? null) {
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') continue
    const { property } = node.callee
    if (property.type === 'Identifier' && /^with(Deadline|AbortSignal)$/.test(property.name)) return true
  }
  return false
}

/** What stores, pays, scans and runs elsewhere. */
export const accountSdkModels: readonly LibraryModel[] = rows.map(plainSdk)
