import type { LibraryModel } from './library-model.js'
import { type PlainSdk, plainSdk } from './plain-sdk.js'

const rows: readonly PlainSdk[] = [
  {
    id: 'ws',
    packages: ['ws'],
    calls: [{ on: null, method: /^(default\.)?(WebSocket)?$/, optionsAt: -1, isNew: true }],
    // Protocols may stand before the options.
    optionsOf: ({ args }) => args.slice(1).findLast(({ kind }) => kind !== 'constant' && kind !== 'list'),
    what: 'the handshake',
    isTold: true,
    over: 'forever',
    limit: { setting: 'handshakeTimeout', kind: 'total' },
    replacedBy: ['finishRequest'],
    endedBy: /^(terminate|close|destroy|abort)$/,
    remedy: 'handshakeTimeout: … (ms) among the options of new WebSocket',
  },
]

/** Connections that stay open, as far as somebody waits for them to open. */
export const socketSdkModels: readonly LibraryModel[] = rows.map(plainSdk)
