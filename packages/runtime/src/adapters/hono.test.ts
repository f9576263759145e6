import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { expect, test } from 'vitest'
import { ask, describeHttpServer, listen, until } from '../../test/adapters/http-server-scenarios.js'
import { SandglassError } from '../errors.js'
import { observe } from '../observe.js'
import { server } from './hono.js'

interface NodeBindings {
  readonly Bindings: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse }
}

describeHttpServer({
  name: 'hono',
  rawWrites: 'none',
  start(options, handlers) {
    const app = new Hono<NodeBindings>()
    app.onError(quietly)
    app.use(server(options))
    for (const [path, handler] of Object.entries(handlers)) {
      app.all(path, async (context: Context<NodeBindings>) => {
        if (context.req.method === 'POST') await context.req.text()
        return new Promise<Response>((resolve, reject) => {
          const { incoming: request, outgoing: response } = context.env
          const send = (status: number, body: string): void => resolve(new Response(body, { status }))
          Promise.resolve(handler({ request, response, send })).catch(reject)
        })
      })
    }
    return listen(createServer(listenerOf(app)))
  },
})

const listenerOf = ({ fetch }: { fetch: Parameters<typeof getRequestListener>[0] }): RequestListener => {
  const serve = getRequestListener(fetch)
  return (request, response) => void serve(request, response)
}

// As Hono's own, which also prints the error.
const quietly = (_error: Error, context: Context): Response => context.text('Internal Server Error', 500)

const refused = (): SandglassError =>
  new SandglassError({ code: 'BULKHEAD_FULL', whose: 'own', outcome: 'not-sent', retryable: true, budgetMs: 1, elapsedMs: 1, call: 'a.b' })

test('what the application’s own onError answers stays', async () => {
  const app = new Hono()
  app.use(server({ budgetMs: 500, operation: 'orders' }))
  app.get('/', () => Promise.reject(refused()))
  app.onError((_error, context) => context.text('own', 429))
  const running = await listen(createServer(listenerOf(app)))
  const { status, body } = await ask(running.port, '/')
  await running.close()
  expect([status, body]).toEqual([429, 'own'])
})

test('works without node:http below it, as in an application’s own tests', async () => {
  const app = new Hono()
  app.onError(quietly)
  app.use(server({ budgetMs: 30 }))
  app.get('/fast', (context) => context.text('ok'))
  app.get('/refused', () => Promise.reject(refused()))
  app.get('/slow', () => new Promise<Response>(() => undefined))
  expect(await (await app.request('/fast')).text()).toBe('ok')
  expect((await app.request('/refused')).status).toBe(503)
  expect((await app.request('/slow')).status).toBe(504)
})

test('a stream is cut off when time is up, and the request recorded as expired', async () => {
  const app = new Hono()
  app.use(server({ budgetMs: 60 }))
  let cancelled = false
  app.get(
    '/',
    () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode('begun')),
          cancel: () => void (cancelled = true),
        }),
      ),
  )
  const running = await listen(createServer(listenerOf(app)))
  const outcomes: string[] = []
  const end = observe((record) => record.kind === 'request' && outcomes.push(record.outcome))
  await expect(ask(running.port, '/')).rejects.toThrow(/aborted|hang up|reset/)
  await until(() => cancelled && outcomes.length > 0)
  end()
  await running.close()
  expect(outcomes).toEqual(['expired'])
})
