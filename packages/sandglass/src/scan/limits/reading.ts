import type { BoundKind } from '@sandglass/runtime/core'
import type { Spot } from '../../model/sourced.js'
import type { ScanFinding } from '../scan-finding.js'
import type { LimitState } from './limit-state.js'

/** One of the things a call waits for, one after the other. */
export interface Phase {
  /** As it stands in a sentence: `the answer`, `a free client`, `the connection`. */
  readonly what: string
  readonly kind: BoundKind
  readonly limit: LimitState
}

/** How often a client tries by itself. */
export interface Attempts {
  /** All of them, the first included; null where it never gives up. */
  readonly count: number | null
  /** All waits between them together, in ms: at least and at most. */
  readonly waitMs: readonly [number, number]
  readonly name: string
  readonly spot: Spot
  /** Nobody wrote it: the client does it by itself. */
  readonly isDefault: boolean
  /** Where an answer that does not begin at all is not asked for again, what is: `where the body falls silent`. */
  readonly when?: string
}

/** What a library's model says about one call: what is waited for, what ends it, how often it is tried. */
export interface Reading {
  readonly phases: readonly Phase[]
  /** A limit over the whole call, all the client's attempts included; null where the library has no such thing. */
  readonly overall: LimitState | null
  /** A limit over each attempt; null where the library has no such thing. */
  readonly attempt: LimitState | null
  readonly attempts: Attempts | null
  /** The attempts could not be found out. */
  readonly isAttemptsUnknown?: boolean
  /** Nobody is stopped by waiting for it, as what comes is told by events. */
  readonly isTold?: boolean
  /** What else is wrong here; those of one cause are reported once. */
  readonly findings: readonly ScanFinding[]
  /** What to write, for the fix of a call without a limit: `signal: AbortSignal.timeout(…)`. */
  readonly remedy: string
  /** What to write for one limit over all attempts, where that is more than a signal in the options of the call. */
  readonly overAll?: string
  /** What of it is not written yet, where that is told apart. */
  readonly missing?: string | undefined
}

/** The same as the end of a clause. */
export function whenOf({ when }: Attempts): string {
  return when === undefined ? '' : ` ${when}`
}

/** A reading in which nothing is limited; models say what is. */
export function readingOf(parts: Partial<Reading> & Pick<Reading, 'remedy'>): Reading {
  return { phases: [], overall: null, attempt: null, attempts: null, findings: [], ...parts }
}
