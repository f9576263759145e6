import { boundedBy } from '@sandglass/runtime/core'
import { type ClientCase, ends, never, seenAs } from '../client-case.js'

const base = { library: 'got', packages: ['got@14.6.6'], isQuick: true } as const
const peer = `
import got from 'got'
const url = process.env.PEER_URL
`

/** got: every phase has its own limit, and GET is tried three times unless one says otherwise. */
export const gotCases: readonly ClientCase[] = [
  {
    ...base,
    name: 'got: nothing set',
    setting: 'nothing',
    code: `${peer}export const run = () => got(url).text() // measured\n`,
    expected: { state: 'unbounded' },
    seen: { ...seenAs.nothing(), busy: ends([3000, 3300], { attempts: 3 }), 'accept-and-close': ends([3000, 3300], { attempts: 3 }) },
    capMs: 4000,
    note: 'retries 2, after 1 s and 2 s',
  },
  {
    ...base,
    name: 'got: timeout of the request without retries',
    setting: 'timeout: { request: 300 }, retry: { limit: 0 }',
    code: `${peer}export const run = () => got(url, { timeout: { request: 300 }, retry: { limit: 0 } }).text() // measured\n`,
    expected: boundedBy(300, 'total'),
    seen: { ...seenAs.total(300), 'black-hole': ends(300) },
  },
  {
    ...base,
    name: 'got: timeout of the request',
    setting: 'timeout: { request: 300 }',
    code: `${peer}export const run = () => got(url, { timeout: { request: 300 } }).text() // measured\n`,
    expected: boundedBy(300, 'attempt'),
    worstMs: [3900, 4200],
    attempts: 3,
    seen: seenAs.total([3900, 4200]),
    capMs: 5000,
    note: 'each attempt anew',
  },
  {
    ...base,
    name: 'got: timeout of the request of a post',
    setting: 'post, timeout: { request: 300 }',
    code: `${peer}export const run = () => got.post(url, { json: {}, timeout: { request: 300 } }).text() // measured\n`,
    expected: boundedBy(300, 'total'),
    seen: seenAs.total(300),
    note: 'POST is not retried',
  },
  {
    ...base,
    name: 'got: timeout of the response',
    setting: 'timeout: { response: 300 }, retry: { limit: 0 }',
    code: `${peer}export const run = () => got(url, { timeout: { response: 300 }, retry: { limit: 0 } }).text() // measured\n`,
    expected: boundedBy(300, 'headers'),
    seen: { ...seenAs.headers(300), 'slow-headers': ends(300) },
  },
  {
    ...base,
    name: 'got: timeout of the socket',
    setting: 'timeout: { socket: 300 }, retry: { limit: 0 }',
    code: `${peer}export const run = () => got(url, { timeout: { socket: 300 }, retry: { limit: 0 } }).text() // measured\n`,
    expected: boundedBy(300, 'silence'),
    seen: { ...seenAs.silence(300), 'black-hole': never },
    note: 'not while connecting',
  },
  {
    ...base,
    name: 'got: timeout of the reading',
    setting: 'timeout: { read: 300 }, retry: { limit: 0 }',
    code: `${peer}export const run = () => got(url, { timeout: { read: 300 }, retry: { limit: 0 } }).text() // measured\n`,
    expected: { state: 'unbounded' },
    seen: { hang: never, stall: ends(300), drip: ends(300) },
    note: 'begins with the headers',
  },
  {
    ...base,
    name: 'got: timeouts of lookup, connect and send only',
    setting: 'timeout: { lookup: 300, connect: 300, secureConnect: 300, send: 300 }, retry: { limit: 0 }',
    code: `${peer}const timeout = { lookup: 300, connect: 300, secureConnect: 300, send: 300 }\nexport const run = () => got(url, { timeout, retry: { limit: 0 } }).text() // measured\n`,
    expected: { state: 'unbounded' },
    seen: { ...seenAs.nothing(), 'black-hole': ends(300) },
  },
  {
    ...base,
    name: 'got: extended instance',
    setting: 'extend({ timeout: { request: 300 }, retry: { limit: 1, backoffLimit: 100 } })',
    code: `${peer}const api = got.extend({ timeout: { request: 300 }, retry: { limit: 1, backoffLimit: 100 } })\nexport const run = () => api.get(url).text() // measured\n`,
    expected: boundedBy(300, 'attempt'),
    worstMs: [600, 700],
    attempts: 2,
    seen: seenAs.total([600, 700]),
  },
  {
    ...base,
    name: 'got: signal of a timeout',
    setting: 'signal: AbortSignal.timeout(300)',
    code: `${peer}export const run = () => got(url, { signal: AbortSignal.timeout(300) }).text() // measured\n`,
    expected: boundedBy(300, 'total'),
    seen: { ...seenAs.total(300), busy: ends(300) },
  },
]
