import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

const lines = (code: string, versions: Readonly<Record<string, string>> = {}) =>
  callLines(scanTexts({ files: { 'code.ts': code }, versions }))

test('models, searches and contents have limits of their own', () => {
  expect(
    lines(
      `import Replicate from 'replicate'
import { CohereClient } from 'cohere-ai'
import { tavily } from '@tavily/core'
import Typesense from 'typesense'
import { createClient } from 'contentful'
import { createClient as sanity } from '@sanity/client'
import { InfluxDB } from '@influxdata/influxdb-client'
await new Replicate().run('a/b', { input: {} })
await new Replicate().run('a/b', { input: {}, signal: AbortSignal.timeout(500) })
await new CohereClient({ token: 'a' }).chat({ message: 'a' }, { timeoutInSeconds: 2 })
await new CohereClient({ token: 'a' }).embed({ texts: [] })
await tavily({ apiKey: 'a' }).search('a')
await new Typesense.Client({ nodes: [] }).collections('a').documents().search({ q: 'a' })
await createClient({ space: 'a' }).getEntries()
await sanity({ projectId: 'a' }).withConfig({ useCdn: true }).fetch('*')
await sanity({ projectId: 'a' }).patch('a').set({}).commit({ timeout: 500 })
await new InfluxDB({ url: 'a' }).getQueryApi('a').collectRows('a')`,
      { 'cohere-ai': '8.1.0' },
    ),
  ).toEqual([
    '8 replicate bounded 300000 silence',
    '9 replicate bounded 500 total',
    '10 cohere-ai bounded 2000 headers',
    '11 cohere-ai bounded 300000 headers',
    '12 tavily bounded 60000 silence',
    '13 typesense bounded 5000 silence',
    '14 contentful bounded 30000 silence',
    '15 sanity bounded 300000 headers',
    '16 sanity bounded 500 headers',
    '17 influxdb-client bounded 10000 silence',
  ])
})

test('aws-sdk has 120 s, where no configuration for all says more', () => {
  const code = (config: string) => `import AWS from 'aws-sdk'
import DynamoDB from 'aws-sdk/clients/dynamodb'
AWS.config.update(${config})
await new AWS.S3({ region: 'a' }).getObject({}).promise()
await new AWS.S3({ httpOptions: { timeout: 500 } }).upload({}).promise()
await new DynamoDB.DocumentClient().get({}).promise()
new AWS.Credentials({})`
  expect(lines(code(`{ region: 'a' }`))).toEqual([
    '4 aws-sdk bounded 120000 silence',
    '5 aws-sdk bounded 500 silence',
    '6 aws-sdk bounded 120000 silence',
  ])
  expect(lines(code('{ httpOptions: { timeout: 900 } }')).slice(0, 1)).toEqual(['4 aws-sdk unknown'])
})

test('what Google keeps and passes on', () => {
  expect(
    lines(`import { Storage } from '@google-cloud/storage'
import { PubSub } from '@google-cloud/pubsub'
await new Storage().bucket('a').file('b').exists()
await new Storage({ timeout: 500 }).bucket('a').getFiles()
const pubsub = new PubSub()
await pubsub.topic('a').publishMessage({})
await pubsub.topic('a', { gaxOpts: { timeout: 600 } }).publishMessage({})
await pubsub.auth.getAccessToken()`),
  ).toEqual([
    '3 google-cloud-storage bounded 60000 total',
    '4 google-cloud-storage bounded 500 total',
    '6 google-cloud-pubsub bounded 60000 total',
    '7 google-cloud-pubsub bounded 600 total',
    '8 google-cloud-pubsub unbounded',
  ])
})

test('from 7 on the storage of Google overwrites its default with nothing', () => {
  const code = `import { Storage } from '@google-cloud/storage'
await new Storage().bucket('a').getFiles()
await new Storage({ timeout: 500 }).bucket('a').getFiles()`
  const found = (version: string) => lines(code, { '@google-cloud/storage': version })
  expect(found('6.12.0')).toEqual(['2 google-cloud-storage bounded 60000 total', '3 google-cloud-storage bounded 500 total'])
  expect(found('7.0.1')).toEqual(['2 google-cloud-storage unbounded', '3 google-cloud-storage bounded 500 total'])
})

test('what is sent to the storage of Google has no default, and no limit where it may be resumed', () => {
  const code = `import { Storage } from '@google-cloud/storage'
const [plain, limited] = [new Storage(), new Storage({ timeout: 500 })]
await plain.bucket('a').file('b').download()
await limited.bucket('a').file('b').download()
await plain.bucket('a').file('b').save(data, { resumable: false })
await limited.bucket('a').file('b').save(data, { resumable: false })
await limited.bucket('a').file('b').save(data, { metadata })
await limited.bucket('a').upload('c')
await plain.bucket('a').file('b').save(data, given)
await plain.bucket('a').file('b').save(data, { resumable: false, timeout: 900 })
plain.bucket('a').file('b').createReadStream()`
  const found = (version: string) =>
    lines(code, { '@google-cloud/storage': version }).map((line) => line.replace('google-cloud-storage ', ''))
  const sent = ['5 unbounded', '6 bounded 500 total', '7 unbounded', '8 unbounded']
  expect(found('6.12.0')).toEqual(['3 bounded 60000 headers', '4 bounded 500 headers', ...sent, '9 unknown', '10 bounded 900 total'])
  expect(found('8.0.0')).toEqual(['3 unbounded', '4 bounded 500 headers', ...sent, '9 unbounded', '10 unbounded'])
})

test('a call of dockerode is ended by its signal, as a timeout of the client ends what waits long as well', () => {
  const code = `import Docker from 'dockerode'
const docker = new Docker()
await docker.listContainers({ abortSignal: AbortSignal.timeout(500) })
await docker.createImage(auth, { fromImage: 'a', abortSignal: AbortSignal.timeout(600) })
await docker.getContainer('a').inspect({ abortSignal: AbortSignal.timeout(700) })
await docker.getContainer('a').start()
docker.ping((error) => log(error))`
  const scanned = (version: string) => scanTexts({ files: { 'code.ts': code }, versions: { dockerode: version } })
  expect(callLines(scanned('5.0.1')).map((line) => line.replace('dockerode ', ''))).toEqual([
    '3 bounded 500 total',
    '4 bounded 600 total',
    '5 bounded 700 total',
    '6 unbounded',
    '7 unbounded',
  ])
  const adviceOf = (version: string) => scanned(version).diagnostics[0]?.suggestion?.text
  expect(adviceOf('5.0.1')).toContain('abortSignal: AbortSignal.timeout(…) in each call')
  expect(adviceOf('3.2.0')).toContain('timeout: … (ms) where the client is made')
})

test('containers, repositories, files on other machines and proxies', () => {
  expect(
    lines(`import Docker from 'dockerode'
import { simpleGit } from 'simple-git'
import Sftp from 'ssh2-sftp-client'
import proxy from 'express-http-proxy'
const docker = new Docker()
await docker.listContainers()
await docker.getContainer('a').inspect()
await new Docker({ timeout: 500 }).getContainer('a').start()
await simpleGit('folder').pull()
await simpleGit({ baseDir: 'a', timeout: { block: 600 } }).clone('a')
await simpleGit('folder', { timeout: { block: 700 } }).cwd('b').fetch()
await simpleGit(given).push()
await simpleGit().status()
await new Sftp().connect({ host: 'a' })
await new Sftp().connect({ host: 'a', readyTimeout: 800 })
app.use(proxy('http://a'))
app.use(proxy('http://a', { timeout: 900 }))`),
  ).toEqual([
    '6 dockerode unbounded',
    '7 dockerode unbounded',
    '8 dockerode bounded 500 headers',
    '9 simple-git unbounded',
    '10 simple-git bounded 600 silence',
    '11 simple-git bounded 700 silence',
    '12 simple-git unknown',
    '14 ssh2-sftp-client bounded 20000 total',
    '15 ssh2-sftp-client bounded 800 total',
    '16 express-http-proxy unbounded',
    '17 express-http-proxy bounded 900 headers',
  ])
})

test('features and switches are loaded by what the fetch of Node does', () => {
  expect(
    lines(`import { GrowthBook, setPolyfills } from '@growthbook/growthbook'
const switches = new GrowthBook({ clientKey: 'a' })
await switches.init({ streaming: true })
await switches.loadFeatures({ timeout: 500 })
await switches.init({ payload })
setPolyfills({ EventSource: own })`),
  ).toEqual(['3 growthbook bounded 300000 silence', '4 growthbook bounded 500 total', '5 growthbook unknown'])
  const { diagnostics } = scanTexts(`import { GrowthBook } from '@growthbook/growthbook'\nawait new GrowthBook({ clientKey: 'a' }).init()`)
  expect(diagnostics.map(({ suggestion }) => suggestion?.text)).toEqual([
    'set a limit: init({ timeout: … }) or loadFeatures({ timeout: … }) (ms): the client does not take it',
  ])
  expect(
    lines(`import { GrowthBook, setPolyfills } from '@growthbook/growthbook'
setPolyfills({ fetch: own })
await new GrowthBook({ clientKey: 'a' }).init()`),
  ).toEqual(['3 growthbook unknown'])
})

test('what is published has its limits at its topic, whoever made the client', () => {
  const code = `import { PubSub, type Topic } from '@google-cloud/pubsub'
export class Events {
  constructor(private readonly client: PubSub, private readonly name: string) {}
  send(json: object) { return this.client.topic(this.name).publishMessage({ json }) }
  quick(json: object) { return this.client.topic(this.name, { gaxOpts: { timeout: 900 } }).publishMessage({ json }) }
}
export const by = (topic: Topic) => topic.publishMessage({})
const topic = new PubSub().topic('a')
topic.setPublishOptions(given)
await topic.publishMessage({})`
  expect(lines(code)).toEqual([
    '4 google-cloud-pubsub bounded 60000 total',
    '5 google-cloud-pubsub bounded 900 total',
    '7 google-cloud-pubsub unknown',
    '10 google-cloud-pubsub unknown',
  ])
})
