import { boundedBy } from '@sandglass/runtime/core'
import { type ClientCase, ends, never, seenAs } from '../client-case.js'

const clickhouse = { library: 'clickhouse-js', packages: ['@clickhouse/client@1.23.1'] } as const
const columns = (options: string, more = '') => `
import { createClient } from '@clickhouse/client'
const client = createClient({ url: process.env.PEER_URL, ${options} })
export const run = () => client.query({ query: 'select 1', ${more} }).then((rows) => rows.text()) // measured
`

/** ClickHouse over node:http. */
export const clickhouseCases: readonly ClientCase[] = [
  {
    ...clickhouse,
    name: 'clickhouse-js: nothing set',
    setting: 'nothing',
    code: columns(''),
    expected: boundedBy(30_000, 'silence'),
    seen: { hang: ends(30_000), drip: never },
  },
  {
    ...clickhouse,
    name: 'clickhouse-js: request_timeout',
    setting: 'request_timeout: 300',
    code: columns('request_timeout: 300'),
    expected: boundedBy(300, 'silence'),
    seen: { ...seenAs.silence(300), 'black-hole': ends(300) },
  },
  {
    ...clickhouse,
    name: 'clickhouse-js: abort_signal of a timeout',
    setting: 'query({ abort_signal: AbortSignal.timeout(300) })',
    code: columns('', 'abort_signal: AbortSignal.timeout(300)'),
    expected: boundedBy(300, 'headers'),
    seen: { hang: ends(300), stall: ends(30_000), drip: never },
    note: 'over at the headers; the body is left with request_timeout',
  },
]

const opensearch = { library: 'opensearch-js', packages: ['@opensearch-project/opensearch@3.9.0'] } as const
const find = (options: string, call = "client.search({ index: 'a' })") => `
import { Client } from '@opensearch-project/opensearch'
const client = new Client({ node: process.env.PEER_URL, ${options} })
export const run = () => ${call} // measured
`

/** OpenSearch over node:http. */
export const opensearchCases: readonly ClientCase[] = [
  {
    ...opensearch,
    name: 'opensearch-js: nothing set',
    setting: 'nothing',
    code: find(''),
    expected: boundedBy(30_000, 'headers'),
    worstMs: [120_000, 122_000],
    attempts: 4,
    seen: { hang: ends([120_000, 122_000]), drip: never, busy: ends([0, 300]) },
    note: 'retries 3, also after a timeout, at once',
  },
  {
    ...opensearch,
    name: 'opensearch-js: requestTimeout, no retries',
    setting: 'requestTimeout: 300, maxRetries: 0',
    code: find('requestTimeout: 300, maxRetries: 0'),
    expected: boundedBy(300, 'headers'),
    seen: seenAs.headers(300),
  },
  {
    ...opensearch,
    name: 'opensearch-js: requestTimeout',
    setting: 'requestTimeout: 300',
    code: find('requestTimeout: 300'),
    expected: boundedBy(300, 'headers'),
    worstMs: [1200, 1500],
    attempts: 4,
    seen: { hang: ends([1200, 1500]) },
    capMs: 2500,
    note: 'each attempt anew',
  },
  {
    ...opensearch,
    name: 'opensearch-js: requestTimeout of a call',
    setting: 'search(params, { requestTimeout: 300, maxRetries: 0 })',
    code: find('', "client.search({ index: 'a' }, { requestTimeout: 300, maxRetries: 0 })"),
    expected: boundedBy(300, 'headers'),
    seen: seenAs.headers(300),
  },
]

const upstash = { library: 'upstash-redis', packages: ['@upstash/redis@1.39.0'] } as const
const remote = (options: string) => `
import { Redis } from '@upstash/redis'
const redis = new Redis({ url: process.env.PEER_URL, token: 'a', enableTelemetry: false, ${options} })
export const run = () => redis.get('a') // measured
`

/** Redis of Upstash over the fetch of Node. */
export const upstashCases: readonly ClientCase[] = [
  {
    ...upstash,
    name: 'upstash-redis: nothing set',
    setting: 'nothing',
    code: remote(''),
    expected: boundedBy(300_000, 'silence'),
    worstMs: [1_804_000, 1_840_000],
    attempts: 6,
    seen: { hang: ends([1_804_000, 1_840_000]), busy: ends([0, 1400], { attempts: 1 }) },
    note: 'what the fetch of Node does, six times: read, the half hour was not waited for',
  },
  {
    ...upstash,
    name: 'upstash-redis: no retries',
    setting: 'retry: false',
    code: remote('retry: false'),
    expected: boundedBy(300_000, 'silence'),
    seen: { hang: ends(300_000) },
  },
  {
    ...upstash,
    name: 'upstash-redis: signal of a timeout for each command',
    setting: 'signal: () => AbortSignal.timeout(300)',
    code: remote('signal: () => AbortSignal.timeout(300)'),
    expected: boundedBy(300, 'total'),
    seen: seenAs.total(300),
  },
]

function slackCases(version: string): ClientCase[] {
  const base = { library: 'slack-web-api', packages: [`@slack/web-api@${version}`] } as const
  const name = (what: string) => `slack-web-api ${version.split('.')[0]}: ${what}`
  const chat = (options: string) => `
import { LogLevel, WebClient } from '@slack/web-api'
const slack = new WebClient('xoxb-a', { slackApiUrl: process.env.PEER_URL + '/', logLevel: LogLevel.ERROR, ${options} })
export const run = () => slack.chat.postMessage({ channel: 'a', text: 'b' }) // measured
`
  const isSeven = version.startsWith('7')
  return [
    {
      ...base,
      name: name('nothing set'),
      setting: 'nothing',
      code: chat(''),
      expected: isSeven ? { state: 'unbounded' } : boundedBy(300_000, 'silence'),
      ...(isSeven ? {} : { worstMs: [4_200_000, 5_101_000] as const }),
      seen: isSeven ? seenAs.nothing() : { hang: ends([4_200_000, 5_101_000]) },
      note: 'ten retries in about half an hour: read, not waited for',
    },
    {
      ...base,
      name: name('timeout, no retries'),
      setting: 'timeout: 300, retryConfig: { retries: 0 }',
      code: chat('timeout: 300, retryConfig: { retries: 0 }'),
      expected: boundedBy(300, isSeven ? 'silence' : 'total'),
      seen: isSeven ? seenAs.silence(300) : seenAs.total(300),
    },
    {
      ...base,
      name: name('timeout and one retry'),
      setting: 'timeout: 300, retryConfig: { retries: 1, minTimeout: 100, randomize: false }',
      code: chat('timeout: 300, retryConfig: { retries: 1, minTimeout: 100, randomize: false }'),
      expected: boundedBy(300, isSeven ? 'silence' : 'attempt'),
      worstMs: [700, 800],
      attempts: 2,
      seen: { hang: ends([700, 900]) },
    },
  ]
}

/** Slack: over axios up to 7, over the fetch of Node from 8 on. */
export const allSlackCases: readonly ClientCase[] = [...slackCases('8.2.0'), ...slackCases('7.9.3')]

const mail = { library: 'nodemailer', packages: ['nodemailer@10.6.1'] } as const
const send = (options: string) => `
import { createTransport } from 'nodemailer'
const { PEER_HOST, PEER_PORT } = process.env
const mailer = createTransport({ host: PEER_HOST, port: Number(PEER_PORT), ${options} })
export const run = () => mailer.sendMail({ from: 'a@a.a', to: 'b@b.b', text: 'c' }) // measured
`

/** nodemailer over SMTP; the peers never greet. */
export const mailCases: readonly ClientCase[] = [
  {
    ...mail,
    name: 'nodemailer: nothing set',
    setting: 'nothing',
    code: send(''),
    expected: boundedBy(600_000, 'silence'),
    seen: { hang: ends(30_000), 'black-hole': ends(120_000) },
    isOnlyMeasured: true,
    note: 'ten minutes of silence once the other side has greeted, which is not measured here',
  },
  {
    ...mail,
    name: 'nodemailer: greetingTimeout and socketTimeout',
    setting: 'connectionTimeout: 200, greetingTimeout: 400, socketTimeout: 900',
    code: send('connectionTimeout: 200, greetingTimeout: 400, socketTimeout: 900'),
    expected: boundedBy(900, 'silence'),
    seen: { hang: ends(200), 'black-hole': ends(200) },
    note: 'connecting and the greeting together have the time of connectionTimeout',
  },
  {
    ...mail,
    name: 'nodemailer: socketTimeout',
    setting: 'socketTimeout: 300',
    code: send('socketTimeout: 300'),
    expected: boundedBy(300, 'silence'),
    seen: { hang: ends(300) },
  },
]
