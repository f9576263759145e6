import { boundedBy } from '@sandglass/runtime/core'
import { type ClientCase, ends, seenAs } from '../client-case.js'

const base = { library: 'superagent', packages: ['superagent@10.4.2'] } as const
const peer = `
import superagent from 'superagent'
const url = process.env.PEER_URL
`

const abandoned = ends(600, { attempts: 3, cancelsWork: false })

/** superagent: a deadline for all, and a limit to the first byte. */
export const superagentCases: readonly ClientCase[] = [
  {
    ...base,
    name: 'superagent: nothing set',
    setting: 'nothing',
    code: `${peer}export const run = () => superagent.get(url).then((answer) => answer.text) // measured\n`,
    expected: { state: 'unbounded' },
    seen: { ...seenAs.nothing(), busy: ends(0) },
  },
  {
    ...base,
    name: 'superagent: timeout as a number',
    setting: '.timeout(300)',
    code: `${peer}export const run = () => superagent.get(url).timeout(300).then((answer) => answer.text) // measured\n`,
    expected: boundedBy(300, 'total'),
    seen: { ...seenAs.total(300), 'late-drip': ends(300), 'black-hole': ends(300) },
  },
  {
    ...base,
    name: 'superagent: deadline',
    setting: '.timeout({ deadline: 300 })',
    code: `${peer}export const run = () => superagent.get(url).timeout({ deadline: 300 }).then((answer) => answer.text) // measured\n`,
    expected: boundedBy(300, 'total'),
    seen: seenAs.total(300),
  },
  {
    ...base,
    name: 'superagent: response',
    setting: '.timeout({ response: 300 })',
    code: `${peer}export const run = () => superagent.get(url).timeout({ response: 300 }).then((answer) => answer.text) // measured\n`,
    expected: boundedBy(300, 'headers'),
    seen: { ...seenAs.headers(300), 'slow-headers': ends(300), 'black-hole': ends(300) },
  },
  {
    ...base,
    name: 'superagent: response and deadline',
    setting: '.timeout({ response: 300, deadline: 600 })',
    code: `${peer}export const run = () => superagent.get(url).timeout({ response: 300, deadline: 600 }).then((answer) => answer.text) // measured\n`,
    expected: boundedBy(600, 'total'),
    seen: { hang: ends(300), stall: ends(600), drip: ends(600) },
  },
  {
    ...base,
    name: 'superagent: timeout and retries',
    setting: '.timeout(300).retry(2)',
    code: `${peer}export const run = () => superagent.get(url).timeout(300).retry(2).then((answer) => answer.text) // measured\n`,
    expected: boundedBy(300, 'attempt'),
    worstMs: 900,
    attempts: 3,
    seen: { hang: ends(900), stall: abandoned, drip: abandoned, busy: ends(0, { attempts: 3 }) },
    note: 'each attempt anew; once there were headers, the last attempt is begun and given up at once, and left open',
  },
  {
    ...base,
    name: 'superagent: agent with defaults',
    setting: 'agent().timeout(300)',
    code: `${peer}const api = superagent.agent().timeout(300)\nexport const run = () => api.get(url).then((answer) => answer.text) // measured\n`,
    expected: boundedBy(300, 'total'),
    seen: seenAs.total(300),
  },
]
