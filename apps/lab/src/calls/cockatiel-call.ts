import { ConsecutiveBreaker, circuitBreaker, ExponentialBackoff, handleAll, retry, TimeoutStrategy, timeout, wrap } from 'cockatiel'
import type { Protect } from './guarded-call.js'
import { isRepeatable } from './repeatable.js'
import { withFallback } from './static-fallback.js'

/**
 * cockatiel 3.2.1 as its readme combines it: `wrap(retry, breaker, timeout)`, each with the values of the readme's examples. The
 * timeout is the aggressive one, which also stops waiting; the breaker is made once and used by all requests, as the readme asks.
 */
export const protectWithCockatiel: Protect = (call, ask, counters) => {
  const breaker = circuitBreaker(handleAll, { halfOpenAfter: 10 * 1000, breaker: new ConsecutiveBreaker(5) })
  const limit = timeout(call.attemptMs ?? 2000, TimeoutStrategy.Aggressive)
  const retries = retry(handleAll, { maxAttempts: 3, backoff: new ExponentialBackoff() })
  retries.onRetry(() => void (counters.retries += 1))
  const policy = isRepeatable(call) ? wrap(retries, breaker, limit) : wrap(breaker, limit)
  return withFallback(call, counters, (key) => policy.execute(({ signal }) => ask(call.to, signal, key, call.idempotencyKey)))
}
