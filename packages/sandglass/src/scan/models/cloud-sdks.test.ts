import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

test('Resend waits as fetch does, whatever its key is, and a race ends it', () => {
  const scanned = scanTexts(`import { Resend } from 'resend'
import { key, pTimeout } from './elsewhere'
const resend = new Resend(key)
export const send = (mail: object) => resend.emails.send(mail)
export const all = (mails: object[]) => resend.batch.send(mails)
export const quick = (mail: object) => Promise.race([resend.emails.send(mail), new Promise((_, no) => setTimeout(no, 500).unref())])
export const list = () => [resend.emails, resend.key]`)
  expect(callLines(scanned)).toEqual(['4 resend bounded 300000 silence', '5 resend bounded 300000 silence', '6 resend bounded 500 total'])
  expect(findingLines(scanned).filter((line) => line.endsWith('default-bound'))).toHaveLength(1)
})

test('a mail that is written in JSX is sent by a server', () => {
  const text = `import { Resend } from 'resend'\nconst resend = new Resend(process.env.KEY)\nexport const send = () => resend.emails.send({ react: <p /> })`
  expect(scanTexts({ files: { 'mail.tsx': text } }).diagnostics.map(({ severity }) => severity)).toEqual(['warning'])
})

test('QStash and the workflows of Upstash wait as fetch does, six times', () => {
  const scanned = scanTexts(`import { Client, Receiver } from '@upstash/qstash'
import { Client as Flows } from '@upstash/workflow'
const queue = new Client({ token: 't' })
const flows = new Flows({ token: 't', retry: { retries: 0 } })
await queue.publishJSON({ url: 'https://a' })
await queue.queue({ queueName: 'a' }).enqueueJSON({ url: 'https://a' })
await queue.schedules.create({ destination: 'https://a' })
await flows.trigger({ url: 'https://a' })
await new Receiver({}).verify({ signature: 's', body: 'b' })
queue.queue({ queueName: 'a' })`)
  expect(callLines(scanned)).toEqual([
    '5 upstash-qstash bounded 300000 silence',
    '6 upstash-qstash bounded 300000 silence',
    '7 upstash-qstash bounded 300000 silence',
    '8 upstash-workflow bounded 300000 silence',
  ])
  expect(scanned.calls.map(({ worstMs }) => worstMs)).toEqual([1_804_290, 1_804_290, 1_804_290, 300_000])
})

test('what Vercel stores is asked for by fetch', () => {
  const scanned = scanTexts(`import { createClient, get } from '@vercel/edge-config'
import { del, put } from '@vercel/blob'
await get('flags')
await createClient(process.env.EDGE).getAll()
await put('a.txt', 'a', { access: 'public', abortSignal: AbortSignal.timeout(900) })
await del('a.txt')`)
  expect(callLines(scanned)).toEqual([
    '3 vercel-edge-config bounded 300000 silence',
    '4 vercel-edge-config bounded 300000 silence',
    '5 vercel-blob unknown',
    '6 vercel-blob bounded 300000 silence',
  ])
})

test('blobs of Vercel are tried once before 0.20, and eleven times since', () => {
  const files = { 'code.ts': `import { del } from '@vercel/blob'\nawait del('a.txt')` }
  const worst = (version: string) => scanTexts({ files, versions: { '@vercel/blob': version } }).calls[0]?.worstMs
  expect(worst('0.15.0')).toBe(300_000)
  expect(worst('2.8.0')).toBe(11 * 300_000 + 2 * 1_023_000)
})

test('Notion waits a minute for the headers', () => {
  const scanned = scanTexts(`import { Client } from '@notionhq/client'
const notion = new Client({ auth: 'k' })
await notion.databases.query({ database_id: 'd' })
await notion.blocks.children.list({ block_id: 'b' })
await new Client({ auth: 'k', timeoutMs: 2000 }).search({})`)
  expect(callLines(scanned)).toEqual(['3 notion bounded 60000 headers', '4 notion bounded 60000 headers', '5 notion bounded 2000 headers'])
  expect(findingLines(scanned)).toEqual(['code.ts:2 default-bound'])
})

test('SendGrid waits for ever, unless somebody gives it a time', () => {
  const code = `import mail, { MailService } from '@sendgrid/mail'
mail.setApiKey('k')
await mail.send({ to: 'a@a.a' })
await new MailService().send({ to: 'a@a.a' })`
  expect(callLines(scanTexts(code))).toEqual(['3 sendgrid unbounded', '4 sendgrid unbounded'])
  expect(callLines(scanTexts(`${code}\nmail.setTimeout(5000)`))).toEqual(['3 sendgrid unknown', '4 sendgrid unknown'])
})

test('the bare client of SendGrid has another name for its limit than the mailer', () => {
  const suggested = (name: string) =>
    scanTexts(`import client from '@sendgrid/${name}'\nawait client.${name === 'mail' ? 'send' : 'request'}({})`).diagnostics.map(
      ({ suggestion }) => suggestion?.text,
    )
  expect(suggested('client')).toEqual(["set a limit: setDefaultRequest('timeout', …) (ms)"])
  expect(suggested('mail')).toEqual(['set a limit: setTimeout(…) (ms)'])
})

test('what SendGrid gives everybody as one client is one cause, for each of its packages', () => {
  const scanned = scanTexts(`import mail from '@sendgrid/mail'
import client from '@sendgrid/client'
export const one = () => mail.send({ to: 'a@a.a' })
export const many = () => mail.sendMultiple({ to: [] })
export const check = () => client.request({ url: '/v3/validations/email' })`)
  expect(scanned.diagnostics.map(({ message, suggestion }) => [message, suggestion?.text])).toEqual([
    [
      '@sendgrid/mail waits without a limit for the answer; at least 2 calls ask this client of its package',
      'set a limit: setTimeout(…) (ms)',
    ],
    ['@sendgrid/client waits without a limit for the answer', "set a limit: setDefaultRequest('timeout', …) (ms)"],
  ])
})

test('a client of SendGrid is the one cause of its calls', () => {
  const scanned = scanTexts(`import { MailService } from '@sendgrid/mail'
const mail = new MailService()
export const one = () => mail.send({ to: 'a@a.a' })
export const many = () => mail.sendMultiple({ to: [] })`)
  expect(findingLines(scanned)).toEqual(['code.ts:2 unbounded-call'])
})

test('vectors and keys at Upstash and Vercel wait as its Redis does', () => {
  const scanned = scanTexts(`import { Index } from '@upstash/vector'
import { createClient, kv } from '@vercel/kv'
const index = new Index({ url: 'https://a', token: 't' })
await index.query({ topK: 1 })
await index.namespace('a').upsert([])
await kv.get('a')
await createClient({ url: 'https://a', token: 't', retry: false }).set('a', 1)`)
  expect(callLines(scanned)).toEqual([
    '4 upstash-vector bounded 300000 silence',
    '5 upstash-vector bounded 300000 silence',
    '6 upstash-redis bounded 300000 silence',
    '7 upstash-redis bounded 300000 silence',
  ])
})
