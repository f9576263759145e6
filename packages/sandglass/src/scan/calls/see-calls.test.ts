import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

test('options that go through several wrappers are those of whoever begins', () => {
  const scan = (options: string) =>
    scanTexts(`const ask = (url: string, init?: RequestInit) => fetch(url, { ...init })
const post = (url: string, init?: RequestInit) => ask(url, { ...init, method: 'POST' })
const save = (url: string, init?: RequestInit) => post(url, init)
export const run = () => save('https://a'${options})`)
  expect(callLines(scan(', { signal: AbortSignal.timeout(500) }'))).toEqual(['1 fetch bounded 500 total'])
  expect(findingLines(scan(''))).toEqual(['code.ts:1 default-bound'])
  expect(callLines(scan(', given'))).toEqual(['1 fetch unknown'])
})

test('wrappers that ask each other in a circle are followed once', () => {
  const scanned = scanTexts(`export const ask = (url: string, init?: RequestInit) => (init ? again(url, init) : fetch(url, { ...init }))
const again = (url: string, init?: RequestInit) => ask(url, { ...init })`)
  expect(callLines(scanned)).toEqual(['1 fetch unknown'])
})

test('arguments that are spread may hold the options', () => {
  const scanned = scanTexts(`export const load = (...given: Parameters<typeof fetch>) => fetch(...given)
export const post = (...rest: unknown[]) => fetch('https://a', ...rest)
export const get = (url: string, ...rest: unknown[]) => fetch(url, { method: 'GET' }, ...rest)`)
  expect(callLines(scanned)).toEqual(['1 fetch unknown', '2 fetch unknown', '3 fetch bounded 300000 silence'])
})

test('a client that another package watches is that client', () => {
  const scanned = scanTexts(`import OpenAI from 'openai'
import { S3Client } from '@aws-sdk/client-s3'
import { captureAWSv3Client } from 'aws-xray-sdk'
import { wrapOpenAI } from 'langsmith/wrappers'
import { mixed } from 'langsmith/wrappers'
const ai = wrapOpenAI(new OpenAI({ timeout: 900, maxRetries: 0 }), { name: 'a' })
const files = captureAWSv3Client(new S3Client({}))
const other = mixed(new OpenAI())
await ai.chat.completions.create({})
await files.send({})
await other.chat.completions.create({})`)
  expect(callLines(scanned)).toEqual(['9 openai bounded 900 headers', '10 aws-sdk-js v3 unbounded'])
  expect(findingLines(scanned)).toEqual(['code.ts:7 unbounded-call'])
})

test('a caller that leaves out what has a default is no other branch', () => {
  const scan = (given: string, shared = '{ agent }') =>
    scanTexts({
      files: {
        'code.ts': `import fetch from 'node-fetch'
const shared = ${shared}
class Client {
  private readonly init
  constructor(private readonly url: string, options?: { init?: object; breaker?: object }) {
    const { init = shared, breaker = null } = options || {}
    this.init = init
    this.breaker = breaker
  }
  ask() { return this.breaker.execute(async () => fetch(this.url, { ...this.init, method: 'POST' })) }
}
export const client = new Client(process.env.URL, ${given})`,
      },
      versions: { 'node-fetch': '2.7.0' },
    })
  expect(callLines(scan('{ breaker: make() }', '{ timeout: 700 }'))).toEqual(['10 node-fetch bounded 700 total'])
  expect(callLines(scan('{ breaker: make() }', '{}'))).toEqual(['10 node-fetch unbounded'])
  expect(callLines(scan('{ breaker: make(), init: { timeout: 300 } }'))).toEqual(['10 node-fetch bounded 300 total'])
  expect(callLines(scan('{ init: given() }'))).toEqual(['10 node-fetch unknown'])
})

test('what decides is asked of the callers of the function around the call, though an address comes from one further out', () => {
  const scan = (given: string) =>
    scanTexts({
      files: {
        'code.ts': `import fetch from 'node-fetch'
export async function serve(request) {
  const base = request.base
  const url = request.chat ? \`\${base}/chat\` : \`\${base}/completions\`
  const config = ${given}
  await ask(config)
  async function ask(config, retries = 5) {
    const response = await fetch(url, config)
    if (response.status === 429 && retries > 0) await ask(config, retries - 1)
  }
}`,
      },
      versions: { 'node-fetch': '2.7.0' },
    })
  expect(callLines(scan('{ method: "post", timeout: 700 }'))).toEqual(['8 node-fetch bounded 700 total'])
  expect(callLines(scan('{ method: "post" }'))).toEqual(['8 node-fetch unbounded'])
})

test('a client that a class is handed decides, though what is asked comes from the method', () => {
  const scanned = scanTexts({
    files: {
      'class.ts': `import { AxiosInstance } from 'axios'
export class Prices {
  constructor(private readonly http: AxiosInstance) {}
  load(url: string) { return this.http.get(url) }
}`,
      'make.ts': `import axios from 'axios'
import { Prices } from './class'
export const make = () => new Prices(axios.create())`,
    },
  })
  expect(callLines(scanned)).toEqual(['4 axios unbounded'])
  expect(findingLines(scanned)).toEqual(['make.ts:3 unbounded-call'])
})
