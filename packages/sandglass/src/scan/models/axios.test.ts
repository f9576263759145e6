import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

test('a timeout counts where an interceptor of this client sets it, not where some other function sets one', () => {
  const scanned = scanTexts(`import axios from 'axios'
const limited = axios.create(), signed = axios.create(), named = axios.create(), soft = axios.create(), hard = axios.create({ timeout: 90 })
limited.interceptors.request.use((config) => { config.timeout = 300; return config })
signed.interceptors.request.use((config) => { config.headers.auth = 'x'; return config })
const limit = (config) => { config.timeout = 400; return config }
named.interceptors.request.use(limit)
soft.interceptors.request.use((config) => { config.timeout ??= 500; return config })
hard.interceptors.request.use((config) => { config.timeout ||= 600; return config })
export function unrelated(options: { timeout: number }) { options.timeout = 5000 }
limited.get('http://a')
signed.get('http://b')
named.get('http://c')
soft.get('http://d')
hard.get('http://e')
axios.get('http://f')`)
  expect(callLines(scanned)).toEqual([
    '10 axios bounded 300 silence',
    '11 axios unbounded',
    '12 axios bounded 400 silence',
    '13 axios unbounded',
    '14 axios bounded 90 silence',
    '15 axios unbounded',
  ])
})

test('an interceptor of the package itself sets the timeout of its own calls', () => {
  const scanned = scanTexts(`import axios from 'axios'
axios.interceptors.request.use((config) => { config.timeout = 300; return config })
axios.get('http://a')
axios.create().get('http://b')`)
  expect(callLines(scanned)).toEqual(['3 axios bounded 300 silence', '4 axios unbounded'])
})

test('defaults of axios count in the package that sets them, and in one version', () => {
  const scanned = scanTexts({
    files: {
      'a/package.json': '{}',
      'a/set.ts': `import axios from 'axios'\naxios.defaults.timeout = 7000`,
      'a/near.ts': `import axios from 'axios'\naxios.get('http://a')\naxios.create().get('http://b')`,
      'a/old/other.ts': `import axios from 'axios'\n\n\naxios.get('http://c')`,
      'b/package.json': '{}',
      'b/far.ts': `import axios from 'axios'\n\n\n\naxios.get('http://d')`,
    },
    versions: { axios: '1.7.2', 'a/old/other.ts axios': '0.27.2' },
  })
  expect(callLines(scanned)).toEqual([
    '2 axios bounded 7000 silence',
    '3 axios bounded 7000 silence',
    '4 axios unbounded',
    '5 axios unbounded',
  ])
})

test('an interceptor may return a new config, and give a signal', () => {
  const scanned = scanTexts(`import axios from 'axios'
const made = axios.create(), plain = axios.create(), signed = axios.create(), soft = axios.create({ timeout: 500 })
made.interceptors.request.use((config) => ({ ...config, timeout: 300 }))
plain.interceptors.request.use((config) => { return { ...config, headers: { ...config.headers, a: 'b' } } })
signed.interceptors.request.use((config) => { config.signal = AbortSignal.timeout(400); return config })
soft.interceptors.request.use((config) => ({ timeout: 300, ...config }))
made.get('http://a')
plain.get('http://b')
signed.get('http://c')
soft.get('http://d')`)
  expect(callLines(scanned)).toEqual([
    '7 axios bounded 300 silence',
    '8 axios unbounded',
    '9 axios bounded 400 total',
    '10 axios bounded 500 silence',
  ])
})

test('an interceptor that asks again does so as often as it says itself; after an answer silence is not asked again', () => {
  const scanned = scanTexts(`import axios from 'axios'
const again = axios.create({ timeout: 500 }), renewed = axios.create({ timeout: 500 })
again.interceptors.response.use((answer) => answer, async (error) => {
  error.config.tries = (error.config.tries ?? 0) + 1
  if (error.config.tries > 3) throw error
  return again(error.config)
})
renewed.interceptors.response.use(null, (error) => (error.response?.status === 401 ? renewed(error.config) : Promise.reject(error)))
export const a = () => again.get('http://a')
export const b = () => renewed.get('http://b')`)
  expect(scanned.calls.filter(({ target }) => target?.startsWith('http')).map(({ worstMs }) => worstMs)).toEqual([null, 500])
})

test('axios-retry repeats a timeout by a condition of the code, not by its own', () => {
  const worst = (condition: string) =>
    scanTexts(`import axios from 'axios'
import axiosRetry, { isNetworkError } from 'axios-retry'
const api = axios.create({ timeout: 500 })
axiosRetry(api, { retries: 2, shouldResetTimeout: true, retryCondition: ${condition} })
await api.get('http://a')`).calls[0]?.worstMs
  expect(worst('() => true')).toBe(1500)
  expect(worst('isNetworkError')).toBe(500)
  expect(worst('axiosRetry.isNetworkOrIdempotentRequestError')).toBe(500)
})

test('over fetch a call without a timeout ends with that, over another fetch nobody can tell', () => {
  const lines = callLines(
    scanTexts(`import axios from 'axios'
import { fetch } from './net.js'
await axios.get('http://a', { adapter: 'fetch' })
await axios.get('http://a', { adapter: 'fetch', fetch })
await axios.get('http://a', { adapter: 'fetch', timeout: 500 })`),
  )
  expect(lines).toEqual(['3 axios bounded 300000 silence', '4 axios unknown', '5 axios bounded 500 total'])
})

test.each([
  ['const source = axios.CancelToken.source(); setTimeout(() => source.cancel("late"), 500)', 'source.token', 'bounded 500 total'],
  ['const { token, cancel } = axios.CancelToken.source(); setTimeout(cancel, 500)', 'token', 'bounded 500 total'],
  ['const source = axios.CancelToken.source(); setTimeout(() => source.cancel(), ms)', 'source.token', 'unknown'],
  ['const source = axios.CancelToken.source(); button.onclick = () => source.cancel()', 'source.token', 'unbounded'],
  ['', 'new axios.CancelToken((cancel) => setTimeout(cancel, 500))', 'unknown'],
  ['', 'tokenOf(button)', 'unknown'],
])('a token to cancel with ends a call by the clock that cancels it: %s %s', (before, token, expected) => {
  const text = `import axios from 'axios'\n${before}\nexport const a = (ms) => axios.get('http://a', { cancelToken: ${token} })`
  expect(callLines(scanTexts(text))).toEqual([`3 axios ${expected}`])
})

test('a token, or a signal, that an instance or an interceptor gives counts for its calls', () => {
  const lines = callLines(
    scanTexts(`import axios from 'axios'
const made = axios.create({ cancelToken: tokenOf() })
const later = axios.create()
later.interceptors.request.use((config) => ({ ...config, cancelToken: tokenOf() }))
export const a = () => made.get('http://a')
export const b = () => later.get('http://b')`),
  )
  expect(lines).toEqual(['5 axios unknown', '6 axios unknown'])
})
