import { Agent, createServer, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { describeHttpClient } from '../../test/adapters/http-client-scenarios.js'
import { listen } from '../../test/adapters/http-server-scenarios.js'
import { withDeadline } from '../deadline-api.js'
import { client } from './http-client.js'

const http = client()
const agent = new Agent({ keepAlive: true })

function get(url: string, options: object): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    http
      .request(url, { agent, ...options }, resolve)
      .on('error', reject)
      .end()
  })
}

async function read(response: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of response) body += String(chunk)
  return body
}

describeHttpClient({
  name: 'node:http',
  redirects: false,
  async send(url, { headers, signal }) {
    const response = await get(url, { ...(headers && { headers }), ...(signal && { signal }) })
    return { status: response.statusCode ?? 0, body: await read(response) }
  },
  async open(url) {
    const response = await get(url, {})
    return { read: () => read(response) }
  },
})

test('takes a URL with options, options alone, raw headers and get, as node:http does', async () => {
  const seen: string[] = []
  const running = await listen(
    createServer(
      (request, response) => (
        seen.push(`${String(request.headers['x-own'])} ${Number(request.headers['request-budget-ms']) > 100}`), response.end('ok')
      ),
    ),
  )
  const { port } = running
  await withDeadline({ budgetMs: 500 }, async () => {
    const forms = [
      (done: (response: IncomingMessage) => void) =>
        http.get(new URL(`http://127.0.0.1:${port}/`), { agent, headers: { 'x-own': '1' } }, done),
      (done: (response: IncomingMessage) => void) => http.get({ host: '127.0.0.1', port, agent, headers: { 'x-own': '2' } }, done),
      (done: (response: IncomingMessage) => void) =>
        http.get({ host: '127.0.0.1', port, agent, headers: ['host', 'x', 'x-own', '3'] as never }, done),
    ]
    for (const form of forms) await new Promise<IncomingMessage>((resolve) => form(resolve)).then(read)
  })
  await running.close()
  expect(seen).toEqual(['1 true', '2 true', '3 true'])
})

test('a request that is not worth sending emits an error and opens no connection', async () => {
  let connections = 0
  const server = createServer().on('connection', () => (connections += 1))
  const running = await listen(server)
  const error = await withDeadline(
    { budgetMs: 800 },
    () => new Promise((resolve) => client({ reserveMs: 1000 }).get(`http://127.0.0.1:${running.port}/`).on('error', resolve)),
  )
  expect(error).toMatchObject({ code: 'BUDGET_TOO_SMALL', outcome: 'not-sent' })
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(connections).toBe(0)
  await running.close()
})
