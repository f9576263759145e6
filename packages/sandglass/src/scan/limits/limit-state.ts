import type { BoundKind } from '@sandglass/runtime/core'
import type { Origin, Spot } from '../../model/sourced.js'

/** A limit that holds: written in the code, or the library's own default. */
export interface Limit {
  readonly state: 'written' | 'default'
  /** The library's own name of it, or what makes it: `timeout`, `AbortSignal.timeout`. */
  readonly name: string
  readonly kind: BoundKind
  readonly ms: number
  readonly origin: Origin
  /** False where the caller goes on and the work does too. */
  readonly cancels: boolean
  /** It is the default of a look-up that may bring another value: `process.env.T ?? 500`. */
  readonly isAssumed: boolean
  /** The largest of those that a condition chooses from. */
  readonly isMost?: boolean
  /** It ends the connection that calls go over, once for all of them. */
  readonly endsConnection?: boolean
}

/** A limit that could be there: it holds, there is none, or nobody can tell. */
export type LimitState =
  | Limit
  /** `spot` is where it is switched off, or where it could be written; `isOff` tells which. */
  | {
      readonly state: 'none'
      readonly name: string
      readonly spot: Spot
      readonly isOff: boolean
      /** What a number that is written at the spot does, as it ends nothing. */
      readonly does?: string
    }
  | { readonly state: 'unknown'; readonly name: string; readonly why: string }

/** True for a limit that holds. */
export function holds(state: LimitState | null): state is Limit {
  return state !== null && (state.state === 'written' || state.state === 'default')
}
