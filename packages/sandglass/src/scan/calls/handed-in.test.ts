import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

test('what is called on something that callers hand in is a call of what they hand in', () => {
  const scanned = scanTexts(`import http from 'node:http'
import https from 'node:https'
function ask(requestor, url, options) {
  return new Promise((done, fail) => { requestor.request(url, options, done).on('error', fail).end() })
}
export const plain = (url) => ask(http, url, {})
export const safe = (url) => ask(https, url, { signal: AbortSignal.timeout(300) })`)
  expect(callLines(scanned)).toEqual(['4 node:http unbounded'])
  expect(findingLines(scanned)).toEqual(['code.ts:4 unbounded-call'])
})

test('a client without types that is handed to a function is judged where it is made', () => {
  const text = (options: string) => `import axios from 'axios'
const api = axios.create(${options})
const load = (client, id) => client.get('/orders/' + id)
export const order = (id) => load(api, id)`
  expect(findingLines(scanTexts(text('')))).toEqual(['code.ts:2 unbounded-call'])
  expect(findingLines(scanTexts(text('{ timeout: 500 }')))).toEqual([])
})

test('what is no library’s is no call, whatever it is named', () => {
  const scanned = scanTexts(`const load = (cache, id) => cache.get(id)
export const order = (id) => load(new Map(), id)
export const other = (cache) => cache.get('a')`)
  expect(scanned.calls).toEqual([])
})

test('a fetch that a client is given among its options is the fetch of who makes the client', () => {
  const scanned = scanTexts(`class Client {
  private fetch: typeof fetch
  constructor(opts: Options) { this.fetch = opts.fetch }
  async load(init?: RequestInit) { return this.fetch('http://a', { ...init, headers: {} }) }
}
export const load = () => new Client({ ...config, fetch }).load()`)
  expect(callLines(scanned)).toEqual(['4 fetch bounded 300000 silence'])
  const own = scanTexts(`class Client {
  constructor(opts) { this.fetch = opts.fetch }
  load() { return this.fetch('http://a') }
}
const bounded = (url) => fetch(url, { signal: AbortSignal.timeout(500) })
export const load = () => new Client({ fetch: bounded }).load()`)
  expect(callLines(own)).toEqual(['5 fetch bounded 500 total'])
})
