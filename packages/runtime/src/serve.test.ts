import { createServer, get, type IncomingMessage, type RequestListener, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { call, constant, currentSignal, noteAnswer, observe, outbound, remainingMs, serve } from './index.js'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a handler runs under the budget of its caller, capped', async () => {
  const url = await listen(serve((_, response) => void response.end(String(remainingMs())), { budgetMs: 2800 }))
  const left = Number(await (await fetch(url, { headers: { 'request-budget-ms': '500' } })).text())
  expect(left).toBeGreaterThan(400)
  expect(left).toBeLessThanOrEqual(500)
})

test('an expired budget is answered 504 and the handler does not run', async () => {
  let ran = 0
  const url = await listen(serve((_, response) => void (ran++, response.end()), { budgetMs: 2800 }))
  const response = await fetch(url, { headers: { 'request-budget-ms': '0' } })
  expect([response.status, await response.json(), ran]).toEqual([504, { error: 'DEADLINE_EXCEEDED' }, 0])
})

test('a handler that takes too long is answered for, its signal aborts, and what it still writes does no harm', async () => {
  const written: unknown[] = []
  const url = await listen(
    serve(
      async (_, response) => {
        await new Promise((wake) => currentSignal()?.addEventListener('abort', wake))
        written.push(currentSignal()?.reason)
        await new Promise((wake) => setTimeout(wake, 20))
        response.write('too late')
        response.end()
        written.push('written')
      },
      { budgetMs: 50 },
    ),
  )
  expect((await fetch(url)).status).toBe(504)
  for (let n = 0; n < 100 && written.length < 2; n++) await new Promise((wake) => setTimeout(wake, 10))
  expect(written).toMatchObject([{ name: 'TimeoutError', code: 'DEADLINE_EXCEEDED' }, 'written'])
  expect((await fetch(url)).status).toBe(504)
})

test('a client that leaves cancels the work within a few ms; a healthy request with a body does not', async () => {
  const reasons: unknown[] = []
  const started = new Promise<void>((resolve) => {
    void listen(
      serve(
        async (incoming, response) => {
          const signal = currentSignal()
          signal?.addEventListener('abort', () => void reasons.push(signal.reason))
          for await (const _ of incoming as IncomingMessage) void _
          if ((incoming as IncomingMessage).url === '/hang') return resolve()
          await new Promise((wake) => setTimeout(wake, 30))
          response.end('well')
        },
        { budgetMs: 2000 },
      ),
    ).then(async (url) => {
      expect(await (await fetch(url, { method: 'POST', body: 'a body that is read to its end' })).text()).toBe('well')
      expect(reasons).toEqual([])
      const leaving = new AbortController()
      fetch(`${url}/hang`, { method: 'POST', body: 'x', signal: leaving.signal }).catch(() => undefined)
      await started
      leaving.abort()
    })
  })
  await started
  const startedAt = performance.now()
  while (reasons.length === 0 && performance.now() - startedAt < 1000) await new Promise((wake) => setTimeout(wake, 1))
  expect(performance.now() - startedAt).toBeLessThan(100)
  expect(reasons).toMatchObject([{ name: 'AbortError', whose: 'caller' }])
})

test('marks of degraded answers travel up over two hops to the client', async () => {
  const inner = await listen(
    serve(
      async (_, response) => {
        const available = call('inventory.available', { does: 'read', timeoutMs: 500, fallback: constant(0) }, () =>
          Promise.reject(new Error('down')),
        )
        response.end(String((await available()).value))
      },
      { budgetMs: 1000 },
    ),
  )
  const outer = await listen(
    serve(
      async (_, response) => {
        const { headers, signal } = outbound('inner')
        const answer = await fetch(inner, { headers, ...(signal !== undefined && { signal }) })
        noteAnswer(answer.headers.get('request-degraded') ?? undefined)
        response.writeHead(200, { 'x-own': 'kept' })
        response.end(await answer.text())
      },
      { budgetMs: 1000 },
    ),
  )
  const response = await fetch(outer)
  expect(response.headers.get('request-degraded')).toBe('inventory.available;tier=default')
  expect(response.headers.get('x-own')).toBe('kept')
  expect(await response.text()).toBe('0')
})

test('errors of this package become 504 and 503 with retry-after, any other becomes 500 and is told', async () => {
  const told: unknown[] = []
  const broken = call('a.b', { does: 'read', timeoutMs: 100, breaker: { consecutive: 1, openMs: 3000 } }, () =>
    Promise.reject(new Error('down')),
  )
  const url = await listen(
    serve(
      async (incoming) => {
        if ((incoming as IncomingMessage).url === '/bug') throw new Error('a bug')
        await broken()
      },
      { budgetMs: 1000, onError: (error) => void told.push(error) },
    ),
  )
  expect((await fetch(`${url}/bug`)).status).toBe(500)
  expect((await fetch(url)).status).toBe(500)
  const refused = await fetch(url)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '3'])
  expect(told).toMatchObject([{ message: 'a bug' }, { message: 'down' }])
})

test('a stream that is still being written when the time is up is cut, not left hanging', async () => {
  const url = await listen(
    serve(
      (_, response) => {
        response.writeHead(200)
        response.write('half')
      },
      { budgetMs: 60 },
    ),
  )
  const response = await fetch(url)
  await expect(response.text()).rejects.toThrow()
})

test('a header of a megabyte, duplicates and signs leave the server standing with its default', async () => {
  const url = await listen(serve((_, response) => void response.end(String(Math.ceil(remainingMs() / 100))), { budgetMs: 2000 }))
  const ask = (value: string | string[]): Promise<string> =>
    new Promise((resolve) => {
      const asked = request(url, { headers: { 'request-budget-ms': value } }, (response) => {
        let text = ''
        response.on('data', (part: Buffer) => void (text += part.toString()))
        response.on('end', () => resolve(`${response.statusCode} ${text}`))
      })
      asked.on('error', () => resolve('refused by node'))
      asked.end()
    })
  expect(await ask('-5')).toBe('200 20')
  expect(await ask(['100', '200'])).toBe('200 20')
  expect(await ask('9'.repeat(10_000))).toBe('200 20')
  expect(['431 ', 'refused by node']).toContain(await ask('9'.repeat(1_000_000)))
  expect(await ask('1500')).toBe('200 15')
})

test('keep-alive goes on after a request that was answered for', async () => {
  let ran = 0
  const url = await listen(serve((_, response) => void (ran++ === 0 ? undefined : response.end('well')), { budgetMs: 40 }))
  const ask = (): Promise<number | undefined> =>
    new Promise(
      (resolve, reject) =>
        void get(url, (response) => void response.resume().on('end', () => resolve(response.statusCode))).on('error', reject),
    )
  expect([await ask(), await ask(), await ask()]).toEqual([504, 200, 200])
})

test('an operation that cannot be named is answered 500 and told, and one without a name goes by its method', async () => {
  const told: unknown[] = []
  const names: string[] = []
  const stop = observe((record) => void (record.kind === 'request' && names.push(record.operation)))
  const bug = new Error('no such route')
  const operation = (incoming: IncomingMessage): string => {
    if (incoming.url === '/bug') throw bug
    return undefined as unknown as string
  }
  const url = await listen(
    serve((_: IncomingMessage, response) => void response.end('ran'), {
      budgetMs: 1000,
      operation,
      onError: (error) => void told.push(error),
    }),
  )
  expect((await fetch(`${url}/bug`)).status).toBe(500)
  expect(told).toEqual([bug])
  expect(await (await fetch(url)).text()).toBe('ran')
  expect(names).toEqual(['GET'])
  stop()
})

test('an inline handler has the request and response of node:http, also for the name of its operation', async () => {
  const url = await listen(
    serve((incoming, response) => void response.writeHead(200).end(incoming.url), {
      budgetMs: 1000,
      operation: (incoming) => incoming.url?.split('/')[1] ?? 'root',
    }),
  )
  expect(await (await fetch(`${url}/stock/1`)).text()).toBe('/stock/1')
})
