import { boundedBy } from '@sandglass/runtime/core'
import { type ClientCase, ends, seenAs } from '../client-case.js'

const v2 = { library: 'node-fetch', packages: ['node-fetch@2.7.0'] } as const
const v3 = { library: 'node-fetch', packages: ['node-fetch@3.3.2'] } as const
const peer = `
import fetch from 'node-fetch'
const url = process.env.PEER_URL
`
const nothing = `${peer}export const run = () => fetch(url).then((answer) => answer.text()) // measured\n`
const option = `${peer}export const run = () => fetch(url, { timeout: 300 }).then((answer) => answer.text()) // measured\n`
const signal = `${peer}export const run = () => fetch(url, { signal: AbortSignal.timeout(300) }).then((answer) => answer.text()) // measured\n`

const left = (ms: number) => ends(ms, { cancelsWork: false })

/** node-fetch over node:http: it has not the limits of the fetch of Node. */
export const nodeFetchCases: readonly ClientCase[] = [
  {
    ...v2,
    name: 'node-fetch 2: nothing set',
    setting: 'nothing',
    code: nothing,
    expected: { state: 'unbounded' },
    seen: seenAs.nothing(),
  },
  {
    ...v2,
    name: 'node-fetch 2: option timeout',
    setting: 'timeout: 300',
    code: option,
    expected: boundedBy(300, 'total'),
    worstMs: 600,
    seen: {
      hang: ends(300),
      stall: left(300),
      drip: left(300),
      'late-drip': left(500),
      'slow-headers': ends(300),
      'black-hole': ends(300),
    },
    note: 'begins anew with the body, so twice as long at most; then the connection is left open',
  },
  {
    ...v2,
    name: 'node-fetch 2: signal of a timeout',
    setting: 'signal: AbortSignal.timeout(300)',
    code: signal,
    expected: boundedBy(300, 'total'),
    seen: { ...seenAs.total(300), 'black-hole': ends(300) },
  },
  {
    ...v3,
    name: 'node-fetch 3: nothing set',
    setting: 'nothing',
    code: nothing,
    expected: { state: 'unbounded' },
    seen: seenAs.nothing(),
  },
  {
    ...v3,
    name: 'node-fetch 3: option timeout, which it has no more',
    setting: 'timeout: 300 (ignored)',
    code: option,
    expected: { state: 'unbounded' },
    seen: seenAs.nothing(),
  },
  {
    ...v3,
    name: 'node-fetch 3: signal of a timeout',
    setting: 'signal: AbortSignal.timeout(300)',
    code: signal,
    expected: boundedBy(300, 'total'),
    seen: { ...seenAs.total(300), 'black-hole': ends(300) },
  },
]
