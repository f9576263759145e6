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
])('%s: %s', (code, expected) => {
  const lines = callLines(scanTexts({ files: { 'code.ts': code }, versions }))
  expect(lines.map((line) => line.split(' ').slice(2).join(' '))).toEqual(expected)
})
