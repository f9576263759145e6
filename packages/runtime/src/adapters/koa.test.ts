import { createServer } from 'node:http'
import Koa from 'koa'
import { expect, test } from 'vitest'
import { ask, describeHttpServer, listen } from '../../test/adapters/http-server-scenarios.js'
import { server } from './koa.js'

describeHttpServer({
  name: 'koa',
  start(options, handlers) {
    const app = new Koa()
    app.silent = true
    app.use(server(options))
    app.use(async (context) => {
      for await (const _chunk of context.req);
      await handlers[context.path]?.({
        request: context.req,
        response: context.res,
        send(status, body) {
          context.status = status
          context.body = body
        },
      })
    })
    return listen(createServer((request, response) => void app.callback()(request, response)))
  },
})

test('middleware around it sees the 504 as soon as it was sent', async () => {
  const seen: unknown[] = []
  const app = new Koa()
  app.use(async (context, next) => {
    await next()
    seen.push(context.status, context.headerSent)
  })
  app.use(server({ budgetMs: 30, operation: (context) => context.method }))
  app.use(() => new Promise(() => undefined))
  const running = await listen(createServer((request, response) => void app.callback()(request, response)))
  const { status } = await ask(running.port, '/')
  await running.close()
  expect([status, ...seen]).toEqual([504, 504, true])
})

test('other errors go Koa’s own way', async () => {
  const app = new Koa()
  app.silent = true
  app.use(server({ budgetMs: 1000 }))
  app.use((context) => context.throw(418, 'own'))
  const running = await listen(createServer((request, response) => void app.callback()(request, response)))
  const { status, body } = await ask(running.port, '/')
  await running.close()
  expect([status, body]).toEqual([418, 'own'])
})
