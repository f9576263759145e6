import { absent, type HeaderValue, longestBudgetMs, readOnce, readWhole, type WireBudget, type WireText, wholeText } from './wire-value.js'

/** What Envoy tells the service behind it: the ms it will wait for the answer. */
export const envoyExpectedHeader = 'x-envoy-expected-rq-timeout-ms'

/** What a client tells the Envoy in front of it: the ms to wait for the upstream. */
export const envoyUpstreamHeader = 'x-envoy-upstream-rq-timeout-ms'

/**
 * Reads `x-envoy-expected-rq-timeout-ms` (believed from trusted peers only). Never throws.
 *
 * 0 means "no timeout" to Envoy, which sends 1 when its time is up: it is `absent`, not expired.
 */
export function parseEnvoyExpected(value: HeaderValue): WireBudget {
  const budget = readOnce(value, (text) => readWhole(text, longestBudgetMs))
  return budget.state === 'present' && budget.ms === 0 ? absent : budget
}

/** Writes `x-envoy-upstream-rq-timeout-ms`, rounded down; never 0, which would switch Envoy's timeout off. */
export function formatEnvoyUpstream(budgetMs: number): WireText {
  return wholeText(budgetMs)
}
