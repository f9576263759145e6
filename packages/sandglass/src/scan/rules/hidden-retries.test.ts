import { describe, expect, test } from 'vitest'
import { findingLines, scanTexts } from '../scan.fixture.js'

describe('hidden-retries', () => {
  test('got makes three attempts by itself: 500 ms become 4.7 s, said once for a client', () => {
    const scanned = scanTexts({
      files: {
        'code.ts': `import got from 'got'
const api = got.extend({ timeout: { request: 500 } })
export const a = () => api.get('http://a')
export const b = () => api.get('http://b')`,
      },
      versions: { got: '14.6.6' },
    })
    expect(findingLines(scanned)).toEqual(['code.ts:2 hidden-retries'])
    const [finding] = scanned.diagnostics
    expect(finding?.message).toBe('got 14.6.6 makes 3 attempts by itself: with timeout.request 500 ms the call may take 4.7 s')
    expect(finding?.arithmetic).toBe('3 attempts x 500 ms + waits 3.2 s = 4.7 s')
  })

  test('a limit that several calls share is one cause', () => {
    const scanned = scanTexts({
      files: {
        'limit.ts': `export const limit = 500`,
        'code.ts': `import got from 'got'
import { limit } from './limit'
export const a = () => got.get('http://a', { timeout: { request: limit } })
export const b = () => got.get('http://b', { timeout: { request: limit } })
export const c = () => got.get('http://c', { timeout: { request: 800 } })`,
      },
    })
    expect(findingLines(scanned)).toEqual(['code.ts:5 hidden-retries', 'limit.ts:1 hidden-retries'])
    expect(scanned.diagnostics[0]?.related.map(({ spot, label }) => `${spot.source.file} ${label}`)).toEqual(['code.ts made up to 3 times'])
    expect(scanned.diagnostics[0]?.message).toBe(
      'got makes 3 attempts by itself: with timeout.request 500 ms the call may take 4.7 s; 2 places have that limit',
    )
  })

  test.each([
    ['the number is written', 'got(u, { timeout: { request: 500 }, retry: { limit: 2 } })'],
    ['it does not repeat', 'got(u, { timeout: { request: 500 }, retry: { limit: 0 } })'],
    ['a POST is not repeated', 'got.post(u, { timeout: { request: 500 } })'],
    ['a signal ends all attempts', 'got(u, { timeout: { request: 500 }, signal: AbortSignal.timeout(600) })'],
    ['a limit around it ends all attempts', 'pTimeout(got(u, { timeout: { request: 500 } }), { milliseconds: 500 })'],
  ])('nothing is reported where %s', (_, expression) => {
    const scanned = scanTexts(`import got from 'got'
import pTimeout from 'p-timeout'
export const load = (u: string) => ${expression}`)
    expect(scanned.diagnostics.filter(({ rule }) => rule === 'hidden-retries')).toEqual([])
  })

  test('with a budget that is broken it is over-budget that speaks', () => {
    const text = `import got from 'got'
export const load = (u: string) => got(u, { timeout: { request: 500 } })`
    expect(findingLines(scanTexts(text, { budgetMs: 800 }))).toEqual(['code.ts:2 over-budget'])
    expect(scanTexts(text, { budgetMs: 800 }).diagnostics[0]?.arithmetic).toBe(
      '3 attempts x timeout.request 500 ms + waits 3.2 s = 4.7 s > 800 ms',
    )
    expect(findingLines(scanTexts(text, { budgetMs: 5000 }))).toEqual(['code.ts:2 hidden-retries'])
  })

  test.each([
    [
      'got',
      {},
      `import got from 'got'\nexport const a = () => got('http://a', { timeout: { request: 500 } })`,
      'signal: AbortSignal.timeout(…) in each call',
    ],
    [
      '@aws-sdk/client-s3',
      { '@aws-sdk/client-s3': '3.600.0' },
      `import { S3Client, GetObjectCommand } from '@aws-sdk/client-s3'
const s3 = new S3Client({ requestHandler: { requestTimeout: 2000 } })
export const a = () => s3.send(new GetObjectCommand({}))`,
      'abortSignal: AbortSignal.timeout(…) in each call',
    ],
    [
      'axios before it took a signal',
      { axios: '0.21.4' },
      `import axios from 'axios'
import axiosRetry from 'axios-retry'
axiosRetry(axios, { shouldResetTimeout: true, retryCondition: () => true })
export const a = () => axios.get('http://a', { timeout: 500 })`,
      'cancelToken: source.token, with setTimeout(source.cancel, …) in each call',
    ],
    [
      'mongodb that takes none',
      { mongodb: '6.8.0' },
      `import { MongoClient } from 'mongodb'
const m = new MongoClient('mongodb://x', { socketTimeoutMS: 2000, waitQueueTimeoutMS: 1000 })
export const a = () => m.db('x').collection('y').findOne({})`,
      'around the call',
    ],
  ])('the limit over all attempts is called as its library calls it: %s', (_, versions, text, expected) => {
    const found = scanTexts({ files: { 'code.ts': text }, versions: versions as Record<string, string> }).diagnostics.find(
      ({ rule }) => rule === 'hidden-retries',
    )
    expect(found?.suggestion?.text.split('over all attempts: ')[1] ?? null).toBe(expected)
  })

  test('the limit that weighs most is named, also where it is a default beside what somebody wrote', () => {
    const scanned = scanTexts({
      files: {
        'code.ts': `import { MongoClient } from 'mongodb'
const m = new MongoClient('mongodb://x', { socketTimeoutMS: 2000, waitQueueTimeoutMS: 1000 })
export const a = () => m.db('x').collection('y').findOne({})`,
      },
      versions: { mongodb: '6.8.0' },
    })
    expect(scanned.diagnostics.map(({ message }) => message)).toEqual([
      'mongodb 6.8.0 makes 2 attempts by itself: with serverSelectionTimeoutMS 30 s, a default, beside socketTimeoutMS 2 s the call may take 66 s',
    ])
  })
})
