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
})
