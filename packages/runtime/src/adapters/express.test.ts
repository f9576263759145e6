import { createServer } from 'node:http'
import express, { type ErrorRequestHandler } from 'express'
import { expect, test } from 'vitest'
import { ask, describeHttpServer, listen } from '../../test/adapters/http-server-scenarios.js'
import { remainingMs } from '../deadline-api.js'
import { errorHandler, server } from './express.js'

describeHttpServer({
  name: 'express',
  start(options, handlers) {
    const app = express()
    app.set('env', 'test')
    app.use(server(options))
    app.use(express.json())
    for (const [path, handler] of Object.entries(handlers)) {
      app.all(path, async (request, response) => {
        await handler({ request, response, send: (status, body) => void response.status(status).send(body) })
      })
    }
    app.use(errorHandler())
    return listen(createServer(app))
  },
})

test('the deadline also holds in Express error handlers, and other errors reach them', async () => {
  const app = express()
  app.use(server({ budgetMs: 2000, operation: (request) => request.path }))
  app.get('/', () => Promise.reject(new Error('own')))
  app.use(errorHandler())
  app.use(((error: Error, _request, response, _next) => {
    response.status(418).send(`${error.message} ${remainingMs() <= 300}`)
  }) satisfies ErrorRequestHandler)
  const running = await listen(createServer(app))
  const { status, body } = await ask(running.port, '/', { headers: { 'request-budget-ms': '300' } })
  await running.close()
  expect([status, body]).toEqual([418, 'own true'])
})

test('without our error handler a late failure still does not cost the connection', async () => {
  const app = express()
  app.set('env', 'test')
  app.use(server({ budgetMs: 2000 }))
  app.get('/late', (_request, _response, next) => void setTimeout(() => next(new Error('late')), 250))
  app.get('/next', (_request, response) => void response.send('next'))
  const running = await listen(createServer(app))
  const { Agent } = await import('node:http')
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const late = await ask(running.port, '/late', { agent, headers: { 'request-budget-ms': '30' } })
  await new Promise((resolve) => setTimeout(resolve, 260))
  const next = await ask(running.port, '/next', { agent })
  agent.destroy()
  await running.close()
  expect([late.status, next.status, next.reused]).toEqual([504, 200, true])
})
