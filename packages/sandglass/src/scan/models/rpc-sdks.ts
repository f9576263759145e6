import type { Node } from 'oxc-parser'
import type { CallNode } from '../syntax/module.js'
import { bare } from '../syntax/walk.js'
import type { LibraryModel } from './library-model.js'
import { type PlainSdk, plainSdk } from './plain-sdk.js'
import { BY_RACE, onClient } from './row-parts.js'

const rows: readonly PlainSdk[] = [
  {
    id: 'soap',
    packages: ['soap'],
    clients: [
      {
        kind: 'client',
        on: null,
        made: ['createClientAsync', 'default.createClientAsync'],
        types: ['Client'],
        optionsAt: 1,
        isFirstPlain: true,
      },
      { kind: 'client', on: null, made: ['createClient', 'default.createClient'], handedAs: 1, optionsAt: 1 },
    ],
    calls: [
      { on: null, method: /^(default\.)?createClientAsync$/, optionsAt: 1, unless: isNoWebAddress },
      onClient(/^[a-zA-Z]\w*Async$/, 1),
      onClient(/^[A-Z]\w*$/, 2, { unless: isNotHeard }),
    ],
    over: 'forever',
    limit: ({ client }) => ({ setting: client ? 'timeout' : 'wsdl_options.timeout', kind: 'silence' }),
    replacedBy: ['request', 'httpClient'],
    remedy: ({ client }) => (client ? 'timeout: … (ms) among the options of the call' : 'wsdl_options: { timeout: … } (ms)'),
  },
  {
    id: 'xmlrpc',
    packages: ['xmlrpc'],
    clients: [{ kind: 'client', on: null, made: /^(default\.)?create(Secure)?Client$/, optionsAt: 0 }],
    calls: [onClient(/^methodCall$/)],
    over: 'forever',
    remedy: BY_RACE,
  },
  {
    id: 'jayson',
    packages: ['jayson', 'jayson/promise'],
    clients: [{ kind: 'client', on: null, made: /^(default\.)?([Cc]lient\.)?(tcp|tls)$/, optionsAt: 0 }],
    calls: [onClient(/^request$/)],
    over: 'forever',
    remedy: BY_RACE,
  },
  {
    id: 'electrum-client',
    packages: ['electrum-client', '@mempool/electrum-client'],
    clients: [{ kind: 'client', on: null, made: ['', 'default', 'ElectrumClient'], types: ['', 'default'], optionsAt: -1 }],
    calls: [onClient(/^(request|requestBatch|(blockchain|server|mempool)[A-Z_]\w*)$/)],
    over: 'forever',
    endedBy: /^(close|destroy|end)$/,
    remedy: BY_RACE,
  },
  {
    id: 'bitcoin-core',
    packages: ['bitcoin-core'],
    clients: [{ kind: 'client', on: null, made: ['', 'default', 'Client'], types: ['', 'default'], optionsAt: 0 }],
    calls: [onClient(/^(command|(get|list|send|create|decode|validate|estimate|import|sign|fund)[A-Z]\w*)$/)],
    over: 'forever',
    limit: { setting: 'timeout', kind: 'silence', hasDefault: true },
    remedy: 'timeout: … (ms) where the client is made',
  },
  {
    id: 'arweave',
    packages: ['arweave'],
    clients: [{ kind: 'client', on: null, made: /^(default\.)?init$/, types: ['', 'default'], optionsAt: 0 }],
    calls: [
      onClient(
        /^(network\.get(Info|Peers)|blocks\.get(ByHeight|Current)?|transactions\.(get|post|getStatus|getPrice|getTransactionAnchor|getData)|wallets\.get(Balance|LastTransactionID)|api\.(get|post))$/,
      ),
    ],
    // Its own timeout is one that nothing looks at.
    over: { '>=1.15': 'fetch' },
    remedy: BY_RACE,
  },
  {
    id: 'kubo-rpc-client',
    packages: ['kubo-rpc-client'],
    clients: [{ kind: 'client', on: null, made: ['create'], types: ['KuboRPCClient'], optionsAt: 0, isFirstPlain: true }],
    calls: [
      onClient(
        /^(add|id|version|stop|dag\.(get|put|resolve)|block\.(get|put|stat)|pin\.(add|rm)|name\.publish|swarm\.(connect|peers)|files\.(stat|write|mkdir|cp|mv|rm))$/,
      ),
    ],
    optionsOf: ({ args }) => args.findLast(({ kind }) => kind === 'object'),
    over: { '>=7': 'fetch' },
    signal: 'signal',
    remedy: 'signal: AbortSignal.timeout(…); its timeout ends nothing',
  },
]

/** What is not written as an address of the web is a file, or nobody can tell. */
function isNoWebAddress(node: CallNode): boolean {
  const [first] = node.type === 'CallExpression' ? node.arguments : []
  const given = first ? bare(first as Node) : null
  const text = given?.type === 'TemplateLiteral' ? given.quasis[0]?.value.raw : given?.type === 'Literal' ? given.value : null
  return typeof text !== 'string' || !/^https?:/.test(text)
}

function isNotHeard(node: CallNode): boolean {
  const args = node.type === 'CallExpression' ? node.arguments : []
  return !args.some((arg) => ['ArrowFunctionExpression', 'FunctionExpression'].includes(bare(arg as Node).type))
}

/** What calls procedures somewhere else, and nodes of chains. */
export const rpcSdkModels: readonly LibraryModel[] = rows.map(plainSdk)
