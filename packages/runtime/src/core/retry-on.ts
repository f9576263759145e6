/** Why an attempt failed: a timeout, no connection, a broken connection, an answer's status (number), or anything else. */
export type FailureCause = 'timeout' | 'connect' | 'reset' | 'other' | number

/** One condition of `retryOn`: a word of the chain file or a status. */
export type RetryCondition = 'timeout' | 'connect' | 'reset' | '5xx' | '429' | number

/**
 * Whether a failure is one of those to repeat; left out: every failure but an answer that says the request itself is wrong (4xx except 408, 429).
 *
 * `5xx` is an answer's status 500 … 599 and does not include `timeout`.
 */
export function isRetriedOn(cause: FailureCause, retryOn?: readonly RetryCondition[]): boolean {
  if (retryOn === undefined) return typeof cause !== 'number' || cause >= 500 || cause === 429 || cause === 408
  return retryOn.some((condition) => {
    if (condition === '5xx') return typeof cause === 'number' && cause >= 500 && cause <= 599
    return condition === '429' ? cause === 429 : condition === cause
  })
}

/** Whether the callee said it is overloaded (429): the next wait starts from 1 s instead of 50 ms. */
export function isThrottling(cause: FailureCause): boolean {
  return cause === 429
}
