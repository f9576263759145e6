import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

test('OpenAI and Anthropic wait as long as fetch does, three times, unless told otherwise', () => {
  const scanned = scanTexts(`import OpenAI from 'openai'
import Anthropic from '@anthropic-ai/sdk'
const slow = new OpenAI()
await slow.chat.completions.create({ model: 'x', messages: [] })
const claude = new Anthropic({ timeout: 20_000, maxRetries: 0 })
await claude.messages.create({ model: 'x' })
await slow.embeddings.create({}, { timeout: 3000, maxRetries: 1 })
await slow.responses.create({}, { signal: AbortSignal.timeout(5000) })`)
  expect(callLines(scanned)).toEqual([
    '4 openai bounded 300000 silence',
    '6 anthropic bounded 20000 headers',
    '7 openai bounded 3000 headers',
    '8 openai bounded 5000 total',
  ])
  expect(scanned.calls.map(({ worstMs }) => worstMs)).toEqual([3 * 300_000 + 1500, 20_000, 2 * 3000 + 500, 5000])
  expect(findingLines(scanned).filter((line) => line.endsWith('default-bound'))).toEqual(['code.ts:3 default-bound'])
  expect(scanned.diagnostics.find(({ rule }) => rule === 'default-bound')?.message).toContain('300 s for the answer')
})

test('a client that is given more time than fetch has is ended by fetch, but not for want of a limit', () => {
  const scanned = scanTexts(`import OpenAI from 'openai'
import { Anthropic } from '@anthropic-ai/sdk'
const claude = new Anthropic({ timeout: 600_000, maxRetries: 0 })
export const ask = () => claude.messages.create({})
export type Llm = OpenAI
export const chat = (llm: Llm) => llm.chat.completions.create({})
chat(new OpenAI())`)
  expect(callLines(scanned)).toEqual(['4 anthropic bounded 300000 silence', '6 openai bounded 300000 silence'])
  expect(findingLines(scanned)).toEqual(['code.ts:7 default-bound'])
})

test('OpenAI up to 4 has no fetch of Node in it: its own 600 s hold', () => {
  const files = { 'code.ts': `import OpenAI from 'openai'\nconst ai = new OpenAI()\nawait ai.chat.completions.create({})` }
  expect(callLines(scanTexts({ files, versions: { openai: '4.104.0' } }))).toEqual(['3 openai bounded 600000 headers'])
  expect(callLines(scanTexts({ files, versions: { openai: '5.0.0' } }))).toEqual(['3 openai bounded 300000 silence'])
})

test('where a client says that it runs in a browser, its own 600 s hold and not those of Node', () => {
  const at = (options: string) =>
    callLines(
      scanTexts(`import OpenAI from 'openai'
const ai = new OpenAI(${options})
export const ask = () => ai.chat.completions.create({})`),
    )
  expect(at('{ dangerouslyAllowBrowser: true }')).toEqual(['3 openai bounded 600000 headers'])
  expect(at('{ dangerouslyAllowBrowser: false }')).toEqual(['3 openai bounded 300000 silence'])
})

test('the client of Anthropic brings a fetch of its own before 0.50', () => {
  const text =
    "import Anthropic from '@anthropic-ai/sdk'\nconst client = new Anthropic()\nexport const ask = () => client.messages.create({})"
  const at = (version: string) => callLines(scanTexts({ files: { 'code.ts': text }, versions: { '@anthropic-ai/sdk': version } }))
  expect(at('0.41.0')).toEqual(['3 anthropic bounded 600000 headers'])
  expect(at('0.50.1')).toEqual(['3 anthropic bounded 300000 silence'])
})

test('a key that comes from elsewhere is no options of Stripe, what a container fills in may be', () => {
  const scanned = scanTexts(`import Stripe from 'stripe'
import { env } from './env.mjs'
const stripe = new Stripe(env.KEY)
await stripe.customers.retrieve('c')
export class Pay {
  constructor(private readonly stripe: Stripe) {}
  pay() { return this.stripe.customers.retrieve('c') }
}`)
  expect(callLines(scanned)).toEqual(['4 stripe bounded 80000 silence', '7 stripe unknown'])
})

test('Stripe waits 80 s for each attempt', () => {
  const files = {
    'code.ts': `import Stripe from 'stripe'
const stripe = new Stripe(process.env.KEY!)
await stripe.checkout.sessions.create({})
const quick = new Stripe('k', { timeout: 5000, maxNetworkRetries: 0 })
await quick.customers.retrieve('c')`,
  }
  const scanned = scanTexts({ files, versions: { stripe: '23.1.0' } })
  expect(callLines(scanned)).toEqual(['3 stripe bounded 80000 silence', '5 stripe bounded 5000 silence'])
})

test.each([
  ['12.18.0', '80 s for the answer', 80_000],
  ['13.0.0', '80 s for the answer, in each of 2 attempts', 160_500],
  ['16.10.0', '80 s for the answer, in each of 2 attempts', 160_500],
  ['17.0.0', '80 s for the answer, in each of 3 attempts', 241_500],
])('how often Stripe %s tries by itself is a matter of its version', (version, waits, worstMs) => {
  const files = { 'code.ts': `import Stripe from 'stripe'\nawait new Stripe(process.env.KEY!).customers.retrieve('c')` }
  const { diagnostics, calls } = scanTexts({ files, versions: { stripe: version } })
  expect(diagnostics.map(({ message }) => message.split(': ')[1])).toEqual([waits])
  expect(calls.map((call) => call.worstMs)).toEqual([worstMs])
})

test('Together tried five times more before 0.30, and octokit three times more in all its versions', () => {
  const files = {
    'code.ts': `import Together from 'together-ai'
import { Octokit } from 'octokit'
await new Together().chat.completions.create({})
await new Octokit({ request: { timeout: 20000 } }).request('GET /user')`,
  }
  const attemptsAt = (together: string, octokit: string) =>
    scanTexts({ files, versions: { 'together-ai': together, octokit } }).calls.map(({ limits }) => limits?.fields.attempts?.value)
  expect(attemptsAt('0.29.0', '1.7.1')).toEqual([6, 4])
  expect(attemptsAt('0.30.0', '1.7.1')).toEqual([3, 4])
})

test('Elasticsearch waited 30 s up to version 8 and waits without a limit from 9 on', () => {
  const files = {
    'code.ts': `import { Client } from '@elastic/elasticsearch'
const es = new Client({ node: 'http://es:9200' })
await es.search({ index: 'a' })
await es.search({ index: 'a' }, { requestTimeout: 800 })`,
  }
  const at = (version: string) => callLines(scanTexts({ files, versions: { '@elastic/elasticsearch': version } }))
  expect(at('8.15.0')).toEqual(['3 elasticsearch-js bounded 30000 silence', '4 elasticsearch-js bounded 800 headers'])
  expect(at('9.4.3')).toEqual(['3 elasticsearch-js unbounded', '4 elasticsearch-js bounded 800 headers'])
})

test('Elasticsearch asks again where a body falls silent, for late headers only over a transport before 8.6', () => {
  const files = {
    'code.ts': `import { Client } from '@elastic/elasticsearch'
const es = new Client({ node: 'http://es:9200' })
await es.search({ index: 'a' })
await es.search({ index: 'a' }, { requestTimeout: 800 })`,
  }
  const at = (transport: string) => {
    const scanned = scanTexts({ files, versions: { '@elastic/elasticsearch': '8.15.0', '@elastic/transport': transport } })
    return [...scanned.diagnostics.map(({ message }) => message.replace(/^.*: /, '')), scanned.calls[1]?.worstMs]
  }
  expect(at('8.10.2')).toEqual(['30 s for the answer, in each of 4 attempts where the body falls silent', 800])
  expect(at('8.5.0')).toEqual(['30 s for the answer, in each of 4 attempts', 'with requestTimeout 800 ms the call may take 13.2 s', 13_200])
})

test('Elasticsearch 7 limits the headers, and from 7.17.14 on does not ask again for late ones unless it is told to', () => {
  const at = (version: string, options = '') => {
    const code = `import { Client } from '@elastic/elasticsearch'\nawait new Client({ node: 'http://es:9200'${options} }).search({ index: 'a' })`
    const scanned = scanTexts({ files: { 'code.ts': code }, versions: { '@elastic/elasticsearch': version } })
    return [callLines(scanned)[0], scanned.diagnostics[0]?.message.replace(/^.*: /, '')]
  }
  const headers = '2 elasticsearch-js bounded 30000 headers'
  expect(at('7.17.14')).toEqual([headers, '30 s for the answer'])
  expect(at('7.17.14', ', retryOnTimeout: true')).toEqual([headers, '30 s for the answer, in each of 4 attempts'])
  expect(at('7.17.13')).toEqual([headers, '30 s for the answer, in each of 4 attempts'])
})

test('the clients of AWS have no limit of their own, and a requestTimeout that does not throw only warns', () => {
  const scanned = scanTexts(`import { S3Client, GetObjectCommand } from '@aws-sdk/client-s3'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { NodeHttpHandler } from '@smithy/node-http-handler'
const s3 = new S3Client({ region: 'eu' })
await s3.send(new GetObjectCommand({}))
const bounded = new S3Client({ requestHandler: new NodeHttpHandler({ socketTimeout: 700 }), maxAttempts: 1 })
await bounded.send(new GetObjectCommand({}))
await s3.send(new GetObjectCommand({}), { abortSignal: AbortSignal.timeout(900) })
const documents = DynamoDBDocumentClient.from(new DynamoDBClient({ requestHandler: { requestTimeout: 400, throwOnRequestTimeout: true } }))
await documents.send(new GetObjectCommand({}))`)
  expect(callLines(scanned)).toEqual([
    '6 aws-sdk-js v3 unbounded',
    '8 aws-sdk-js v3 bounded 700 silence',
    '9 aws-sdk-js v3 bounded 900 total',
    '11 aws-sdk-js v3 bounded 400 headers',
  ])
})

test('whether a requestTimeout of AWS ends anything is told by the version of the handler, not of the client', () => {
  const files = {
    'code.ts': `import { SQSClient } from '@aws-sdk/client-sqs'
import { NodeHttp2Handler, NodeHttpHandler } from '@smithy/node-http-handler'
import { NodeHttpHandler as First } from '@aws-sdk/node-http-handler'
const sqs = new SQSClient({ maxAttempts: 1, requestHandler: new NodeHttpHandler({ requestTimeout: 1000 }) })
const throwing = new SQSClient({ requestHandler: new NodeHttpHandler({ requestTimeout: 900, throwOnRequestTimeout: true }) })
const first = new SQSClient({ requestHandler: new First({ requestTimeout: 800 }) })
const second = new SQSClient({ requestHandler: new NodeHttp2Handler({ requestTimeout: 700 }) })
await sqs.send({}), await throwing.send({}), await first.send({}), await second.send({})`,
  }
  const at = (handler: Record<string, string>) =>
    callLines(scanTexts({ files, versions: { '@aws-sdk/client-sqs': '3.1175.0', ...handler } })).map((line) =>
      line.replace('aws-sdk-js v3 ', ''),
    )
  const others = ['8 bounded 800 silence', '8 bounded 700 silence']
  expect(at({ '@smithy/node-http-handler': '3.3.3' })).toEqual(['8 bounded 1000 silence', '8 bounded 900 silence', ...others])
  expect(at({ '@smithy/node-http-handler': '4.3.0' })).toEqual(['8 bounded 1000 silence', '8 bounded 900 silence', ...others])
  expect(at({ '@smithy/node-http-handler': '4.4.0' })).toEqual(['8 unbounded', '8 bounded 900 headers', ...others])
  expect(at({})).toEqual(['8 unbounded', '8 bounded 900 headers', ...others])
  expect(at({ '@aws-sdk/client-sqs': '3.600.0' })).toEqual(['8 unknown', '8 bounded 900 headers', ...others])
})

test('what to write for AWS is what the handler of that version knows, without what is there', () => {
  const fix = (options: string, version?: string) =>
    scanTexts({
      files: { 'code.ts': `import { SQSClient } from '@aws-sdk/client-sqs'\nnew SQSClient(${options}).send({})` },
      versions: version === undefined ? {} : { '@aws-sdk/client-sqs': version },
    }).diagnostics.find(({ rule }) => rule === 'unbounded-call')?.suggestion?.text
  const signal = 'abortSignal: AbortSignal.timeout(…) in each call'
  const tries = '; and maxAttempts as it is meant: 3 attempts by default'
  expect(fix('{}', '3.686.0')).toBe(`set a limit: requestHandler: { requestTimeout: …, connectionTimeout: … } (ms), or ${signal}${tries}`)
  expect(fix('{ requestHandler: { connectionTimeout: 500 } }', '3.686.0')).toBe(
    `set a limit: requestHandler: { requestTimeout: … } (ms), or ${signal}${tries}`,
  )
  expect(fix('{}', '3.940.0')).toBe(
    `set a limit: requestHandler: { requestTimeout: …, throwOnRequestTimeout: true, connectionTimeout: … } (ms), or ${signal}${tries}`,
  )
  expect(fix('{ requestHandler: { requestTimeout: 500, connectionTimeout: 500 } }', '3.940.0')).toBe(
    `set a limit: requestHandler: { throwOnRequestTimeout: true }, or ${signal}${tries}`,
  )
  expect(fix('{ requestHandler: { requestTimeout: 500 } }', '3.686.0')).toBeUndefined()
  expect(fix('{}')).toContain(`${signal}, or requestHandler`)
  // Before 3.521 a plain object was taken for the handler itself, before 3.296 its time had another name.
  const made = (settings: string) => `set a limit: requestHandler: new NodeHttpHandler({ ${settings} }) (ms), or ${signal}${tries}`
  expect(fix('{}', '3.332.0')).toBe(made('requestTimeout: …, connectionTimeout: …'))
  expect(fix('{}', '3.186.0')).toBe(made('socketTimeout: …, connectionTimeout: …'))
})

test('clients that speak HTTP/2 take another handler: only a signal is proposed, and a requestTimeout of theirs may end the request', () => {
  const of = (options: string) =>
    scanTexts({
      files: {
        'code.ts': `import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime'\nnew BedrockRuntimeClient(${options}).send({})`,
      },
      versions: { '@aws-sdk/client-bedrock-runtime': '3.1036.0' },
    })
  expect(of('{}').diagnostics.map(({ suggestion }) => suggestion?.text)).toEqual([
    'set a limit: abortSignal: AbortSignal.timeout(…) in each call; and maxAttempts as it is meant: 3 attempts by default',
  ])
  expect(of('{ requestHandler: { requestTimeout: 500 } }').diagnostics).toEqual([])
})

test('clients of AWS with a method for each operation are judged as the others', () => {
  const scanned = scanTexts(`import { Polly, SynthesizeSpeechCommand } from '@aws-sdk/client-polly'
import { Textract } from '@aws-sdk/client-textract'
const polly = new Polly({ region: 'a' })
await polly.send(new SynthesizeSpeechCommand({}))
await new Textract({}).detectDocumentText({})`)
  expect(callLines(scanned)).toEqual(['4 aws-sdk-js v3 unbounded', '5 aws-sdk-js v3 unbounded'])
})

test('a signal is not proposed for calls over a send of the project’s own', () => {
  const text = `import { S3, PutObjectCommand } from '@aws-sdk/client-s3'
const client = new S3({})
const send = client.send.bind(client)
;(client as any).send = (command) => send(command)
export const put = () => client.send(new PutObjectCommand({}))`
  const { diagnostics } = scanTexts({ files: { 'code.ts': text }, versions: { '@aws-sdk/client-s3': '3.940.0' } })
  expect(diagnostics.map(({ suggestion }) => suggestion?.text)).toEqual([
    'set a limit: requestHandler: { requestTimeout: …, throwOnRequestTimeout: true, connectionTimeout: … } (ms); and maxAttempts as it is meant: 3 attempts by default',
  ])
})

test('a requestTimeout that only warns is told where it is written, once for all that bring its number', () => {
  const text = `import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
const create = (opts) => new DynamoDBClient({
  requestHandler: {
    requestTimeout: opts.requestTimeout,
    connectionTimeout: opts.connectionTimeout,
  },
})
const first = DynamoDBDocumentClient.from(create({ requestTimeout: 30_000, connectionTimeout: 10_000 }))
const second = DynamoDBDocumentClient.from(create({ requestTimeout: Number(process.env.T), connectionTimeout: 10_000 }))
export const run = (command) => [first.send(command), second.send(command)]`
  const scanned = scanTexts({ files: { 'code.ts': text }, versions: { '@aws-sdk/client-dynamodb': '3.1004.0' } })
  expect(findingLines(scanned)).toEqual(['code.ts:5 unbounded-call'])
  expect(scanned.diagnostics[0]?.label).toBe('requestTimeout only warns; nothing ends the request')
})

test('every operation of AWS is a call, by its command or by its method', () => {
  const scanned =
    scanTexts(`import { SES, SESClient, SetActiveReceiptRuleSetCommand, VerifyDomainIdentityCommand } from '@aws-sdk/client-ses'
const ses = new SES({})
const client = new SESClient({})
ses.sendEmail({}), ses.verifyEmailIdentity({}), ses.verifyDomainDkim({}), ses.setIdentityMailFromDomain({}), ses.describeReceiptRule({}), ses.cloneReceiptRuleSet({})
client.send(new VerifyDomainIdentityCommand({})), client.send(new SetActiveReceiptRuleSetCommand({}))
ses.destroy(), client.destroy()`)
  expect(scanned.diagnostics.map(({ message }) => /\d+ calls use it/.exec(message)?.[0])).toEqual(['6 calls use it', '2 calls use it'])
})

test('a client of AWS is judged where it is made when others call it, but not when it only signs', () => {
  const scanned = scanTexts({
    files: {
      'mail.ts': `import { SESv2Client } from '@aws-sdk/client-sesv2'
import { createTransport } from 'nodemailer'
export const mail = createTransport({ SES: { sesClient: new SESv2Client({ region: 'eu' }) } })`,
      'link.ts': `import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
const s3 = new S3Client({})
export const link = (Key: string) => getSignedUrl(s3, new GetObjectCommand({ Bucket: 'b', Key }))`,
      'store.ts': `import { S3Client } from '@aws-sdk/client-s3'
export const store = new S3Client({ region: 'eu' })`,
      'store-link.ts': `import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { store } from './store'
export const link = (command: object) => getSignedUrl(store, command)`,
    },
  })
  expect(findingLines(scanned)).toEqual(['mail.ts:3 unbounded-call'])
})

test('a client of AWS that is only asked for its own settings asks nobody', () => {
  const scanned = (ask: string) =>
    findingLines(
      scanTexts(`import { CognitoIdentityClient } from '@aws-sdk/client-cognito-identity'
export async function keys(credentials: object) {
  const client = new CognitoIdentityClient({ credentials })
  return ${ask}
}`),
    )
  expect(scanned('client.config.credentials()')).toEqual([])
  expect(scanned('{ keys: client.config.credentials(), client }')).toEqual(['code.ts:3 unbounded-call'])
})

test('options of AWS by a condition are known where all branches are', () => {
  const scanned = scanTexts(`import { NodeHttpHandler } from '@smithy/node-http-handler'
import { SQSClient } from '@aws-sdk/client-sqs'
import { keys } from './keys.js'
const requestHandler = new NodeHttpHandler({ requestTimeout: 900, throwOnRequestTimeout: true })
const loose = new SQSClient(keys() ? { region: 'eu', credentials: keys() } : { region: 'eu' })
const strict = new SQSClient(keys() ? { credentials: keys(), requestHandler } : { requestHandler })
export const a = () => [loose.send({}), strict.send({})]`)
  expect(callLines(scanned).map((line) => line.replace(/ total.*/, ''))).toEqual([
    '7 aws-sdk-js v3 unbounded',
    '7 aws-sdk-js v3 bounded 900 headers',
  ])
})

test('a timeout of 0 of node:http is told where it is switched off', () => {
  const scanned = scanTexts(`import http from 'node:http'
http.request({
  host: 'a',
  timeout: 0,
})`)
  expect(scanned.diagnostics.map(({ spot, label }) => [scanned.calls.length, spot.start > 40, label])).toEqual([
    [1, true, 'switches the limit off'],
  ])
})

test('follow-redirects waits as node:http does', () => {
  const scanned = scanTexts(`import { https } from 'follow-redirects'
https.get('https://a')
https.get('https://a', { signal: AbortSignal.timeout(500) })`)
  expect(callLines(scanned)).toEqual(['2 follow-redirects unbounded', '3 follow-redirects bounded 500 total'])
})

test('options of a call of OpenAI and Anthropic stand behind its parameters too', () => {
  const scanned = scanTexts(`import Anthropic from '@anthropic-ai/sdk'
const claude = new Anthropic()
await claude.models.retrieve('m', undefined, { timeout: 10_000, maxRetries: 0 })
await claude.models.retrieve('m', {}, { timeout: 9_000, maxRetries: 0 })`)
  expect(callLines(scanned)).toEqual(['3 anthropic bounded 10000 headers', '4 anthropic bounded 9000 headers'])
})

test('undici has the defaults of its own version, not those of the Node it runs in', () => {
  const files = { 'code.ts': `import { request } from 'undici'\nawait request('http://a')` }
  expect(callLines(scanTexts({ files, versions: { undici: '7.29.0', node: '16.20.2' } }))).toEqual(['2 undici bounded 300000 silence'])
  expect(callLines(scanTexts({ files, versions: { undici: '5.19.1', node: '22.1.0' } }))).toEqual(['2 undici bounded 30000 silence'])
})

test('`18` in .nvmrc is the newest of that line', () => {
  const files = { 'code.ts': `await fetch('http://a')` }
  expect(callLines(scanTexts({ files, versions: { node: '18' } }))).toEqual(['1 fetch bounded 300000 silence'])
  expect(callLines(scanTexts({ files, versions: { node: '18.1' } }))).toEqual(['1 fetch bounded 30000 silence'])
})

test('cross-fetch asks with node-fetch 2 in Node, and has its timeout', () => {
  const scanned = scanTexts(`import crossFetch, { fetch as load } from 'cross-fetch'
await crossFetch('https://a')
await load('https://a', { timeout: 500 })
await crossFetch('https://a', { signal: AbortSignal.timeout(800) })`)
  expect(callLines(scanned)).toEqual(['2 cross-fetch unbounded', '3 cross-fetch bounded 500 total', '4 cross-fetch bounded 800 total'])
})

test('OpenAI 4 over the fetch of Node ends with it', () => {
  const code = `import OpenAI from 'openai'\nawait new OpenAI({ fetch: globalThis.fetch }).chat.completions.create({})`
  expect(callLines(scanTexts({ files: { 'code.ts': code }, versions: { openai: '4.104.0' } }))).toEqual(['2 openai bounded 300000 silence'])
})

test('what a call of ky switches off is told at the call', () => {
  const scanned = scanTexts(`import ky from 'ky'
const api = ky.create({ prefixUrl: 'https://a' })
export const a = () => api.get('a')
export const b = () => api.get('b', { timeout: false })`)
  expect(findingLines(scanned)).toEqual(['code.ts:4 default-bound'])
})

test('beside a version stands the name of the package that has it', () => {
  const name = (text: string, versions: Record<string, string>) =>
    /(?:default of )?(\S+ [\d.]+)/.exec(scanTexts({ files: { 'code.ts': text }, versions }).diagnostics[0]?.message ?? '')?.[1]
  expect(name("import ask from 'request-promise'\nask('https://a')", { 'request-promise': '4.2.6' })).toBe('request-promise 4.2.6')
  expect(name("import { drive } from '@googleapis/drive'\ndrive({}).files.list()", { '@googleapis/drive': '20.2.0' })).toBe(
    '@googleapis/drive 20.2.0',
  )
  expect(
    name("import { createServerClient } from '@supabase/ssr'\ncreateServerClient('a', 'b').auth.getUser()", {
      '@supabase/ssr': '0.0.10',
      '@supabase/supabase-js': '2.39.0',
    }),
  ).toBe('@supabase/ssr 0.0.10')
})
