import fastify from 'fastify'
import { expect, test } from 'vitest'
import { ask, describeHttpServer } from '../../test/adapters/http-server-scenarios.js'
import { remainingMs } from '../deadline-api.js'
import { observe } from '../observe.js'
import { server } from './fastify.js'

const portOf = (url: string): number => Number(new URL(url).port)

describeHttpServer({
  name: 'fastify',
  async start(options, handlers) {
    const app = fastify({ forceCloseConnections: true })
    await app.register(server(options))
    for (const [path, handler] of Object.entries(handlers)) {
      app.all(path, (request, reply) => {
        let answered = false
        const send = (status: number, body: string): void => {
          answered = true
          void reply.code(status).type('text/plain').send(body)
        }
        return Promise.resolve(handler({ request: request.raw, response: reply.raw, send })).then(() =>
          answered ? reply : new Promise(() => undefined),
        )
      })
    }
    return { port: portOf(await app.listen({ port: 0, host: '127.0.0.1' })), close: () => app.close() }
  },
})

test('the deadline holds in hooks and error handlers, the operation is the route, and a 504 keeps the headers set by plugins', async () => {
  const app = fastify({ forceCloseConnections: true })
  await app.register(server({ budgetMs: 500 }))
  const left: number[] = []
  app.addHook('onRequest', async (_request, reply) => {
    left.push(remainingMs())
    reply.header('access-control-allow-origin', '*')
  })
  app.addHook('preHandler', async () => void left.push(remainingMs()))
  app.setErrorHandler((error: Error, _request, reply) => {
    left.push(remainingMs())
    void reply.code(418).send(error.message)
  })
  app.post('/orders/:id', () => Promise.reject(new Error('own')))
  app.get('/slow', () => new Promise(() => undefined))
  const operations: string[] = []
  const end = observe((record) => record.kind === 'request' && operations.push(record.operation))
  const port = portOf(await app.listen({ port: 0, host: '127.0.0.1' }))
  const own = await ask(port, '/orders/7', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
  const slow = await ask(port, '/slow', { headers: { 'request-budget-ms': '30' } })
  end()
  await app.close()
  expect([own.status, own.body]).toEqual([418, 'own'])
  expect(left.slice(0, 3).every((ms) => ms > 0 && ms <= 500)).toBe(true)
  expect([slow.status, slow.headers['access-control-allow-origin']]).toEqual([504, '*'])
  expect(operations).toEqual(['POST /orders/:id', 'GET /slow'])
})
