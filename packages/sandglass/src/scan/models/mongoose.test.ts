import { describe, expect, test } from 'vitest'
import { callLines, findingLines, scanTexts, type TestProject } from '../scan.fixture.js'

const project = (connect: string, use: string, versions = {}): TestProject => ({
  files: {
    'models/user.ts': `import mongoose, { Schema, model } from 'mongoose'
const schema = new Schema({ name: String })
export const User = mongoose.models.User || model('User', schema)`,
    'index.ts': `import mongoose from 'mongoose'\n${connect}`,
    'users.ts': `import { User } from './models/user'\n${use}`,
  },
  versions,
})

describe('mongoose', () => {
  test('what models ask has the limits of the connection that the project makes, and a missing one is a finding there', () => {
    const scanned = scanTexts(
      project(
        `export const start = () => mongoose.connect(process.env.MONGO_URI!, { maxPoolSize: 5 })`,
        `export const load = (id: string) => User.findById(id)
export async function add(name: string) { const user = new User({ name }); await user.save(); return User.create({ name }) }`,
      ),
    )
    expect(callLines(scanned)).toEqual(['2 mongoose unbounded', '3 mongoose unbounded', '3 mongoose unbounded'])
    expect(findingLines(scanned)).toEqual(['index.ts:2 unbounded-call'])
  })

  test('socketTimeoutMS of the connection and maxTimeMS of a query or of all bound', () => {
    const load = `export const load = (id: string) => User.findOne({ id }).lean().exec()`
    expect(callLines(scanTexts(project(`mongoose.connect(url, { socketTimeoutMS: 900 })`, load)))).toEqual([
      '2 mongoose bounded 900 silence',
    ])
    expect(callLines(scanTexts(project(`mongoose.connect(url)`, load.replace('.lean()', '.lean().maxTimeMS(300)'))))).toEqual([
      '2 mongoose bounded 300 statement',
    ])
    const forAll = scanTexts(project(`mongoose.set('maxTimeMS', 400)\nmongoose.connect(url)`, load))
    expect(callLines(forAll)).toEqual(['2 mongoose bounded 400 statement'])
    expect(forAll.diagnostics).toEqual([])
    expect(callLines(scanTexts(project(`mongoose.connect(url, options)`, load)))).toEqual(['2 mongoose unknown'])
    expect(callLines(scanTexts(project('', load)))).toEqual(['2 mongoose unknown'])
  })

  test('a connection of its own, and one that Nest makes', () => {
    const scanned = scanTexts({
      files: {
        'app.module.ts': `import { MongooseModule } from '@nestjs/mongoose'
@Module({ imports: [MongooseModule.forRootAsync({ inject: [ConfigService], useFactory: async (config) => ({ uri: config.get('MONGO_URI') }) })] })
export class AppModule {}`,
        'cats.service.ts': `import { InjectModel } from '@nestjs/mongoose'
import { Model } from 'mongoose'
export class Cats { constructor(@InjectModel('Cat') private readonly cats: Model<Cat>) {}
  find() { return this.cats.find().exec() } }`,
        'other.ts': `import { createConnection } from 'mongoose'
const connection = createConnection('mongodb://a/b', { socketTimeoutMS: 200 })
connection.model('Log', schema).find({})`,
      },
    })
    expect(callLines(scanned)).toEqual(['3 mongoose bounded 200 silence', '4 mongoose unbounded'])
    expect(findingLines(scanned)).toEqual(['app.module.ts:2 unbounded-call', 'other.ts:2 hidden-retries'])
    const hidden = scanned.diagnostics.find(({ rule }) => rule === 'hidden-retries')
    expect(hidden?.arithmetic).toBe('2 attempts x (200 ms + 30 s) = 60.4 s')
  })

  test('options that a class of Nest gives are those of its method', () => {
    const scanned = (options: string) =>
      scanTexts(`import { MongooseModule, MongooseOptionsFactory } from '@nestjs/mongoose'
export class Config implements MongooseOptionsFactory { createMongooseOptions() { return ${options} } }
export const db = MongooseModule.forRootAsync({ useClass: Config })
export const other = MongooseModule.forRootAsync({ useClass: Elsewhere })`)
    expect(findingLines(scanned('{ uri: this.config.uri }'))).toEqual(['code.ts:3 unbounded-call'])
    expect(findingLines(scanned('{ uri: this.config.uri, socketTimeoutMS: 500 }'))).toEqual([])
  })

  test('a hook of a schema that limits queries leaves them unknown', () => {
    const scanned = scanTexts(`import mongoose, { Schema, model } from 'mongoose'
const schema = new Schema({}); schema.pre(/^find/, function () { this.maxTimeMS(5000) })
mongoose.connect('mongodb://db/x'); model('A', schema).find({})`)
    expect(scanned.diagnostics).toEqual([])
  })

  test('what to write is what the driver of that mongoose knows, whichever driver stands beside it', () => {
    const load = `export const load = (id: string) => User.findById(id)`
    const fixOf = (versions: Record<string, string>, options = '') =>
      scanTexts(project(`mongoose.connect(url${options})`, load, versions)).diagnostics.find(({ rule }) => rule === 'unbounded-call')
        ?.suggestion?.text
    const bySocket =
      'set a limit: socketTimeoutMS: …, waitQueueTimeoutMS: …, serverSelectionTimeoutMS: … (ms), retryReads and retryWrites as they are meant (each tries twice by default), and maxTimeMS in each operation'
    expect(fixOf({ mongoose: '6.13.8', mongodb: '6.20.0' })).toBe(bySocket)
    expect(fixOf({ mongoose: '8.3.1', mongodb: '6.20.0' })).toBe(bySocket)
    expect(fixOf({ mongoose: '9.12.1' })).toBe(bySocket)
    expect(fixOf({ mongoose: '8.20.1' })).toBe('set a limit: timeoutMS: … (ms)')
    expect(fixOf({ mongoose: '9.9.5' })).toBe('set a limit: timeoutMS: … (ms)')
    expect(fixOf({ mongoose: '6.13.8' }, ', { waitQueueTimeoutMS: 500 }')).toBe(
      'set a limit: socketTimeoutMS: …, serverSelectionTimeoutMS: … (ms), retryReads and retryWrites as they are meant (each tries twice by default), and maxTimeMS in each operation',
    )
    expect(fixOf({ mongoose: '5.13.23' })).toBe(bySocket.replace('socket', 'useUnifiedTopology: true, socket'))
    expect(fixOf({ mongoose: '5.13.23' }, ', { useUnifiedTopology: true }')).toBe(bySocket)
  })
})

test('the default of an old driver is that of the mongoose it came with', () => {
  const found = (versions: Record<string, string>) =>
    callLines(scanTexts(project('mongoose.connect(url)', 'export const load = () => User.countDocuments({})', versions)))
  expect(found({ mongoose: '5.10.12' })).toEqual(['2 mongoose bounded 360000 silence'])
  expect(found({ mongoose: '5.7.1', mongodb: '6.1.0' })).toEqual(['2 mongoose bounded 360000 silence'])
  expect(found({ mongoose: '5.12.0', mongodb: '3.6.5' })).toEqual(['2 mongoose unbounded'])
  expect(found({ mongoose: '5.10.13' })).toEqual(['2 mongoose unbounded'])
  expect(found({ mongoose: '6.0.0' })).toEqual(['2 mongoose unbounded'])
})

test('a file that connects asks over its own connection, whatever others make', () => {
  const script = (options: string) => `import mongoose from 'mongoose'
import { User } from './models/user'
mongoose.connect(url, { ${options} }).then(() => User.findById(1))`
  const scanned = ({ files }: TestProject, own: string) => callLines(scanTexts({ files: { ...files, 'all.ts': script(own) } }))
  const others = project('mongoose.connect(url)', '')
  expect(scanned(others, 'socketTimeoutMS: 900')).toEqual(['3 mongoose bounded 900 silence'])
  expect(scanned(others, '')).toEqual(['3 mongoose unbounded'])
})

test('what is given an option that its driver refuses asks nothing', () => {
  const connect = (options: string, mongoose: string) =>
    findingLines(scanTexts(project(`mongoose.connect(url, { ${options} })`, 'export const load = () => User.findById(1)', { mongoose })))
  expect(connect('useCreateIndex: true', '6.12.1')).toEqual([])
  expect(connect('poolSize: 5', '8.0.0')).toEqual([])
  expect(connect('useCreateIndex: true', '5.13.17')).toEqual(['index.ts:2 unbounded-call'])
  expect(connect('useNewUrlParser: true', '6.12.1')).toEqual(['index.ts:2 unbounded-call'])
})
