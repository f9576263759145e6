import { describe, expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

const lines = (code: string) => callLines(scanTexts(`import Redis from 'ioredis'\n${code}`))
const found = (code: string) => findingLines(scanTexts(`import Redis from 'ioredis'\n${code}`))

describe('ioredis', () => {
  test('C007: a client for requests without commandTimeout is a finding, the connection of a worker is none, commandTimeout bounds', () => {
    const scanned = scanTexts(`import Redis from "ioredis"; import { Worker } from "bullmq";
export const cache = new Redis(process.env.R!, { maxRetriesPerRequest: null });
export const q = new Redis(process.env.R!, { maxRetriesPerRequest: null });
new Worker("mail", async () => {}, { connection: q });
export const fast = new Redis(process.env.R!, { commandTimeout: 300, enableOfflineQueue: false });
await fast.get('a')`)
    expect(findingLines(scanned)).toEqual(['code.ts:2 unbounded-call'])
    expect(scanned.diagnostics[0]?.message).toBe(
      'ioredis waits without a limit for the answer of a command and a new connection (maxRetriesPerRequest is null)',
    )
    expect(callLines(scanned)).toEqual(['6 ioredis bounded 300 total'])
  })

  test.each([
    ['new Worker("mail", work, { connection: redis })', 'commandTimeout: … (ms), on a connection apart from that of the workers'],
    ['new QueueEvents("mail", { connection: redis.duplicate() })', 'commandTimeout: … (ms)'],
    ['new Queue("mail", { connection: redis })', 'commandTimeout: … (ms)'],
  ])('a limit would end what workers wait for over the same connection, which the fix says: %s', (use, fix) => {
    const scanned = scanTexts(`import Redis from 'ioredis'
import { Queue, QueueEvents, Worker } from 'bullmq'
const redis = new Redis(process.env.R!)
${use}
await redis.get('a')`)
    expect(scanned.diagnostics.map(({ suggestion }) => suggestion?.text)).toContain(`set a limit: ${fix}`)
  })

  test('a connection without an end to its retries may be that of the workers of BullMQ, whoever hands it on', () => {
    const scanned = scanTexts(`import Redis from 'ioredis'
import { Worker } from 'bullmq'
const redis = new Redis(process.env.R!, { maxRetriesPerRequest: null })
export const start = (connection) => new Worker('mail', work, { connection })
await redis.get('a')`)
    expect(scanned.diagnostics.map(({ suggestion }) => suggestion?.text)).toEqual([
      'set a limit: commandTimeout: … (ms), on a connection apart from that of the workers',
    ])
  })

  test('C007: commandTimeout is no bound of a cluster while its offline queue is on', () => {
    expect(lines(`new Redis.Cluster([n], { redisOptions: { commandTimeout: 300 } }).get('a')`)).toEqual(['2 ioredis unbounded'])
    expect(lines(`new Redis.Cluster([n], { enableOfflineQueue: false, redisOptions: { commandTimeout: 300 } }).get('a')`)).toEqual([
      '2 ioredis bounded 300 total',
    ])
    expect(found(`export const c = new Redis.Cluster([n], { commandTimeout: 300, enableOfflineQueue: false })`)).toEqual([
      'code.ts:2 ignored-option',
      'code.ts:2 unbounded-call',
    ])
  })

  test('options stand behind a port and a host, behind an address, in its parameters, or alone', () => {
    expect(lines(`new Redis(6379, 'cache', { commandTimeout: 300 }).get('a')`)).toEqual(['2 ioredis bounded 300 total'])
    expect(lines(`new Redis(\`redis://\${host}:6379\`, { commandTimeout: 300 }).get('a')`)).toEqual(['2 ioredis bounded 300 total'])
    expect(lines(`new Redis('redis://cache?commandTimeout=400').get('a')`)).toEqual(['2 ioredis bounded 400 total'])
    expect(lines(`new Redis(config.url, { commandTimeout: 300 }).get('a')`)).toEqual(['2 ioredis bounded 300 total'])
    expect(lines(`new Redis({ host: 'cache', commandTimeout: 300 }).get('a')`)).toEqual(['2 ioredis bounded 300 total'])
    expect(lines(`new Redis({ host: 'cache', ...defaults }).get('a')`)).toEqual(['2 ioredis unknown'])
    expect(lines(`new Redis(config).get('a')`)).toEqual(['2 ioredis unknown'])
    expect(lines(`new Redis().get('a')`)).toEqual(['2 ioredis unbounded'])
  })

  test('pipelines, transactions and duplicates have the limits of their client; a duplicate is no second cause', () => {
    const scanned = scanTexts(`import { Redis } from 'ioredis'
const redis = new Redis()
const copy = redis.duplicate()
await redis.pipeline().set('a', 1).get('b').exec()
const batch = redis.multi(); batch.set('a', 1); await batch.exec()
copy.hgetall('x')
redis.duplicate({ commandTimeout: 200 }).get('y')`)
    expect(callLines(scanned)).toEqual(['4 ioredis unbounded', '5 ioredis unbounded', '6 ioredis unbounded', '7 ioredis bounded 200 total'])
    expect(findingLines(scanned)).toEqual(['code.ts:2 unbounded-call'])
    expect(scanned.diagnostics[0]?.message).toContain('3 calls use it')
  })

  test('a commandTimeout ends blocking commands too, which else wait for as long as they say', () => {
    expect(lines(`new Redis({ commandTimeout: 300 }).blpop('jobs', 5)`)).toEqual(['2 ioredis bounded 300 total'])
    expect(lines(`new Redis().blpop('jobs', 5)`)).toEqual(['2 ioredis unknown'])
  })

  test('a socketTimeout bounds the silence of an attempt, unless the client tries for ever', () => {
    expect(lines(`new Redis({ socketTimeout: 700 }).get('a')`)).toEqual(['2 ioredis bounded 700 silence'])
    expect(lines(`new Redis({ socketTimeout: 700, maxRetriesPerRequest: null }).get('a')`)).toEqual(['2 ioredis unknown'])
  })

  test('who subscribes or waits for work has no limit on purpose', () => {
    expect(found(`const sub = new Redis(); sub.on('message', f); sub.subscribe('news')`)).toEqual([])
    expect(found(`const jobs = new Redis(); while (true) await jobs.brpop('jobs', 0)`)).toEqual([])
    expect(found(`const both = new Redis(); both.subscribe('news'); both.get('a')`)).toEqual(['code.ts:2 unbounded-call'])
    expect(found(`const sub = new Redis(); sub.subscribe('x'); createAdapter(sub)`)).toEqual(['code.ts:2 unbounded-call'])
  })

  test('what is handed in, or is only called like a client, is nobody’s fault', () => {
    expect(found(`export class Cache { constructor(private redis: Redis) {} get(k: string) { return this.redis.get(k) } }`)).toEqual([])
    expect(lines(`const redis = new Map(); redis.get('a')`)).toEqual([])
  })

  test('a caller that means another branch of a constructor says nothing of this one', () => {
    const scanned = scanTexts(`import { Redis as Driver } from 'ioredis'
export class Redis { driver: Driver
  constructor(opts: Options) {
    if ('host' in opts) this.driver = new Driver({ host: opts.host, commandTimeout: opts.commandTimeout })
    else this.driver = opts.driver }
  with(namespace: string) { return new Redis({ driver: this.driver, namespace }) } }
export const limited = new Redis({ host: 'a', commandTimeout: 300 })`)
    expect(scanned.diagnostics).toEqual([])
    expect(
      found(`export class R { d; constructor(o) { this.d = new Redis({ host: o.host, commandTimeout: o.ms }) } }
export const r = new R({ host: 'a' })`),
    ).toEqual(['code.ts:2 unbounded-call'])
  })
})
