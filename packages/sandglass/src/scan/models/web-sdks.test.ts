import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

const lines = (code: string, file = 'code.ts') => callLines(scanTexts({ files: { [file]: code } }))

test('the timeout of needle is over with the connection, its response_timeout at the headers', () => {
  expect(
    lines(`import needle from 'needle'
await needle('get', 'https://a')
await needle.get('https://a', { timeout: 500 })
await needle.post('https://a', { b: 1 }, { response_timeout: 600 })
await needle('get', 'https://a', { response_timeout: 700 })
await needle('post', 'https://a', { b: 1 }, { response_timeout: 800 })
await needle.get('https://a', { read_timeout: 500 })
await needle.get('https://a', { signal: AbortSignal.timeout(900) })`),
  ).toEqual([
    '2 needle unbounded',
    '3 needle unbounded',
    '4 needle bounded 600 headers',
    '5 needle bounded 700 headers',
    '6 needle bounded 800 headers',
    '7 needle unknown',
    '8 needle bounded 900 total',
  ])
})

test('a feed has 60 s, and a film that is waited for a day', () => {
  expect(
    lines(`import Parser from 'rss-parser'
import Transloadit from 'transloadit'
await new Parser().parseURL('https://a')
await new Parser({ timeout: 500 }).parseURL('https://a')
const films = new Transloadit({ authKey: 'a', authSecret: 'b' })
await films.createAssembly({ waitForCompletion: true, params: {} })
await films.createAssembly({ waitForCompletion: true, timeout: 700, params: {} })
await films.createAssembly({ params: {} })`),
  ).toEqual([
    '3 rss-parser bounded 60000 total',
    '4 rss-parser bounded 500 total',
    '6 transloadit bounded 86400000 total',
    '7 transloadit bounded 700 total',
  ])
})

test('blobs of Azure have no limit, unless each try has one at the service or a call a signal', () => {
  expect(
    lines(`import { BlobServiceClient } from '@azure/storage-blob'
class Files {
  private readonly shelf = new BlobServiceClient('https://a', key).getContainerClient('b')
  private blob(name: string) { return this.shelf.getBlockBlobClient(name) }
  read() { return this.blob('c').downloadToBuffer() }
  async has() { return await this.blob('c').exists({ abortSignal: AbortSignal.timeout(500) }) }
  write(bytes: Buffer) { return this.blob('d').upload(bytes, bytes.length) }
}
const limited = new BlobServiceClient('https://a', key, { retryOptions: { tryTimeoutInMs: 700 } })
await limited.getContainerClient('b').getBlobClient('c').download()
await BlobServiceClient.fromConnectionString(process.env.PLACE!).getContainerClient('b').createIfNotExists()`),
  ).toEqual([
    '5 azure-blob unbounded',
    '6 azure-blob bounded 500 total',
    '7 azure-blob unbounded',
    '10 azure-blob bounded 700 statement',
    '11 azure-blob unbounded',
  ])
})

test('a proxy of WebSockets alone is not judged: proxyTimeout ends nothing there', () => {
  const code = `import { createProxyMiddleware } from 'http-proxy-middleware'
app.use(createProxyMiddleware({ target: 'ws://a/socket', ws: true }))
app.use(createProxyMiddleware('/socket', { target: 'wss://a', ws: true, changeOrigin: true }))
app.use(createProxyMiddleware({ target: 'http://a', ws: true }))
app.use(createProxyMiddleware({ target: 'ws://a' }))`
  expect(lines(code).map((line) => line.replace(' http-proxy', ''))).toEqual(['2 unknown', '3 unknown', '4 unbounded', '5 unbounded'])
})

test('a proxy waits for what it asks, unless it has a proxyTimeout; one that only developers use is not judged', () => {
  const code = `import { createProxyMiddleware } from 'http-proxy-middleware'
app.use(createProxyMiddleware({ target: 'http://a' }))
app.use(createProxyMiddleware('/api', { target: 'http://a', proxyTimeout: 500 }))
app.use(createProxyMiddleware({ target: 'http://a', timeout: 500 }))
app.use(createProxyMiddleware(options))`
  const shown = (file?: string) => lines(code, file).map((line) => line.replace(' http-proxy', ''))
  expect(shown()).toEqual(['2 unbounded', '3 bounded 500 silence', '4 unknown', '5 unknown'])
  expect(shown('src/setupProxy.js')).toEqual(['2 unknown', '3 unknown', '4 unknown', '5 unknown'])
  expect(
    lines(`import httpProxy from 'http-proxy'
const proxy = httpProxy.createProxyServer({ xfwd: true })
proxy.web(request, response, { target: 'http://a' })
proxy.web(request, response, { target: 'http://a', proxyTimeout: 300 })
httpProxy.createProxyServer({ proxyTimeout: 400 }).web(request, response, { target: 'http://a' })`),
  ).toEqual(['3 http-proxy unbounded', '4 http-proxy bounded 300 silence', '5 http-proxy bounded 400 silence'])
})
