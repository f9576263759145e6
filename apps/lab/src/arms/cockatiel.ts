import type { Arm } from './arm.js'
import { isRepeatable, type PeerLimits } from './peer-limits.js'
import { withoutBudget } from './without-budget.js'

/**
 * What cockatiel's readme shows, for every call (3.2.1, readme.md, its first example and the sections "timeout" and "wrap"):
 * "retry(handleAll, { maxAttempts: 3, backoff: new ExponentialBackoff() })", which is three tries after the first, from 128 ms,
 * "circuitBreaker(handleAll, { halfOpenAfter: 10 * 1000, breaker: new ConsecutiveBreaker(5) })",
 * "timeout(2000, …)", combined as "wrap(retry, breaker, timeout)"; "fallback(…)" where the chain has one.
 */
export function cockatiel(limits: PeerLimits): Arm {
  return {
    name: 'cockatiel',
    protection: 'cockatiel',
    what: 'cockatiel 3.2.1 as its readme shows it',
    chainOf: (chain) =>
      withoutBudget(chain, (call, callee) => {
        const attemptMs = call['attempt'] ?? call['timeout'] ?? '2s'
        for (const field of ['timeout', 'queue', 'bulkhead', 'retryBudget', 'retryOn', 'backoff', 'attempts']) delete call[field]
        call['attempt'] = limits === 'documented' ? '2s' : attemptMs
        call['breaker'] = { consecutive: 5, open: '10s', probes: 1 }
        if (isRepeatable(call, callee)) Object.assign(call, { attempts: 4, backoff: { base: '128ms', max: '30s', jitter: 'full' } })
      }),
  }
}
