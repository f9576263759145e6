import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

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
