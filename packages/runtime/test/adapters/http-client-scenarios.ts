import { getEventListeners } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { call } from '../../src/call.js'
import { explain } from '../../src/call-error.js'
import { withDeadline } from '../../src/deadline-api.js'
import { SandglassError } from '../../src/errors.js'
import { serve } from '../../src/serve.js'
import { ask, listen, type RunningServer, until } from './http-server-scenarios.js'

/** How a client is put to the test. */
export interface ClientUnderTest {
  readonly name: string
  /** Sends with the adapter, follows redirects where `follow` says so, and reads the whole body as text. */
  send(
    url: string,
    options: { readonly headers?: Record<string, string>; readonly signal?: AbortSignal; readonly follow?: boolean },
  ): Promise<{ status: number; body: string }>
  /** Sends and hands back the body unread, as whatever `read` takes. */
  open(url: string): Promise<{ read(): Promise<string> }>
  readonly redirects: boolean
}

interface Seen {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  closedAt: number
}

type Reply = (request: IncomingMessage, response: ServerResponse) => void

/** The tests every HTTP client has to pass. */
export function describeHttpClient(client: ClientUnderTest): void {
  const open: RunningServer[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => server.close()))
  })

  async function callee(reply: Reply): Promise<{ url: string; seen: Seen[] }> {
    const seen: Seen[] = []
    const running = await listen(
      createServer((request, response) => {
        const one: Seen = { url: request.url ?? '', headers: request.headers, closedAt: 0 }
        seen.push(one)
        response.on('close', () => (one.closedAt = performance.now()))
        reply(request, response)
      }),
    )
    open.push(running)
    return { url: `http://127.0.0.1:${running.port}`, seen }
  }
  const answer: Reply = (_, response) => response.end('ok')
  const under = <T>(budgetMs: number, fn: () => Promise<T>): Promise<T> => withDeadline({ budgetMs, name: 'request' }, fn)
  const budgetOf = ({ headers }: Seen): number => Number(headers['request-budget-ms'])

  describe(`${client.name}: what is sent`, () => {
    test('is what is left less the reserve, with its companion', async () => {
      const { url, seen } = await callee(answer)
      expect(await under(1000, () => client.send(url, {}))).toEqual({ status: 200, body: 'ok' })
      expect(budgetOf(seen[0]!)).toBeGreaterThan(500)
      expect(budgetOf(seen[0]!)).toBeLessThanOrEqual(950)
      expect(seen[0]!.headers['request-budget-meta']).toMatch(/^sent=\d{13}; from=[\w.-]+; hop=1; attempt=1; last$/)
    })

    test('is nothing outside of any deadline', async () => {
      const { url, seen } = await callee(answer)
      await client.send(url, {})
      expect(Object.keys(seen[0]!.headers).filter((name) => name.startsWith('request-budget'))).toEqual([])
    })

    test('is not sent again when a later request of the same attempt finds no connection', async () => {
      const { url, seen } = await callee(answer)
      const { port, close } = await listen(createServer())
      await close()
      const guarded = call('order.create', { does: 'write', timeoutMs: 2000, attempts: 3, backoff: { waitsMs: [1] } }, async () => {
        await client.send(url, {})
        await client.send(`http://127.0.0.1:${port}/`, {})
      })
      const error: unknown = await guarded().catch((thrown: unknown) => thrown)
      expect(explain(error)).toMatchObject({ outcome: 'unknown', stopped: 'unsafe', attempts: 1 })
      expect(seen).toHaveLength(1)
    })

    test('is the bound of each attempt inside a call, with the attempt’s number', async () => {
      const { url, seen } = await callee((_, response) => {
        if (seen.length > 1) response.end('second')
      })
      const guarded = call(
        'stock.left',
        {
          does: 'read',
          attempts: 2,
          attemptMs: 400,
          timeoutMs: 2000,
          reserveMs: 0,
          backoff: { kind: 'fixed', baseMs: 1, jitter: 'none' } as never,
        },
        () => client.send(url, {}),
      )
      const { value } = await under(4000, () => guarded())
      expect(value.body).toBe('second')
      expect(seen.map((one) => budgetOf(one) > 200 && budgetOf(one) <= 400)).toEqual([true, true])
      expect(
        seen.map(({ headers }) =>
          /attempt=(\d); ?(last)?|attempt=(\d)/.exec(String(headers['request-budget-meta']))?.slice(1, 4).filter(Boolean),
        ),
      ).toEqual([['1'], ['2', 'last']])
    })

    test.each([
      ['a smaller one is kept', '50', '50'],
      ['a larger one is replaced', '60000', 'ours'],
      ['one that makes no sense is replaced', 'soon', 'ours'],
    ])('of two budgets: %s', async (_, given, expected) => {
      const { url, seen } = await callee(answer)
      await under(1000, () => client.send(url, { headers: { 'Request-Budget-Ms': given, 'x-own': '1' } }))
      const sent = seen[0]!.headers['request-budget-ms']
      expect(expected === 'ours' ? budgetOf(seen[0]!) > 500 && budgetOf(seen[0]!) <= 950 : sent === expected).toBe(true)
      expect(seen[0]!.headers['x-own']).toBe('1')
    })

    test('is nothing at all once the time is used up', async () => {
      const { url, seen } = await callee(answer)
      const error = await under(20, async () => {
        const until = performance.now() + 17
        while (performance.now() < until);
        return client.send(url, {}).then(
          () => undefined,
          (reason: unknown) => reason,
        )
      }).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(SandglassError)
      await sleep(20)
      expect(seen).toEqual([])
    })

    test.runIf(client.redirects)('is less after a redirect, by the time it took', async () => {
      const { url, seen } = await callee((request, response) => {
        if (request.url === '/there') return void response.end('there')
        setTimeout(() => {
          response.writeHead(307, { location: '/there' })
          response.end()
        }, 60)
      })
      expect((await under(1000, () => client.send(url, { follow: true }))).body).toBe('there')
      expect(seen.length).toBe(2)
      expect(budgetOf(seen[0]!) - budgetOf(seen[1]!)).toBeGreaterThanOrEqual(45)
    })
  })

  describe(`${client.name}: the end of the deadline`, () => {
    test('ends a request that waits for its answer, also at the server', async () => {
      const { url, seen } = await callee(() => undefined)
      const startedAt = performance.now()
      const inner: { error?: unknown } = {}
      await under(250, () => client.send(url, {}).catch((error: unknown) => ((inner.error = error), undefined))).catch(() => undefined)
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(249)
      expect(performance.now() - startedAt).toBeLessThan(1500)
      await until(() => seen[0]!.closedAt > 0 && inner.error !== undefined)
      expect(seen[0]!.closedAt - startedAt).toBeLessThan(1500)
      expect(inner.error).toMatchObject({ name: 'TimeoutError', code: 'DEADLINE_EXCEEDED' })
    })

    test('ends an answer whose body never ends, also at the server', async () => {
      const { url, seen } = await callee((_, response) => {
        response.write('half')
      })
      const startedAt = performance.now()
      const inner: { error?: unknown } = {}
      await under(250, async () => {
        const answer = await client.open(url)
        await answer.read().catch((error: unknown) => (inner.error = error))
      }).catch(() => undefined)
      await until(() => seen[0]!.closedAt > 0 && inner.error !== undefined)
      expect(seen[0]!.closedAt - startedAt).toBeLessThan(1500)
      expect(inner.error).toBeInstanceOf(Error)
    })

    test('does not touch an answer that came in time: it can be read, and the socket is used again', async () => {
      const { url, seen } = await callee((request, response) => void response.end(`${request.socket.remotePort} ${'x'.repeat(200_000)}`))
      const ports: string[] = []
      for (let i = 0; i < 3; i += 1) {
        const { body } = await under(300, () => client.send(url, {}))
        expect(body.length).toBeGreaterThan(200_000)
        ports.push(body.split(' ')[0] ?? '')
        await sleep(i === 0 ? 330 : 5)
      }
      expect(seen.length).toBe(3)
      expect(new Set(ports).size).toBe(1)
    })

    test('leaves the program’s own signal at work, and at most one listener on it', async () => {
      const { url, seen } = await callee((request, response) => {
        if (request.url !== '/hang') response.end('ok')
      })
      const own = new AbortController()
      for (let i = 0; i < 20; i += 1) await under(1000, () => client.send(url, { signal: own.signal }))
      expect(getEventListeners(own.signal, 'abort').length).toBeLessThanOrEqual(1)
      const error = await under(1000, () => {
        setTimeout(() => own.abort(new Error('mine')), 20)
        return client.send(`${url}/hang`, { signal: own.signal })
      }).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(Error)
      expect((error as Error).name).not.toBe('TimeoutError')
      await until(() => seen.at(-1)!.closedAt > 0)
    })
  })

  describe(`${client.name}: two hops`, () => {
    test('the budget shrinks and the marks travel back', async () => {
      const { url, seen } = await callee((_, response) => {
        response.setHeader('request-degraded', 'stock.left;tier=snapshot;age-ms=1000')
        response.end('ok')
      })
      const middle = await listen(
        createServer(
          serve(
            async (_request: IncomingMessage, response: ServerResponse) => {
              await sleep(40)
              const { body } = await client.send(url, {})
              response.end(body)
            },
            { budgetMs: 5000 },
          ),
        ),
      )
      open.push(middle)
      const { body, headers } = await ask(middle.port, '/', {
        headers: { 'request-budget-ms': '2000', 'request-budget-meta': 'hop=3; attempt=2' },
      })
      expect(body).toBe('ok')
      expect(budgetOf(seen[0]!)).toBeLessThanOrEqual(Math.floor(1961 * 0.95))
      expect(budgetOf(seen[0]!)).toBeGreaterThan(1000)
      expect(seen[0]!.headers['request-budget-meta']).toMatch(/hop=4; attempt=2/)
      expect(headers['request-degraded']).toBe('stock.left;tier=snapshot;age-ms=1000')
    })
  })
}
