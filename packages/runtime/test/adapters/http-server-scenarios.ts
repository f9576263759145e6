import { once } from 'node:events'
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  request,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { client as fetchClient } from '../../src/adapters/fetch.js'
import { currentSignal, remainingMs } from '../../src/deadline-api.js'
import { SandglassError } from '../../src/errors.js'
import type { InboundOptions } from '../../src/inbound.js'
import { observe, type RequestRecord } from '../../src/observe.js'
import { noteAnswer } from '../../src/outbound.js'

/** One request as a scenario's handler sees it, whatever the framework. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Answers in the framework's own form. */
  readonly send: (status: number, body: string) => void
}

export type Handler = (exchange: Exchange) => unknown

export interface RunningServer {
  readonly port: number
  close(): Promise<void>
}

/** How a framework is put to the test. */
export interface ServerUnderTest {
  readonly name: string
  /** What late writes to node:http's own response do: they disappear (default), they fail as always, or no handler of this framework makes them. */
  readonly rawWrites?: 'disappear' | 'fail' | 'none'
  /** Serves `handlers` by path, with the adapter's `options`. What a handler throws goes the framework's own way. */
  start(options: InboundOptions, handlers: Readonly<Record<string, Handler>>): Promise<RunningServer>
}

export interface Asked {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly tookMs: number
  readonly reused: boolean
}

/** Asks a server by node:http; rejects when the connection breaks. */
export function ask(port: number, path: string, options: RequestOptions & { body?: string } = {}): Promise<Asked> {
  const startedAt = performance.now()
  const { body: sent, ...rest } = options
  return new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, path, ...rest }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (body += chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body,
          tookMs: performance.now() - startedAt,
          reused: asking.reusedSocket,
        }),
      )
    })
    asking.on('error', reject)
    if (sent === undefined) return void asking.end()
    // In two parts, so that it is read after the head was handled.
    asking.write(sent.slice(0, 1))
    setTimeout(() => asking.end(sent.slice(1)), 20)
  })
}

/** Sends bytes as they are and collects what comes back until the connection ends. */
export async function askRaw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => (answer += chunk))
  socket.on('error', () => undefined)
  socket.write(text)
  // Not `once` of node:events, which rejects when the server resets the connection.
  await new Promise((resolve) => socket.on('close', resolve))
  return answer
}

/** Listens on a free port of this machine. */
export async function listen(server: ReturnType<typeof createServer>): Promise<RunningServer> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Waits until `condition` holds, for at most `withinMs`; returns how long it took. */
export async function until(condition: () => boolean, withinMs = 2000): Promise<number> {
  const startedAt = performance.now()
  while (!condition()) {
    if (performance.now() - startedAt > withinMs) throw new Error(`did not happen within ${withinMs} ms: ${condition.toString()}`)
    await sleep(1)
  }
  return performance.now() - startedAt
}

/** Expects `measure` to stay below `limitMs` in one of five tries: what is quick by design is quick at least once, also on a busy machine. */
export async function expectWithin(limitMs: number, measure: () => Promise<number>): Promise<void> {
  let quickest = Infinity
  for (let tries = 0; tries < 5 && quickest >= limitMs; tries += 1) quickest = Math.min(quickest, await measure())
  expect(quickest).toBeLessThan(limitMs)
}

/** The tests every HTTP framework has to pass. */
export function describeHttpServer(framework: ServerUnderTest): void {
  const open: RunningServer[] = []
  const start = async (options: InboundOptions, handlers: Readonly<Record<string, Handler>>): Promise<number> => {
    const server = await framework.start(options, handlers)
    open.push(server)
    return server.port
  }
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => server.close()))
  })

  describe(`${framework.name}: the budget that comes in`, () => {
    const tellLeft: Handler = ({ send }) => send(200, String(remainingMs()))

    test('is what the handler has left', async () => {
      const port = await start({ budgetMs: 2000 }, { '/': tellLeft })
      const { status, body } = await ask(port, '/', { headers: { 'request-budget-ms': '500' } })
      expect(status).toBe(200)
      expect(Number(body)).toBeGreaterThan(100)
      expect(Number(body)).toBeLessThanOrEqual(500)
    })

    test.each([
      ['nothing', {}],
      ['a negative one', { 'request-budget-ms': '-5' }],
      ['a fraction', { 'request-budget-ms': '1.5' }],
      ['a word', { 'request-budget-ms': 'soon' }],
      ['an empty one', { 'request-budget-ms': '' }],
      ['an exponent', { 'request-budget-ms': '1e2' }],
      ['two different ones', { 'request-budget-ms': ['100', '200'] }],
      ['ten thousand digits', { 'request-budget-ms': '1'.repeat(10_000) }],
      ['a longer one than allowed', { 'request-budget-ms': '999999' }],
    ])('is the server’s own when %s came', async (_, headers) => {
      const port = await start({ budgetMs: 2000 }, { '/': tellLeft })
      const left = Number((await ask(port, '/', { headers })).body)
      expect(left).toBeGreaterThan(1200)
      expect(left).toBeLessThanOrEqual(2000)
    })

    test('may come twice when it is the same', async () => {
      const port = await start({ budgetMs: 2000 }, { '/': tellLeft })
      expect(Number((await ask(port, '/', { headers: { 'request-budget-ms': ['500', '0500'] } })).body)).toBeLessThanOrEqual(500)
    })

    test('of 0 is answered 504 without running the handler', async () => {
      let runs = 0
      const port = await start({ budgetMs: 2000 }, { '/': () => (runs += 1) })
      const { status, headers, body } = await ask(port, '/', { headers: { 'request-budget-ms': '0' } })
      expect([status, headers['content-type'], body, runs]).toEqual([504, 'application/json', '{"error":"DEADLINE_EXCEEDED"}', 0])
    })

    test('does not bring the server down when it is a megabyte', async () => {
      const port = await start({ budgetMs: 2000 }, { '/': tellLeft })
      const answer = await askRaw(port, `GET / HTTP/1.1\r\nhost: x\r\nrequest-budget-ms: ${'9'.repeat(1_000_000)}\r\n\r\n`)
      expect(answer.slice(0, 12)).toMatch(/^(HTTP\/1\.1 431)?$/)
      expect((await ask(port, '/')).status).toBe(200)
    })

    test('still holds after a request body was read', async () => {
      const port = await start({ budgetMs: 2000 }, { '/': tellLeft })
      const { body } = await ask(port, '/', {
        method: 'POST',
        headers: { 'request-budget-ms': '700', 'content-type': 'application/json' },
        body: '{"a":1}',
      })
      expect(Number(body)).toBeLessThanOrEqual(700)
    })
  })

  describe(`${framework.name}: time up`, () => {
    test('is answered 504 and aborts the handler’s signal', async () => {
      let signal: AbortSignal | undefined
      const port = await start({ budgetMs: 2000 }, { '/': () => ((signal = currentSignal()), new Promise(() => undefined)) })
      const records = recording()
      const { status, headers, body, tookMs } = await ask(port, '/', { headers: { 'request-budget-ms': '60' } })
      expect([status, headers['content-type'], body]).toEqual([504, 'application/json', '{"error":"DEADLINE_EXCEEDED"}'])
      expect(tookMs).toBeGreaterThanOrEqual(59)
      expect(tookMs).toBeLessThan(1000)
      expect(signal?.aborted).toBe(true)
      expect(signal?.reason).toMatchObject({ name: 'TimeoutError' })
      await until(() => records.all.length === 1)
      expect(records.stop()).toMatchObject([{ outcome: 'expired', status: 504, whose: 'inherited', budgetInMs: 60 }])
    })

    test('survives a handler that writes afterwards in every way, and leaves the connection usable', async () => {
      const done: string[] = []
      const port = await start(
        { budgetMs: 2000 },
        {
          '/late': async ({ response, send }) => {
            await sleep(500)
            // From a timer nothing could catch what these throw.
            setTimeout(() => {
              if (framework.rawWrites !== undefined) return done.push('ended')
              response.setHeader('x-late', '1')
              response.statusCode = 200
              response.writeHead(200, { 'x-late': '2' })
              response.write('late')
              return response.end('late', () => done.push('ended'))
            })
            try {
              send(200, 'late')
            } finally {
              done.push('sent')
            }
          },
          '/next': ({ send }) => send(200, 'next'),
        },
      )
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      // Enough for the handler to begin on a busy machine: one that comes too late is not run at all.
      const late = await ask(port, '/late', { agent, headers: { 'request-budget-ms': '250' } })
      await until(() => done.includes('sent') && done.includes('ended'))
      const next = await ask(port, '/next', { agent })
      agent.destroy()
      expect([late.status, late.body, late.headers['x-late']]).toEqual([504, '{"error":"DEADLINE_EXCEEDED"}', undefined])
      expect([next.status, next.body, next.reused]).toEqual([200, 'next', true])
    })

    test('keeps the connection when the handler fails because its signal aborted', async () => {
      const port = await start(
        { budgetMs: 2000 },
        {
          '/late': () => sleep(5000, undefined, { signal: currentSignal() }),
          '/next': ({ send }) => send(200, 'next'),
        },
      )
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      expect((await ask(port, '/late', { agent, headers: { 'request-budget-ms': '40' } })).status).toBe(504)
      await sleep(10)
      const next = await ask(port, '/next', { agent })
      agent.destroy()
      expect([next.status, next.reused]).toEqual([200, true])
    })

    test.skipIf(framework.rawWrites === 'none')('cuts off an answer that has begun', async () => {
      const port = await start(
        { budgetMs: 2000 },
        { '/': ({ response }) => (response.writeHead(200), response.write('begun'), new Promise(() => undefined)) },
      )
      const startedAt = performance.now()
      await expect(ask(port, '/', { headers: { 'request-budget-ms': '60' } })).rejects.toThrow(/aborted|hang up|reset/)
      expect(performance.now() - startedAt).toBeLessThan(1000)
    })
  })

  describe(`${framework.name}: the client leaves`, () => {
    test('and the signal aborts within 20 ms, and the outgoing call ends with it', async () => {
      let goneAt = 0
      let abortedAt = 0
      let asked = 0
      let reached = 0
      const downstream = await listen(
        createServer((_, response) => {
          reached += 1
          response.on('close', () => {
            goneAt = performance.now()
          })
        }),
      )
      open.push(downstream)
      const fetch = fetchClient()
      const port = await start(
        { budgetMs: 5000 },
        {
          '/': async ({ send }) => {
            currentSignal()?.addEventListener('abort', () => (abortedAt = performance.now()))
            asked += 1
            await fetch(`http://127.0.0.1:${downstream.port}/`)
            send(200, 'never')
          },
        },
      )
      const records = recording()
      const leave = async (): Promise<{ abortedMs: number; goneMs: number }> => {
        const [before, asking] = [reached, request({ host: '127.0.0.1', port, path: '/' }).on('error', () => undefined)]
        asking.end()
        await until(() => reached > before)
        abortedAt = goneAt = 0
        const leftAt = performance.now()
        asking.destroy()
        await until(() => abortedAt > 0 && goneAt > 0)
        return { abortedMs: abortedAt - leftAt, goneMs: goneAt - leftAt }
      }
      await expectWithin(20, async () => (await leave()).abortedMs)
      await expectWithin(40, async () => (await leave()).goneMs)
      await until(() => records.all.length === asked)
      expect(new Set(records.stop().map(({ outcome, status }) => `${outcome} ${status}`))).toEqual(new Set(['caller-left 499']))
    })
  })

  describe(`${framework.name}: answers`, () => {
    test('leave the signal alone, are recorded once, and can be streamed', async () => {
      let signal: AbortSignal | undefined
      const port = await start(
        { budgetMs: 300 },
        { '/': async ({ send }) => ((signal = currentSignal()), await sleep(5), send(201, 'x'.repeat(300_000))) },
      )
      const records = recording()
      const { status, body } = await ask(port, '/')
      expect([status, body.length]).toEqual([201, 300_000])
      await until(() => records.all.length === 1)
      await sleep(320)
      expect(signal?.aborted).toBe(false)
      expect(records.stop()).toMatchObject([{ outcome: 'answered', status: 201 }])
    })

    test('carry the marks of what was degraded behind them', async () => {
      const port = await start(
        { budgetMs: 2000 },
        {
          '/': ({ send }) => (noteAnswer('stock.left;tier=snapshot;age-ms=1500'), send(200, 'ok')),
          '/clean': ({ send }) => send(200, 'ok'),
        },
      )
      expect((await ask(port, '/')).headers['request-degraded']).toBe('stock.left;tier=snapshot;age-ms=1500')
      expect((await ask(port, '/clean')).headers['request-degraded']).toBeUndefined()
    })

    test('are 504 and 503 with retry-after for the errors of this package', async () => {
      const failing =
        (code: 'DEADLINE_EXCEEDED' | 'BREAKER_OPEN'): Handler =>
        async () => {
          await sleep(1)
          throw new SandglassError({
            code,
            whose: 'own',
            outcome: 'not-sent',
            retryable: true,
            budgetMs: 1,
            elapsedMs: 1,
            call: 'a.b',
            retryAfterMs: 2500,
          })
        }
      const port = await start({ budgetMs: 2000 }, { '/time': failing('DEADLINE_EXCEEDED'), '/open': failing('BREAKER_OPEN') })
      expect((await ask(port, '/time')).status).toBe(504)
      const refused = await ask(port, '/open')
      expect([refused.status, refused.headers['retry-after']]).toEqual([503, '3'])
    })

    test('are 503 with retry-after beyond the concurrency and its queue', async () => {
      let refuse = () => {}
      const refused = new Promise<void>((resolve) => (refuse = resolve))
      // Who came first stays until one was refused: on a busy machine the three do not come together.
      const port = await start(
        { budgetMs: 2000, concurrency: 1, queue: { limit: 1 } },
        { '/': async ({ send }) => (await Promise.race([refused, sleep(1500)]), send(200, 'ok')) },
      )
      const asked = async () => {
        const answer = await ask(port, '/')
        if (answer.status === 503) refuse()
        return answer
      }
      const answers = await Promise.all([1, 2, 3].map(asked))
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 503])
      expect(Number(answers.find(({ status }) => status === 503)?.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    })
  })
}

function recording(): { readonly all: RequestRecord[]; stop(): RequestRecord[] } {
  const all: RequestRecord[] = []
  const end = observe((record) => {
    if (record.kind === 'request') all.push(record)
  })
  return {
    all,
    stop() {
      end()
      return all
    },
  }
}
