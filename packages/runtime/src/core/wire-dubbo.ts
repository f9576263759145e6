import { type HeaderValue, malformed, readOnce, readWhole, type WireBudget, type WireText, wholeText } from './wire-value.js'

/** The attachment of Apache Dubbo that carries the remaining ms (`_TO`; lower-cased where it travels as an HTTP/2 header). */
export const dubboAttachment = '_TO'

/** Dubbo keeps it in a Java int. */
const longestDubboMs = 2_147_483_647

/**
 * Reads Dubbo's `_TO`, a whole number of ms as text or number. Never throws.
 *
 * Its countdown can go below 0 before it is sent: a negative whole number is expired, not malformed.
 */
export function parseDubboTimeout(value: HeaderValue | number): WireBudget {
  if (typeof value === 'number') return Number.isInteger(value) ? readOne(String(value)) : malformed('malformed')
  return readOnce(value, readOne)
}

/** Writes Dubbo's `_TO`, rounded down, at most 2 147 483 647; below 1 ms it is `expired` and not sent. */
export function formatDubboTimeout(budgetMs: number): WireText {
  return wholeText(budgetMs, longestDubboMs)
}

function readOne(text: string): WireBudget {
  return /^-\d{1,10}$/.test(text) ? { state: 'present', ms: 0 } : readWhole(text, longestDubboMs)
}
