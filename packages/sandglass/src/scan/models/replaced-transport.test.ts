import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

const HEAD = `import axios from 'axios'
import got from 'got'
import ky from 'ky'
import nodeFetch from 'node-fetch'
import * as undici from 'undici'
import OpenAI from 'openai'
import * as https from 'node:https'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { HttpsAgent } from 'agentkeepalive'
`
const VERSIONS = { axios: '1.9.0', got: '14.0.0', ky: '1.8.0', 'node-fetch': '3.3.2', undici: '7.0.0', openai: '6.0.0' }

function outcomeOf(call: string): string | undefined {
  const scanned = scanTexts({ files: { 'code.ts': `${HEAD}export const a = (given) => ${call}` }, versions: VERSIONS })
  return callLines(scanned).at(-1)?.split(' ').slice(2).join(' ')
}

/** Calls that wait without a limit, or with a default, and the options that could end them or ask in another way. */
const OPTIONS: readonly (readonly [string, string, readonly string[]])[] = [
  ["fetch('http://a', { OPTION })", 'bounded 300000 silence', ['dispatcher', 'signal']],
  ["undici.request('http://a', { OPTION })", 'bounded 300000 silence', ['dispatcher', 'signal', 'headersTimeout']],
  ["nodeFetch('http://a', { OPTION })", 'unbounded', ['agent', 'signal']],
  [
    "axios.get('http://a', { OPTION })",
    'unbounded',
    ['timeout', 'signal', 'cancelToken', 'adapter', 'httpAgent', 'httpsAgent', 'transport'],
  ],
  ["axios.create({ OPTION }).get('http://a')", 'unbounded', ['timeout', 'signal', 'cancelToken', 'adapter', 'httpAgent', 'httpsAgent']],
  ["got.post('http://a', { OPTION })", 'unbounded', ['timeout', 'signal', 'agent', 'request']],
  ["got.extend({ OPTION }).post('http://a')", 'unbounded', ['timeout', 'agent', 'request']],
  ["ky.get('http://a', { timeout: false, OPTION })", 'bounded 300000 silence', ['signal', 'fetch', 'dispatcher']],
  ["https.get('https://a', { OPTION })", 'unbounded', ['signal', 'agent']],
  ['new OpenAI({ OPTION }).models.list()', 'bounded 300000 silence', ['timeout', 'fetch', 'fetchOptions', 'httpAgent']],
]

const TABLE = OPTIONS.flatMap(([call, without, names]) => names.map((name) => [call, name, without] as const))

test.each(TABLE)('%s is unknown with a %s that cannot be followed', (call, name, without) => {
  const at = (option: string) => outcomeOf(call.replace('OPTION', option))
  expect(at('')).toBe(without)
  expect(at(`${name}: given`)).toBe('unknown')
  expect(at(`${name}: given.part`)).toBe('unknown')
  expect(at(`${name}: make(given)`)).toBe('unknown')
  expect(at(`${name}: undefined`)).toBe(without)
})

test.each(OPTIONS)('%s is unknown with options that are spread into it', (call) => {
  expect(outcomeOf(call.replace('OPTION', '...given'))).toBe('unknown')
})

test.each([
  ["axios.get('http://a', { httpsAgent: AGENT })", 'unbounded'],
  ["nodeFetch('http://a', { agent: AGENT })", 'unbounded'],
  ["nodeFetch('http://a', { agent: () => AGENT })", 'unbounded'],
  ["got.post('http://a', { agent: { https: AGENT } })", 'unbounded'],
  ["https.get('https://a', { agent: AGENT })", 'unbounded'],
])('an agent ends nothing unless it is one with a clock: %s', (call, expected) => {
  const at = (agent: string) => outcomeOf(call.replace('AGENT', agent))
  expect(at('new https.Agent({ keepAlive: true, timeout: 500 })')).toBe(expected)
  expect(at('new HttpsProxyAgent(given)')).toBe(expected)
  expect(at('given ? new HttpsProxyAgent(given) : undefined')).toBe(expected)
  expect(at('new HttpsAgent({ timeout: 500 })')).toBe('unknown')
})

test('an agent that is spread in by a condition ends nothing either', () => {
  const at = (agent: string) =>
    outcomeOf(
      `nodeFetch('http://a', { method: 'get', ...proxied() }); const proxied = () => { if (process.env.PROXY) { return { agent: ${agent} } } else return {} }`,
    )
  expect(at('new HttpsProxyAgent(process.env.PROXY)')).toBe('unbounded')
  expect(at('new HttpsAgent()')).toBe('unknown')
})

test('the fetch of Node is no other one, a function around it may be', () => {
  const at = (fetch: string) => outcomeOf(`new OpenAI({ fetch: ${fetch} }).models.list()`)
  expect(at('globalThis.fetch')).toBe('bounded 300000 silence')
  expect(at('(url, init) => limited(url, init)')).toBe('unknown')
})
