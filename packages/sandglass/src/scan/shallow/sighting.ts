import type { BoundKind } from '@sandglass/runtime/core'
import type { Product } from './products.js'
import type { SyntaxNode } from './syntax-tree.js'

/** What limits a call, as the code says it; `absent`: nothing is written, so that the library's own default holds. */
export type Limit =
  | { readonly state: 'written'; readonly ms: number; readonly kind: BoundKind; readonly at: SyntaxNode }
  | { readonly state: 'off'; readonly at: SyntaxNode }
  | { readonly state: 'absent' }
  | { readonly state: 'unknown' }

export const ABSENT: Limit = { state: 'absent' }
export const UNKNOWN_LIMIT: Limit = { state: 'unknown' }

/** A call of a known library, and what limits it. */
export interface Sighting {
  readonly product: Product
  /** As people write it: `requests.get`. */
  readonly what: string
  readonly call: SyntaxNode
  /** Where a limit would be written: the call, or where its client was made. Calls with one cause are one finding. */
  readonly cause: SyntaxNode
  readonly limit: Limit
  /** Where it goes, as far as the code says. */
  readonly target: string | null
  /** A client that counts only where nothing is called on it in this file. */
  readonly isWithoutUse?: true
}
