import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

test('a package that is loaded when it is first asked for is one package', () => {
  const scanned = scanTexts(`let loaded
const aws = () => loaded || (loaded = require('@aws-sdk/client-s3'))
const make = () => new (aws().S3Client)({ region: 'a' })
export const list = () => make().send({})`)
  expect(callLines(scanned)).toEqual(['4 aws-sdk-js v3 unbounded'])
})
