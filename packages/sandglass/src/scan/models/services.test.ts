import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

test('nodemailer is judged over SMTP; what sends another way, or is told at run time, is not', () => {
  const scanned = scanTexts(`import nodemailer, { type Transporter } from 'nodemailer'
import { settings, ses } from './settings.js'
const mail = (to: string) => ({ to, text: 'x' })
await nodemailer.createTransport({ host: 'mail', port: 25 }).sendMail(mail('a'))
await nodemailer.createTransport({ host: 'mail', connectionTimeout: 1000, greetingTimeout: 1000, socketTimeout: 2000 }).sendMail(mail('a'))
await nodemailer.createTransport({ SES: ses }).sendMail(mail('a'))
await nodemailer.createTransport({ jsonTransport: true }).sendMail(mail('a'))
await nodemailer.createTransport(settings).sendMail(mail('a'))
export const send = (by: Transporter) => by.sendMail(mail('a'))`)
  expect(callLines(scanned)).toEqual([
    '4 nodemailer bounded 600000 silence',
    '5 nodemailer bounded 2000 silence',
    '6 nodemailer unknown',
    '7 nodemailer unknown',
    '8 nodemailer unknown',
    '9 nodemailer unknown',
  ])
})

test('options and addresses of mailers are followed as far as they are written', () => {
  const scanned = scanTexts(`import { createTransport } from 'nodemailer'
import { settings } from './settings.js'
const { SMTP_HOST, SMTP_URL } = process.env
const options = () => SMTP_HOST ? { host: SMTP_HOST, auth: { user: settings.user } } : { host: 'localhost', secure: false }
const mail = { to: 'a', text: 'x' }
export const send = (host: string, config: object, rest: object) => [
  createTransport(process.env.SMTP_URL).sendMail(mail),
  createTransport(SMTP_URL!, { from: 'a' }).sendMail(mail),
  createTransport(\`smtp://\${SMTP_HOST}:25?socketTimeout=3000&connectionTimeout=900&greetingTimeout=900\`).sendMail(mail),
  createTransport({ url: SMTP_URL, socketTimeout: 4000, connectionTimeout: 4000, greetingTimeout: 4000 }).sendMail(mail),
  createTransport(options()).sendMail(mail),
  createTransport({ host, auth: settings.auth, pool: true }).sendMail(mail),
  createTransport({ host, ...rest }).sendMail(mail),
  createTransport({ host, ...rest, socketTimeout: 5000, connectionTimeout: 5000, greetingTimeout: 5000, SES: undefined }).sendMail(mail),
  createTransport(config).sendMail(mail),
  createTransport(settings.smtp).sendMail(mail),
  createTransport('ses://eu').sendMail(mail),
]`)
  expect(callLines(scanned).map((line) => line.replace(' nodemailer', ''))).toEqual([
    '7 bounded 600000 silence',
    '8 bounded 600000 silence',
    '9 bounded 3000 silence',
    '10 bounded 4000 silence',
    '11 bounded 600000 silence',
    '12 bounded 600000 silence',
    '13 unknown',
    '14 unknown',
    '15 unknown',
    '16 unknown',
    '17 unknown',
  ])
})

test('Redis of Upstash waits as fetch does, and a signal counts where a function makes it', () => {
  const scanned = scanTexts(`import { Redis } from '@upstash/redis'
const redis = Redis.fromEnv()
const quick = new Redis({ url: 'https://r', token: 't', signal: () => AbortSignal.timeout(500), retry: false })
const once = new Redis({ url: 'https://r', token: 't', signal: AbortSignal.timeout(500) })
await redis.get('a')
await redis.pipeline().set('a', 1).get('a').exec()
await quick.get('a')
await once.get('a')
redis.pipeline()`)
  expect(callLines(scanned)).toEqual([
    '5 upstash-redis bounded 300000 silence',
    '6 upstash-redis bounded 300000 silence',
    '7 upstash-redis bounded 500 total',
    '8 upstash-redis unknown',
  ])
})

test('Slack depends on the version; its own ten retries are told where somebody wrote a timeout', () => {
  const files = {
    'code.ts': `import { retryPolicies, WebClient } from '@slack/web-api'
const slack = new WebClient(process.env.TOKEN)
await slack.chat.postMessage({ channel: 'c', text: 't' })
const quick = new WebClient(process.env.TOKEN, { timeout: 2000 })
await quick.apiCall('chat.postMessage')
const other = new WebClient(process.env.TOKEN, { timeout: 2000, retryConfig: retryPolicies.fiveRetriesInFiveMinutes })
await other.users.info({ user: 'u' })
slack.logger.info('x')`,
  }
  const lines = (version: string | null) =>
    callLines(scanTexts(version === null ? { files } : { files, versions: { '@slack/web-api': version } }))
  expect(lines('7.9.3')[0]).toBe('3 slack-web-api unbounded')
  expect(lines('8.2.0')[0]).toBe('3 slack-web-api bounded 300000 silence')
  expect(lines(null)[0]).toBe('3 slack-web-api unknown')
  expect(lines('8.2.0')).toHaveLength(3)
  const { diagnostics } = scanTexts({ files, versions: { '@slack/web-api': '8.2.0' } })
  expect(diagnostics.find(({ rule }) => rule === 'hidden-retries')?.message).toContain('11 attempts')
})

test('ClickHouse and OpenSearch: limits of the client, of a call, and of one that is handed in', () => {
  const code = `import { type ClickHouseClient, createClient } from '@clickhouse/client'
import { Client } from '@opensearch-project/opensearch'
const columns = createClient({ url: 'http://c', request_timeout: 2000 })
await columns.insert({ table: 't', values: [] })
await createClient({ url: 'http://c' }).query({ query: 'select 1' })
export const count = (client: ClickHouseClient) => client.query({ query: 'select 1' })
const search = new Client({ node: 'http://s', maxRetries: 0 })
await search.search({ index: 'i' }, { requestTimeout: 800 })
await search.cluster.health()`
  const scanned = scanTexts({ files: { 'code.ts': code }, versions: { '@clickhouse/client': '1.23.1' } })
  expect(callLines(scanned)).toEqual([
    '4 clickhouse-js bounded 2000 silence',
    '5 clickhouse-js bounded 30000 silence',
    '6 clickhouse-js unknown',
    '8 opensearch-js bounded 800 headers',
    '9 opensearch-js bounded 30000 headers',
  ])
  expect(findingLines(scanned)).toEqual(['code.ts:5 default-bound', 'code.ts:7 default-bound'])
})

test('ClickHouse waited ten times as long before 0.3, which counts where nobody knows the version', () => {
  const files = { 'code.ts': `import { createClient } from '@clickhouse/client'\nawait createClient({}).query({ query: 'select 1' })` }
  expect(callLines(scanTexts({ files, versions: { '@clickhouse/client': '0.2.10' } }))).toEqual(['2 clickhouse-js bounded 300000 silence'])
  expect(callLines(scanTexts({ files }))).toEqual(['2 clickhouse-js bounded 300000 silence'])
})

test('a transport that others call is judged where it is made', () => {
  const scanned = scanTexts(`import { createTransport } from 'nodemailer'
const open = () => createTransport({ host: settings.host, port: settings.port })
export const mail = (send: (transport: ReturnType<typeof open>) => Promise<void>) => send(open())
export const own = createTransport(options)
export const none = createTransport({})
export const limited = createTransport({ host: 'a', connectionTimeout: 500, greetingTimeout: 500, socketTimeout: 500 })`)
  expect(findingLines(scanned)).toEqual(['code.ts:2 default-bound'])
})
