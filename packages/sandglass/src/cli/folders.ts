/** What stands at a path. */
export type Entry =
  /** A pipe has no size, and reading it may wait for ever. */
  { readonly kind: 'file'; readonly size: number; readonly isPipe?: boolean } | { readonly kind: 'folder' } | { readonly kind: 'other' }

/** Reading and writing files; paths are relative to the current folder or absolute, with forward slashes. */
export interface Folders {
  /** Null where there is nothing; an error with a `code` where it cannot be told. */
  readonly look: (path: string) => Entry | null
  /** At most `most` bytes and one more, so that a longer file is known to be one; throws an error with a `code`. */
  readonly read: (path: string, most: number) => Uint8Array
  /** Names of a folder in order, folders ending with a slash; throws an error with a `code`. */
  readonly list: (path: string) => readonly string[]
  /** Throws an error with a `code`. */
  readonly write: (path: string, text: string) => void
  /** One name for a file, whatever path leads to it. */
  readonly identity: (path: string) => string
}
