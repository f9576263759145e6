import { describe, expect, it, test } from 'vitest'
import { scanTexts } from '../scan.fixture.js'

const told = (files: Readonly<Record<string, string>>) =>
  scanTexts({ files })
    .diagnostics.filter(({ rule }) => rule !== 'default-bound')
    .map(({ rule, message }) => `${rule} ${message}`)
const OPEN = ['unbounded-call axios waits without a limit for the answer']
const LATE = (s: number) => [`work-not-cancelled bull gives up after ${s} s, but axios is not told to stop: nothing ends it`]

test('a job of Bull ends as its queue says', () => {
  const text = (options: string, from = 'bull') => ({
    'code.ts': `import Queue from '${from}'\nimport axios from 'axios'
const send = (url: string) => axios.post(url)
const queue = new Queue('mail'${options})
queue.process(async (job) => { await send(job.data.url) })`,
  })
  expect(told(text(', { defaultJobOptions: { timeout: 60_000 } }'))).toEqual(LATE(60))
  expect(told(text(", 'redis://a', { defaultJobOptions: { timeout: 30_000 } }"))).toEqual(LATE(30))
  expect(told(text(', { defaultJobOptions: { timeout: given() } }'))).toEqual([])
  expect(told(text(', { defaultJobOptions: { attempts: 3 } }'))).toEqual(OPEN)
  expect(told(text(', given()'))).toEqual(OPEN)
  expect(told(text(', { defaultJobOptions: { timeout: 60_000 } }', 'bullmq'))).toEqual(OPEN)
})

test('a long default of a client is not told where a job ends what is asked of it, whenever that is', () => {
  const found = (options: string) =>
    scanTexts(`import Queue from 'bull'\nimport nodemailer from 'nodemailer'
async function send(host: string) { const transport = nodemailer.createTransport({ host }); await transport.sendMail({}) }
new Queue('mail', { defaultJobOptions: ${options} }).process((job) => send(job.data.host))`).diagnostics.map(({ rule }) => rule)
  expect(found('{ timeout: given() }')).toEqual([])
  expect(found('{}')).toEqual(['default-bound'])
})

describe('a job of a class of Nest', () => {
  const files = (module: string, processor = "@Processor('mail')") => ({
    'queue.ts': `import { Process, Processor } from '@nestjs/bull'\nimport { send } from './send'
${processor}
export class MailQueue {
  @Process()
  async work(job) { return send(job.data.url) }
}`,
    'send.ts': "import axios from 'axios'\nexport const send = (url: string) => axios.post(url)",
    'module.ts': `import { BullModule } from '@nestjs/bull'\n${module}`,
  })
  const minute = '() => ({ defaultJobOptions: { timeout: 60_000 } })'

  it('ends as the queue of its name says', () => {
    const other = "BullModule.registerQueue({ name: 'other' })"
    expect(told(files(`BullModule.registerQueue({ name: 'mail', defaultJobOptions: { timeout: 60_000 } })\n${other}`))).toEqual(LATE(60))
    expect(told(files(`BullModule.registerQueueAsync({ name: 'mail', useFactory: ${minute} })\n${other}`))).toEqual(LATE(60))
    expect(told(files("BullModule.registerQueue({ name: 'mail' })"))).toEqual(OPEN)
  })

  it('ends as all queues say, where names are computed, or what all are given', () => {
    const some = `export const all = names.map((name) => BullModule.registerQueueAsync({ name, useFactory: ${minute} }))`
    expect(told(files(some))).toEqual(LATE(60))
    expect(told(files(`${some}\nBullModule.registerQueueAsync({ name: given(), useFactory: () => ({}) })`))).toEqual(OPEN)
    const root = `BullModule.forRoot({ defaultJobOptions: { timeout: 90_000 } })\nBullModule.registerQueue({ name: 'mail' })`
    expect(told(files(root))).toEqual(LATE(90))
  })

  it('is not ended where no queue is seen, or another caller waits for it', () => {
    expect(told(files(''))).toEqual(OPEN)
    const minutes = `BullModule.registerQueueAsync({ name: 'mail', useFactory: ${minute} })`
    expect(told({ ...files(minutes), 'api.ts': "import { send } from './send'\nexport const now = (url) => send(url)" })).toEqual(OPEN)
  })
})
