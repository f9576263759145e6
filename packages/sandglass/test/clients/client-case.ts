import type { Bound } from '@sandglass/runtime/core'
import type { PeerMode } from './peers.js'

/** When a call ends, in ms from its start: about then, between two instants, or never. A number above the cap is only measured with `--long`. */
export type Ends = number | readonly [number, number] | 'never'

/** What is seen of a call at one kind of peer. */
export interface Seen {
  readonly ends: Ends
  /** Default: rejects. */
  readonly how?: 'resolves' | 'rejects'
  /** Connections or requests that the peer saw; default: those of the case. */
  readonly attempts?: number | readonly [number, number]
  /** The peer saw the close within 250 ms of the end; null where a new connection hides it. Default: that of the case. */
  readonly cancelsWork?: boolean | null
}

/** One way to call a client library: the text that is executed against bad peers, and later scanned. */
export interface ClientCase {
  /** Unique; starts with the library. */
  readonly name: string
  /** As `ScannedCall.library` says it. */
  readonly library: string
  /** What the code imports from the registry, as `name@version`; the first is the library. None for what Node has. */
  readonly packages: readonly string[]
  /** What is set, in a few words, for the table. */
  readonly setting: string
  /**
   * A module that exports `run`, with one comment `// measured` on the line of the call. It reads `PEER_URL`, `PEER_HOST`, `PEER_PORT` at its top.
   */
  readonly code: string
  /** What is true of the call on that line: the limit of one attempt. */
  readonly expected: Bound
  /** The longest that all attempts and the waits between them take, in ms; null where nothing ends it. Default: that of `expected`. */
  readonly worstMs?: number | readonly [number, number] | null
  /** Attempts that a peer sees which never answers; default 1. */
  readonly attempts?: number | readonly [number, number]
  /** Whether the peer sees the close when the caller has its error; null where nothing ends or it cannot be seen. Default true. */
  readonly cancelsWork?: boolean | null
  readonly seen: Readonly<Partial<Record<PeerMode, Seen>>>
  /** How long a call is watched, in ms; default 1500. */
  readonly capMs?: number
  /** What a reader of the table must know. */
  readonly note?: string
  /** The text alone does not tell what was measured: not for comparing with what scan says. */
  readonly isOnlyMeasured?: boolean
  /** Only in this Node; default all. */
  readonly nodeMajor?: number
  /** Runs in CI too. */
  readonly isQuick?: boolean
}

/** The call ends after so long, with an error. */
export function ends(at: Ends, more: Omit<Seen, 'ends'> = {}): Seen {
  return { ends: at, ...more }
}

/** The call is still pending when the cap is reached. */
export const never: Seen = { ends: 'never' }

/** What a limit of a kind looks like at the three peers that tell the kinds apart. */
export const seenAs = {
  /** Ends however the peer dawdles. */
  total: (ms: Ends): ClientCase['seen'] => ({ hang: ends(ms), stall: ends(ms), drip: ends(ms) }),
  /** Each byte starts it anew. */
  silence: (ms: Ends): ClientCase['seen'] => ({ hang: ends(ms), stall: ends(ms), drip: never }),
  /** Over when the headers are there. */
  headers: (ms: Ends): ClientCase['seen'] => ({ hang: ends(ms), stall: never, drip: never }),
  nothing: (): ClientCase['seen'] => ({ hang: never, stall: never, drip: never }),
} as const
