import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { describeHttpClient } from '../../test/adapters/http-client-scenarios.js'
import { listen, until } from '../../test/adapters/http-server-scenarios.js'
import { withDeadline } from '../deadline-api.js'
import { client } from './fetch.js'

const fetch = client()

describeHttpClient({
  name: 'fetch',
  redirects: true,
  async send(url, { headers, signal }) {
    const response = await fetch(url, { ...(headers && { headers }), ...(signal && { signal }) })
    return { status: response.status, body: await response.text() }
  },
  async open(url) {
    const response = await fetch(url)
    return { read: () => response.text() }
  },
})

test('takes a Request with its headers, body and signal', async () => {
  const bodies: string[] = []
  const running = await listen(
    createServer((request, response) => {
      request
        .setEncoding('utf8')
        .on('data', (chunk: string) => bodies.push(`${request.method} ${String(request.headers['x-own'])} ${chunk}`))
      request.on('end', () => response.end('ok'))
    }),
  )
  const url = `http://127.0.0.1:${running.port}/`
  const response = await withDeadline({ budgetMs: 500 }, () =>
    fetch(new Request(url, { method: 'POST', headers: { 'x-own': '1' }, body: 'text' })),
  )
  expect([await response.text(), ...bodies]).toEqual(['ok', 'POST 1 text'])
  await running.close()
})

test('rejects with the program’s own reason when its own signal aborts', async () => {
  const running = await listen(createServer(() => undefined))
  const own = new AbortController()
  const reason = new Error('mine')
  setTimeout(() => own.abort(reason), 20)
  const asked = withDeadline({ budgetMs: 1000 }, () => fetch(`http://127.0.0.1:${running.port}/`, { signal: own.signal }))
  await expect(asked).rejects.toBe(reason)
  await running.close()
})

test('uses the fetch it is given', async () => {
  const sent: unknown[] = []
  const given = client({
    fetch: (_url, init) => {
      sent.push(new Headers(init?.headers).get('request-budget-ms'), (init as { dispatcher?: unknown }).dispatcher)
      return Promise.resolve(new Response(null, { headers: { 'request-degraded': 'a.b;tier=empty' } }))
    },
  })
  await withDeadline({ budgetMs: 1000 }, () => given('http://callee/'))
  await until(() => sent.length === 2)
  expect(Number(sent[0])).toBeGreaterThan(500)
  expect(sent[1]).toBeUndefined()
})
