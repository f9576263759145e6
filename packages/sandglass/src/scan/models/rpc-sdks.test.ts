import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

const lines = (code: string, versions: Readonly<Record<string, string>> = {}) =>
  callLines(scanTexts({ files: { 'code.ts': code }, versions }))

test('an operation of SOAP has a limit of its own, and what describes it another one', () => {
  expect(
    lines(`import soap from 'soap'
const client = await soap.createClientAsync('https://a/b?wsdl', { wsdl_options: { timeout: 500 } })
await client.AddAsync({ a: 1 })
await client.AddAsync({ a: 1 }, { timeout: 600 })
const local = await soap.createClientAsync('./a.wsdl')
soap.createClient('./a.wsdl', (error, made) => made.Add({ a: 1 }, (failed, sum) => sum))
client.setSecurity(own)`),
  ).toEqual(['2 soap bounded 500 silence', '3 soap unbounded', '4 soap bounded 600 silence', '6 soap unbounded'])
})

test('procedures and nodes that nothing limits', () => {
  expect(
    lines(
      `import xmlrpc from 'xmlrpc'
import jayson from 'jayson/promise'
import Electrum from 'electrum-client'
import Bitcoin from 'bitcoin-core'
import Arweave from 'arweave'
import { create } from 'kubo-rpc-client'
xmlrpc.createClient({ host: 'a', timeout: 500 }).methodCall('a', [], done)
await jayson.Client.tcp({ port: 1 }).request('a', [])
await jayson.Client.http({ port: 1 }).request('a', [])
await new Electrum(1, 'a', 'tls').blockchainScripthash_getBalance('a')
await new Bitcoin({ host: 'a' }).command('getinfo')
await new Bitcoin({ timeout: 500 }).getBlockCount()
await Arweave.init({ timeout: 500 }).network.getInfo()
const files = create({ url: 'http://a', timeout: 500 })
await files.add('a')
await files.add('a', { signal: AbortSignal.timeout(500) })`,
      { arweave: '1.15.7', 'kubo-rpc-client': '7.1.0' },
    ),
  ).toEqual([
    '7 xmlrpc unbounded',
    '8 jayson unbounded',
    '10 electrum-client unbounded',
    '11 bitcoin-core bounded 30000 silence',
    '12 bitcoin-core bounded 500 silence',
    '13 arweave bounded 300000 silence',
    '15 kubo-rpc-client bounded 300000 silence',
    '16 kubo-rpc-client bounded 500 total',
  ])
})
