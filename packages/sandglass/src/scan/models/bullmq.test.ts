import { describe, expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

const scan = (code: string) =>
  scanTexts(`import { FlowProducer, Queue, QueueEvents, Worker } from 'bullmq'\nimport IORedis from 'ioredis'\n${code}`)

describe('bullmq', () => {
  test('adding a job waits for Redis as long as its connection does', () => {
    const scanned = scan(`const mails = new Queue('mail', { connection: { host: 'redis' } })
const fast = new Queue('fast', { connection: { host: 'redis', commandTimeout: 500 } })
export const send = (to: string) => mails.add('send', { to })
export const now = (to: string) => fast.add('send', { to })
mails.addBulk([])`)
    expect(callLines(scanned)).toEqual(['5 bullmq unbounded', '6 bullmq bounded 500 total', '7 bullmq unbounded'])
    expect(findingLines(scanned)).toEqual(['code.ts:3 unbounded-call'])
  })

  test('a shared connection of ioredis has the limits it was made with, and is no finding of its own', () => {
    const scanned = scan(`const connection = new IORedis(process.env.REDIS_URL, { maxRetriesPerRequest: null })
const limited = new IORedis({ commandTimeout: 400 })
const mails = new Queue('mail', { connection })
new Worker('mail', async () => {}, { connection })
mails.add('a', {})
new Queue('mail', { connection: limited }).add('a', {})`)
    expect(callLines(scanned)).toEqual(['7 bullmq unbounded', '8 bullmq bounded 400 total'])
    expect(findingLines(scanned)).toEqual(['code.ts:5 unbounded-call'])
  })

  test('waiting for a job without a ttl waits for a worker that may never come', () => {
    const scanned = scan(`const queue = new Queue('q', { connection: { commandTimeout: 500 } }); const events = new QueueEvents('q')
export async function run() {
  const job = await queue.add('x', {})
  await job.waitUntilFinished(events)
  await job.waitUntilFinished(events, 3000)
}`)
    expect(callLines(scanned)).toEqual(['5 bullmq bounded 500 total', '6 bullmq unbounded', '7 bullmq bounded 3000 total'])
    expect(findingLines(scanned)).toEqual(['code.ts:6 unbounded-call'])
  })

  test('a queue that is handed in is nobody’s fault', () => {
    const scanned = scan(`export class Mailer { constructor(private queue: Queue) {} send() { return this.queue.add('x', {}) } }`)
    expect(callLines(scanned)).toEqual(['3 bullmq unknown'])
    expect(scanned.diagnostics).toEqual([])
  })
})

describe('a queue of BullMQ that Nest hands in has the connection of the one root', () => {
  const said = (root: string, queue = "{ name: 'mail' }") => {
    const scanned = scanTexts({
      files: {
        'app.module.ts': `import { BullModule } from '@nestjs/bullmq'
@Module({ imports: [BullModule.${root}, BullModule.registerQueue(${queue})] })
export class AppModule {}`,
        'mailer.ts': `import { Queue } from 'bullmq'
export class Mailer { constructor(@InjectQueue('mail') private queue: Queue) {} send() { return this.queue.add('a', {}) } }`,
      },
    })
    return [...callLines(scanned), ...findingLines(scanned)]
  }
  const async = 'forRootAsync({ useFactory: (config) => { const place = placeOf(config); return { connection: { host: place.host } } } })'

  test.each([
    ['without a limit', async, undefined, ['2 bullmq unbounded', 'app.module.ts:2 unbounded-call']],
    ['with one', "forRoot({ connection: { host: 'a', commandTimeout: 500 } })", undefined, ['2 bullmq bounded 500 total']],
    ['where a queue has its own', async, "{ name: 'mail', connection: { commandTimeout: 500 } }", ['2 bullmq unknown']],
    ['that has a name', `forRoot('a', { connection: { host: 'a' } })`, undefined, ['2 bullmq unknown']],
    ['that nobody can tell', 'forRootAsync(options)', undefined, ['2 bullmq unknown']],
  ])('%s', (_, root, queue, expected) => {
    expect(said(root, queue)).toEqual(expected)
  })
})
