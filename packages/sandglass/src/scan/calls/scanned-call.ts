import type { BoundKind } from '@sandglass/runtime/core'
import type { Factor } from '../../model/diagnostic.js'
import type { Spot } from '../../model/sourced.js'
import type { CallLimits } from './call-limits.js'

/** What is known of how long a call in source code may take; `unknown` is never an error. */
export type Outcome =
  | { readonly state: 'bounded'; readonly ms: number; readonly kind: BoundKind }
  | { readonly state: 'unbounded' }
  | { readonly state: 'unknown' }

/** A call in source code that waits for something outside its process. */
export interface ScannedCall {
  /** The call expression. */
  readonly spot: Spot
  /** The library as people name it: `fetch`, `axios`, `pg`. */
  readonly library: string
  /** The installed version; null where no lockfile tells. */
  readonly version: string | null
  /** The package whose version that is, where that is not what people name it. */
  readonly packageName?: string
  readonly outcome: Outcome
  /** All attempts with the waits between them, in ms; null where unbounded or unknown. */
  readonly worstMs: number | null
  /** What the outcome was made of, each with its origin. */
  readonly factors: readonly Factor[]
  /** Only the syntax of one file was looked at (Go, Java, Python). */
  readonly isShallow: boolean
  /** Where it goes, as far as the code says: a URL, a host or a name; null where it does not. */
  readonly target: string | null
  /** What limits it, field by field; absent where only the outcome is known. */
  readonly limits?: CallLimits
}
