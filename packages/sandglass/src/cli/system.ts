import type { Folders } from './folders.js'

/** An output of the process. */
export interface Output {
  readonly isTerminal: boolean
  /** Columns of the terminal; null where there is none. */
  readonly columns: number | null
  readonly write: (text: string) => void
}

/** What git gave: the bytes of a file at a revision, or why there are none. */
export type GitFile = { readonly ok: true; readonly bytes: Uint8Array } | { readonly ok: false; readonly reason: string }

/** All that a command may touch outside itself: tests give it another. */
export interface System {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The version of this package. */
  readonly version: () => string
  readonly stdout: Output
  readonly stderr: Output
  readonly folders: Folders
  /** All of standard input; stops reading beyond `most` bytes. */
  readonly readStdin: (most: number) => Promise<Uint8Array>
  /** A file at a revision, as `git cat-file blob revision:path` gives it; a path that begins with `./` counts from the current folder. */
  readonly gitShow: (revision: string, path: string, most: number) => GitFile
}
