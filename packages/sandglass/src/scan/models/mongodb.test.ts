import { describe, expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

const scan = (code: string, version = '7.9.0') =>
  scanTexts({ files: { 'code.ts': `import { MongoClient } from 'mongodb'\n${code}` }, versions: { mongodb: version } })
const lines = (code: string, version?: string) => callLines(scan(code, version))
const find = `await client.db('shop').collection('orders').findOne({ id: 1 })`

describe('mongodb', () => {
  test('a client without limits is one finding, that the choice of a server has 30 s helps nobody', () => {
    const scanned = scan(`const client = new MongoClient(process.env.MONGO_URL!)
await client.connect()
const orders = client.db('shop').collection('orders')
${find}
await orders.find({}).sort({ at: -1 }).limit(5).toArray()
await orders.updateOne({}, { $set: {} })`)
    expect(callLines(scanned)).toEqual(['5 mongodb unbounded', '6 mongodb unbounded', '7 mongodb unbounded'])
    expect(findingLines(scanned)).toEqual(['code.ts:2 unbounded-call'])
    expect(scanned.diagnostics[0]?.message).toBe(
      'mongodb 7.9.0 waits without a limit for a free connection and the answer of an operation; at least 3 calls use it',
    )
  })

  test('socketTimeoutMS bounds the silence of each of two attempts, written in the options or the address', () => {
    const options = scan(`const client = new MongoClient(url, { socketTimeoutMS: 800, serverSelectionTimeoutMS: 500 })\n${find}`)
    expect(callLines(options)).toEqual(['3 mongodb bounded 800 silence'])
    expect(options.calls[0]?.worstMs).toBe(2 * (500 + 800))
    expect(
      lines(`const client = await MongoClient.connect('mongodb://a,b/x?socketTimeoutMS=700&waitQueueTimeoutMS=300')\n${find}`),
    ).toEqual(['3 mongodb bounded 700 silence'])
  })

  test('before 3.6.3 a silence of 360 s is the default, tried again where that version does', () => {
    const found = (version: string, options: string, method: string) => {
      const scanned = scan(`await new MongoClient(url${options}).db().collection('a').${method}`, version)
      return [...callLines(scanned), ...findingLines(scanned), scanned.calls[0]?.worstMs]
    }
    const [bounded, long] = ['2 mongodb bounded 360000 silence', 'code.ts:2 default-bound']
    expect(found('3.5.9', '', 'findOne({})')).toEqual([bounded, long, 390_000])
    expect(found('3.5.9', ', { useUnifiedTopology: true }', 'findOne({})')).toEqual([bounded, long, 780_000])
    expect(found('3.5.9', '', 'insertOne({})')).toEqual([bounded, long, 780_000])
    expect(found('2.2.36', '', 'insertOne({})')).toEqual([bounded, long, 390_000])
    expect(found('2.2.5', '', 'insertOne({})')).toEqual(['2 mongodb unbounded', 'code.ts:2 unbounded-call', null])
    expect(found('3.6.3', '', 'findOne({})')).toEqual(['2 mongodb unbounded', 'code.ts:2 unbounded-call', null])
    expect(found('3.5.9', ', { socketTimeoutMS: 0 }', 'findOne({})').slice(0, 1)).toEqual(['2 mongodb unbounded'])
    expect(found('3.5.9', '', 'findOne({}, { maxTimeMS: 400 })').slice(0, 1)).toEqual(['2 mongodb bounded 400 statement'])
  })

  test('a signal ends one operation, and a read is tried once without retryReads', () => {
    expect(lines(`new MongoClient(url).db().collection('a').findOne({}, { signal: AbortSignal.timeout(300) })`)).toEqual([
      '2 mongodb bounded 300 total',
    ])
    const worst = (method: string) =>
      scan(
        `new MongoClient(url, { socketTimeoutMS: 300, serverSelectionTimeoutMS: 500, retryReads: false }).db().collection('a').${method}`,
      ).calls[0]?.worstMs
    expect(worst('findOne({})')).toBe(800)
    expect(worst('insertOne({})')).toBe(1600)
  })

  test('maxTimeMS bounds the statement at the server, of one operation or in a chain', () => {
    const client = 'const client = new MongoClient(url)'
    expect(lines(`${client}\nclient.db().collection('a').findOne({}, { maxTimeMS: 400 })`)).toEqual(['3 mongodb bounded 400 statement'])
    expect(lines(`${client}\nclient.db().collection('a').find({}).maxTimeMS(300).limit(1).toArray()`)).toEqual([
      '3 mongodb bounded 300 statement',
    ])
    expect(lines(`${client}\nclient.db().collection('a').aggregate([], { maxTimeMS: 200 }).next()`)).toEqual([
      '3 mongodb bounded 200 statement',
    ])
  })

  test('timeoutMS ends an operation only in the versions that have it', () => {
    const code = `const client = new MongoClient(url, { timeoutMS: 600 })\n${find}`
    expect(lines(code, '6.20.0')).toEqual(['3 mongodb bounded 600 total'])
    expect(lines(code, '7.5.0')).toEqual(['3 mongodb bounded 600 total'])
    expect(lines(code, '7.9.0')).toEqual(['3 mongodb unbounded'])
    expect(findingLines(scan(code, '6.22.0'))).toEqual(['code.ts:2 ignored-option', 'code.ts:2 unbounded-call'])
    expect(callLines(scanTexts(`import { MongoClient } from 'mongodb'\n${code}`))).toEqual(['3 mongodb unknown'])
  })

  test('collections that are handed in, and what else is called collection, are nobody’s fault', () => {
    const scanned = scan(`import type { Collection, Db } from 'mongodb'
export class Orders { private orders: Collection
  constructor(db: Db) { this.orders = db.collection('orders') }
  find() { return this.orders.findOne({}) } }
firestore.collection('x').findOne({})`)
    expect(callLines(scanned)).toEqual(['5 mongodb unknown'])
    expect(scanned.diagnostics).toEqual([])
  })

  test('a client behind a lazy promise and a global is followed', () => {
    const scanned = scanTexts({
      files: {
        'mongo.ts': `import { MongoClient } from 'mongodb'
let promise: Promise<MongoClient>
if (process.env.NODE_ENV === 'development') {
  if (!globalThis._mongo) { globalThis._mongo = new MongoClient(process.env.URI!).connect() }
  promise = globalThis._mongo
} else { promise = new MongoClient(process.env.URI!).connect() }
export default promise`,
        'users.ts': `import clientPromise from './mongo'
export async function users() { const client = await clientPromise
  return client.db().collection('users').find().toArray() }`,
      },
    })
    expect(callLines(scanned)).toEqual(['3 mongodb unbounded'])
    expect(findingLines(scanned)).toEqual(['mongo.ts:4 unbounded-call', 'mongo.ts:6 unbounded-call'])
  })
})
