import { Agent, createServer } from 'node:http'
import axios, { type AxiosInstance } from 'axios'
import { expect, test } from 'vitest'
import { describeHttpClient } from '../../test/adapters/http-client-scenarios.js'
import { listen } from '../../test/adapters/http-server-scenarios.js'
import { withDeadline } from '../deadline-api.js'
import { client } from './axios.js'

const http: AxiosInstance = client()(
  axios.create({ httpAgent: new Agent({ keepAlive: true }), responseType: 'text', validateStatus: null }),
)

describeHttpClient({
  name: 'axios',
  redirects: true,
  async send(url, options) {
    const { status, data } = await http.get<string>(url, options)
    return { status, body: data }
  },
  async open(url) {
    const { data } = await http.get<NodeJS.ReadableStream>(url, { responseType: 'stream' })
    return {
      async read() {
        let body = ''
        for await (const chunk of data) body += String(chunk)
        return body
      },
    }
  },
})

test('what tries again above it sends less each time, with the program’s own signal and redirect hook', async () => {
  const budgets: number[] = []
  const running = await listen(
    createServer((incoming, response) => {
      budgets.push(Number(incoming.headers['request-budget-ms']))
      response.statusCode = budgets.length < 3 ? 503 : 200
      setTimeout(() => response.end('ok'), 20)
    }),
  )
  const own = new AbortController()
  const beforeRedirect = (): void => undefined
  const retrying = client()(axios.create())
  const seen: unknown[] = []
  retrying.interceptors.response.use(undefined, (error: { config: { signal: unknown; beforeRedirect: unknown } }) => {
    seen.push(error.config.signal === own.signal, error.config.beforeRedirect === beforeRedirect)
    return retrying(error.config as never)
  })
  const { data } = await withDeadline({ budgetMs: 1000 }, () =>
    retrying.get<string>(`http://127.0.0.1:${running.port}/`, { signal: own.signal, beforeRedirect }),
  )
  await running.close()
  expect(data).toBe('ok')
  expect(seen).toEqual([true, true, true, true])
  expect(budgets.length).toBe(3)
  expect(budgets[0]! - budgets[2]!).toBeGreaterThanOrEqual(35)
})
