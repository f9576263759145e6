import { expect, test } from 'vitest'
import { findingLines, scanTexts } from '../scan.fixture.js'

test('a server of Parse asks its database without a limit, and an adapter S3', () => {
  const found = (code: string, versions: Readonly<Record<string, string>>) =>
    findingLines(scanTexts({ files: { 'code.js': code }, versions }))
  const server = (options: string) => `import { ParseServer } from 'parse-server'
const server = new ParseServer({ databaseURI: process.env.DATABASE, ${options} })
await server.start()`
  expect(found(server(''), { 'parse-server': '9.10.0' })).toEqual(['code.js:2 unbounded-call'])
  expect(found(server('databaseOptions: { socketTimeoutMS: 5000 }'), { 'parse-server': '9.10.0' })).toEqual([])
  expect(found(server('databaseAdapter: own'), { 'parse-server': '9.10.0' })).toEqual([])
  expect(found(server(''), { 'parse-server': '4.10.0' })).toEqual([])
  const adapter = (options: string) => `const S3Adapter = require('@parse/s3-files-adapter')
module.exports = new S3Adapter(${options})`
  const at = { '@parse/s3-files-adapter': '5.3.1' }
  expect(found(adapter(`{ bucket: 'a' }`), at)).toEqual(['code.js:2 unbounded-call'])
  expect(found(adapter(`'a', { s3overrides: { requestHandler: own } }`), at)).toEqual([])
  expect(found(adapter(`{ bucket: 'a' }`), { '@parse/s3-files-adapter': '2.2.0' })).toEqual([])
})
