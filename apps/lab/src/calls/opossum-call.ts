import CircuitBreaker from 'opossum'
import type { Protect } from './guarded-call.js'
import { withFallback } from './static-fallback.js'

/**
 * opossum 9.0.0 as its readme shows it: `timeout: 3000`, `errorThresholdPercentage: 50`, `resetTimeout: 30000`, one breaker for all
 * requests. The fallback stands around `fire`, where it knows its key; that is the same as `breaker.fallback()` of the readme.
 */
export const protectWithOpossum: Protect = (call, ask, counters) => {
  const breaker = new CircuitBreaker((key: string) => ask(call.to, undefined, key, call.idempotencyKey), {
    name: call.to,
    timeout: call.timeoutMs ?? 3000,
    errorThresholdPercentage: 50,
    resetTimeout: 30_000,
  })
  return withFallback(call, counters, (key) => breaker.fire(key))
}
