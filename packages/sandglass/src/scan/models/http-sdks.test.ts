import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

test('request waits for ever, unless its options, or those it was made with, have a timeout', () => {
  const scanned = scanTexts(`const request = require('request')
const rp = require('request-promise-native')
import { url, options } from './elsewhere'
request('https://a', (error, answer) => answer)
request.get({ url: 'https://a', timeout: 500 }, () => {})
const quick = request.defaults({ timeout: 800 })
await rp.post(url, { json: true })
quick.put(\`https://\${url}/b\`, { json: true }, () => {})
rp(options)
const jar = request.jar()`)
  expect(callLines(scanned)).toEqual([
    '4 request unbounded',
    '5 request bounded 500 silence',
    '7 request unbounded',
    '8 request bounded 800 silence',
    '9 request unknown',
  ])
  expect(findingLines(scanned)).toEqual(['code.ts:4 unbounded-call', 'code.ts:7 unbounded-call'])
})

test('retry-request waits as request does, and three times for what has a timeout', () => {
  const code = `const request = require('retry-request', { request: require('request') })
const { load, done } = require('./elsewhere')
request({ url: 'https://a', json: true }, (error, answer) => answer)
request({ url: 'https://a', timeout: 500 }, done)
request({ url: 'https://a', timeout: 500 }, { noResponseRetries: 0 }, done)
request({ url: 'https://a' }, { request: load }, done)
request(\`https://\${process.env.HOST}\`, done)
request({ url: 'https://a' }).pipe(process.stdout)`
  const at = (version: string) => scanTexts({ files: { 'code.js': code }, versions: { 'retry-request': version } })
  const scanned = at('4.2.2')
  expect(callLines(scanned)).toEqual([
    '3 retry-request unbounded',
    '4 retry-request bounded 500 silence',
    '5 retry-request bounded 500 silence',
    '6 retry-request unknown',
    '7 retry-request unbounded',
    '8 retry-request unbounded',
  ])
  expect(scanned.calls.map(({ worstMs }) => worstMs)).toEqual([null, 9500, 500, null, null, null])
  expect(callLines(at('7.0.2'))[0]).toBe('3 retry-request unknown')
})

test('ofetch has a timeout to the headers, and without one what fetch has', () => {
  const scanned = scanTexts(`import { $fetch, ofetch } from 'ofetch'
const api = ofetch.create({ baseURL: 'https://a', timeout: 700 })
await ofetch('https://a')
await $fetch('/b', { timeout: 500 })
await api('/c')
await api('/c', { signal: AbortSignal.timeout(300) })`)
  expect(callLines(scanned)).toEqual([
    '3 ofetch bounded 300000 silence',
    '4 ofetch bounded 500 headers',
    '5 ofetch bounded 700 headers',
    '6 ofetch bounded 300 total',
  ])
  expect(findingLines(scanned)).toEqual(['code.ts:3 default-bound'])
})

test('graphql-request asked by node-fetch up to version 6, which knows a timeout', () => {
  const files = {
    'code.ts': `import { GraphQLClient, gql, request } from 'graphql-request'
import { Question, key, load } from './elsewhere'
const client = new GraphQLClient(key)
const quick = new GraphQLClient('https://a', { timeout: 500 })
const own = new GraphQLClient('https://a', { fetch: load })
await client.request(gql\`{ a }\`)
await quick.request(Question, { a: 1 })
await request('https://a', Question)
await client.request({ document: Question, signal: AbortSignal.timeout(800) })
await own.request(Question)`,
  }
  const at = (versions: Record<string, string>) =>
    callLines(scanTexts({ files, versions })).map((line) => line.replace('graphql-request ', ''))
  expect(at({ 'graphql-request': '6.1.0' })).toEqual([
    '6 unbounded',
    '7 bounded 500 total',
    '8 unbounded',
    '9 bounded 800 total',
    '10 unknown',
  ])
  expect(at({ 'graphql-request': '7.4.0' })).toEqual([
    '6 bounded 300000 silence',
    '7 bounded 300000 silence',
    '8 bounded 300000 silence',
    '9 bounded 800 total',
    '10 unknown',
  ])
  expect(at({})).toEqual(['6 unknown', '7 unknown', '8 unknown', '9 bounded 800 total', '10 unknown'])
  const fixes = scanTexts({ files, versions: { 'graphql-request': '3.7.0' } }).diagnostics.map(({ suggestion }) => suggestion?.text)
  expect(fixes).toEqual([
    'set a limit: signal: AbortSignal.timeout(…)',
    'set a limit: new GraphQLClient(url, { signal: AbortSignal.timeout(…) }) for the call',
  ])
})

test('isomorphic-fetch is node-fetch where its name is used; others hand on the fetch of Node', () => {
  const scanned = scanTexts(`import load from 'isomorphic-fetch'
import unfetch from 'isomorphic-unfetch'
import { fetch as native } from 'node-fetch-native'
await load('https://a')
await load('https://a', { timeout: 500 })
await unfetch('https://a')
await native('https://a', { signal: AbortSignal.timeout(300) })`)
  expect(callLines(scanned)).toEqual([
    '4 isomorphic-fetch unbounded',
    '5 isomorphic-fetch bounded 500 total',
    '6 isomorphic-unfetch bounded 300000 silence',
    '7 node-fetch-native bounded 300 total',
  ])
})

test('what asks by the fetch of a browser is not judged by that of Node', () => {
  const text = `'use client'\nimport { ofetch } from 'ofetch'\nimport load from 'cross-fetch'\nexport const a = () => [ofetch('/a'), load('/a')]`
  expect(callLines(scanTexts({ files: { 'page.tsx': text } }))).toEqual([])
})

test('an address of request that is put together in branches is no options', () => {
  const scanned = scanTexts(`import * as request from 'request'
export function load(id, own, base) {
  let where = ''
  if (id) where = base + \`/orders/\${id}\`
  else if (own) where = base + '/orders'
  request.get(where, { json: true }, done)
  request.get(where, { json: true, timeout: 500 }, done)
  request(own ? { url: where } : { url: base, timeout: 500 }, done)
}`)
  expect(callLines(scanned)).toEqual(['6 request unbounded', '7 request bounded 500 silence', '8 request unknown'])
})

test('gaxios and bent wait for ever, and typed-rest-client three minutes', () => {
  const code = `import { Gaxios, request } from 'gaxios'
import bent from 'bent'
import { RestClient } from 'typed-rest-client/RestClient'
await request({ url: 'http://a' })
await new Gaxios({ timeout: 900 }).request({ url: 'http://a' })
await bent('json')('http://a')
await new RestClient('a', 'http://a').get('/b')
await new RestClient('a', 'http://a', [], { socketTimeout: 900 }).get('/b')`
  const versions = { gaxios: '7.3.1', bent: '7.3.12', 'typed-rest-client': '3.1.2' }
  expect(callLines(scanTexts({ files: { 'code.ts': code }, versions }))).toEqual([
    '4 gaxios unbounded',
    '5 gaxios bounded 900 total',
    '6 bent unbounded',
    '7 typed-rest-client bounded 180000 silence',
    '8 typed-rest-client bounded 900 silence',
  ])
})
