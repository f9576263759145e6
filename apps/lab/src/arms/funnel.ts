import type { Arm } from './arm.js'
import { withoutBudget } from './without-budget.js'

/** The limits of the chain as a table in a wiki has them: each layer its own number, fallbacks beside them, nothing handed down. */
export const funnel: Arm = {
  name: 'funnel',
  protection: 'plain',
  what: 'static limits that converge inwards, nothing handed down',
  chainOf: (chain) =>
    withoutBudget(chain, (call) => {
      for (const field of ['breaker', 'bulkhead', 'retryBudget', 'queue']) delete call[field]
    }),
}
