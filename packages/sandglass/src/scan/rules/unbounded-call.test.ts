import { describe, expect, test } from 'vitest'
import { findingLines, scanTexts } from '../scan.fixture.js'

describe('unbounded-call', () => {
  test('a client without a limit is one finding, where it is made, with the number of its calls', () => {
    const scanned = scanTexts({
      files: {
        'code.ts': `import axios from 'axios'
const api = axios.create({ baseURL: 'http://users.internal' })
export const a = () => api.get('/a')
export const b = () => api.get('/b')
export const c = () => api.get('/c', { timeout: 500 })`,
      },
      versions: { axios: '1.21.1' },
    })
    expect(findingLines(scanned)).toEqual(['code.ts:2 unbounded-call'])
    expect(scanned.diagnostics[0]?.message).toBe('axios 1.21.1 waits without a limit for the answer; at least 2 calls use it')
    expect(scanned.diagnostics[0]?.severity).toBe('error')
  })

  test('where a limit is switched off, that is the place', () => {
    const scanned = scanTexts(`import axios from 'axios'
const api = axios.create({ timeout: 500 })
export const a = () => api.get('/a', {
  timeout: 0,
})`)
    expect(findingLines(scanned)).toEqual(['code.ts:4 unbounded-call'])
    expect(scanned.diagnostics[0]?.label).toBe('switches the limit off')
  })

  test('a client among several that nobody can tell of is still judged where it is made', () => {
    const scanned = scanTexts(`import { Redis } from 'ioredis'
const connect = (options: object | string) =>
  typeof options === 'string' ? new Redis({ host: options }) : new Redis(options)
export const get = (options: object, key: string) => connect(options).get(key)`)
    expect(findingLines(scanned)).toEqual(['code.ts:3 unbounded-call'])
  })

  test('of several clients none is told of where a limit stands around their calls', () => {
    const scanned = scanTexts(`import { Redis } from 'ioredis'
const redis = process.env.URL ? new Redis(process.env.URL) : new Redis({ host: 'cache' })
export const get = (key: string) => Promise.race([redis.get(key), new Promise((_, no) => setTimeout(no, 500).unref())])`)
    expect(scanned.diagnostics.filter(({ rule }) => rule === 'unbounded-call')).toEqual([])
  })

  test('a client says all that its calls wait for', () => {
    const scanned = scanTexts(`import { Client } from 'pg'
const client = new Client({ host: 'db' })
await client.connect()
export const all = () => client.query('select 1')`)
    expect(scanned.diagnostics.map(({ message }) => message)).toEqual([
      'pg waits without a limit for the connection, the answer of a query and the statement at the server; at least 2 calls use it',
    ])
  })

  test('what a client of that type is asked for is told where one is made in the same file, else where it is asked', () => {
    const use = 'export const load = (connection: mysql.Connection) => connection.execute("select 1")'
    const made = 'export const connect = (host: string) => mysql.createConnection({ host })'
    const head = `import mysql from 'mysql2/promise'\n`
    expect(findingLines(scanTexts(`${head}${made}\n${use}`))).toEqual(['code.ts:2 unbounded-call'])
    expect(findingLines(scanTexts(`${head}${use}`))).toEqual(['code.ts:2 unbounded-call'])
  })

  test('a name that holds one of several clients is told for each that has no limit', () => {
    const scanned = scanTexts(`import Redis from 'ioredis'
let redis
if (process.env.CLUSTER) redis = new Redis.Cluster(['a'])
else redis = new Redis('redis://a')
export const get = () => redis.get('a')
class Store {
  constructor(isFast: boolean) {
    if (isFast) this.redis = new Redis({ commandTimeout: 500 })
    else this.redis = new Redis({ host: 'b' })
  }
  get() { return this.redis.get('a') }
}`)
    expect(findingLines(scanned)).toEqual(['code.ts:3 unbounded-call', 'code.ts:4 unbounded-call', 'code.ts:9 unbounded-call'])
    expect(scanned.calls).toHaveLength(2)
  })

  test.each([
    ['a limit is written', 'axios.get(u, { timeout: 500 })'],
    ['a limit stands around it', 'Promise.race([axios.get(u), new Promise((_, no) => setTimeout(no, 500).unref())])'],
    ['nobody can tell', 'axios.get(u, options)'],
  ])('nothing is said where %s', (_, call) => {
    const scanned = scanTexts(
      `import axios from 'axios'\nimport { options } from './elsewhere.js'\nexport const f = (u: string) => ${call}`,
    )
    expect(scanned.diagnostics.filter(({ rule }) => rule === 'unbounded-call')).toEqual([])
  })
})

test('what to write is known to the version that is installed', () => {
  const fix = (text: string, versions: Readonly<Record<string, string>>) =>
    scanTexts({ files: { 'code.ts': text }, versions }).diagnostics.find(({ rule }) => rule === 'unbounded-call')?.suggestion?.text
  const redis = `import Redis from 'ioredis'\nexport const load = () => new Redis({ commandTimeout: 500 }).get('a')`
  expect(fix(redis, { ioredis: '4.24.6' })).toBe('set a limit: a race with a timer: commandTimeout came with ioredis 4.25')
  expect(fix(redis, { ioredis: '4.25.0' })).toBeUndefined()
  const sequelize = `import { Sequelize } from 'sequelize'
const db = new Sequelize('postgres://db.example/a')
export const load = () => db.query('select 1')`
  expect(fix(sequelize, { sequelize: '6.6.0' })).toBe('set a limit: dialectOptions: { statement_timeout: … (ms) }')
  expect(fix(sequelize, { sequelize: '6.37.8' })).toBe(
    'set a limit: dialectOptions: { query_timeout: …, and statement_timeout: … below that (ms) }',
  )
  const typeorm = `import { DataSource } from 'typeorm'
const db = new DataSource({ type: 'postgres', url: process.env.URL })
export const load = () => db.query('select 1')`
  expect(fix(typeorm, { typeorm: '0.3.20' })).toBe(
    'set a limit: extra: { connectionTimeoutMillis: …, query_timeout: …, and statement_timeout: … below that (ms) }',
  )
  const keyv = `import KeyvRedis from '@keyv/redis'\nexport const store = new KeyvRedis('redis://cache.example')`
  expect(fix(keyv, { '@keyv/redis': '3.0.0' })).toBe('set a limit: commandTimeout: … (ms)')
  expect(fix(keyv, { '@keyv/redis': '4.0.0' })).toBe('set a limit: a race with a timer: socketTimeout came with version 5')
  expect(fix(keyv, { '@keyv/redis': '5.0.0' })).toBe('set a limit: socket: { socketTimeout: … } (ms)')
  const slack = `import { WebClient } from '@slack/web-api'\nexport const post = () => new WebClient('a').chat.postMessage({})`
  expect(fix(slack, { '@slack/web-api': '6.2.4' })).toBe('set a limit: a race with a timer and retryConfig: { retries: … }')
  expect(fix(slack, { '@slack/web-api': '6.8.0' })).toBe('set a limit: timeout: … (ms) and retryConfig: { retries: … }')
})

describe('what to write covers what is waited for, and leads to no other finding', () => {
  const fixOf = (text: string, versions: Record<string, string>) =>
    scanTexts({ files: { 'code.ts': text }, versions }).diagnostics.find(({ rule }) => rule === 'unbounded-call')?.suggestion?.text

  test.each([
    ['got', '14.6.6', 'got(u)', 'set a limit: timeout: { request: … } (ms); and retry.limit as it is meant: 3 attempts by default'],
    [
      'mysql2',
      '3.10.0',
      'it.createPool({ host: u }).query(u)',
      'set a limit: query({ sql, timeout: … (ms) }) in each query: the pool has no such option, and connections come free as those queries end; queueLimit: … refuses what would wait behind too many',
    ],
  ])('%s', (library, version, call, expected) => {
    const name = library === 'got' ? 'got' : 'it'
    expect(fixOf(`import ${name} from '${library}'\nexport const load = (u: string) => ${call}`, { [library]: version })).toBe(expected)
  })
})

test('clients that a class is handed are one cause a class, and none where the package makes them itself', () => {
  const store = `import type { RedisClient } from 'redis'
export class Store {
  constructor(private client: RedisClient) {}
  load(id: string) { return this.client.get(id) }
  keep(id: string, text: string) { return this.client.set(id, text) }
}`
  const versions = { redis: '3.1.2' }
  expect(findingLines(scanTexts({ files: { 'store.ts': store }, versions }))).toEqual(['store.ts:4 unbounded-call'])
  const app = `import { createClient } from 'redis'
import { Store } from './store.js'
class Holder {
  client = createClient(process.env.R)
  getClient() { return this.client }
}
export const run = (holder: any) => new Store(holder.getClient()).load('a')
await new Holder().client.get('b')`
  expect(findingLines(scanTexts({ files: { 'app.ts': app, 'store.ts': store }, versions }))).toEqual(['app.ts:4 unbounded-call'])
})
