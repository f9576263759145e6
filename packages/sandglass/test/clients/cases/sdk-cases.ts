import { boundedBy } from '@sandglass/runtime/core'
import { type ClientCase, ends, never, seenAs } from '../client-case.js'

const aws = { library: 'aws-sdk-js v3', packages: ['@aws-sdk/client-s3@3.1175.0'] } as const
const s3 = (options: string, call = 'client.send(new ListBucketsCommand({}))') => `
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3'
const credentials = { accessKeyId: 'a', secretAccessKey: 'b' }
const client = new S3Client({ region: 'eu-west-1', endpoint: process.env.PEER_URL, credentials, ${options} })
export const run = () => ${call} // measured
`

/** AWS SDK v3, by the example of S3. */
export const awsCases: readonly ClientCase[] = [
  {
    ...aws,
    name: 'aws-sdk-js v3: nothing set',
    setting: 'nothing',
    code: s3(''),
    expected: { state: 'unbounded' },
    seen: { ...seenAs.nothing(), 'black-hole': never, busy: ends([0, 700], { attempts: 3 }) },
  },
  {
    ...aws,
    name: 'aws-sdk-js v3: requestTimeout',
    setting: 'requestHandler: { requestTimeout: 300 }',
    code: s3('requestHandler: { requestTimeout: 300 }'),
    expected: { state: 'unbounded' },
    seen: seenAs.nothing(),
    note: 'only warns',
  },
  {
    ...aws,
    name: 'aws-sdk-js v3: requestTimeout that throws, one attempt',
    setting: 'requestHandler: { requestTimeout: 300, throwOnRequestTimeout: true }, maxAttempts: 1',
    code: s3('maxAttempts: 1, requestHandler: { requestTimeout: 300, throwOnRequestTimeout: true }'),
    expected: boundedBy(300, 'headers'),
    seen: { ...seenAs.headers(300), 'slow-headers': ends(300), 'black-hole': ends(300) },
  },
  {
    ...aws,
    name: 'aws-sdk-js v3: requestTimeout that throws',
    setting: 'requestHandler: { requestTimeout: 300, throwOnRequestTimeout: true }',
    code: s3('requestHandler: { requestTimeout: 300, throwOnRequestTimeout: true }'),
    expected: boundedBy(300, 'headers'),
    worstMs: [900, 1300],
    attempts: 3,
    seen: { hang: ends([900, 1300]) },
    capMs: 2500,
    note: 'each attempt anew',
  },
  {
    ...aws,
    name: 'aws-sdk-js v3: socketTimeout, one attempt',
    setting: 'requestHandler: { socketTimeout: 300 }, maxAttempts: 1',
    code: s3('maxAttempts: 1, requestHandler: { socketTimeout: 300 }'),
    expected: boundedBy(300, 'silence'),
    seen: seenAs.silence(300),
  },
  {
    ...aws,
    name: 'aws-sdk-js v3: connectionTimeout, one attempt',
    setting: 'requestHandler: { connectionTimeout: 300 }, maxAttempts: 1',
    code: s3('maxAttempts: 1, requestHandler: { connectionTimeout: 300 }'),
    expected: { state: 'unbounded' },
    seen: { 'black-hole': ends(300), hang: never },
  },
  {
    ...aws,
    name: 'aws-sdk-js v3: signal of a timeout',
    setting: 'send(command, { abortSignal: AbortSignal.timeout(300) })',
    code: s3('', 'client.send(new ListBucketsCommand({}), { abortSignal: AbortSignal.timeout(300) })'),
    expected: boundedBy(300, 'total'),
    seen: { ...seenAs.total(300), 'black-hole': ends(300) },
  },
]

const openai = { library: 'openai', packages: ['openai@6.49.0'] } as const
const ai = (options: string, call = 'client.models.list()') => `
import OpenAI from 'openai'
const client = new OpenAI({ apiKey: 'a', baseURL: process.env.PEER_URL, ${options} })
export const run = () => ${call} // measured
`

/** OpenAI's client over the fetch of Node. */
export const openaiCases: readonly ClientCase[] = [
  {
    ...openai,
    name: 'openai: nothing set',
    setting: 'nothing',
    code: ai(''),
    expected: boundedBy(300_000, 'silence'),
    worstMs: [901_100, 945_000],
    attempts: 3,
    seen: { hang: ends([901_100, 945_000]), busy: ends([1100, 1500]) },
    note: 'its own 600 s are longer than the 300 s of fetch; retries 2, also after a timeout',
  },
  {
    ...openai,
    name: 'openai: timeout, no retries',
    setting: 'timeout: 300, maxRetries: 0',
    code: ai('timeout: 300, maxRetries: 0'),
    expected: boundedBy(300, 'headers'),
    seen: { ...seenAs.headers(300), 'slow-headers': ends(300) },
  },
  {
    ...openai,
    name: 'openai: timeout',
    setting: 'timeout: 300',
    code: ai('timeout: 300'),
    expected: boundedBy(300, 'headers'),
    worstMs: [2025, 2400],
    attempts: 3,
    seen: { hang: ends([2025, 2400]) },
    capMs: 3500,
    note: 'each attempt anew; waits 0.5 s and 1 s, less up to a quarter',
  },
  {
    ...openai,
    name: 'openai: timeout of a call',
    setting: 'list({ timeout: 300, maxRetries: 0 })',
    code: ai('timeout: 900', 'client.models.list({ timeout: 300, maxRetries: 0 })'),
    expected: boundedBy(300, 'headers'),
    seen: seenAs.headers(300),
  },
  {
    ...openai,
    name: 'openai: signal of a timeout',
    setting: 'list({ signal: AbortSignal.timeout(300) })',
    code: ai('', 'client.models.list({ signal: AbortSignal.timeout(300) })'),
    expected: boundedBy(300, 'total'),
    seen: seenAs.total(300),
  },
]

const stripe = { library: 'stripe', packages: ['stripe@23.1.0'] } as const
const pay = (options: string, call = "stripe.customers.retrieve('a')") => `
import Stripe from 'stripe'
const { PEER_HOST, PEER_PORT } = process.env
const stripe = new Stripe('sk_test_a', { host: PEER_HOST, port: Number(PEER_PORT), protocol: 'http', telemetry: false, ${options} })
export const run = () => ${call} // measured
`

/** Stripe over node:http. */
export const stripeCases: readonly ClientCase[] = [
  {
    ...stripe,
    name: 'stripe: nothing set',
    setting: 'nothing',
    code: pay(''),
    expected: boundedBy(80_000, 'silence'),
    worstMs: [241_000, 243_500],
    attempts: 3,
    seen: { hang: ends([241_000, 243_500]), drip: never, busy: ends([1000, 2500]) },
    capMs: 3000,
    note: 'retries 2, after half a second and twice that, less up to half',
  },
  {
    ...stripe,
    name: 'stripe: timeout, no retries',
    setting: 'timeout: 300, maxNetworkRetries: 0',
    code: pay('timeout: 300, maxNetworkRetries: 0'),
    expected: boundedBy(300, 'silence'),
    seen: seenAs.silence(300),
  },
  {
    ...stripe,
    name: 'stripe: timeout and one retry',
    setting: 'timeout: 300, maxNetworkRetries: 1',
    code: pay('timeout: 300, maxNetworkRetries: 1'),
    expected: boundedBy(300, 'silence'),
    worstMs: [1100, 1100],
    attempts: 2,
    seen: { hang: ends(1100) },
    note: 'each attempt anew, after half a second',
  },
  {
    ...stripe,
    name: 'stripe: timeout of a call',
    setting: "retrieve('a', {}, { timeout: 300, maxNetworkRetries: 0 })",
    code: pay('timeout: 900', "stripe.customers.retrieve('a', {}, { timeout: 300, maxNetworkRetries: 0 })"),
    expected: boundedBy(300, 'silence'),
    seen: seenAs.silence(300),
  },
  {
    ...stripe,
    name: 'stripe: timeout of a call in the place of its parameters',
    setting: "timeout: 900, maxNetworkRetries: 0; retrieve('a', { timeout: 300 }) (ignored)",
    code: pay('timeout: 900, maxNetworkRetries: 0', "stripe.customers.retrieve('a', { timeout: 300 })"),
    expected: boundedBy(900, 'silence'),
    seen: seenAs.silence(900),
    capMs: 2000,
    note: 'options are the third argument in this version',
  },
]

/** The timers of undici look about once in half a second, and drift. */
const late = (ms: number) => [ms, 1.08 * ms + 1600] as const

function elasticCases(version: string): ClientCase[] {
  const isEight = version.startsWith('8')
  const base = { library: 'elasticsearch-js', packages: [`@elastic/elasticsearch@${version}`] } as const
  const name = (what: string) => `elasticsearch-js ${version.split('.')[0]}: ${what}`
  const search = (options: string, call = "client.search({ index: 'a' })") => `
import { Client } from '@elastic/elasticsearch'
const client = new Client({ node: process.env.PEER_URL, ${options} })
export const run = () => ${call} // measured
`
  return [
    {
      ...base,
      name: name('nothing set'),
      setting: 'nothing',
      code: search(''),
      expected: isEight ? boundedBy(600_000, 'silence') : { state: 'unbounded' },
      ...(isEight ? { worstMs: [2_405_000, 2_412_000] as const } : {}),
      seen: {
        ...(isEight ? { hang: ends(late(600_000)), drip: never } : seenAs.nothing()),
        busy: ends([0, 200], { attempts: 4 }),
      },
      note: 'retries 3 on 502, 503, 504, lost connections and a body that falls silent, after up to 2 s and 4 s; not when the headers are late',
    },
    {
      ...base,
      name: name('requestTimeout'),
      setting: 'requestTimeout: 500, maxRetries: 0',
      code: search('requestTimeout: 500, maxRetries: 0'),
      expected: boundedBy(500, 'silence'),
      seen: seenAs.silence(late(500)),
      capMs: 3000,
    },
    {
      ...base,
      name: name('requestTimeout with one retry'),
      setting: 'requestTimeout: 500, maxRetries: 1',
      code: search('requestTimeout: 500, maxRetries: 1'),
      expected: boundedBy(500, 'silence'),
      worstMs: [2000, 6200],
      seen: { hang: ends(late(500)), stall: ends([2000, 6200], { attempts: 2 }) },
      capMs: 7000,
      note: 'a body that falls silent is retried, headers that are late are not',
    },
    {
      ...base,
      name: name('requestTimeout of a call'),
      setting: 'search(params, { requestTimeout: 300, maxRetries: 0 })',
      code: search('', "client.search({ index: 'a' }, { requestTimeout: 300, maxRetries: 0 })"),
      expected: boundedBy(300, 'headers'),
      seen: isEight ? { hang: ends(300), stall: ends(late(600_000)), drip: never } : seenAs.headers(300),
      note: 'over at the headers; the body is left with the limit of the client',
    },
    {
      ...base,
      name: name('retryOnTimeout, which the client does not pass on'),
      setting: 'requestTimeout: 500, retryOnTimeout: true (ignored), maxRetries: 1',
      code: search('requestTimeout: 500, retryOnTimeout: true, maxRetries: 1'),
      expected: boundedBy(500, 'silence'),
      worstMs: [2000, 6200],
      seen: { hang: ends(late(500)) },
      capMs: 3000,
      note: 'the transport has it, the client never hands it over',
    },
  ]
}

/** The client of Elasticsearch: 30 s up to 8.19.1, ten minutes in 8.19.2, nothing from 9 on. */
export const allElasticCases: readonly ClientCase[] = [
  ...elasticCases('9.4.3'),
  ...elasticCases('8.19.2'),
  {
    library: 'elasticsearch-js',
    packages: ['@elastic/elasticsearch@8.19.1'],
    name: 'elasticsearch-js 8.19.1: nothing set',
    setting: 'nothing',
    code: `
import { Client } from '@elastic/elasticsearch'
const client = new Client({ node: process.env.PEER_URL })
export const run = () => client.search({ index: 'a' }) // measured
`,
    expected: boundedBy(30_000, 'silence'),
    worstMs: [125_000, 137_000],
    seen: { hang: ends(late(30_000)), stall: ends([125_000, 137_000], { attempts: 4 }), drip: never },
  },
]
