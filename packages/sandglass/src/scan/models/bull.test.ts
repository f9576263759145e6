import { describe, expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

describe('bull', () => {
  test('adding a job waits for Redis as long as its connection does, a finished job for its worker', () => {
    const scanned = scanTexts(`import Queue from 'bull'
const mails = new Queue('mail', process.env.REDIS_URL)
const fast = new Queue('fast', { redis: { host: 'redis', commandTimeout: 500 } })
const own = new Queue('own', { createClient: (type) => clients[type] })
export async function send() { const job = await mails.add({ to: 'a' }); await job.finished() }
fast.add({}); own.add({})`)
    expect(callLines(scanned)).toEqual(['5 bull unbounded', '5 bull unbounded', '6 bull bounded 500 total', '6 bull unknown'])
    expect(findingLines(scanned)).toEqual(['code.ts:2 unbounded-call', 'code.ts:5 unbounded-call'])
  })

  test('a queue that Nest hands in is nobody’s fault', () => {
    const scanned = scanTexts(`import { Queue } from 'bull'
export class Mailer { constructor(@InjectQueue('mail') private queue: Queue) {} send() { return this.queue.add({}) } }`)
    expect(callLines(scanned)).toEqual(['2 bull unknown'])
  })

  describe('a queue that Nest hands in has the connection of the one root', () => {
    const project = (root: string, queue = "{ name: 'mail' }") => ({
      'app.module.ts': `import { BullModule } from '@nestjs/bull'
import { redisOptions } from './redis'
@Module({ imports: [BullModule.${root}] })
export class AppModule {}`,
      'mail.module.ts': `import { BullModule } from '@nestjs/bull'
@Module({ imports: [BullModule.registerQueue(${queue})] })
export class MailModule {}`,
      'redis.ts': `export function redisOptions(config) { return { host: config.get('HOST'), port: config.get('PORT') } }`,
      'mailer.ts': `import { Queue } from 'bull'
export class Mailer { constructor(@InjectQueue('mail') private queue: Queue) {} send() { return this.queue.add({}) } }`,
    })
    const async = 'forRootAsync({ useFactory: (config) => { return { redis: redisOptions(config) } } })'

    test.each([
      ['without a limit', project(async), 'bull unbounded'],
      ['with one', project("forRoot({ redis: { host: 'redis', commandTimeout: 500 } })"), 'bull bounded 500 total'],
      ['where a queue has its own', project(async, "{ name: 'mail', redis: { commandTimeout: 500 } }"), 'bull unknown'],
      ['that nobody can tell', project('forRootAsync(queueOptions)'), 'bull unknown'],
    ])('%s', (_, files, said) => {
      expect(callLines(scanTexts({ files }))).toEqual([`2 ${said}`])
    })

    test('is told where the root is made, with the version of bull', () => {
      const scanned = scanTexts({ files: project(async), versions: { '@nestjs/bull': '11.0.4', bull: '4.16.5' } })
      expect(findingLines(scanned)).toEqual(['app.module.ts:3 unbounded-call'])
      expect(scanned.diagnostics[0]?.message).toMatch(/^bull 4\.16\.5 waits/)
    })
  })
})
