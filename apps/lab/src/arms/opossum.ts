import type { Arm } from './arm.js'
import type { PeerLimits } from './peer-limits.js'
import { withoutBudget } from './without-budget.js'

/**
 * What opossum's readme shows, for every call (9.0.0, README.md, "Usage", "Auto Renew AbortController" and "Fallback"):
 * "timeout: 3000", "errorThresholdPercentage: 50", "resetTimeout: 30000", over its own window of 10 s; "breaker.fallback(…)" where
 * the chain has one. It has no retries. The signal of "abortController" is not passed on: it belongs to the breaker, so that one
 * timeout would abort every call under way (nodeshift/opossum issues 780 and 861).
 */
export function opossum(limits: PeerLimits): Arm {
  return {
    name: 'opossum',
    protection: 'opossum',
    what: 'opossum 9.0.0 as its readme shows it',
    chainOf: (chain) =>
      withoutBudget(chain, (call) => {
        for (const field of ['attempt', 'attempts', 'backoff', 'retryOn', 'retryBudget', 'idempotencyKey', 'queue', 'bulkhead'])
          delete call[field]
        if (limits === 'documented' || call['timeout'] === undefined) call['timeout'] = '3s'
        call['breaker'] = { window: '10s', failureRate: '50%', minCalls: 1, open: '30s', probes: 1 }
      }),
  }
}
