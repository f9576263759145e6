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
