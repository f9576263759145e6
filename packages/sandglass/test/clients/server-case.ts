/** One way to listen: the text that is executed, asked, and later scanned. */
export interface ServerCase {
  /** Unique; starts with the library. */
  readonly name: string
  readonly library: string
  /** As those of a client case. */
  readonly packages: readonly string[]
  readonly setting: string
  /** A module that exports `server`, a server of node:http that listens, with one comment `// measured` on the line that makes it. It answers `/` and never `/hang`. */
  readonly code: string
  /** What is read off the server that listens, in ms; 0 is none. */
  readonly listened: ServerLimits
  /** When a connection is closed on which one request was answered, in ms; a number above the cap is not waited for. */
  readonly idleEnds: number
  /** When a request ends whose handler never answers, in ms; null for never. */
  readonly hangEnds: number | null
  readonly isQuick?: boolean
  readonly note?: string
}

/** The limits of a server of node:http, in ms. */
export interface ServerLimits {
  readonly requestTimeoutMs: number
  readonly headersTimeoutMs: number
  readonly keepAliveTimeoutMs: number
  readonly timeoutMs: number
}

/** What was measured of a server; null where nothing had ended at the cap. */
export interface MeasuredServer {
  readonly listened: ServerLimits
  readonly idleMs: number | null
  readonly hangMs: number | null
  readonly latestMs: number
}
