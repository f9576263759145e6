import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

const lines = (code: string, versions: Readonly<Record<string, string>> = {}) =>
  callLines(scanTexts({ files: { 'code.ts': code }, versions }))

test('Wreck, and what asks for tokens by it, wait for ever', () => {
  expect(
    lines(`import Wreck from '@hapi/wreck'
import { AuthorizationCode, ClientCredentials } from 'simple-oauth2'
await Wreck.get('http://a')
await Wreck.get('http://a', { timeout: 500 })
await Wreck.request('GET', 'http://a', { timeout: 500 })
await Wreck.defaults({ timeout: 600 }).post('http://a', { payload: b })
const client = new ClientCredentials({ client: {}, auth: {} })
await client.getToken({})
await client.getToken({}, { timeout: 500 })
await client.createToken(known).refresh()
await new AuthorizationCode({ client: {}, auth: {}, http: { timeout: 500 } }).getToken({})`),
  ).toEqual([
    '3 wreck unbounded',
    '4 wreck bounded 500 total',
    '5 wreck bounded 500 headers',
    '6 wreck bounded 600 total',
    '8 simple-oauth2 unbounded',
    '10 simple-oauth2 unbounded',
    '11 simple-oauth2 bounded 500 total',
  ])
})

test('BigQuery had 60 s up to 7, and has nothing from 8 on, which ignores a timeout', () => {
  const code = `import { BigQuery } from '@google-cloud/bigquery'
await new BigQuery().query('select 1')
await new BigQuery({ timeout: 500 }).dataset('a').table('b').insert([])`
  expect(lines(code, { '@google-cloud/bigquery': '8.3.1' })).toEqual(['2 bigquery unbounded', '3 bigquery unbounded'])
  expect(lines(code, { '@google-cloud/bigquery': '7.9.4' })).toEqual(['2 bigquery bounded 60000 total', '3 bigquery bounded 500 total'])
})

test('pods, issues, mails and payments', () => {
  expect(
    lines(
      `import { AppsV1Api, CoreV1Api, KubeConfig } from '@kubernetes/client-node'
import { Version3Client } from 'jira.js'
import { BrevoClient } from '@getbrevo/brevo'
import mailchimp from '@mailchimp/mailchimp_marketing'
import braintree from 'braintree'
const config = new KubeConfig()
config.loadFromDefault()
await config.makeApiClient(CoreV1Api).listNamespacedPod({ namespace: 'a' })
export const deployed = (api: AppsV1Api) => api.readNamespacedDeployment({ name: 'a' })
const jira = new Version3Client({ host: 'a' })
await jira.issues.getIssue({ issueIdOrKey: 'a' })
await new Version3Client({ host: 'a', baseRequestConfig: { timeout: 500 } }).issueSearch.searchForIssuesUsingJql({})
await new BrevoClient({ apiKey: 'a' }).transactionalEmails.sendTransacEmail({})
await new BrevoClient({ apiKey: 'a' }).contacts.getContacts({}, { timeoutInSeconds: 2 })
await mailchimp.lists.addListMember('a', {})
const gateway = new braintree.BraintreeGateway({ merchantId: 'a' })
await gateway.transaction.sale({})`,
      { '@kubernetes/client-node': '1.4.0', '@getbrevo/brevo': '6.0.3' },
    ),
  ).toEqual([
    '8 kubernetes-client unbounded',
    '9 kubernetes-client unbounded',
    '11 jira.js unbounded',
    '12 jira.js bounded 500 silence',
    '13 brevo bounded 60000 headers',
    '14 brevo bounded 2000 headers',
    '15 mailchimp-marketing bounded 120000 total',
    '17 braintree bounded 60000 silence',
  ])
})

test('a limit that is assigned to a gateway is one that nobody follows', () => {
  expect(
    lines(`import { BraintreeGateway } from 'braintree'
const gateway = new BraintreeGateway({ merchantId: 'a' })
gateway.config.timeout = 5000
await gateway.customer.find('a')`),
  ).toEqual(['4 braintree unknown'])
})

test('commands, files and machines have limits of their own', () => {
  expect(
    lines(`import { REST, Routes } from 'discord.js'
import OSS from 'ali-oss'
import tencentcloud from 'tencentcloud-sdk-nodejs'
await new REST({ version: '10' }).setToken('a').put(Routes.a(), { body: [] })
await new REST({ timeout: 500 }).setToken('a').get('/a')
await new OSS({ bucket: 'a' }).put('a', file)
await new OSS({ bucket: 'a' }).get('a', file, { timeout: 500 })
const Client = tencentcloud.cvm.v20170312.Client
await new Client({ region: 'a' }).DescribeZones()
await new Client({ region: 'a', profile: { httpProfile: { reqTimeout: 5 } } }).DescribeZones()`),
  ).toEqual([
    '4 discordjs-rest bounded 15000 headers',
    '5 discordjs-rest bounded 500 headers',
    '6 ali-oss bounded 60000 total',
    '7 ali-oss bounded 500 total',
    '9 tencentcloud bounded 60000 total',
    '10 tencentcloud bounded 5000 total',
  ])
})

test('chains', () => {
  const code = `import { JsonRpcProvider, FetchRequest } from 'ethers'
import { Web3 } from 'web3'
import { Connection } from '@solana/web3.js'
await new JsonRpcProvider(process.env.RPC).getBlockNumber()
await new JsonRpcProvider(new FetchRequest('a')).getBlockNumber()
await new Web3('http://a').eth.getBalance('a')
await new Web3(new Web3.providers.HttpProvider('a', own)).eth.getBalance('a')
await new Connection('a', 'confirmed').getSlot()
await new Connection('a', { fetch: own }).getSlot()`
  expect(lines(code, { ethers: '6.17.0', web3: '4.16.0', '@solana/web3.js': '1.99.0' })).toEqual([
    '4 ethers bounded 300000 silence',
    '6 web3 unbounded',
    '8 solana-web3 bounded 300000 silence',
    '9 solana-web3 unknown',
  ])
  const old = `import { ethers } from 'ethers'
await new ethers.providers.JsonRpcProvider('a').getBlockNumber()
await new ethers.providers.JsonRpcProvider({ url: 'a', timeout: 500 }).getBlockNumber()`
  expect(lines(old, { ethers: '5.8.0' })).toEqual(['2 ethers bounded 120000 total', '3 ethers bounded 500 total'])
})

test.each([
  ['5.8.0', '120 s for the answer', '{ url: …, timeout: … } (ms) in place of the address'],
  ['6.17.0', '300 s for the answer, in each attempt', 'a FetchRequest with timeout: … (ms) in place of the address'],
])('ethers %s says what its own version takes, and whether one timer ends all attempts', (version, waits, remedy) => {
  const name = version.startsWith('5') ? '@ethersproject/providers' : 'ethers'
  const code = `import { JsonRpcProvider } from '${name}'\nexport const run = () => new JsonRpcProvider('http://a').getBlockNumber()`
  const [only] = scanTexts({ files: { 'code.ts': code }, versions: { [name]: version } }).diagnostics
  expect(only?.message.endsWith(`: ${waits}`)).toBe(true)
  expect(only?.suggestion?.text).toBe(`set a limit: ${remedy}`)
})

test('what asks by GraphQL over the fetch of its own package, and a registry', () => {
  expect(
    lines(
      `import { buildHTTPExecutor } from '@graphql-tools/executor-http'
import fetch, { json } from 'npm-registry-fetch'
const ask = buildHTTPExecutor({ endpoint: 'a' })
await ask({ document })
await buildHTTPExecutor({ endpoint: 'a', timeout: 500 })({ document })
await fetch('/a', { registry })
await fetch.json('/a', { timeout: 500 })
await json('/a')`,
      { '@graphql-tools/executor-http': '3.4.1' },
    ),
  ).toEqual([
    '4 graphql-executor unbounded',
    '5 graphql-executor bounded 500 total',
    '6 npm-registry-fetch bounded 300000 total',
    '7 npm-registry-fetch bounded 500 total',
    '8 npm-registry-fetch bounded 300000 total',
  ])
})

test('thirdweb has 60 s for the headers, told where its client is made', () => {
  const found = (options: string) =>
    findingLines(
      scanTexts({
        files: {
          'code.ts': `import { createThirdwebClient } from 'thirdweb'
export const client = createThirdwebClient({ secretKey: 'a', ${options} })`,
        },
        versions: { thirdweb: '5.105.42' },
      }),
    )
  expect(found('')).toEqual(['code.ts:2 default-bound'])
  expect(found('config: { rpc: { maxBatchSize: 50 } }')).toEqual(['code.ts:2 default-bound'])
  expect(found('config: { rpc: { fetch: { requestTimeoutMs: 500 } } }')).toEqual([])
})

test('a bot of Discord keeps the options of its requests for itself', () => {
  const scanned = (options: string, version: string) =>
    scanTexts({
      files: { 'code.ts': `import { Client } from 'discord.js'\nexport const bot = new Client({ intents: [], ${options} })` },
      versions: { 'discord.js': version },
    }).diagnostics.map(({ rule, values }) => `${rule} ${String(values['ms'])}`)
  expect(scanned('', '14.19.0')).toEqual(['default-bound 15000'])
  expect(scanned('', '13.17.1')).toEqual(['default-bound 15000'])
  expect(scanned('rest: { timeout: 5000 }', '14.19.0')).toEqual([])
})

test('a bot of discord.js takes its timeout among the options of its REST client, from version 14 on', () => {
  const fix = (version: string) =>
    scanTexts({
      files: { 'code.ts': `import { Client } from 'discord.js'\nexport const bot = new Client({ intents: [] })` },
      versions: { 'discord.js': version },
    }).diagnostics[0]?.suggestion?.text
  expect(fix('14.11.0')).toBe('set a limit: rest: { timeout: … } (ms) where the client is made')
  expect(fix('13.17.1')).toBe('set a limit: restRequestTimeout: … (ms) where the client is made')
})

test('jira-client waits without end, unless its client has a timeout', () => {
  const code = `import JiraApi from 'jira-client'
const jira = new JiraApi({ host: 'a' })
await jira.findIssue('A-1')
await new JiraApi({ host: 'a', timeout: 500 }).searchJira('b')
await new JiraApi({ host: 'a', request: given }).addComment('A-1', 'b')`
  expect(callLines(scanTexts(code))).toEqual(['3 jira-client unbounded', '4 jira-client bounded 500 silence', '5 jira-client unknown'])
})
