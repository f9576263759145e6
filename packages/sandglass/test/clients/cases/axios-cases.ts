import { boundedBy } from '@sandglass/runtime/core'
import { type ClientCase, ends, seenAs } from '../client-case.js'

const base = { library: 'axios', packages: ['axios@1.21.1'], isQuick: true } as const
const peer = `
import axios from 'axios'
const url = process.env.PEER_URL
`

/** axios over node:http, which is its adapter in Node. */
export const axiosCases: readonly ClientCase[] = [
  {
    ...base,
    name: 'axios: nothing set',
    setting: 'nothing',
    code: `${peer}export const run = () => axios.get(url) // measured\n`,
    expected: { state: 'unbounded' },
    seen: seenAs.nothing(),
  },
  {
    ...base,
    name: 'axios: timeout of a call',
    setting: 'timeout: 300',
    code: `${peer}export const run = () => axios.get(url, { timeout: 300 }) // measured\n`,
    expected: boundedBy(300, 'silence'),
    seen: { ...seenAs.silence(300), 'black-hole': ends(300), 'slow-headers': ends(300) },
  },
  {
    ...base,
    name: 'axios: timeout of a call without redirects',
    setting: 'timeout: 300, maxRedirects: 0',
    code: `${peer}export const run = () => axios.get(url, { timeout: 300, maxRedirects: 0 }) // measured\n`,
    expected: boundedBy(300, 'silence'),
    seen: { ...seenAs.silence(300), 'black-hole': ends(300), 'slow-headers': ends(300) },
  },
  {
    ...base,
    name: 'axios: timeout of the instance',
    setting: 'create({ timeout: 300 })',
    code: `${peer}const api = axios.create({ baseURL: url, timeout: 300 })\nexport const run = () => api.get('/1') // measured\n`,
    expected: boundedBy(300, 'silence'),
    seen: seenAs.silence(300),
  },
  {
    ...base,
    name: 'axios: undefined keeps the timeout of the instance',
    setting: 'create({ timeout: 300 }), timeout: undefined',
    code: `${peer}const api = axios.create({ baseURL: url, timeout: 300 })\nexport const run = () => api.get('/2', { timeout: undefined }) // measured\n`,
    expected: boundedBy(300, 'silence'),
    seen: seenAs.silence(300),
  },
  {
    ...base,
    name: 'axios: zero switches the timeout of the instance off',
    setting: 'create({ timeout: 300 }), timeout: 0',
    code: `${peer}const api = axios.create({ baseURL: url, timeout: 300 })\nexport const run = () => api.get('/3', { timeout: 0 }) // measured\n`,
    expected: { state: 'unbounded' },
    seen: seenAs.nothing(),
  },
  {
    ...base,
    name: 'axios: null switches the timeout of the instance off',
    setting: 'create({ timeout: 300 }), timeout: null',
    code: `${peer}const api = axios.create({ baseURL: url, timeout: 300 })\nexport const run = () => api.get('/4', { timeout: null }) // measured\n`,
    expected: { state: 'unbounded' },
    seen: seenAs.nothing(),
  },
  {
    ...base,
    name: 'axios: signal beside a timeout of zero',
    setting: 'timeout: 0, signal: AbortSignal.timeout(300)',
    code: `${peer}const api = axios.create({ baseURL: url, timeout: 600 })\nexport const run = () => api.get('/6', { timeout: 0, signal: AbortSignal.timeout(300) }) // measured\n`,
    expected: boundedBy(300, 'total'),
    seen: seenAs.total(300),
  },
  {
    ...base,
    name: 'axios: timeout through the fetch adapter',
    setting: "adapter: 'fetch', timeout: 300",
    code: `${peer}export const run = () => axios.get(url, { adapter: 'fetch', timeout: 300 }) // measured\n`,
    expected: boundedBy(300, 'total'),
    seen: seenAs.total(300),
  },
  {
    ...base,
    name: 'axios: defaults of the instance set later',
    setting: 'api.defaults.timeout = 300',
    code: `${peer}const api = axios.create({ baseURL: url })\napi.defaults.timeout = 300\nexport const run = () => api.get('/') // measured\n`,
    expected: boundedBy(300, 'silence'),
    seen: seenAs.silence(300),
  },
  {
    ...base,
    name: 'axios: global defaults set before',
    setting: 'axios.defaults.timeout = 300',
    code: `${peer}axios.defaults.timeout = 300\nconst api = axios.create({ baseURL: url })\nexport const run = () => api.get('/') // measured\n`,
    expected: boundedBy(300, 'silence'),
    seen: seenAs.silence(300),
  },
  {
    ...base,
    name: 'axios: global defaults set after the instance was made',
    setting: 'axios.defaults.timeout = 300 after create()',
    code: `${peer}axios.defaults.timeout = 0\nconst api = axios.create({ baseURL: url })\naxios.defaults.timeout = 300\nexport const run = () => api.get('/') // measured\n`,
    expected: { state: 'unbounded' },
    seen: seenAs.nothing(),
  },
  {
    ...base,
    name: 'axios: interceptor sets the timeout',
    setting: 'interceptor: config.timeout = 300',
    code: `${peer}const api = axios.create({ baseURL: url })
api.interceptors.request.use((config) => {
  config.timeout = 300
  return config
})
export const run = () => api.get('/') // measured
`,
    expected: boundedBy(300, 'silence'),
    seen: seenAs.silence(300),
  },
  {
    ...base,
    name: 'axios: post takes its options third',
    setting: 'post(url, body, { timeout: 300 })',
    code: `${peer}export const run = () => axios.post(url, { a: 1 }, { timeout: 300 }) // measured\n`,
    expected: boundedBy(300, 'silence'),
    seen: seenAs.silence(300),
  },
  {
    ...base,
    name: 'axios: options of a post given as its body',
    setting: 'post(url, { timeout: 300 })',
    code: `${peer}export const run = () => axios.post(url, { timeout: 300 }) // measured\n`,
    expected: { state: 'unbounded' },
    seen: seenAs.nothing(),
  },
  {
    ...base,
    name: 'axios: one object',
    setting: 'axios({ url, timeout: 300 })',
    code: `${peer}export const run = () => axios({ url, timeout: 300 }) // measured\n`,
    expected: boundedBy(300, 'silence'),
    seen: seenAs.silence(300),
  },
  {
    ...base,
    name: 'axios-retry: fresh timeout for each attempt',
    packages: ['axios@1.21.1', 'axios-retry@4.5.0'],
    setting: 'retries: 2, shouldResetTimeout, retryCondition always; timeout: 300',
    code: `
import axios from 'axios'
import axiosRetry from 'axios-retry'
const url = process.env.PEER_URL
const api = axios.create({ baseURL: url, timeout: 300 })
axiosRetry(api, { retries: 2, shouldResetTimeout: true, retryCondition: () => true })
export const run = () => api.get('/') // measured
`,
    expected: boundedBy(300, 'silence'),
    worstMs: 900,
    attempts: 3,
    seen: { hang: ends(900), busy: ends(0, { attempts: 3 }) },
  },
  {
    ...base,
    name: 'axios-retry: one timeout for all attempts',
    packages: ['axios@1.21.1', 'axios-retry@4.5.0'],
    setting: 'retries: 2, retryCondition always; timeout: 300',
    code: `
import axios from 'axios'
import axiosRetry from 'axios-retry'
const url = process.env.PEER_URL
const api = axios.create({ baseURL: url, timeout: 300 })
axiosRetry(api, { retries: 2, retryCondition: () => true })
export const run = () => api.get('/') // measured
`,
    expected: boundedBy(300, 'silence'),
    seen: { hang: ends(300), busy: ends(0, { attempts: 3 }) },
  },
  {
    ...base,
    name: 'axios-retry: nothing set',
    packages: ['axios@1.21.1', 'axios-retry@4.5.0'],
    setting: 'axiosRetry(axios); timeout: 300',
    code: `
import axios from 'axios'
import axiosRetry from 'axios-retry'
const url = process.env.PEER_URL
axiosRetry(axios)
export const run = () => axios.get(url, { timeout: 300 }) // measured
`,
    expected: boundedBy(300, 'silence'),
    seen: { hang: ends(300), busy: ends(0, { attempts: 4 }), 'accept-and-close': ends(0, { attempts: 4 }) },
    note: 'its own timeouts are not retried',
  },
]
