import { expect, test } from 'vitest'
import { isTestPath } from './is-test-path.js'

test.each([
  ['jest.e2e-global-setup.ts', true],
  ['vitest.setup.ts', true],
  ['e2e/run.ts', true],
  ['src/globalTeardown.js', true],
  ['src/setup.ts', false],
  ['src/contest.ts', false],
  ['templates/hello/{{name}}.js', true],
])('%s', (file, expected) => {
  expect(isTestPath(file)).toBe(expected)
})

test.each([
  'e2e_tests/shop.ts',
  'src/test-harness/start.ts',
  'src/test_utils/start.ts',
  'libs/testing-utils/src/start.ts',
  'tests-e2e/shop.ts',
  'tests_integration/shop.ts',
  'apps/shop-e2e/src/cart.ts',
  'e2e-playwright/cart.ts',
  'src/orders/fixtures.ts',
  'src/orders/mocks.ts',
  'src/test-config.ts',
  'src/test_helpers.js',
  'src/testUtils.ts',
  'src/testing_utils.py',
  'scripts/e2e-login-of-ios.ts',
  'tools/e2e_seed.py',
  'security/py-sectest/session.py',
  'security/sectest.py',
  'k6/loadtest.js',
  'deploy/smoke-test.ts',
  'src/unit_tests.go',
  'acceptance/support/s3.ts',
  'acceptance/specs/buckets.ts',
  'shop/_tests/helpers/ask.ts',
  'shop/_mocks/ask.ts',
  'mockApis/stock.ts',
  'src/mock-server/index.ts',
  'wiremock/stubs.ts',
])('%s is known by its words', (file) => {
  expect(isTestPath(file)).toBe(true)
})

test.each([
  'e2e-encryption/keys.ts',
  'src/e2e-encryption.ts',
  'src/e2e-keys.ts',
  'src/e2e.service.ts',
  'src/contest.py',
  'src/latest.go',
  'src/attest.ts',
  'src/loadtests-report.ts',
  'services/speed-test/measure.ts',
  'src/ab-test/pick.ts',
  'src/a-b-tests/pick.ts',
  'src/ab_tests/pick.ts',
  'src/test-connection.ts',
  'api/test-integration/route.ts',
  'src/test-runner/start.ts',
  'src/testing-ground-fees/pay.ts',
  'src/latest-helpers/a.ts',
  'src/orders/acceptance/accept.ts',
  'src/integration/stripe.ts',
])('%s is a service’s own', (file) => {
  expect(isTestPath(file)).toBe(false)
})
