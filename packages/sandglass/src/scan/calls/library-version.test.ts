import { expect, test } from 'vitest'
import { scanTexts } from '../scan.fixture.js'

const versions = { 'common/http.ts axios': '1.7.2', 'shop/code.ts axios': '0.21.4' }

test('the version of a client is that of the file that makes it, not of the one that calls it', () => {
  const files = {
    'common/http.ts': `import axios from 'axios'\nexport const api = axios.create()\nexport { axios as client }`,
    'shop/code.ts': `import { api, client } from '../common/http'
import axios from 'axios'
await api.get('http://a')
await client.get('http://b')
await client.create().get('http://c')
await axios.get('http://d')`,
  }
  const { diagnostics } = scanTexts({ files, versions })
  expect(diagnostics.map(({ message }) => /axios [\d.]+/.exec(message)?.[0])).toEqual([
    'axios 1.7.2',
    'axios 1.7.2',
    'axios 1.7.2',
    'axios 0.21.4',
  ])
})

test('what a client is taken from is named, where a file imports several of one library', () => {
  const text = `import { AppConfigClient } from '@aws-sdk/client-appconfig'
import { AppConfigDataClient } from '@aws-sdk/client-appconfigdata'
export const load = (command) => new AppConfigClient({}).send(command)
export const data = (command) => new AppConfigDataClient({}).send(command)`
  const versions = { '@aws-sdk/client-appconfig': '3.668.0', '@aws-sdk/client-appconfigdata': '3.726.1' }
  const { diagnostics } = scanTexts({ files: { 'code.ts': text }, versions })
  expect(diagnostics.map(({ message }) => message)).toEqual([
    '@aws-sdk/client-appconfig 3.668.0 waits without a limit for the answer',
    '@aws-sdk/client-appconfigdata 3.726.1 waits without a limit for the answer',
  ])
})

test('another package of the same library is not named for a file that asks for one that is not installed', () => {
  const text = `const grpc = require('grpc')\nconst { Shop } = grpc.load('shop.proto').shop
const client = new Shop('localhost:7000', grpc.credentials.createInsecure())\nclient.list({}, (error, list) => show(error ?? list))`
  const messageOf = (requested: string) =>
    scanTexts({
      files: { 'code.js': text.replace("'grpc'", `'${requested}'`) },
      versions: { '@grpc/grpc-js': '1.14.4' },
    }).diagnostics.map(({ message }) => message)
  expect(messageOf('grpc')).toEqual(['grpc waits without a limit for the answer'])
  expect(messageOf('@grpc/grpc-js')).toEqual(['@grpc/grpc-js 1.14.4 waits without a limit for the answer'])
})
