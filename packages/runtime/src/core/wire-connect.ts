import {
  type HeaderValue,
  longestBudgetMs,
  malformed,
  readOnce,
  readWhole,
  type WireBudget,
  type WireText,
  wholeText,
} from './wire-value.js'

/** The header of the Connect protocol that carries the remaining budget: at most 10 digits of ms. */
export const connectHeader = 'connect-timeout-ms'

/** Reads `connect-timeout-ms`: whole ms of at most 10 digits; 0 is expired. Never throws. */
export function parseConnectTimeout(value: HeaderValue): WireBudget {
  return readOnce(value, (text) => (/^\d{11,}$/.test(text) ? malformed('out-of-range') : readWhole(text, longestBudgetMs)))
}

/** Writes `connect-timeout-ms`, rounded down; below 1 ms it is `expired` and no header. */
export function formatConnectTimeout(budgetMs: number): WireText {
  return wholeText(budgetMs)
}
