import { boundedBy } from '@sandglass/runtime/core'
import { type ClientCase, ends, never, seenAs } from '../client-case.js'

const base = { library: 'node:http', packages: [], isQuick: true } as const

/** A request whose promise ends with its body, around what a case sets. */
const requesting = (head: string, options: string, more = '') => `
import http from 'node:http'
const url = process.env.PEER_URL
${head}export const run = () =>
  new Promise((resolve, reject) => {
    const request = http.get(url, ${options}(response) => { // measured
      response.on('end', resolve).on('error', reject).resume()
    })
    request.on('error', reject)
${more}  })
`

/** The client of node:http; node:https is the same code over TLS. */
export const nodeHttpCases: readonly ClientCase[] = [
  {
    ...base,
    name: 'node:http: nothing set',
    setting: 'nothing',
    code: requesting('', ''),
    expected: { state: 'unbounded' },
    seen: seenAs.nothing(),
  },
  {
    ...base,
    name: 'node:http: option timeout without a listener',
    setting: 'timeout: 300, no listener',
    code: requesting('', '{ timeout: 300 }, '),
    expected: { state: 'unbounded' },
    seen: seenAs.nothing(),
    note: 'only an event',
  },
  {
    ...base,
    name: 'node:http: option timeout and a listener that destroys',
    setting: "timeout: 300 and on('timeout') destroys",
    code: requesting('', '{ timeout: 300 }, ', "    request.on('timeout', () => request.destroy(new Error('late')))\n"),
    expected: boundedBy(300, 'silence'),
    seen: { ...seenAs.silence(300), 'black-hole': ends(300) },
  },
  {
    ...base,
    name: 'node:http: option timeout and a listener that only logs',
    setting: "timeout: 300 and on('timeout') logs",
    code: requesting('', '{ timeout: 300 }, ', "    request.on('timeout', () => console.error('slow'))\n"),
    expected: { state: 'unbounded' },
    seen: seenAs.nothing(),
  },
  {
    ...base,
    name: 'node:http: setTimeout with a listener that destroys',
    setting: 'request.setTimeout(300, destroy)',
    code: requesting('', '', "    request.setTimeout(300, () => request.destroy(new Error('late')))\n"),
    expected: boundedBy(300, 'silence'),
    seen: { ...seenAs.silence(300), 'black-hole': never },
    note: 'begins when the connection is open; the option covers connecting too',
  },
  {
    ...base,
    name: 'node:http: agent with a timeout',
    setting: 'agent: new Agent({ timeout: 300 })',
    code: requesting('const agent = new http.Agent({ keepAlive: true, timeout: 300 })\n', '{ agent }, '),
    expected: { state: 'unbounded' },
    seen: seenAs.nothing(),
    note: 'only an event',
  },
  {
    ...base,
    name: 'node:http: agent with a timeout and a listener that destroys',
    setting: "agent: new Agent({ timeout: 300 }) and on('timeout') destroys",
    code: requesting(
      'const agent = new http.Agent({ keepAlive: true, timeout: 300 })\n',
      '{ agent }, ',
      "    request.on('timeout', () => request.destroy(new Error('late')))\n",
    ),
    expected: boundedBy(300, 'silence'),
    seen: seenAs.silence(300),
  },
  {
    ...base,
    name: 'node:http: signal of a timeout',
    setting: 'signal: AbortSignal.timeout(300)',
    code: requesting('', '{ signal: AbortSignal.timeout(300) }, '),
    expected: boundedBy(300, 'total'),
    seen: { ...seenAs.total(300), 'black-hole': ends(300) },
  },
]
