import { expect, test } from 'vitest'
import { callLines, scanTexts } from '../scan.fixture.js'

test('an SDK that is given a fetch that is known waits as that does', () => {
  expect(
    callLines(
      scanTexts({
        files: {
          'code.ts': `import Replicate from 'replicate'
import nodeFetch from 'node-fetch'
import { fetch as undiciFetch } from 'undici'
import { buildHTTPExecutor } from '@graphql-tools/executor-http'
await new Replicate({ fetch: nodeFetch }).run('a/b', { input })
await new Replicate({ fetch: undiciFetch }).run('a/b', { input })
await new Replicate({ fetch }).run('a/b', { input })
await new Replicate({ fetch: own }).run('a/b', { input })
await new Replicate({ fetch: nodeFetch }).run('a/b', { input, signal: AbortSignal.timeout(500) })
await new Replicate({ fetch: nodeFetch, ...more }).run('a/b', { input })
export const ask = (request) => buildHTTPExecutor({ endpoint: 'a', fetch: nodeFetch as any })(request)
export const limited = (request) => buildHTTPExecutor({ endpoint: 'a', fetch: nodeFetch, timeout: 500 })(request)`,
        },
        versions: { '@graphql-tools/executor-http': '3.4.1' },
      }),
    ),
  ).toEqual([
    '5 replicate unbounded',
    '6 replicate bounded 300000 silence',
    '7 replicate bounded 300000 silence',
    '8 replicate unknown',
    '9 replicate bounded 500 total',
    '10 replicate unknown',
    '11 graphql-executor unbounded',
    '12 graphql-executor bounded 500 total',
  ])
})
