import { boundedBy } from '@sandglass/runtime/core'
import { type ClientCase, ends, never } from '../client-case.js'

const find = "client.db('test').collection('freeze').findOne({ id: 1 })"

function mongoCases(version: string): ClientCase[] {
  const base = { library: 'mongodb', packages: [`mongodb@${version}`] } as const
  const name = (what: string) => `mongodb ${version.split('.')[0]}: ${what}`
  const code = (options: string, call = find) => `
import { MongoClient } from 'mongodb'
const client = new MongoClient(\`mongodb://\${process.env.PEER_HOST}:\${process.env.PEER_PORT}\`, { ${options} })
export const run = () => ${call} // measured
`
  return [
    {
      ...base,
      name: name('nothing set'),
      setting: 'nothing',
      code: code(''),
      expected: { state: 'unbounded' },
      seen: { 'mongo-hang': never, refuse: ends(30_000), hang: ends(30_000, { cancelsWork: null }) },
    },
    {
      ...base,
      name: name('serverSelectionTimeoutMS'),
      setting: 'serverSelectionTimeoutMS: 300',
      code: code('serverSelectionTimeoutMS: 300'),
      expected: { state: 'unbounded' },
      seen: { 'mongo-hang': never, refuse: ends(300), 'black-hole': ends(300), hang: ends(300, { cancelsWork: null }) },
      note: 'only the choice of a server',
    },
    {
      ...base,
      name: name('socketTimeoutMS, no retries'),
      setting: 'socketTimeoutMS: 300, waitQueueTimeoutMS: 300, retryReads: false',
      code: code('socketTimeoutMS: 300, waitQueueTimeoutMS: 300, retryReads: false, serverSelectionTimeoutMS: 500'),
      expected: boundedBy(300, 'silence'),
      worstMs: [800, 1100],
      seen: { 'mongo-hang': ends(300) },
    },
    {
      ...base,
      name: name('socketTimeoutMS'),
      setting: 'socketTimeoutMS: 300',
      code: code('socketTimeoutMS: 300'),
      expected: boundedBy(300, 'silence'),
      worstMs: [60_000, 61_000],
      attempts: 2,
      seen: { 'mongo-hang': ends(600) },
      note: 'a read is tried twice',
    },
    {
      ...base,
      name: name('timeoutMS of the client'),
      setting: 'timeoutMS: 300 (ignored)',
      code: code('timeoutMS: 300'),
      expected: { state: 'unbounded' },
      seen: { 'mongo-hang': never, refuse: ends(30_000), 'black-hole': ends(30_000) },
      note: 'no effect in this version',
    },
    {
      ...base,
      name: name('timeoutMS of a call'),
      setting: 'findOne(filter, { timeoutMS: 300 }) (ignored)',
      code: code('', "client.db('test').collection('freeze').findOne({ id: 1 }, { timeoutMS: 300 })"),
      expected: { state: 'unbounded' },
      seen: { 'mongo-hang': never },
    },
    {
      ...base,
      name: name('maxTimeMS of a call'),
      setting: 'findOne(filter, { maxTimeMS: 300 })',
      code: code('', "client.db('test').collection('freeze').findOne({ id: 1 }, { maxTimeMS: 300 })"),
      expected: boundedBy(300, 'statement'),
      seen: { 'mongo-hang': never },
      note: 'ends the work at the server; a server that is not heard from ends nothing',
    },
    {
      ...base,
      name: name('signal of a timeout'),
      setting: 'findOne(filter, { signal: AbortSignal.timeout(300) })',
      code: code('', "client.db('test').collection('freeze').findOne({ id: 1 }, { signal: AbortSignal.timeout(300) })"),
      expected: boundedBy(300, 'total'),
      seen: { 'mongo-hang': ends(300) },
    },
  ]
}

const mongoose = { library: 'mongoose', packages: ['mongoose@9.12.1'] } as const
const modelled = (connect: string, call = 'User.findOne({ id: 1 })') => `
import mongoose from 'mongoose'
const url = \`mongodb://\${process.env.PEER_HOST}:\${process.env.PEER_PORT}/test\`
const User = mongoose.model('User', new mongoose.Schema({ id: Number }, { collection: 'freeze', autoIndex: false, autoCreate: false }))
${connect}
export const run = () => ${call}.exec() // measured
`

/** The driver of MongoDB in two majors, and mongoose over it. */
export const allMongoCases: readonly ClientCase[] = [
  ...mongoCases('7.9.0'),
  ...mongoCases('6.22.0'),
  {
    ...mongoose,
    name: 'mongoose: nothing set',
    setting: 'nothing',
    code: modelled('await mongoose.connect(url)'),
    expected: { state: 'unbounded' },
    seen: { 'mongo-hang': never },
  },
  {
    ...mongoose,
    name: 'mongoose: not connected',
    setting: 'bufferTimeoutMS: 300; not connected',
    code: modelled("mongoose.set('bufferTimeoutMS', 300)\nmongoose.connect(url).catch(() => {})"),
    expected: { state: 'unbounded' },
    seen: { refuse: ends(300) },
    note: 'only the wait for a connection; default 10 s',
  },
  {
    ...mongoose,
    name: 'mongoose: socketTimeoutMS',
    setting: 'connect(url, { socketTimeoutMS: 300, waitQueueTimeoutMS: 300 })',
    code: modelled('await mongoose.connect(url, { socketTimeoutMS: 300, waitQueueTimeoutMS: 300 })'),
    expected: boundedBy(300, 'silence'),
    attempts: 2,
    seen: { 'mongo-hang': ends(600) },
  },
  {
    ...mongoose,
    name: 'mongoose: maxTimeMS of a query',
    setting: '.maxTimeMS(300)',
    code: modelled('await mongoose.connect(url)', 'User.findOne({ id: 1 }).maxTimeMS(300)'),
    expected: boundedBy(300, 'statement'),
    seen: { 'mongo-hang': never },
  },
]
