import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

test('a broker has 30 s for the connection, and no end for what is sent', () => {
  const scan = (options: string, use = '') =>
    scanTexts(`import mqtt from 'mqtt'\nconst broker = mqtt.connect('mqtt://a', ${options})\n${use}`)
  expect(findingLines(scan('{}'))).toEqual(['code.ts:2 default-bound'])
  expect(findingLines(scan('{ connectTimeout: 500 }'))).toEqual([])
  expect(findingLines(scan('{ connectTimeout: 500 }', `await broker.publishAsync('a', 'b')`))).toEqual(['code.ts:2 unbounded-call'])
  expect(callLines(scan('{}', `broker.publish('a', 'b')`))).toEqual([])
})

test('NATS has 20 s for the connection, 1 s for an answer', () => {
  const made = `import { connect } from 'nats'\nconst nats = await connect({ servers: 'a' })\n`
  expect(findingLines(scanTexts(made))).toEqual(['code.ts:2 default-bound'])
  const scanned = scanTexts(`${made}await nats.request('a', 'b')
await nats.request('a', 'b', { timeout: 500 })`)
  expect(callLines(scanned)).toEqual(['3 nats bounded 1000 total', '4 nats bounded 500 total'])
})

test('NATS dials without end where it waits on the first connection', () => {
  const told = (options: string, around = (call: string) => call) =>
    scanTexts(`import { connect } from 'nats'\nconst options = ${options}\nexport const open = async () => {
  return await ${around('connect(options)')}
}`).diagnostics.map(({ rule, label, suggestion }) => [rule, label, suggestion?.text])
  const endless = '{ waitOnFirstConnect: true, timeout: 500 }'
  expect(told(endless)).toEqual([
    [
      'unbounded-call',
      'waitOnFirstConnect tries again without end',
      'set a limit: waitOnFirstConnect: false, or a race with a timer around the connection',
    ],
  ])
  const raced = (call: string) => `Promise.race([${call}, new Promise((done) => setTimeout(done, 4000).unref())])`
  expect(told(endless, raced)).toEqual([])
  expect(told('{}', raced)).toEqual([])
  expect(told('{ waitOnFirstConnect: false }').map(([rule]) => rule)).toEqual(['default-bound'])
})

test('Cassandra and IMAP', () => {
  const scanned = scanTexts(`import cassandra from 'cassandra-driver'
import { ImapFlow } from 'imapflow'
await new cassandra.Client({ contactPoints: [] }).execute('a')
await new cassandra.Client({ socketOptions: { readTimeout: 500 } }).execute('a')
const mails = new ImapFlow({ host: 'a', connectionTimeout: 800, greetingTimeout: 800, socketTimeout: 700 })
await mails.connect()
await mails.mailboxOpen('INBOX')`)
  expect(callLines(scanned)).toEqual([
    '3 cassandra-driver bounded 12000 total',
    '4 cassandra-driver bounded 500 total',
    '6 imapflow bounded 800 headers',
    '7 imapflow bounded 700 silence',
  ])
})

test('mails over IMAP have no limit but the silence that somebody wrote', () => {
  const scanned = scanTexts(`import Imap from 'imap'
const mails = new Imap({ host: 'a', connTimeout: 500 })
mails.once('ready', () => mails.openBox('INBOX', done))
new Imap({ host: 'a', socketTimeout: 600 }).search(['UNSEEN'], done)`)
  expect(callLines(scanned)).toEqual(['3 imap unbounded', '4 imap bounded 600 silence'])
})
