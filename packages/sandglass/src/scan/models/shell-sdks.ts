import type { Node } from 'oxc-parser'
import type { CallNode } from '../syntax/module.js'
import { bare } from '../syntax/walk.js'
import type { Term } from '../terms/term.js'
import type { LibraryModel, Site } from './library-model.js'
import { type PlainSdk, plainSdk, type SdkLimit } from './plain-sdk.js'
import { onClient } from './row-parts.js'

const HANDSHAKE: SdkLimit = { setting: 'readyTimeout', kind: 'total', hasDefault: true }
/** Only the handshake has a limit of its own: what is asked over the connection has none. */
const handshake = ({ method }: Site): SdkLimit | null => (method === 'connect' ? HANDSHAKE : null)
const awaited = ({ method }: Site): string => (method === 'connect' ? 'the handshake' : 'the answer')
const ENDS = /^(end|close|destroy|signal|dispose)$/
const remedyAfter =
  (what: string) =>
  ({ method }: Site): string =>
    method === 'connect' ? 'readyTimeout: … (ms)' : `a timer that ends it: ${what}`

const rows: readonly PlainSdk[] = [
  {
    id: 'simple-git',
    packages: ['simple-git', 'simple-git/promise'],
    clients: [{ kind: 'client', on: null, made: ['', 'simpleGit', 'gitP', 'default'], types: ['SimpleGit'], optionsAt: 1 }],
    calls: [
      onClient(/^(\w+\(\)\.)*(clone|mirror|fetch|pull|push|pushTags|listRemote|submoduleUpdate)$/),
      onClient(/^(\w+\(\)\.)*raw$/, -1, { unless: (node) => !asksRemote(node) }),
    ],
    optionsOf: gitOptions,
    over: 'forever',
    limit: { setting: 'timeout.block', kind: 'silence' },
    setBy: ['outputHandler'],
    remedy: 'timeout: { block: … } (ms) among the options of simpleGit',
  },
  {
    id: 'ssh2',
    packages: ['ssh2'],
    clients: [
      { kind: 'client', on: null, made: ['Client', ''], types: ['Client', ''], optionsAt: -1 },
      { kind: 'client', on: 'client', made: ['on', 'once'], optionsAt: -1 },
      { kind: 'files', on: 'client', made: ['sftp'], handedAs: 1, types: ['SFTPWrapper'], optionsAt: -1 },
    ],
    calls: [
      onClient(/^connect$/, 0),
      onClient(/^(exec|sftp)$/),
      {
        on: 'files',
        method:
          /^(readdir|l?stat|realpath|open|opendir|read|write|readFile|writeFile|appendFile|fastGet|fastPut|unlink|rename|mkdir|rmdir|chmod|chown|exists)$/,
        optionsAt: -1,
      },
    ],
    over: 'forever',
    what: awaited,
    limit: handshake,
    endedBy: ENDS,
    remedy: remedyAfter('connection.end()'),
  },
  {
    id: 'ssh2-sftp-client',
    packages: ['ssh2-sftp-client'],
    clients: [{ kind: 'client', on: null, made: ['', 'default'], types: ['', 'default'], optionsAt: -1 }],
    calls: [
      onClient(/^connect$/, 0),
      onClient(
        /^(list|exists|stat|get|fastGet|put|fastPut|append|mkdir|rmdir|delete|rename|posixRename|chmod|realPath|cwd|uploadDir|downloadDir|rcopy)$/,
      ),
    ],
    over: 'forever',
    what: awaited,
    limit: handshake,
    endedBy: ENDS,
    remedy: remedyAfter('client.end()'),
  },
  {
    id: 'node-ssh',
    packages: ['node-ssh'],
    clients: [{ kind: 'client', on: null, made: ['NodeSSH', ''], types: ['NodeSSH'], optionsAt: -1 }],
    calls: [
      onClient(/^connect$/, 0),
      onClient(/^(exec|execCommand|mkdir|getFile|putFile|putFiles|putDirectory|getDirectory|requestSFTP)$/),
    ],
    over: 'forever',
    what: awaited,
    limit: handshake,
    endedBy: ENDS,
    remedy: remedyAfter('ssh.dispose()'),
  },
  {
    id: 'puppeteer',
    packages: ['puppeteer', 'puppeteer-core'],
    clients: [{ kind: 'browser', on: null, made: /^(default\.)?(launch|connect)$/, types: ['Browser'], optionsAt: 0, isJudged: true }],
    calls: [],
    what: 'the answer of the browser to a command',
    over: { '>=20': 'forever' },
    limit: { setting: 'protocolTimeout', kind: 'total', hasDefault: true },
    remedy: 'protocolTimeout: … (ms) where the browser is started',
  },
]

/** What git asks another machine for. */
const ASKS_REMOTE = /^(clone|fetch|pull|push|ls-remote|submodule)$/

/** `raw(['clone', …])`, `raw('fetch', …)`. */
function asksRemote(node: CallNode): boolean {
  const [first] = node.type === 'CallExpression' ? node.arguments : []
  const given = first ? bare(first as Node) : null
  const command = given?.type === 'ArrayExpression' ? given.elements[0] : given
  return command?.type === 'Literal' && ASKS_REMOTE.test(String(command.value))
}

/** The options of simple-git: what follows the folder, or stands alone and is no folder. */
function gitOptions({ client }: Site): Term | undefined {
  const [first, second] = client?.args ?? []
  return second ?? (first?.kind === 'constant' || first?.kind === 'made' ? undefined : first)
}

/** What works on other machines over a shell: their commands, files and repositories. */
export const shellSdkModels: readonly LibraryModel[] = rows.map(plainSdk)
