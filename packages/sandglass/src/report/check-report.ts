import type { Diagnostic, Note, Severity } from '../model/diagnostic.js'
import type { Spot } from '../model/sourced.js'
import type { ChainDrawing } from './chain-drawing.js'

/** The times of one journey in ms; null where a limit is missing or unknown. */
export interface JourneyTimes {
  readonly name: string
  /** Null where the promise is `none`, `unknown` or not given. */
  readonly promiseMs: number | null
  readonly worstMs: number | null
  readonly typicalMs: number | null
}

/** A file that was there and was left out, and why. */
export interface NotRead {
  readonly file: string
  readonly why: string
}

/** What a check looked at, and what it did not. */
export interface Coverage {
  readonly journeys: number
  /** Source files that were scanned; absent where a chain was checked. */
  readonly files?: number
  readonly calls: number
  /** Calls that no limit of any kind covers. */
  readonly unboundedCalls: number
  /** Calls whose limit is written `unknown`. */
  readonly unknownCalls: number
  readonly notRead: readonly NotRead[]
  /** Services that are called but have neither operations' times nor calls of their own. */
  readonly servicesWithoutData: readonly string[]
}

/** A call of a path: what is known of its limit, and where it stands. */
export interface Hop {
  readonly state: 'bounded' | 'unbounded' | 'unknown'
  readonly spot: Spot
}

/** Everything a check found out: the one input of all its reports. */
export interface CheckReport {
  readonly journeys: readonly JourneyTimes[]
  readonly diagnostics: readonly Diagnostic[]
  readonly notes: readonly Note[]
  readonly coverage: Coverage
  /** The call from one operation to another; null where there is none. */
  readonly hopOf: (from: string, to: string) => Hop | null
  readonly drawing: ChainDrawing
}

/** How many findings there are of each severity. */
export interface Summary {
  readonly errors: number
  readonly warnings: number
  readonly infos: number
}

/** Counts findings by severity. */
export function summaryOf(diagnostics: readonly Diagnostic[]): Summary {
  const count = (severity: Severity) => diagnostics.filter((one) => one.severity === severity).length
  return { errors: count('error'), warnings: count('warning'), infos: count('info') }
}

const rank: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 }

/** True where at least one finding is as severe as `least` or more. */
export function reaches(diagnostics: readonly Diagnostic[], least: Severity): boolean {
  return diagnostics.some((one) => rank[one.severity] <= rank[least])
}

/** Findings as they are printed: by severity, then as they were found. */
export function inOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...diagnostics].sort((a, b) => rank[a.severity] - rank[b.severity])
}
