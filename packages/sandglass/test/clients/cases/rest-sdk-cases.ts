import { type Bound, boundedBy } from '@sandglass/runtime/core'
import { ends, never, seenAs } from '../client-case.js'
import { type CaseRow, casesOf } from './case-rows.js'

const UNBOUNDED: Bound = { state: 'unbounded' }

/** Its headers and its body have the limit each; the peer does not see the close of what it is reading. */
const seenOfWreck = { hang: ends(300), stall: ends(300, { cancelsWork: false }), drip: ends(300, { cancelsWork: false }) }

const RESOLVES = { how: 'resolves' } as const

const rows: readonly CaseRow[] = [
  {
    library: 'wreck',
    at: '@hapi/wreck@18.1.2',
    code: (options) => `
import Wreck from '@hapi/wreck'
const url = process.env.PEER_URL
export const run = () => Wreck.get(url, { ${options} }) // measured
`,
    cases: [
      { set: '', expected: UNBOUNDED, seen: seenAs.nothing() },
      {
        set: 'timeout: 300',
        expected: boundedBy(300, 'total'),
        seen: seenOfWreck,
        more: { note: 'of the headers, and again of the body' },
      },
    ],
  },
  {
    library: 'wreck',
    at: '@hapi/wreck@18.1.2',
    code: (options) => `
import Wreck from '@hapi/wreck'
const url = process.env.PEER_URL
export const run = async () => { const answer = await Wreck.request('GET', url, { ${options} }) // measured
  return Wreck.read(answer) }
`,
    cases: [{ set: 'timeout: 300', as: 'request(…, { timeout: 300 })', expected: boundedBy(300, 'headers'), seen: seenAs.headers(300) }],
  },
  {
    library: 'simple-oauth2',
    at: 'simple-oauth2@5.1.0',
    code: (options) => `
import { ClientCredentials } from 'simple-oauth2'
const client = new ClientCredentials({ client: { id: 'a', secret: 'b' }, auth: { tokenHost: process.env.PEER_URL }, ${options} })
export const run = () => client.getToken({}) // measured
`,
    cases: [
      { set: '', expected: UNBOUNDED, seen: seenAs.nothing() },
      { set: 'http: { timeout: 300 }', expected: boundedBy(300, 'total'), seen: seenOfWreck },
    ],
  },
  {
    library: 'jira.js',
    at: 'jira.js@5.4.0',
    code: (options) => `
import { Version3Client } from 'jira.js'
const jira = new Version3Client({ host: process.env.PEER_URL, authentication: { basic: { email: 'a', apiToken: 'b' } }, ${options} })
export const run = () => jira.issues.getIssue({ issueIdOrKey: 'a' }) // measured
`,
    cases: [
      { set: '', expected: UNBOUNDED, seen: seenAs.nothing() },
      { set: 'baseRequestConfig: { timeout: 300 }', expected: boundedBy(300, 'silence'), seen: seenAs.silence(300) },
    ],
  },
  {
    library: 'bigquery',
    at: '@google-cloud/bigquery@8.3.1',
    code: (options) => `
import { BigQuery } from '@google-cloud/bigquery'
const rows = new BigQuery({ apiEndpoint: process.env.PEER_URL, projectId: 'a', token: 'b', ${options} })
export const run = () => rows.getDatasets() // measured
`,
    cases: [
      { set: '', expected: UNBOUNDED, seen: seenAs.nothing() },
      { set: 'timeout: 300', expected: UNBOUNDED, seen: seenAs.nothing(), more: { note: 'it ignores it' } },
    ],
  },
  {
    library: 'bigquery',
    at: '@google-cloud/bigquery@7.9.4',
    code: (options) => `
import { BigQuery } from '@google-cloud/bigquery'
const rows = new BigQuery({ apiEndpoint: process.env.PEER_URL, projectId: 'a', token: 'b', autoRetry: false, ${options} })
export const run = () => rows.getDatasets() // measured
`,
    cases: [
      { set: '', as: '7: autoRetry: false', expected: boundedBy(60_000, 'total'), seen: { hang: ends(60_000) } },
      {
        set: 'timeout: 300',
        as: '7: autoRetry: false, timeout: 300',
        expected: boundedBy(300, 'total'),
        seen: { hang: ends(300), stall: ends(300, { cancelsWork: false }), drip: ends(300, { cancelsWork: false }) },
      },
    ],
  },
  {
    library: 'graphql-executor',
    at: '@graphql-tools/executor-http@3.4.1',
    besides: ['graphql@16.11.0'],
    code: (options) => `
import { buildHTTPExecutor } from '@graphql-tools/executor-http'
import { parse } from 'graphql'
const ask = buildHTTPExecutor({ endpoint: process.env.PEER_URL, ${options} })
export const run = () => ask({ document: parse('{ a }') }) // measured
`,
    cases: [
      { set: '', expected: UNBOUNDED, seen: seenAs.nothing() },
      {
        set: 'timeout: 300',
        expected: boundedBy(300, 'total'),
        seen: { hang: ends(300, RESOLVES), stall: ends(300, RESOLVES), drip: ends(300, RESOLVES) },
        more: { note: 'gives its error back as an answer' },
      },
    ],
  },
  {
    library: 'npm-registry-fetch',
    at: 'npm-registry-fetch@19.1.1',
    code: (options) => `
import fetch from 'npm-registry-fetch'
const registry = process.env.PEER_URL
export const run = () => fetch.json('/a', { registry, retry: { retries: 0 }, ${options} }) // measured
`,
    cases: [
      { set: '', as: 'retry: { retries: 0 }', expected: boundedBy(300_000, 'total'), seen: seenAs.total(300_000) },
      { set: 'timeout: 300', as: 'timeout: 300, retry: { retries: 0 }', expected: boundedBy(300, 'total'), seen: seenAs.total(300) },
    ],
  },
  {
    library: 'kubernetes-client',
    at: '@kubernetes/client-node@1.4.0',
    code: () => `
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node'
const config = new KubeConfig()
config.loadFromOptions({ clusters: [{ name: 'a', server: process.env.PEER_URL, skipTLSVerify: true }], users: [{ name: 'a' }], contexts: [{ name: 'a', cluster: 'a', user: 'a' }], currentContext: 'a' })
const pods = config.makeApiClient(CoreV1Api)
export const run = () => pods.listNamespacedPod({ namespace: 'a' }) // measured
`,
    cases: [{ set: '', expected: UNBOUNDED, seen: seenAs.nothing() }],
  },
  {
    library: 'brevo',
    at: '@getbrevo/brevo@6.0.3',
    code: (options) => `
import { BrevoClient } from '@getbrevo/brevo'
const mails = new BrevoClient({ apiKey: 'a', baseUrl: process.env.PEER_URL, ${options} })
export const run = () => mails.account.getAccount() // measured
`,
    cases: [
      { set: '', expected: boundedBy(60_000, 'headers'), seen: { hang: ends(60_000) } },
      { set: 'timeoutInSeconds: 0.3', expected: boundedBy(300, 'headers'), seen: seenAs.headers(300) },
    ],
  },
  {
    library: 'brevo',
    at: '@getbrevo/brevo@3.0.4',
    code: () => `
import * as brevo from '@getbrevo/brevo'
const { AccountApi } = brevo.default ?? brevo
const account = new AccountApi()
account.basePath = process.env.PEER_URL
export const run = () => account.getAccount() // measured
`,
    cases: [{ set: '', as: 'nothing, AccountApi of 3', expected: UNBOUNDED, seen: seenAs.nothing(), more: { isOnlyMeasured: true } }],
  },
  {
    library: 'mailchimp-marketing',
    at: '@mailchimp/mailchimp_marketing@3.0.80',
    code: () => `
import mailchimp from '@mailchimp/mailchimp_marketing'
const url = process.env.PEER_URL
mailchimp.setConfig({ apiKey: 'a', server: 'b' })
export const run = () => {
  mailchimp.ping.apiClient.basePath = url
  return mailchimp.ping.get() // measured
}
`,
    cases: [{ set: '', expected: boundedBy(120_000, 'total'), seen: seenAs.total(120_000) }],
  },
  {
    library: 'braintree',
    at: 'braintree@3.40.0',
    code: (options) => `
import braintree from 'braintree'
const environment = new braintree.Environment(process.env.PEER_HOST, process.env.PEER_PORT, 'a', false)
const gateway = new braintree.BraintreeGateway({ environment, merchantId: 'a', publicKey: 'b', privateKey: 'c' })
${options}
export const run = () => gateway.customer.find('a') // measured
`,
    cases: [
      { set: '', expected: boundedBy(60_000, 'silence'), seen: { hang: ends(60_000), stall: ends(60_000), drip: never } },
      {
        set: 'gateway.config.timeout = 300',
        expected: boundedBy(300, 'silence'),
        seen: seenAs.silence(300),
        more: { isOnlyMeasured: true },
      },
    ],
  },
  {
    library: 'discordjs-rest',
    at: '@discordjs/rest@2.6.3',
    code: (options) => `
import { REST } from '@discordjs/rest'
const rest = new REST({ api: process.env.PEER_URL, ${options} }).setToken('a')
export const run = () => rest.get('/a') // measured
`,
    cases: [
      {
        set: '',
        expected: boundedBy(15_000, 'headers'),
        seen: { hang: ends(60_000) },
        more: { attempts: 4, worstMs: 60_000, note: 'four times', isOnlyMeasured: true },
      },
      {
        set: 'timeout: 300, retries: 0',
        expected: boundedBy(300, 'headers'),
        seen: seenAs.headers(300),
        more: { isOnlyMeasured: true },
      },
    ],
  },
  {
    library: 'ali-oss',
    at: 'ali-oss@6.23.0',
    code: (options) => `
import OSS from 'ali-oss'
const files = new OSS({ endpoint: process.env.PEER_URL, cname: true, accessKeyId: 'a', accessKeySecret: 'b', bucket: 'ccc', ${options} })
export const run = () => files.get('a') // measured
`,
    cases: [
      { set: '', expected: boundedBy(60_000, 'total'), seen: seenAs.total(60_000), more: { isOnlyMeasured: true } },
      { set: 'timeout: 300', expected: boundedBy(300, 'total'), seen: seenAs.total(300), more: { isOnlyMeasured: true } },
    ],
  },
  {
    library: 'tencentcloud',
    at: 'tencentcloud-sdk-nodejs-cvm@4.1.316',
    code: (options) => `
import tencentcloud from 'tencentcloud-sdk-nodejs-cvm'
const endpoint = \`\${process.env.PEER_HOST}:\${process.env.PEER_PORT}\`
const machines = new tencentcloud.cvm.v20170312.Client({ credential: { secretId: 'a', secretKey: 'b' }, region: 'c', profile: { httpProfile: { endpoint, protocol: 'http://', ${options} } } })
export const run = () => machines.DescribeZones() // measured
`,
    cases: [
      { set: '', expected: boundedBy(60_000, 'total'), seen: { hang: ends(60_000) } },
      {
        set: 'reqTimeout: 1',
        expected: boundedBy(1000, 'total'),
        seen: { hang: ends(1000), stall: ends(1000, { cancelsWork: false }), drip: ends(1000, { cancelsWork: false }) },
      },
    ],
  },
  {
    library: 'ethers',
    at: 'ethers@6.17.0',
    code: () => `
import { JsonRpcProvider } from 'ethers'
const chain = new JsonRpcProvider(process.env.PEER_URL)
export const run = () => chain.send('a', []) // measured
`,
    cases: [
      {
        set: '',
        expected: boundedBy(300_000, 'silence'),
        seen: { hang: ends(300_000, { cancelsWork: false }) },
        more: { isOnlyMeasured: true },
      },
    ],
  },
  {
    library: 'ethers',
    at: 'ethers@5.8.0',
    code: (options) => `
import { ethers } from 'ethers'
const chain = new ethers.providers.StaticJsonRpcProvider({ url: process.env.PEER_URL, ${options} }, 1)
export const run = () => chain.getBlockNumber() // measured
`,
    cases: [
      { set: '', as: 'nothing, 5', expected: boundedBy(120_000, 'total'), seen: { hang: ends(120_000, { cancelsWork: false }) } },
      {
        set: 'timeout: 300',
        as: '{ url, timeout: 300 }',
        expected: boundedBy(300, 'total'),
        seen: seenAs.total(300),
        more: { cancelsWork: false },
      },
    ],
  },
  {
    library: 'web3',
    at: 'web3@4.16.0',
    code: () => `
import { Web3 } from 'web3'
const chain = new Web3(process.env.PEER_URL)
export const run = () => chain.eth.getBlockNumber() // measured
`,
    cases: [{ set: '', expected: UNBOUNDED, seen: seenAs.nothing() }],
  },
  {
    library: 'solana-web3',
    at: '@solana/web3.js@1.99.0',
    code: () => `
import { Connection } from '@solana/web3.js'
const chain = new Connection(process.env.PEER_URL)
export const run = () => chain.getSlot() // measured
`,
    cases: [
      {
        set: '',
        expected: boundedBy(300_000, 'silence'),
        seen: { hang: ends([300_000, 302_000]) },
        more: { note: 'what the fetch of Node does' },
      },
    ],
  },
]

/** What asks an API, a cloud or a chain by a client of its own. */
export const restSdkCases = casesOf(rows)
