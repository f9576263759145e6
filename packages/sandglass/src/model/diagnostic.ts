import type { Origin, Spot } from './sourced.js'

export type Severity = 'error' | 'warning' | 'info'

/** The unit of a factor or value; times are always ms. */
export type Unit = 'ms' | 'count' | 'share' | 'perS' | 'text'

/** One number (or word) that went into a finding, and where it comes from. */
export interface Factor {
  readonly name: string
  readonly value: number | string | null
  readonly unit: Unit
  readonly origin: Origin
}

/** A replacement of one stretch of a source by another text. */
export interface Edit {
  readonly spot: Spot
  readonly text: string
}

/** What to change: in words (old -> new), and as edits where the change is one. */
export interface Suggestion {
  readonly text: string
  readonly edits: readonly Edit[]
}

/** A second place a finding speaks of, with what it says there ("the caller stops waiting"). */
export interface Related {
  readonly spot: Spot
  readonly label: string
}

/** A finding that follows from another one and is listed under it. */
export interface Consequence {
  readonly message: string
  readonly path: readonly string[]
  readonly values: Readonly<Record<string, number | string | null>>
  readonly spot: Spot
}

/** One thing that is wrong with a chain. Data only: printing is a later choice. */
export interface Diagnostic {
  readonly rule: string
  readonly severity: Severity
  /** One sentence, without the rule's name. */
  readonly message: string
  /** The sum in one line: "2 attempts x 2 s + back-off up to 600 ms = 4.6 s > 3 s". Empty where there is none. */
  readonly arithmetic: string
  /** Why it matters, in one line. */
  readonly why: string
  readonly spot: Spot
  /** What `spot` says, under its underline ("each attempt"). */
  readonly label: string
  readonly related: readonly Related[]
  /** The journey it was found on; null outside every journey. */
  readonly journey: string | null
  /** From the journey's start to the callee of the call it is about. */
  readonly path: readonly string[]
  /** Where the call it is about stands; absent where it is about none. */
  readonly callSpot?: Spot
  /** The bound in ms of each call of the path (one less than `path`); null where it is unbounded or unknown. */
  readonly pathBoundsMs: readonly (number | null)[]
  readonly values: Readonly<Record<string, number | string | null>>
  readonly factors: readonly Factor[]
  readonly consequences: readonly Consequence[]
  readonly suggestion: Suggestion | null
}

/** Something in the input that could not be used: where, what, what was expected. */
export interface Problem {
  readonly message: string
  /** Null where the whole file is meant; then `file` says which. */
  readonly spot: Spot | null
  readonly file: string
}

/** Something that was assumed or not covered; never an error. */
export interface Note {
  readonly message: string
  readonly spot: Spot | null
}
