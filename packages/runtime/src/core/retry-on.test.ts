import { expect, test } from 'vitest'
import { type FailureCause, isRetriedOn, isThrottling, type RetryCondition } from './retry-on.js'

test.each<[FailureCause, readonly RetryCondition[] | undefined, boolean]>([
  ['timeout', undefined, true],
  ['connect', undefined, true],
  ['reset', undefined, true],
  ['other', undefined, true],
  [503, undefined, true],
  [429, undefined, true],
  [408, undefined, true],
  [404, undefined, false],
  [400, undefined, false],
  ['timeout', ['5xx'], false],
  [500, ['5xx'], true],
  [599, ['5xx'], true],
  [600, ['5xx'], false],
  [429, ['5xx'], false],
  [429, ['429'], true],
  [503, [503], true],
  [504, [503], false],
  ['timeout', ['timeout', 'reset'], true],
  ['other', ['timeout', '5xx'], false],
])('a failure by %s under retryOn %j is repeated: %s', (cause, retryOn, repeated) => {
  expect(isRetriedOn(cause, retryOn)).toBe(repeated)
})

test('only 429 is throttling: 503 also means down', () => {
  expect(isThrottling(429)).toBe(true)
  expect(isThrottling(503)).toBe(false)
})
