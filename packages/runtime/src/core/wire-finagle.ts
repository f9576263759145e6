import { absent, expired, type HeaderValue, longestBudgetMs, malformed, readOnce, type WireBudget, type WireText } from './wire-value.js'

/** The header of Finagle's HTTP codec: the instants a deadline was set and ends, in ns of the wall clock. */
export const finagleHeader = 'finagle-ctx-com.twitter.finagle.deadline'

const nanosPerMs = 1_000_000n
/** Finagle's Time.Top and Time.Undefined: no deadline. */
const endOfTime = 9_223_372_036_854_775_806n

/**
 * Reads Finagle's pair as the budget between its two instants, so that the peer's clock does not matter. Never throws.
 *
 * A deadline that ends before it was set is expired; Finagle's end of time is `absent`.
 */
export function parseFinagleDeadline(value: HeaderValue): WireBudget {
  return readOnce(value, readOne)
}

/** Writes Finagle's pair for a budget set at `epochMs`, rounded down to whole ms; below 1 ms it is `expired` and no header. */
export function formatFinagleDeadline(budgetMs: number, epochMs: number): WireText {
  if (budgetMs === Number.POSITIVE_INFINITY || !(epochMs >= 0 && epochMs <= Number.MAX_SAFE_INTEGER)) return absent
  if (!(budgetMs >= 1)) return expired
  const setNanos = BigInt(Math.floor(epochMs)) * nanosPerMs
  const budgetNanos = BigInt(Math.min(Math.floor(budgetMs), longestBudgetMs)) * nanosPerMs
  return { state: 'present', text: `${setNanos} ${setNanos + budgetNanos}` }
}

function readOne(text: string): WireBudget {
  const match = /^(\d{1,19}) (\d{1,19})$/.exec(text)
  if (match === null) return malformed(faultOf(text))
  const [, set = '', ends = ''] = match
  const endNanos = BigInt(ends)
  if (endNanos >= endOfTime) return absent
  const budgetNanos = endNanos - BigInt(set)
  if (budgetNanos <= 0n) return { state: 'present', ms: 0 }
  // Whole microseconds fit a double exactly; what is below is cut off, never added.
  return { state: 'present', ms: Math.min(Number(budgetNanos / 1000n) / 1000, longestBudgetMs) }
}

function faultOf(text: string): 'empty' | 'signed' | 'fraction' | 'malformed' {
  if (text === '') return 'empty'
  if (/(^| )[-+]/.test(text)) return 'signed'
  return /\d\.\d/.test(text) ? 'fraction' : 'malformed'
}
