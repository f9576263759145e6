import { boundedBy } from '@sandglass/runtime/core'
import { type ClientCase, ends, seenAs } from '../client-case.js'

const load = `
const url = process.env.PEER_URL
const load = (signal) => fetch(url, { signal }).then((answer) => answer.text())
`
const quick = { isQuick: true } as const

/** What people put around a call: retries, limits by promise, breakers. */
export const wrapperCases: readonly ClientCase[] = [
  {
    ...quick,
    library: 'p-retry',
    packages: ['p-retry@7.1.1'],
    name: 'p-retry: fresh timeout for each attempt',
    setting: 'retries: 2, minTimeout: 100, factor: 1; AbortSignal.timeout(300)',
    code: `
import pRetry from 'p-retry'
const url = process.env.PEER_URL
const options = { retries: 2, minTimeout: 100, factor: 1 }
export const run = () =>
  pRetry(() => fetch(url, { signal: AbortSignal.timeout(300) }).then((answer) => answer.text()), options) // measured
`,
    expected: boundedBy(300, 'attempt'),
    worstMs: 1100,
    attempts: 3,
    seen: seenAs.total(1100),
  },
  {
    ...quick,
    library: 'p-retry',
    packages: ['p-retry@7.1.1'],
    name: 'p-retry: one signal for all attempts',
    setting: 'retries: 2, minTimeout: 100, factor: 1; one AbortSignal.timeout(300)',
    code: `
import pRetry from 'p-retry'
const url = process.env.PEER_URL
export function run() {
  const signal = AbortSignal.timeout(300)
  return pRetry(() => fetch(url, { signal }).then((answer) => answer.text()), { retries: 2, minTimeout: 100, factor: 1, signal }) // measured
}
`,
    expected: boundedBy(300, 'total'),
    seen: seenAs.total(300),
  },
  {
    ...quick,
    library: 'p-retry',
    packages: ['p-retry@7.1.1'],
    name: 'p-retry: maxRetryTime',
    setting: 'retries: 5, minTimeout: 100, factor: 1, maxRetryTime: 500; AbortSignal.timeout(300)',
    code: `
import pRetry from 'p-retry'
const url = process.env.PEER_URL
const options = { retries: 5, minTimeout: 100, factor: 1, maxRetryTime: 500 }
export const run = () =>
  pRetry(() => fetch(url, { signal: AbortSignal.timeout(300) }).then((answer) => answer.text()), options) // measured
`,
    expected: boundedBy(300, 'attempt'),
    worstMs: 700,
    attempts: 2,
    seen: seenAs.total(700),
    note: 'stops before an attempt, does not end the one that runs',
  },
  {
    ...quick,
    library: 'p-timeout',
    packages: ['p-timeout@7.0.2'],
    name: 'p-timeout: around a fetch',
    setting: '{ milliseconds: 300 }',
    code: `
import pTimeout from 'p-timeout'
const url = process.env.PEER_URL
export const run = () => pTimeout(fetch(url).then((answer) => answer.text()), { milliseconds: 300 }) // measured
`,
    expected: boundedBy(300, 'total'),
    cancelsWork: false,
    seen: seenAs.total(300),
  },
  {
    ...quick,
    library: 'cockatiel',
    packages: ['cockatiel@3.2.1'],
    name: 'cockatiel: cooperative timeout whose signal is passed on',
    setting: 'timeout(300, Cooperative), signal passed',
    code: `
import { timeout, TimeoutStrategy } from 'cockatiel'
${load}
const policy = timeout(300, TimeoutStrategy.Cooperative)
export const run = () => policy.execute(({ signal }) => load(signal)) // measured
`,
    expected: boundedBy(300, 'total'),
    seen: seenAs.total(300),
  },
  {
    ...quick,
    library: 'cockatiel',
    packages: ['cockatiel@3.2.1'],
    name: 'cockatiel: cooperative timeout whose signal is not passed on',
    setting: 'timeout(300, Cooperative), signal not passed',
    code: `
import { timeout, TimeoutStrategy } from 'cockatiel'
${load}
const policy = timeout(300, TimeoutStrategy.Cooperative)
export const run = () => policy.execute(() => load()) // measured
`,
    expected: boundedBy(300_000, 'silence'),
    seen: seenAs.silence([300_000, 325_000]),
    note: 'nothing ends it but the limit of fetch',
  },
  {
    ...quick,
    library: 'cockatiel',
    packages: ['cockatiel@3.2.1'],
    name: 'cockatiel: aggressive timeout',
    setting: 'timeout(300, Aggressive), signal not passed',
    code: `
import { timeout, TimeoutStrategy } from 'cockatiel'
${load}
const policy = timeout(300, TimeoutStrategy.Aggressive)
export const run = () => policy.execute(() => load()) // measured
`,
    expected: boundedBy(300, 'total'),
    cancelsWork: false,
    seen: seenAs.total(300),
  },
  {
    ...quick,
    library: 'cockatiel',
    packages: ['cockatiel@3.2.1'],
    name: 'cockatiel: retry around a timeout',
    setting: 'wrap(retry 2 times after 100, timeout(300, Aggressive))',
    code: `
import { ConstantBackoff, handleAll, retry, timeout, TimeoutStrategy, wrap } from 'cockatiel'
${load}
const policy = wrap(retry(handleAll, { maxAttempts: 2, backoff: new ConstantBackoff(100) }), timeout(300, TimeoutStrategy.Aggressive))
export const run = () => policy.execute(({ signal }) => load(signal)) // measured
`,
    expected: boundedBy(300, 'attempt'),
    worstMs: 1100,
    attempts: 3,
    seen: seenAs.total(1100),
  },
  {
    ...quick,
    library: 'opossum',
    packages: ['opossum@9.0.0'],
    name: 'opossum: timeout',
    setting: '{ timeout: 300 }',
    code: `
import CircuitBreaker from 'opossum'
${load}
const breaker = new CircuitBreaker(() => load(), { timeout: 300 })
export const run = () => breaker.fire() // measured
`,
    expected: boundedBy(300, 'total'),
    cancelsWork: false,
    seen: seenAs.total(300),
  },
  {
    ...quick,
    library: 'opossum',
    packages: ['opossum@9.0.0'],
    name: 'opossum: nothing set',
    setting: 'nothing',
    code: `
import CircuitBreaker from 'opossum'
${load}
const breaker = new CircuitBreaker(() => load())
export const run = () => breaker.fire() // measured
`,
    expected: boundedBy(10_000, 'total'),
    cancelsWork: false,
    seen: seenAs.total(10_000),
  },
  {
    ...quick,
    library: 'opossum',
    packages: ['opossum@9.0.0'],
    name: 'opossum: timeout switched off',
    setting: '{ timeout: false }',
    code: `
import CircuitBreaker from 'opossum'
${load}
const breaker = new CircuitBreaker(() => load(), { timeout: false })
export const run = () => breaker.fire() // measured
`,
    expected: boundedBy(300_000, 'silence'),
    seen: seenAs.silence([300_000, 325_000]),
  },
  {
    ...quick,
    library: 'opossum',
    packages: ['opossum@9.0.0'],
    name: 'opossum: timeout with an abort controller',
    setting: '{ timeout: 300, abortController }, signal passed',
    code: `
import CircuitBreaker from 'opossum'
${load}
const abortController = new AbortController()
const breaker = new CircuitBreaker(() => load(abortController.signal), { timeout: 300, abortController })
export const run = () => breaker.fire() // measured
`,
    expected: boundedBy(300, 'total'),
    seen: { hang: ends(300) },
  },
]
