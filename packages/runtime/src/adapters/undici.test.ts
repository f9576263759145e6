import { createServer } from 'node:http'
import { Agent, interceptors, Pool, request } from 'undici'
import { expect, test } from 'vitest'
import { describeHttpClient } from '../../test/adapters/http-client-scenarios.js'
import { listen } from '../../test/adapters/http-server-scenarios.js'
import { withDeadline } from '../deadline-api.js'
import { client } from './undici.js'

const agent = new Agent({ connections: 4 })
const plain = agent.compose(client())
const following = agent.compose(client(), interceptors.redirect({ maxRedirections: 3 }))

describeHttpClient({
  name: 'undici',
  redirects: true,
  async send(url, { headers, signal, follow }) {
    const { statusCode, body } = await request(url, {
      dispatcher: follow === true ? following : plain,
      ...(headers && { headers }),
      ...(signal && { signal }),
    })
    return { status: statusCode, body: await body.text() }
  },
  async open(url) {
    const { body } = await request(url, { dispatcher: plain })
    return { read: () => body.text() }
  },
})

test('a request that waits for a connection ends in time as well, and is never sent', async () => {
  let requests = 0
  const running = await listen(
    createServer((_, response) => {
      requests += 1
      setTimeout(() => response.end('ok'), 200)
    }),
  )
  const pool = new Pool(`http://127.0.0.1:${running.port}`, { connections: 1 })
  const dispatcher = pool.compose(client())
  const first = request(`http://127.0.0.1:${running.port}/`, { dispatcher }).then(({ body }) => body.text())
  const startedAt = performance.now()
  const second = await withDeadline({ budgetMs: 50 }, () => request(`http://127.0.0.1:${running.port}/`, { dispatcher })).catch(
    (error: unknown) => error,
  )
  expect(performance.now() - startedAt).toBeLessThan(150)
  expect(second).toMatchObject({ code: 'DEADLINE_EXCEEDED' })
  expect(await first).toBe('ok')
  await new Promise((resolve) => setTimeout(resolve, 30))
  expect(requests).toBe(1)
  await pool.close()
  await running.close()
})

test('what tries again above it sends less each time, and stops with the deadline', async () => {
  const budgets: number[] = []
  const running = await listen(
    createServer((incoming, response) => {
      budgets.push(Number(incoming.headers['request-budget-ms']))
      response.statusCode = 503
      response.end()
    }),
  )
  const dispatcher = agent.compose(client(), interceptors.retry({ maxRetries: 9, minTimeout: 30, maxTimeout: 30, timeoutFactor: 1 }))
  const error = await withDeadline({ budgetMs: 200 }, () => request(`http://127.0.0.1:${running.port}/`, { dispatcher })).catch(
    (reason: unknown) => reason,
  )
  // Refused beforehand or ended under way, as it happens to fall.
  expect(error).toMatchObject({ name: 'TimeoutError' })
  expect(budgets.length).toBeGreaterThan(1)
  expect(budgets).toEqual([...new Set(budgets)].sort((a, b) => b - a))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(budgets.length).toBeLessThan(9)
  await running.close()
})
