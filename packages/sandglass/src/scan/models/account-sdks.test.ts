import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

const lines = (code: string, versions: Readonly<Record<string, string>> = {}) =>
  callLines(scanTexts({ files: { 'code.ts': code }, versions }))

test('uploads have 60 s of silence, and what administers them nothing', () => {
  expect(
    lines(`import cloudinary, { v2 } from 'cloudinary'
await v2.uploader.upload('a', { folder: 'b' })
await v2.uploader.upload('a', { timeout: 500 })
await v2.uploader.destroy('a')
v2.uploader.destroy('a', (error) => done(error))
cloudinary.v2.uploader.upload_stream({ folder: 'b', timeout: 600 }, (error, file) => done(error, file)).end(bytes)
cloudinary.uploader.upload('a', (file) => done(file), { timeout: 700 })
export const give = (options) => v2.uploader.upload('a', options)
await v2.api.resources({ timeout: 500 })
await v2.search.expression('a').execute()
export const take = (id) => v2.uploader.destroy(id)
export const name = (from, to) => v2.uploader.rename(from, to, { timeout: 800 })
v2.url('a')
v2.api.sign_request({})`),
  ).toEqual([
    '2 cloudinary bounded 60000 silence',
    '3 cloudinary bounded 500 silence',
    '4 cloudinary bounded 60000 silence',
    '5 cloudinary bounded 60000 silence',
    '6 cloudinary bounded 600 silence',
    '7 cloudinary bounded 700 silence',
    '8 cloudinary unknown',
    '9 cloudinary unbounded',
    '10 cloudinary unbounded',
    '11 cloudinary bounded 60000 silence',
    '12 cloudinary bounded 800 silence',
  ])
})

test('payments, banks and wallets', () => {
  const code = `import { Paddle } from '@paddle/paddle-node-sdk'
import { Configuration, PlaidApi } from 'plaid'
import { initiateDeveloperControlledWalletsClient } from '@circle-fin/developer-controlled-wallets'
const paddle = new Paddle('a')
await paddle.customers.get('a')
paddle.webhooks.unmarshal(body, key, signature)
await new PlaidApi(new Configuration({ basePath: 'a' })).itemGet({})
await new PlaidApi(new Configuration({ baseOptions: { timeout: 500 } })).itemGet({})
await new PlaidApi(new Configuration({ basePath: 'a' })).itemGet({}, { timeout: 600 })
export const item = (client: PlaidApi) => client.itemGet({})
const wallets = initiateDeveloperControlledWalletsClient({ apiKey: 'a', entitySecret: 'b' })
await wallets.getWallet({ id: 'a' })`
  expect(lines(code, { '@paddle/paddle-node-sdk': '3.10.0' })).toEqual([
    '5 paddle bounded 300000 silence',
    '7 plaid unbounded',
    '8 plaid bounded 500 silence',
    '9 plaid bounded 600 silence',
    '10 plaid unknown',
    '12 circle-wallets unbounded',
  ])
  expect(lines(code, { '@paddle/paddle-node-sdk': '1.10.0' })[0]).toBe('5 paddle unbounded')
})

test('what is started elsewhere has no deadline, unless one is given', () => {
  expect(
    lines(`import { Client, Connection } from '@temporalio/client'
const connection = await Connection.connect()
const client = new Client({ connection })
await client.workflow.start('a', { taskQueue: 'b', workflowId: 'c' })
await client.workflow.getHandle('c').describe()
await client.workflow.getHandle('c').result()
await connection.withDeadline(Date.now() + 500, () => client.workflow.start('a', { taskQueue: 'b', workflowId: 'c' }))`),
  ).toEqual(['4 temporal unbounded', '5 temporal unbounded'])
  expect(
    lines(`import { Client } from '@temporalio/client'
const client = new Client()
const start = () => client.workflow.start('a', { taskQueue: 'b', workflowId: 'c' })
await client.withDeadline(Date.now() + 500, start)`),
  ).toEqual(['3 temporal unknown'])
})

test('a timeout of what scans or keeps does not end who asked', () => {
  expect(
    lines(`import NodeClam from 'clamscan'
import Memcached from 'memcached'
const clam = await new NodeClam().init({ clamdscan: { socket: '/a', timeout: 500 } })
const { isInfected } = await clam.scanStream(stream)
const memcached = new Memcached('a:11211', { timeout: 500, idle: 500 })
memcached.get('a', (error, value) => done(error, value))`),
  ).toEqual(['4 clamscan unbounded', '6 memcached unbounded'])
})
