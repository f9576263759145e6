import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

const versions = {
  'neo4j-driver': '6.3.0',
  nano: '11.0.7',
  chromadb: '3.5.0',
  '@libsql/client': '0.18.0',
  etcd3: '1.1.2',
  'node-vault': '0.12.0',
  consul: '2.0.1',
  '@azure/cosmos': '4.9.3',
  influx: '5.12.0',
  '@google-cloud/datastore': '10.1.1',
  '@azure/storage-queue': '12.30.0',
}

test.each([
  ["import neo4j from 'neo4j-driver'\nawait neo4j.driver('bolt://a').session().run('return 1')", ['unbounded']],
  [
    "import neo4j from 'neo4j-driver'\nawait neo4j.driver('bolt://a').session().run('return 1', {}, { timeout: 900 })",
    ['bounded 900 statement'],
  ],
  ["import neo4j from 'neo4j-driver'\nawait neo4j.driver('bolt://a').executeQuery('return 1')", ['unbounded']],
  ["import nano from 'nano'\nawait nano('http://a').use('b').get('c')", ['bounded 300000 silence']],
  [
    "import { ChromaClient } from 'chromadb'\nconst docs = await new ChromaClient({ host: 'a' }).getCollection({ name: 'a' })\nawait docs.query({})",
    ['bounded 300000 silence', 'bounded 300000 silence'],
  ],
  [
    "import { createClient } from '@libsql/client'\nawait createClient({ url: process.env.DB, authToken: process.env.TOKEN }).execute('select 1')",
    ['bounded 300000 silence'],
  ],
  ["import { createClient } from '@libsql/client'\nawait createClient({ url: process.env.DB }).execute('select 1')", []],
  ["import { Etcd3 } from 'etcd3'\nawait new Etcd3({ hosts: 'a' }).get('a').string()", ['unbounded']],
  ["import { Etcd3 } from 'etcd3'\nawait new Etcd3({ hosts: 'a', defaultCallOptions: own }).put('a').value('b')", ['unknown']],
  ["import vault from 'node-vault'\nawait vault({ endpoint: 'a' }).read('secret/a')", ['unbounded']],
  [
    "import vault from 'node-vault'\nawait vault({ endpoint: 'a', requestOptions: { timeout: 900 } }).read('secret/a')",
    ['bounded 900 silence'],
  ],
  ["import Consul from 'consul'\nawait new Consul({ host: 'a' }).kv.get('a')", ['unbounded']],
  ["import Consul from 'consul'\nawait new Consul({ host: 'a' }).kv.get({ key: 'a', timeout: 900 })", ['bounded 900 total']],
  ["import Consul from 'consul'\nawait new Consul({ host: 'a', defaults: { timeout: 900 } }).agent.service.register({})", ['unknown']],
  [
    "import { CosmosClient } from '@azure/cosmos'\nawait new CosmosClient({ endpoint: 'a' }).database('a').container('b').items.query('c').fetchAll()",
    ['bounded 60000 total'],
  ],
  [
    "import { CosmosClient } from '@azure/cosmos'\nawait new CosmosClient({ connectionPolicy: { requestTimeout: 900 } }).database('a').container('b').item('c', 'd').read()",
    ['bounded 900 total'],
  ],
  ["import { InfluxDB } from 'influx'\nawait new InfluxDB('http://a/b').query('c')", ['bounded 30000 silence']],
  ["import { Datastore } from '@google-cloud/datastore'\nawait new Datastore().get(key)", ['bounded 60000 total']],
  [
    "import { Datastore } from '@google-cloud/datastore'\nawait new Datastore().get(key, { gaxOptions: { timeout: 900 } })",
    ['bounded 900 total'],
  ],
  [
    "import { QueueServiceClient } from '@azure/storage-queue'\nawait QueueServiceClient.fromConnectionString('a').getQueueClient('b').sendMessage('c')",
    ['unbounded'],
  ],
  [
    "import { QueueClient } from '@azure/storage-queue'\nawait new QueueClient('a').sendMessage('c', { abortSignal: AbortSignal.timeout(900) })",
    ['bounded 900 total'],
  ],
])('%s: %s', (code, expected) => {
  const lines = callLines(scanTexts({ files: { 'code.ts': code }, versions }))
  expect(lines.map((line) => line.split(' ').slice(2).join(' '))).toEqual(expected)
})

test('a queue of SQS is judged where it is made, by the SDK that its version brings', () => {
  const found = (options: string, version: string) =>
    scanTexts({
      files: {
        'code.ts': `import { Consumer } from 'sqs-consumer'\nConsumer.create({ queueUrl: 'a', handleMessage, ${options} }).start()`,
      },
      versions: { 'sqs-consumer': version },
    }).diagnostics.map(({ rule, values }) => `${rule} ${String(values['ms'] ?? '')}`.trim())
  expect(found('', '14.2.8')).toEqual(['unbounded-call'])
  expect(found('', '5.7.0')).toEqual(['default-bound 120000'])
  expect(found('sqs: client', '14.2.8')).toEqual([])
})
