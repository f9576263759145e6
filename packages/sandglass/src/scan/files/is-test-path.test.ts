import { expect, test } from 'vitest'
import { isTestPath } from './is-test-path.js'

test.each([
  ['jest.e2e-global-setup.ts', true],
  ['vitest.setup.ts', true],
  ['e2e/run.ts', true],
  ['src/globalTeardown.js', true],
  ['src/setup.ts', false],
  ['src/contest.ts', false],
])('%s', (file, expected) => {
  expect(isTestPath(file)).toBe(expected)
})
