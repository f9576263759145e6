import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

test('a package that is loaded when it is first asked for is one package', () => {
  const scanned = scanTexts(`let loaded
const aws = () => loaded || (loaded = require('@aws-sdk/client-s3'))
const make = () => new (aws().S3Client)({ region: 'a' })
export const list = () => make().send({})`)
  expect(callLines(scanned)).toEqual(['4 aws-sdk-js v3 unbounded'])
})

test('a module has a require where it makes one', () => {
  const scanned = scanTexts(`import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
const axios = require('axios')
axios.get('http://a')
const own = (require: (name: string) => typeof axios) => require('axios').get('http://a')`)
  expect(callLines(scanned)).toEqual(['4 axios unbounded'])
})

test('what a module of TypeScript gives by `export =` is what its importers get', () => {
  const files = {
    'config.ts': `import { S3 } from 'aws-sdk'
const config = { uri: process.env.DB, options: { socketTimeoutMS: 700, waitQueueTimeoutMS: 700 }, files: new S3({ region: 'a' }) }
export = config`,
    'code.ts': `import config from './config'
import mongoose from 'mongoose'
mongoose.connect(config.uri, config.options)
await config.files.getObject({}).promise()`,
  }
  const scanned = scanTexts({ files, versions: { mongoose: '8.0.0', 'aws-sdk': '2.1691.0' } })
  expect(callLines(scanned)).toEqual(['4 aws-sdk bounded 120000 silence'])
  expect(findingLines(scanned)).toEqual(['config.ts:2 default-bound'])
})
