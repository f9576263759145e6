import { type Bound, boundedBy } from '@sandglass/runtime/core'
import { type ClientCase, ends, never, seenAs } from '../client-case.js'

interface Row {
  readonly library: string
  readonly at: string
  readonly code: (options: string) => string
  readonly cases: readonly {
    readonly set: string
    readonly expected: Bound
    readonly seen: ClientCase['seen']
    readonly more?: Partial<ClientCase>
  }[]
}

const UNBOUNDED: Bound = { state: 'unbounded' }

const rows: readonly Row[] = [
  {
    library: 'replicate',
    at: 'replicate@1.4.0',
    code: (options) => `
import Replicate from 'replicate'
const replicate = new Replicate({ auth: 'a', baseUrl: process.env.PEER_URL })
export const run = () => replicate.predictions.create({ version: 'a', input: {}, ${options} }) // measured
`,
    cases: [
      {
        set: '',
        expected: boundedBy(300_000, 'silence'),
        seen: { hang: ends([300_000, 1_840_000]) },
        more: { isOnlyMeasured: true, note: 'what the fetch of Node does' },
      },
    ],
  },
  {
    library: 'cohere-ai',
    at: 'cohere-ai@8.1.0',
    code: (options) => `
import { CohereClientV2 } from 'cohere-ai'
const cohere = new CohereClientV2({ token: 'a', environment: process.env.PEER_URL })
export const run = () => cohere.chat({ model: 'a', messages: [] }, { ${options} }) // measured
`,
    cases: [
      { set: '', expected: boundedBy(300_000, 'headers'), seen: { hang: ends(300_000) } },
      { set: 'timeoutInSeconds: 0.3', expected: boundedBy(300, 'headers'), seen: seenAs.headers(300) },
    ],
  },
  {
    library: 'tavily',
    at: '@tavily/core@0.7.13',
    code: (options) => `
import { tavily } from '@tavily/core'
const search = tavily({ apiKey: 'tvly-a', apiBaseURL: process.env.PEER_URL })
export const run = () => search.search('a', { ${options} }) // measured
`,
    cases: [
      { set: '', expected: boundedBy(60_000, 'silence'), seen: { hang: ends(60_000) } },
      { set: 'timeout: 0.3', expected: boundedBy(300, 'silence'), seen: seenAs.silence(300) },
    ],
  },
  {
    library: 'typesense',
    at: 'typesense@3.1.0',
    code: (options) => `
import Typesense from 'typesense'
const typesense = new Typesense.Client({ nodes: [{ host: process.env.PEER_HOST, port: process.env.PEER_PORT, protocol: 'http' }], apiKey: 'a', logLevel: 'silent', ${options} })
export const run = () => typesense.collections('a').documents().search({ q: 'a' }) // measured
`,
    cases: [
      {
        set: '',
        expected: boundedBy(5000, 'silence'),
        seen: { hang: ends([5000, 20_500]) },
        more: { attempts: [1, 4], isOnlyMeasured: true },
      },
      {
        set: 'connectionTimeoutSeconds: 0.3, numRetries: 0',
        expected: boundedBy(300, 'silence'),
        seen: seenAs.silence(300),
        more: { isOnlyMeasured: true },
      },
    ],
  },
  {
    library: 'contentful',
    at: 'contentful@11.12.10',
    code: (options) => `
import { createClient } from 'contentful'
const contents = createClient({ space: 'a', accessToken: 'b', host: \`\${process.env.PEER_HOST}:\${process.env.PEER_PORT}\`, insecure: true, ${options} })
export const run = () => contents.getEntries() // measured
`,
    cases: [
      {
        set: '',
        expected: boundedBy(30_000, 'silence'),
        seen: { hang: ends([180_000, 210_000]) },
        more: { worstMs: [180_000, 210_000], attempts: 6, isOnlyMeasured: true, note: 'six times' },
      },
      {
        set: 'timeout: 300, retryOnError: false',
        expected: boundedBy(300, 'silence'),
        seen: seenAs.silence(300),
        more: { isOnlyMeasured: true },
      },
    ],
  },
  {
    library: 'sanity',
    at: '@sanity/client@7.28.0',
    code: (options) => `
import { createClient } from '@sanity/client'
const contents = createClient({ projectId: 'a', dataset: 'b', apiVersion: '2024-01-01', useCdn: false, apiHost: process.env.PEER_URL, useProjectHostname: false, ${options} })
export const run = () => contents.fetch('*') // measured
`,
    cases: [
      {
        set: 'timeout: 300, maxRetries: 0',
        expected: boundedBy(300, 'headers'),
        seen: seenAs.headers(300),
        more: { isOnlyMeasured: true },
      },
    ],
  },
  {
    library: 'influxdb-client',
    at: '@influxdata/influxdb-client@1.35.0',
    code: (options) => `
import { InfluxDB } from '@influxdata/influxdb-client'
const points = new InfluxDB({ url: process.env.PEER_URL, token: 'a', ${options} }).getQueryApi('a')
export const run = () => points.collectRows('a') // measured
`,
    cases: [
      {
        set: '',
        expected: boundedBy(10_000, 'silence'),
        seen: { hang: ends(10_000, { cancelsWork: null }) },
        more: { isOnlyMeasured: true },
      },
      { set: 'timeout: 300', expected: boundedBy(300, 'silence'), seen: seenAs.silence(300), more: { isOnlyMeasured: true } },
    ],
  },
  {
    library: 'dockerode',
    at: 'dockerode@5.0.1',
    code: (options) => `
import Docker from 'dockerode'
const docker = new Docker({ protocol: 'http', host: process.env.PEER_HOST, port: process.env.PEER_PORT, ${options} })
export const run = () => docker.listContainers() // measured
`,
    cases: [
      { set: '', expected: UNBOUNDED, seen: seenAs.nothing() },
      { set: 'timeout: 300', expected: boundedBy(300, 'headers'), seen: seenAs.headers(300) },
    ],
  },
  {
    library: 'aws-sdk',
    at: 'aws-sdk@2.1693.0',
    code: (options) => `
import AWS from 'aws-sdk'
const s3 = new AWS.S3({ endpoint: process.env.PEER_URL, s3ForcePathStyle: true, region: 'a', accessKeyId: 'a', secretAccessKey: 'b', ${options} })
export const run = () => s3.getObject({ Bucket: 'a', Key: 'b' }).promise() // measured
`,
    cases: [
      {
        set: '',
        expected: boundedBy(120_000, 'silence'),
        seen: { hang: ends([480_000, 484_000]) },
        more: { worstMs: [480_000, 484_000], attempts: 4, isOnlyMeasured: true, note: 'four times' },
      },
      {
        set: 'httpOptions: { timeout: 300 }, maxRetries: 0',
        expected: boundedBy(300, 'silence'),
        seen: seenAs.silence(300),
        more: { isOnlyMeasured: true },
      },
    ],
  },
  {
    library: 'google-cloud-storage',
    at: '@google-cloud/storage@7.22.0',
    code: (options) => `
import { Storage } from '@google-cloud/storage'
const storage = new Storage({ apiEndpoint: process.env.PEER_URL, projectId: 'a', useAuthWithCustomEndpoint: false, ${options} })
export const run = () => storage.bucket('a').file('b').exists() // measured
`,
    cases: [
      {
        set: 'timeout: 300, retryOptions: { autoRetry: false }',
        expected: boundedBy(300, 'total'),
        seen: { hang: ends(300), stall: ends(300, { cancelsWork: false }), drip: ends(300, { cancelsWork: false }) },
        more: { isOnlyMeasured: true, note: 'a body that is late is left alone' },
      },
    ],
  },
  {
    library: 'google-cloud-pubsub',
    at: '@google-cloud/pubsub@5.3.1',
    code: (options) => `
process.env.PUBSUB_EMULATOR_HOST = \`\${process.env.PEER_HOST}:\${process.env.PEER_PORT}\`
const { PubSub } = await import('@google-cloud/pubsub')
const topic = new PubSub({ projectId: 'a' }).topic('a', { ${options} })
export const run = () => topic.publishMessage({ data: Buffer.from('a') }) // measured
`,
    cases: [
      {
        set: '',
        expected: boundedBy(60_000, 'total'),
        seen: { hang: ends([60_000, 62_000], { attempts: [1, 99], cancelsWork: null }) },
        more: { isOnlyMeasured: true },
      },
    ],
  },
  {
    library: 'ssh2',
    at: 'ssh2-sftp-client@12.1.1',
    code: (options) => `
import Client from 'ssh2-sftp-client'
const files = new Client()
export const run = () => files.connect({ host: process.env.PEER_HOST, port: Number(process.env.PEER_PORT), username: 'a', password: 'b', ${options} }) // measured
`,
    cases: [
      { set: '', expected: boundedBy(20_000, 'total'), seen: { hang: ends(20_000) } },
      { set: 'readyTimeout: 300', expected: boundedBy(300, 'total'), seen: { hang: ends(300) } },
    ],
  },
  {
    library: 'mqtt',
    at: 'mqtt@5.16.0',
    code: (options) => `
import mqtt from 'mqtt'
export const run = () => mqtt.connectAsync(\`mqtt://\${process.env.PEER_HOST}:\${process.env.PEER_PORT}\`, { ${options} }) // measured
`,
    cases: [
      {
        set: '',
        expected: boundedBy(30_000, 'connect'),
        seen: { hang: ends(30_000, { cancelsWork: null }) },
        more: { isOnlyMeasured: true },
      },
      {
        set: 'connectTimeout: 300',
        expected: boundedBy(300, 'connect'),
        seen: { hang: ends(300, { cancelsWork: null }) },
        more: { isOnlyMeasured: true },
      },
    ],
  },
  {
    library: 'nats',
    at: 'nats@2.29.3',
    code: (options) => `
import { connect } from 'nats'
export const run = () => connect({ servers: \`\${process.env.PEER_HOST}:\${process.env.PEER_PORT}\`, ${options} }) // measured
`,
    cases: [
      { set: '', expected: boundedBy(20_000, 'connect'), seen: { hang: ends(20_000) }, more: { isOnlyMeasured: true } },
      { set: 'timeout: 300', expected: boundedBy(300, 'connect'), seen: { hang: ends(300) }, more: { isOnlyMeasured: true } },
    ],
  },
  {
    library: 'cassandra-driver',
    at: 'cassandra-driver@4.10.0',
    code: (options) => `
import cassandra from 'cassandra-driver'
const rows = new cassandra.Client({ contactPoints: [\`\${process.env.PEER_HOST}:\${process.env.PEER_PORT}\`], localDataCenter: 'a', ${options} })
export const run = () => rows.connect() // measured
`,
    cases: [
      { set: '', expected: boundedBy(12_000, 'total'), seen: { hang: ends(12_000) } },
      { set: 'socketOptions: { readTimeout: 300 }', expected: boundedBy(300, 'total'), seen: { hang: ends(300) } },
    ],
  },
  {
    library: 'imapflow',
    at: 'imapflow@2.10.2',
    code: (options) => `
import { ImapFlow } from 'imapflow'
const mails = new ImapFlow({ host: process.env.PEER_HOST, port: Number(process.env.PEER_PORT), secure: false, auth: { user: 'a', pass: 'b' }, logger: false, ${options} })
mails.on('error', () => {})
export const run = () => mails.connect() // measured
`,
    cases: [
      {
        set: '',
        expected: boundedBy(16_000, 'headers'),
        seen: { hang: ends(16_000) },
        more: { isOnlyMeasured: true, note: 'its greetingTimeout; an answer has 300 s, the connection 90 s' },
      },
      { set: 'greetingTimeout: 300', expected: boundedBy(300, 'headers'), seen: { hang: ends(300) }, more: { isOnlyMeasured: true } },
    ],
  },
  {
    library: 'express-http-proxy',
    at: 'express-http-proxy@2.1.2',
    code: (options) => `
import { get } from 'node:http'
import express from 'express'
import proxy from 'express-http-proxy'
const app = express()
app.use(proxy(process.env.PEER_URL, { ${options} })) // measured
const server = app.listen(0)
export const run = () => new Promise((yes, no) => get({ port: server.address().port, agent: false }, yes).on('error', no))
`,
    cases: [
      { set: '', expected: UNBOUNDED, seen: { hang: never } },
      {
        set: 'timeout: 300',
        expected: boundedBy(300, 'headers'),
        seen: { hang: ends(300, { how: 'resolves' }) },
        more: { note: 'it answers 504' },
      },
    ],
  },
  {
    library: 'simple-git',
    at: 'simple-git@4.0.2',
    code: (options) => `
import { simpleGit } from 'simple-git'
const git = simpleGit({ baseDir: '.', ${options} })
export const run = () => git.listRemote([\`\${process.env.PEER_URL}/a.git\`]) // measured
`,
    cases: [
      { set: '', expected: UNBOUNDED, seen: { hang: never } },
      { set: 'timeout: { block: 300 }', expected: boundedBy(300, 'silence'), seen: { hang: ends(300, { cancelsWork: false }) } },
    ],
  },
]

/** What asks for contents, models, files and data, each with nothing set and with its own limit. */
export const dataSdkCases: readonly ClientCase[] = rows.flatMap(({ library, at, code, cases }) =>
  cases.map(({ set, expected, seen, more }) => ({
    library,
    packages: library === 'express-http-proxy' ? [at, 'express@5.3.0'] : [at],
    name: `${library}: ${set || 'nothing set'}`,
    setting: set || 'nothing',
    code: code(set),
    expected,
    seen,
    ...more,
  })),
)
