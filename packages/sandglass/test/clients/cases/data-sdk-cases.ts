import { type Bound, boundedBy } from '@sandglass/runtime/core'
import { ends, seenAs } from '../client-case.js'
import { type CaseRow, casesOf } from './case-rows.js'

const UNBOUNDED: Bound = { state: 'unbounded' }

const rows: readonly CaseRow[] = [
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
        seen: { hang: ends([1_800_000, 1_840_000]) },
        more: { attempts: 6, worstMs: [1_800_000, 1_840_000], isOnlyMeasured: true, note: 'what the fetch of Node does, six times' },
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
        set: 'maxRetries: 0',
        expected: boundedBy(300_000, 'headers'),
        seen: { hang: ends(300_000) },
        more: { isOnlyMeasured: true },
      },
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
      {
        set: 'timeout: 300',
        expected: boundedBy(300, 'silence'),
        seen: seenAs.silence(300),
        more: { cancelsWork: false, isOnlyMeasured: true },
      },
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
        set: 'retryOptions: { autoRetry: false }',
        expected: UNBOUNDED,
        seen: seenAs.nothing(),
        more: { isOnlyMeasured: true },
      },
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
]

/** What asks for contents, models, files and data, each with nothing set and with its own limit. */
export const dataSdkCases = casesOf(rows)
