/** What limits the retries of a call: a share of its successes, the runtime's token bucket (`default`), or nothing. */
export type RetryAllowance = number | 'default' | 'none'

/** The most attempts per call the default token bucket sustains: 1.31, reached at 25 % failures (3 attempts, independent failures). */
export const defaultBucketFactor = 1.31

/** Attempts a call may add per request when its callee fails: min(attempts, 1 + share), 1.31 for the default bucket. */
export function retryFactor(attempts: number, allowance: RetryAllowance = 'none'): number {
  if (allowance === 'none') return attempts
  return Math.min(attempts, allowance === 'default' ? defaultBucketFactor : 1 + allowance)
}

/**
 * Calls that reach the end of a path per request: the product of its factors, 27 for three layers of 3.
 *
 * Where every service of the path stops chains (a request that is itself a retry is not retried): 1 + the sum of (factor - 1), 7 there.
 */
export function pathAmplification(factors: readonly number[], chainStop: boolean): number {
  if (chainStop) return factors.reduce((sum, factor) => sum + factor - 1, 1)
  return factors.reduce((product, factor) => product * factor, 1)
}

/** Expected attempts of a call that tries at most `attempts` times, each failing with probability `failure`: (1-p^n)/(1-p). */
export function expectedAttempts(attempts: number, failure: number): number {
  return failure >= 1 ? attempts : (1 - failure ** attempts) / (1 - failure)
}

/** Probability that all attempts fail: p^n, for independent failures. */
export function failsAfter(attempts: number, failure: number): number {
  return failure ** attempts
}

/**
 * Expected calls at the bottom of layers that each retry, from the innermost outwards; each layer sees the failures the one below left.
 *
 * Three layers of 3 give 27 at failure 1 and 23.76573 at .99.
 */
export function expectedLayeredCalls(attemptsOfLayers: readonly number[], failure: number): number {
  let calls = 1
  let layerFailure = failure
  for (const attempts of attemptsOfLayers) {
    calls *= expectedAttempts(attempts, layerFailure)
    layerFailure = failsAfter(attempts, layerFailure)
  }
  return calls
}
