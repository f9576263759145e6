import { expect, test } from 'vitest'
import { callLines, findingLines, scanTexts } from '../scan.fixture.js'

test('what Fastify hands on ends by the limits of undici where the plugin is given none', () => {
  const scan = (options: string, version = '11.6.3') =>
    scanTexts({
      files: {
        'code.ts': `import fastify from 'fastify'
import proxy from '@fastify/http-proxy'
const app = fastify()
app.register(proxy, { upstream: 'http://a'${options} })`,
      },
      versions: { '@fastify/http-proxy': version },
    })
  expect(callLines(scan(''))).toEqual(['4 fastify-reply-from bounded 300000 silence'])
  expect(findingLines(scan(''))).toEqual(['code.ts:4 default-bound'])
  expect(callLines(scan(', replyOptions: { timeout: 500 }'))).toEqual(['4 fastify-reply-from unknown'])
  expect(callLines(scan(', undici: { headersTimeout: 600, bodyTimeout: 700 }'))).toEqual(['4 fastify-reply-from bounded 700 silence'])
  expect(callLines(scan(', undici: { headersTimeout: 0, bodyTimeout: 0 }'))).toEqual(['4 fastify-reply-from unbounded'])
  expect(callLines(scan(', http: {}'))).toEqual(['4 fastify-reply-from unknown'])
  expect(callLines(scan('', '8.0.0'))).toEqual(['4 fastify-reply-from unknown'])
})

test('what is registered several times with the same options in it is told once', () => {
  const registered = (options: string) =>
    findingLines(
      scanTexts({
        files: {
          'code.ts': `import fastify from 'fastify'
import proxy from '@fastify/http-proxy'
const shared = { upstream: 'http://a', logLevel: 'warn' }
const app = fastify()
app.register(proxy, { prefix: '/a', ${options} })
app.register(proxy, { prefix: '/b', ${options} })`,
        },
        versions: { '@fastify/http-proxy': '11.6.3' },
      }),
    )
  expect(registered('...shared')).toEqual(['code.ts:5 default-bound'])
  expect(registered(`upstream: 'http://a'`)).toEqual(['code.ts:5 default-bound', 'code.ts:6 default-bound'])
})
