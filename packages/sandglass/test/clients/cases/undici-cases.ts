import { boundedBy } from '@sandglass/runtime/core'
import { type ClientCase, ends, never, seenAs } from '../client-case.js'

/** Its timers look about once in half a second, and drift: what is set as 500 ends up to a second later, what is set as 300 s up to 25 s on a busy machine. */
const late = (ms: number) => [ms, 1.08 * ms + 1100] as const

function undiciCases(version: string): ClientCase[] {
  const base = { library: 'undici', packages: [`undici@${version}`], isQuick: version.startsWith('7') } as const
  const name = (what: string) => `undici ${version.split('.')[0]}: ${what}`
  return [
    {
      ...base,
      name: name('request, nothing set'),
      setting: 'nothing',
      code: `
import { request } from 'undici'
const url = process.env.PEER_URL
export const run = () => request(url).then(({ body }) => body.text()) // measured
`,
      expected: boundedBy(300_000, 'silence'),
      seen: { ...seenAs.silence(late(300_000)), 'slow-headers': ends(late(300_000)), 'black-hole': ends(late(10_000)) },
    },
    {
      ...base,
      name: name('request with headersTimeout'),
      setting: 'headersTimeout: 500',
      code: `
import { request } from 'undici'
const url = process.env.PEER_URL
export const run = () => request(url, { headersTimeout: 500 }).then(({ body }) => body.text()) // measured
`,
      expected: boundedBy(500, 'headers'),
      seen: { hang: ends(late(500)), 'slow-headers': ends(late(500)), stall: ends(late(300_000)), drip: never },
      capMs: 2500,
    },
    {
      ...base,
      name: name('request with headersTimeout and bodyTimeout'),
      setting: 'headersTimeout: 500, bodyTimeout: 500',
      code: `
import { request } from 'undici'
const url = process.env.PEER_URL
export const run = () => request(url, { headersTimeout: 500, bodyTimeout: 500 }).then(({ body }) => body.text()) // measured
`,
      expected: boundedBy(500, 'silence'),
      seen: seenAs.silence(late(500)),
      capMs: 2500,
    },
    {
      ...base,
      name: name('request with both limits off'),
      setting: 'headersTimeout: 0, bodyTimeout: 0',
      code: `
import { request } from 'undici'
const url = process.env.PEER_URL
export const run = () => request(url, { headersTimeout: 0, bodyTimeout: 0 }).then(({ body }) => body.text()) // measured
`,
      expected: { state: 'unbounded' },
      seen: seenAs.nothing(),
    },
    {
      ...base,
      name: name('Agent as dispatcher'),
      setting: 'dispatcher: new Agent({ headersTimeout: 500, bodyTimeout: 500 })',
      code: `
import { Agent, request } from 'undici'
const url = process.env.PEER_URL
const dispatcher = new Agent({ headersTimeout: 500, bodyTimeout: 500 })
export const run = () => request(url, { dispatcher }).then(({ body }) => body.text()) // measured
`,
      expected: boundedBy(500, 'silence'),
      seen: seenAs.silence(late(500)),
      capMs: 2500,
    },
    {
      ...base,
      name: name('its fetch with an Agent as dispatcher'),
      setting: 'fetch, dispatcher: new Agent({ headersTimeout: 500, bodyTimeout: 500 })',
      code: `
import { Agent, fetch } from 'undici'
const url = process.env.PEER_URL
const dispatcher = new Agent({ headersTimeout: 500, bodyTimeout: 500 })
export const run = () => fetch(url, { dispatcher }).then((answer) => answer.text()) // measured
`,
      expected: boundedBy(500, 'silence'),
      seen: seenAs.silence(late(500)),
      capMs: 2500,
    },
    {
      ...base,
      name: name('global dispatcher reaches the fetch of Node'),
      library: 'fetch',
      setting: 'setGlobalDispatcher(new Agent({ headersTimeout: 500, bodyTimeout: 500 }))',
      code: `
import { Agent, setGlobalDispatcher } from 'undici'
const url = process.env.PEER_URL
setGlobalDispatcher(new Agent({ headersTimeout: 500, bodyTimeout: 500 }))
export const run = () => fetch(url).then((answer) => answer.text()) // measured
`,
      expected: boundedBy(500, 'silence'),
      seen: seenAs.silence(late(500)),
      capMs: 2500,
    },
    {
      ...base,
      name: name('request with a signal'),
      setting: 'signal: AbortSignal.timeout(300)',
      code: `
import { request } from 'undici'
const url = process.env.PEER_URL
export const run = () => request(url, { signal: AbortSignal.timeout(300) }).then(({ body }) => body.text()) // measured
`,
      expected: boundedBy(300, 'total'),
      seen: { ...seenAs.total(300), 'black-hole': ends(late(10_000)) },
      note: 'the signal is not looked at before the connection is open: connecting may take its own 10 s',
    },
    {
      ...base,
      name: name('stream with headersTimeout and bodyTimeout'),
      setting: 'stream, headersTimeout: 500, bodyTimeout: 500',
      code: `
import { Writable } from 'node:stream'
import { stream } from 'undici'
const url = process.env.PEER_URL
const sink = () => new Writable({ write: (_chunk, _encoding, done) => done() })
export const run = () => stream(url, { method: 'GET', headersTimeout: 500, bodyTimeout: 500 }, sink) // measured
`,
      expected: boundedBy(500, 'silence'),
      seen: seenAs.silence(late(500)),
      capMs: 2500,
    },
    {
      ...base,
      name: name('Agent with a limit for connecting'),
      setting: 'new Agent({ connect: { timeout: 500 } })',
      code: `
import { Agent, request } from 'undici'
const url = process.env.PEER_URL
const dispatcher = new Agent({ connect: { timeout: 500 } })
export const run = () => request(url, { dispatcher }).then(({ body }) => body.text()) // measured
`,
      expected: boundedBy(300_000, 'silence'),
      seen: { 'black-hole': ends(late(500)), ...seenAs.silence(late(300_000)) },
      capMs: 2500,
    },
    {
      ...base,
      name: name('RetryAgent over limits of silence'),
      setting: 'RetryAgent, headersTimeout: 500',
      code: `
import { Agent, RetryAgent, request } from 'undici'
const url = process.env.PEER_URL
const dispatcher = new RetryAgent(new Agent({ headersTimeout: 500, bodyTimeout: 500 }), { maxRetries: 2, minTimeout: 100 })
export const run = () => request(url, { dispatcher }).then(({ body }) => body.text()) // measured
`,
      expected: boundedBy(500, 'silence'),
      seen: { hang: ends(late(500)), busy: ends([300, 800], { attempts: 3 }), 'accept-and-close': ends([300, 800], { attempts: 3 }) },
      capMs: 2500,
      note: 'retries what was refused or closed and 5xx, not its own timeouts',
    },
    {
      ...base,
      name: name('RetryAgent, nothing set'),
      setting: 'RetryAgent',
      code: `
import { Agent, RetryAgent, request } from 'undici'
const url = process.env.PEER_URL
const dispatcher = new RetryAgent(new Agent())
export const run = () => request(url, { dispatcher }).then(({ body }) => body.text()) // measured
`,
      expected: boundedBy(300_000, 'silence'),
      seen: { busy: ends([15_500, 18_000], { attempts: 6 }), hang: ends(late(300_000)) },
    },
  ]
}

/** undici by itself, in the version that runs on Node 20 and the one before. */
export const allUndiciCases: readonly ClientCase[] = [...undiciCases('7.30.2'), ...undiciCases('6.29.1')]
