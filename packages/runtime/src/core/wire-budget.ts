import { type HeaderValue, longestBudgetMs, readOnce, readWhole, type WireBudget, type WireText, wholeText } from './wire-value.js'

/** The header that carries the remaining budget in whole ms. */
export const budgetHeader = 'request-budget-ms'

/** Reads `request-budget-ms`: 0 is expired, 1 … 9 999 999 999 a budget; see spec/request-budget.md. Never throws. */
export function parseRequestBudget(value: HeaderValue): WireBudget {
  return readOnce(value, (text) => readWhole(text, longestBudgetMs))
}

/** Writes `request-budget-ms`, rounded down; below 1 ms it is `expired` and no header. Never throws. */
export function formatRequestBudget(budgetMs: number): WireText {
  return wholeText(budgetMs)
}
