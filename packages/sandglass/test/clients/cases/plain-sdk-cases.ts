import { boundedBy } from '@sandglass/runtime/core'
import { type ClientCase, ends, seenAs } from '../client-case.js'

const octokit = { library: 'octokit-rest', packages: ['@octokit/rest@22.0.1'] } as const
const repository = (call: string) => `
import { Octokit } from '@octokit/rest'
const octokit = new Octokit({ baseUrl: process.env.PEER_URL })
export const run = () => octokit.rest.repos.get({ owner: 'a', repo: 'b', ${call} }) // measured
`

/** Octokit over the fetch of Node. */
export const octokitCases: readonly ClientCase[] = [
  {
    ...octokit,
    name: 'octokit-rest: nothing set',
    setting: 'nothing',
    code: repository(''),
    expected: boundedBy(300_000, 'silence'),
    seen: { hang: ends(300_000) },
    note: 'what the fetch of Node does, once',
  },
  {
    ...octokit,
    name: 'octokit-rest: signal of a timeout',
    setting: 'request: { signal: AbortSignal.timeout(300) }',
    code: repository('request: { signal: AbortSignal.timeout(300) }'),
    expected: boundedBy(300, 'total'),
    seen: seenAs.total(300),
  },
  {
    ...octokit,
    name: 'octokit-rest: request.timeout (ignored)',
    setting: 'request: { timeout: 300 } (ignored)',
    code: repository('request: { timeout: 300 }'),
    expected: boundedBy(300_000, 'silence'),
    seen: { hang: ends(300_000) },
    note: 'below 20 it was that of node-fetch',
  },
]

/** QStash over the fetch of Node. */
export const qstashCases: readonly ClientCase[] = [
  {
    library: 'upstash-qstash',
    packages: ['@upstash/qstash@2.12.0'],
    name: 'upstash-qstash: nothing set',
    setting: 'nothing',
    code: `
import { Client } from '@upstash/qstash'
const queue = new Client({ token: 'a', baseUrl: process.env.PEER_URL })
export const run = () => queue.publishJSON({ url: 'https://a.a', body: {} }) // measured
`,
    expected: boundedBy(300_000, 'silence'),
    worstMs: [1_804_000, 1_840_000],
    attempts: 6,
    seen: { hang: ends([1_804_000, 1_840_000]) },
    note: 'what the fetch of Node does, six times: read, the half hour was not waited for',
  },
]

const notion = { library: 'notion', packages: ['@notionhq/client@5.26.0'] } as const
const searched = (options: string) => `
import { Client, LogLevel } from '@notionhq/client'
const notion = new Client({ auth: 'a', baseUrl: process.env.PEER_URL, logLevel: LogLevel.ERROR, ${options} })
export const run = () => notion.search({ query: 'a' }) // measured
`

/** Notion over the fetch of Node. */
export const notionCases: readonly ClientCase[] = [
  {
    ...notion,
    name: 'notion: nothing set',
    setting: 'nothing',
    code: searched(''),
    expected: boundedBy(60_000, 'headers'),
    cancelsWork: false,
    seen: { hang: ends(60_000) },
  },
  {
    ...notion,
    name: 'notion: timeoutMs',
    setting: 'timeoutMs: 300',
    code: searched('timeoutMs: 300'),
    expected: boundedBy(300, 'headers'),
    cancelsWork: false,
    seen: seenAs.headers(300),
    note: 'the request goes on at the peer',
  },
]

const sendgrid = { library: 'sendgrid', packages: ['@sendgrid/mail@8.1.6', '@sendgrid/client@8.1.6'] } as const
const mailed = (time: string) => `
import { Client } from '@sendgrid/client'
import { MailService } from '@sendgrid/mail'
const mail = new MailService()
mail.setClient(new Client())
mail.setApiKey('SG.a')
mail.client.setDefaultRequest('baseUrl', process.env.PEER_URL)
${time}
export const run = () => mail.send({ to: 'a@a.a', from: 'b@b.b', subject: 'a', text: 'a' }) // measured
`

/** SendGrid over axios; the address of the peer is set as a time would be, so that the text does not tell. */
export const sendgridCases: readonly ClientCase[] = [
  {
    ...sendgrid,
    name: 'sendgrid: nothing set',
    setting: 'nothing',
    code: mailed(''),
    expected: { state: 'unbounded' },
    seen: seenAs.nothing(),
    isOnlyMeasured: true,
  },
  {
    ...sendgrid,
    name: 'sendgrid: setTimeout',
    setting: 'setTimeout(300)',
    code: mailed('mail.setTimeout(300)'),
    expected: boundedBy(300, 'silence'),
    seen: seenAs.silence(300),
    isOnlyMeasured: true,
  },
]

const blob = { library: 'vercel-blob', packages: ['@vercel/blob@2.8.0'] } as const
const stored = (options: string) => `
process.env.VERCEL_BLOB_API_URL = process.env.PEER_URL
const { put } = await import('@vercel/blob')
export const run = () => put('a.txt', 'a', { access: 'public', token: 'vercel_blob_rw_a_b', ${options} }) // measured
`

/** The blobs of Vercel over the fetch of undici. */
export const blobCases: readonly ClientCase[] = [
  {
    ...blob,
    name: 'vercel-blob: nothing set',
    setting: 'nothing',
    code: stored(''),
    expected: boundedBy(300_000, 'silence'),
    worstMs: [4_323_000, 5_346_000],
    attempts: 11,
    seen: { hang: ends([4_323_000, 5_346_000]) },
    note: 'eleven times in more than an hour: read, not waited for',
  },
  {
    ...blob,
    name: 'vercel-blob: signal of a timeout',
    setting: 'abortSignal: AbortSignal.timeout(300)',
    code: stored('abortSignal: AbortSignal.timeout(300)'),
    expected: boundedBy(300, 'attempt'),
    worstMs: [1_023_000, 2_047_000],
    isOnlyMeasured: true,
    seen: { hang: ends([1_023_000, 2_047_000]) },
    note: 'the end of a timeout is no abort to it: ten times more, each over at once, after all the waits; a controller ends it',
  },
]
