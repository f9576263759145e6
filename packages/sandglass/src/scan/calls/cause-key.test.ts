import { expect, test } from 'vitest'
import { findingLines, scanTexts } from '../scan.fixture.js'

const HEAD = `import { S3Client, GetObjectCommand } from '@aws-sdk/client-s3'\n`

test('a client that one name gets in several branches is one cause', () => {
  const text = `${HEAD}export async function load(own) {
  let s3
  if (own) { s3 = new S3Client({ endpoint: own }) }
  else if (process.env.REGION) { s3 = new S3Client({ region: process.env.REGION }) }
  else s3 = new S3Client()
  return new Promise(async (yes) => { yes(await s3.send(new GetObjectCommand({}))) })
}`
  expect(findingLines(scanTexts(text))).toEqual(['code.ts:4 unbounded-call'])
})

test('what drizzle asks over a driver that is made in a branch, and that driver, are one cause', () => {
  const text = `import { drizzle } from 'drizzle-orm/node-postgres'
import { Client } from 'pg'
let client
if (process.env.URL) {
  client = new Client({ connectionString: process.env.URL })
  await client.connect()
}
const db = drizzle(client)
export const all = () => db.select().from(users)`
  const { diagnostics } = scanTexts(text)
  expect(diagnostics.map(({ spot, rule }) => [spot.source.text.slice(spot.start, spot.start + 10), rule])).toEqual([
    ['new Client', 'unbounded-call'],
  ])
})

test('two that are made one after the other are two', () => {
  const text = `${HEAD}export async function load(own) {
  let s3 = new S3Client({ endpoint: own })
  await s3.send(new GetObjectCommand({}))
  const other = new S3Client()
  await other.send(new GetObjectCommand({}))
}`
  expect(findingLines(scanTexts(text))).toEqual(['code.ts:3 unbounded-call', 'code.ts:5 unbounded-call'])
})

test('queues that share a connection are one cause, with what else uses that', () => {
  const text = `import { Queue } from 'bullmq'
import IORedis from 'ioredis'
let connection
const connect = () => { if (!connection) { connection = new IORedis(process.env.URL, { maxRetriesPerRequest: null }) } return connection }
const mails = new Queue('mails', { connection: connect() })
const jobs = new Queue('jobs', { connection: connect() })
export const run = () => Promise.all([mails.add('a', {}), jobs.add('b', {})])
const own = new Queue('own', { connection: { host: 'redis' } })
export const runOwn = () => own.add('c', {})`
  expect(findingLines(scanTexts(text))).toEqual(['code.ts:5 unbounded-call', 'code.ts:8 unbounded-call'])
})

test('clients that are made of the same options written elsewhere are one cause', () => {
  const text = (first: string, second: string) => `import Redis from 'ioredis'
const options = { host: 'cache' }
const pub = new Redis(${first})
const sub = new Redis(${second})
export const run = () => Promise.all([pub.get('a'), sub.get('b')])`
  const shared = scanTexts(text('options', 'options'))
  expect(findingLines(shared)).toEqual(['code.ts:3 unbounded-call'])
  expect(shared.diagnostics[0]?.message).toBe(
    'ioredis waits without a limit for the answer of a command; 2 clients are made of these options; at least 2 calls use them',
  )
  const apart = ['code.ts:3 unbounded-call', 'code.ts:4 unbounded-call']
  expect(findingLines(scanTexts(text('options', "{ host: 'other' }")))).toEqual(apart)
  expect(findingLines(scanTexts(text('{ ...options }', '{ ...options, db: 1 }')))).toEqual(['code.ts:3 unbounded-call'])
  expect(findingLines(scanTexts(text('options', '{ ...options, db: 1 }')))).toEqual(['code.ts:3 unbounded-call'])
  expect(findingLines(scanTexts(text("{ host: 'a' }", '{ ...options, db: 1 }')))).toEqual(apart)
  expect(findingLines(scanTexts(text("options, 'a'", '6379')))).toEqual(apart)
  const handed = `import Redis from 'ioredis'
const make = (options) => new Redis(options)
const pub = make({ host: 'a' })
const sub = make({ host: 'b' })
export const run = () => Promise.all([pub.get('a'), sub.get('b')])`
  expect(findingLines(scanTexts(handed))).toEqual(['code.ts:2 unbounded-call'])
  const openai = `import OpenAI from 'openai'
const options = { apiKey: 'a' }
const one = new OpenAI(options)
const two = new OpenAI(options)
export const run = () => [one.models.list(), two.models.list()]`
  expect(scanTexts(openai).diagnostics.map(({ message }) => message)).toEqual([
    'nothing but the fetch of Node ends this call of openai: 300 s for the answer, in each of 3 attempts; 2 clients are made of these options',
  ])
})

test('a client that is made in a branch, and what is made of it, are one cause', () => {
  const text = `import { Pinecone } from '@pinecone-database/pinecone'
class Store {
  async open() { if (!this.client) { this.client = new Pinecone({ apiKey: 'a' }) } }
  list() { return this.client.listIndexes() }
  find(id) { return this.client.index({ name: 'a' }).fetch([id]) }
}
export const store = new Store()`
  const scanned = scanTexts({ files: { 'code.js': text }, versions: { '@pinecone-database/pinecone': '8.0.0' } })
  expect(findingLines(scanned)).toEqual(['code.js:3 default-bound'])
})

test('calls that are given one object of options are one cause, those with another are not', () => {
  const text = (second: string) => `import { get } from 'node:https'
export const load = (url) => {
  const options = { headers: { 'User-Agent': 'a' } }
  return new Promise((yes) => {
    get(url, options, (answer) => {
      get(answer.headers.location, ${second}, yes)
    })
  })
}`
  const shared = scanTexts(text('options'))
  expect(findingLines(shared)).toEqual(['code.ts:5 unbounded-call'])
  expect(shared.diagnostics[0]?.message).toBe('node:https waits without a limit for the answer; at least 2 calls are given these options')
  expect(findingLines(scanTexts(text('{ ...options }')))).toEqual(['code.ts:5 unbounded-call'])
  expect(findingLines(scanTexts(text('{ headers: {} }')))).toEqual(['code.ts:5 unbounded-call', 'code.ts:6 unbounded-call'])
  const axios = `import axios from 'axios'
const config = { headers: { a: 'b' } }
const data = { a: 1 }
export const load = () => axios.get('https://a.example', config)
export const save = () => axios.post('https://a.example', data, config)
export const put = () => axios.put('https://a.example', data)
export const patch = () => axios.patch('https://a.example', data)`
  expect(findingLines(scanTexts(axios))).toEqual(['code.ts:4 unbounded-call', 'code.ts:6 unbounded-call', 'code.ts:7 unbounded-call'])
  const fetches = `const init = { method: 'POST' }
export const one = async () => { await fetch('https://a.example', init) }
export const two = async () => { await fetch('https://b.example', init) }`
  const [only, ...others] = scanTexts(fetches).diagnostics
  expect(others).toEqual([])
  expect(only?.message).toContain('; 2 calls are given these options')
})

test('clients that are made of the same options by a condition, cast to a type, are one cause', () => {
  const text = `import knex from 'knex'
const plain = { client: 'pg', connection: process.env.DB }
const options = process.env.LARGE ? plain : { client: 'postgresql', connection: process.env.DB, pool: { max: 5 } }
if (process.env.DEV) global.db = knex(options as knex.Knex.Config)
export const db = knex(options as knex.Knex.Config)
export const save = () => db.transaction(async (trx) => { await trx('a').insert({}) })`
  const scanned = scanTexts(text)
  expect(findingLines(scanned)).toEqual(['code.ts:5 unbounded-call'])
  expect(scanned.diagnostics[0]?.message).toContain('; 2 clients are made of these options')
})

test.each([
  'if (!is) return await fetch(u); return await fetch(u, o)',
  'if (is) { return fetch(u, o) } else { return fetch(u) }',
  'return is ? fetch(u, o) : fetch(u)',
])('a question that two branches ask, with options and without, is one cause: %s', (body) => {
  const scanned = scanTexts(`import fetch from 'node-fetch'\nexport async function load(u, is) {\nconst o = { method: 'GET' }\n${body}\n}`)
  expect(scanned.diagnostics.map(({ message, related }) => [message, related.map(({ label }) => label)])).toEqual([
    ['node-fetch waits without a limit for the answer', ['asks the same in another branch']],
  ])
})

test.each([
  'await fetch(u); return fetch(u, {})',
  'if (await fetch(u)) return 1; return fetch(u, {})',
  'if (is) await fetch(u); return fetch(u, {})',
  'return is ? fetch(u, {}) : fetch(v)',
  "return is ? fetch(u, { method: 'POST' }) : fetch(u, { method: 'PUT' })",
])('two questions are two: %s', (body) => {
  const scanned = scanTexts(`import fetch from 'node-fetch'\nexport async function load(u, v, is) {\n${body}\n}`)
  expect(scanned.diagnostics.map(({ message }) => message)).toEqual(Array(2).fill('node-fetch waits without a limit for the answer'))
})

test('of two branches that a default ends one is told, and the one that somebody limited hides none', () => {
  const of = (o: string) => findingLines(scanTexts(`export async function load(u) {\nif (u) return fetch(u)\nreturn fetch(u, ${o})\n}`))
  expect(of('{ method: "GET" }')).toEqual(['code.ts:2 default-bound'])
  expect(of('{ signal: AbortSignal.timeout(50) }')).toEqual(['code.ts:2 default-bound'])
})

test('options that each caller hands in and a client is made of are one cause', () => {
  const text = `import { Client } from 'pg'
function newClient(given) {
  const options = { ...given, host: given.host }
  return new Client(options)
}
export const run = () => [newClient({ query_timeout: 5, host: 'a' }).connect(), newClient({ query_timeout: 5, host: 'b' }).connect()]`
  expect(findingLines(scanTexts(text)).filter((line) => line.endsWith('unbounded-call'))).toEqual(['code.ts:4 unbounded-call'])
})

test('a document client of DynamoDB and the client that it wraps are one cause', () => {
  const text = `import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocument, GetCommand } from '@aws-sdk/lib-dynamodb'
const dynamo = new DynamoDBClient({ region: 'eu' })
const documents = DynamoDBDocument.from(dynamo, {})
export const load = () => documents.send(new GetCommand({}))`
  expect(findingLines(scanTexts(text))).toEqual(['code.ts:3 unbounded-call'])
})

test('calls that a function gives their options are one cause, unless it gives what it gets', () => {
  const text = (give: string) => `class Api {
  private options(more) { ${give} }
  find() { return fetch('http://a/find', this.options({ a: 1 })) }
  load() { return fetch('http://a/load', this.options({ b: 1 })) }
}
export const api = new Api()
export const both = async () => [await api.find(), await api.load()]`
  expect(findingLines(scanTexts(text(`return { method: 'POST', keepalive: true }`)))).toEqual(['code.ts:3 default-bound'])
  expect(findingLines(scanTexts(text('return more')))).toEqual(['code.ts:3 default-bound', 'code.ts:4 default-bound'])
})

test('calls that a getter gives their options, whole or spread, are one cause', () => {
  const text = (base: string) => `import axios from 'axios'
export class Api {
  constructor(private url, private given) {}
  get base() { return ${base} }
  load() { return axios.get('/a', this.base) }
  save(data) { return axios.post('/a', data, { ...this.base, responseType: 'json' }) }
  own() { return axios.get('/a', { baseURL: this.url }) }
}`
  const scanned = scanTexts(text('{ baseURL: this.url }'))
  expect(findingLines(scanned)).toEqual(['code.ts:5 unbounded-call', 'code.ts:7 unbounded-call'])
  expect(scanned.diagnostics[0]?.message).toContain('; at least 2 calls are given these options')
  expect(scanned.diagnostics[0]?.related.map(({ label }) => label)).toEqual(['has the same options'])
  // What the getter only passes on is another one for each instance.
  expect(findingLines(scanTexts(text('this.given')))).not.toContain('code.ts:5 unbounded-call')
})

test('clients that spread what a function of their class gives are one cause, unless it gives what it gets', () => {
  const scanned = (give: string) => scanTexts({ files: { 'code.ts': text(give) }, versions: { '@octokit/rest': '20.1.2' } })
  const text = (give: string) => `import { Octokit } from '@octokit/rest'
export class Hub {
  static base(more) { return ${give} }
  open() { return new Octokit({ ...Hub.base({ baseUrl: 'http://a' }) }).request('GET /a') }
  openAs(auth) { return new Octokit({ auth, ...Hub.base({ baseUrl: 'http://b' }) }).request('GET /a') }
}`
  expect(findingLines(scanned("{ userAgent: 'a', baseUrl: more.baseUrl }"))).toEqual(['code.ts:4 default-bound'])
  expect(findingLines(scanned('more'))).toEqual(['code.ts:4 default-bound', 'code.ts:5 default-bound'])
})

test('of calls with one cause one is told that somebody calls', () => {
  const text = `import axios from 'axios'
const base = { baseURL: 'http://a' }
async function old() { return axios.get('/old', base) }
const load = async () => axios.get('/new', base)
setInterval(async () => { await load() }, 1000)`
  const scanned = scanTexts({ files: { 'code.js': text, 'package.json': '{ "private": true }' } }, { seesAllUsers: true })
  expect(scanned.diagnostics.map(({ severity, spot }) => [severity, spot.source.text.slice(spot.start, spot.start + 18)])).toEqual([
    ['error', "axios.get('/new', "],
  ])
})

test('what is asked over a connection is made of no options of it', () => {
  const text = `import mongoose from 'mongoose'
const config = { options: { maxPoolSize: 5 } }
export const User = mongoose.model('User', new mongoose.Schema({}))
export const Form = mongoose.model('Form', new mongoose.Schema({}))
export const open = () => mongoose.connect(process.env.DB, config.options)
export const load = async () => [await User.findOne({}), await Form.findOne({})]`
  const { diagnostics } = scanTexts({ files: { 'code.js': text }, versions: { mongoose: '6.12.1' } })
  expect(diagnostics.map(({ message }) => message)).toEqual([
    'mongoose 6.12.1 waits without a limit for a free connection and the answer of an operation; at least 2 calls use it',
  ])
})

test('what a class asks with options that it is handed is limited where they are given', () => {
  const scan = (declared: string, own: string, second = 'this.options') =>
    findingLines(
      scanTexts({
        files: {
          'code.ts': `import fetch from 'node-fetch'
export class Campaigns {
  ${own}
  constructor(${declared}) {}
  start(id: string) { return fetch(\`http://a/\${id}\`, { ...this.options, method: 'POST' }) }
  cancel(id: string) { return fetch(\`http://b/\${id}\`, { ...${second}, method: 'PUT' }) }
}
export const campaigns = new Campaigns()`,
        },
        versions: { 'node-fetch': '2.7.0' },
      }),
    )
  const once = ['code.ts:5 unbounded-call']
  const twice = ['code.ts:5 unbounded-call', 'code.ts:6 unbounded-call']
  expect(scan('private readonly options: RequestInit = {}', '')).toEqual(once)
  expect(scan('', 'private readonly options = {}')).toEqual(once)
  expect(scan('private readonly options: RequestInit = {}, private readonly others: RequestInit = {}', '', 'this.others')).toEqual(twice)
})
