import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect'
import { createConnectTransport, createGrpcTransport } from '@connectrpc/connect-node'
import { afterEach, describe, expect, test } from 'vitest'
import { type ConnectStock, connectClient, type RunningConnect, startConnect } from '../../test/adapters/connect-service.js'
import { ask, expectWithin, until } from '../../test/adapters/http-server-scenarios.js'
import { currentSignal, remainingMs } from '../deadline-api.js'
import { SandglassError } from '../errors.js'
import type { InboundOptions } from '../inbound.js'
import { observe, type RequestRecord } from '../observe.js'
import { noteAnswer } from '../outbound.js'
import { client } from './connect-client.js'
import { anchored, server } from './connect-server.js'

const open: RunningConnect[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})

async function start(handlers: ConnectStock, options: Partial<InboundOptions> = {}, version: 1 | 2 = 1): Promise<RunningConnect> {
  const running = await startConnect(handlers, [server({ budgetMs: 2000, ...options })], version)
  open.push(running)
  return running
}

const clientOf = ({ url }: RunningConnect) => connectClient(createConnectTransport({ baseUrl: url, httpVersion: '1.1' }))
const grpcClientOf = ({ url }: RunningConnect) => connectClient(createGrpcTransport({ baseUrl: url }))
const post = (port: number, headers: Record<string, string>) =>
  ask(port, '/test.Stock/Left', { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: '"x"' })
const tellLeft = async (): Promise<string> => String(remainingMs())

describe('the budget that comes in', () => {
  test.each([
    ['connect-timeout-ms of 500', { 'connect-timeout-ms': '500' }, 500],
    ['our own header when it is smaller', { 'connect-timeout-ms': '900', 'request-budget-ms': '500' }, 500],
    ['the server’s own without any', {}, 2000],
    ['the server’s own where ours is malformed', { 'request-budget-ms': '-5' }, 2000],
    ['the server’s own where it is a number no timer can take', { 'connect-timeout-ms': '2147483648' }, 2000],
    ['the server’s own where it is the largest there is', { 'connect-timeout-ms': '9999999999' }, 2000],
  ])('is %s', async (_, headers, expected) => {
    let signal: AbortSignal | undefined
    const { port } = await start({
      left: async (_text, context) => {
        ;({ signal } = context)
        await sleep(20)
        return `${remainingMs() + 20} ${context.signal.aborted}`
      },
    })
    const { status, body } = await post(port, headers)
    expect(status).toBe(200)
    const [left, aborted] = (JSON.parse(body) as string).split(' ')
    expect(Number(left)).toBeGreaterThan(expected - 200)
    expect(Number(left)).toBeLessThanOrEqual(expected + 1)
    expect(aborted).toBe('false')
    expect(signal).toBeDefined()
  })

  test('is that of grpc-timeout under gRPC', async () => {
    const left = Number(await grpcClientOf(await start({ left: tellLeft }, {}, 2)).left('x', { timeoutMs: 600 }))
    expect(left).toBeGreaterThan(300)
    expect(left).toBeLessThanOrEqual(600)
  })

  test('of 0 is DEADLINE_EXCEEDED without running the handler', async () => {
    let runs = 0
    const { port } = await start({ left: async () => String((runs += 1)) })
    const byOurs = await post(port, { 'request-budget-ms': '0' })
    const byTheirs = await post(port, { 'connect-timeout-ms': '0' })
    expect([byOurs.status, JSON.parse(byOurs.body), byTheirs.status, runs]).toMatchObject([504, { code: 'deadline_exceeded' }, 504, 0])
  })
})

describe('time up', () => {
  test.each([
    ['Connect', 1],
    ['gRPC', 2],
  ] as const)('is DEADLINE_EXCEEDED under %s and aborts the handler’s signals, whatever it is doing', async (protocol, version) => {
    const signals: (AbortSignal | undefined)[] = []
    const running = await start(
      {
        left: async (_text, context) => {
          signals.push(context.signal, currentSignal())
          await sleep(500)
          noteAnswer('late.one;tier=default')
          return 'late'
        },
      },
      { budgetMs: 60 },
      version,
    )
    const records = recording()
    const startedAt = performance.now()
    const error = await (protocol === 'gRPC' ? grpcClientOf(running) : clientOf(running)).left('x').catch((reason: unknown) => reason)
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(59)
    expect(error).toBeInstanceOf(ConnectError)
    expect((error as ConnectError).code).toBe(Code.DeadlineExceeded)
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true])
    await sleep(500)
    expect(records.stop()).toMatchObject([{ outcome: 'expired', status: 504, operation: 'test.Stock/Left' }])
  })

  test('ends a stream of answers, also one that is late with the next', async () => {
    let ended = false
    const running = await start(
      {
        async *watch() {
          try {
            yield 'one'
            await sleep(1000, undefined, { signal: currentSignal() })
          } finally {
            ended = true
          }
        },
      },
      { budgetMs: 80 },
    )
    const seen: string[] = []
    const error = await (async () => {
      for await (const text of clientOf(running).watch('x')) seen.push(text)
    })().catch((reason: unknown) => reason)
    expect(seen).toEqual(['one'])
    expect((error as ConnectError).code).toBe(Code.DeadlineExceeded)
    await until(() => ended)
  })
})

test('the client leaves, and the handler’s signal and outgoing call end with it', async () => {
  let thirdAt = 0
  let secondAt = 0
  let reached = 0
  const third = await start({
    left: (_text, { signal }: HandlerContext) => {
      reached += 1
      return new Promise(() => signal.addEventListener('abort', () => (thirdAt = performance.now())))
    },
  })
  const toThird = connectClient(createConnectTransport({ baseUrl: third.url, httpVersion: '1.1', interceptors: [client()] }))
  let asked = 0
  const second = await start({
    left: (_text, { signal }) => {
      asked += 1
      signal.addEventListener('abort', () => (secondAt = performance.now()))
      return toThird.left('x')
    },
  })
  const records = recording()
  const leave = async (): Promise<number[]> => {
    const [before, leaving] = [reached, new AbortController()]
    const call = clientOf(second)
      .left('x', { signal: leaving.signal })
      .catch((error: unknown) => error)
    await until(() => reached > before)
    secondAt = thirdAt = 0
    const leftAt = performance.now()
    leaving.abort()
    await until(() => secondAt > 0 && thirdAt > 0)
    expect(((await call) as ConnectError).code).toBe(Code.Canceled)
    return [secondAt - leftAt, thirdAt - leftAt]
  }
  await expectWithin(20, async () => (await leave())[0] ?? Infinity)
  await expectWithin(40, async () => (await leave())[1] ?? Infinity)
  await until(() => records.all.length === 2 * asked)
  expect(new Set(records.stop().map(({ outcome }) => outcome))).toEqual(new Set(['caller-left']))
})

test('errors of this package become codes of Connect, with marks and retry-after', async () => {
  const { port } = await start({
    left: async (text) => {
      noteAnswer('stock.left;tier=snapshot;age-ms=10')
      if (text === 'own') throw new ConnectError('own', Code.NotFound)
      throw new SandglassError({
        code: 'BREAKER_OPEN',
        whose: 'own',
        outcome: 'not-sent',
        retryable: true,
        budgetMs: 1,
        elapsedMs: 1,
        call: 'a.b',
        retryAfterMs: 1500,
      })
    },
  })
  const refused = await post(port, {})
  expect([
    refused.status,
    (JSON.parse(refused.body) as { code: string }).code,
    refused.headers['retry-after'],
    refused.headers['request-degraded'],
  ]).toEqual([503, 'unavailable', '2', 'stock.left;tier=snapshot;age-ms=10'])
  const own = await ask(port, '/test.Stock/Left', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '"own"' })
  expect([own.status, own.headers['request-degraded']]).toEqual([404, 'stock.left;tier=snapshot;age-ms=10'])
})

test('refusals at the door are UNAVAILABLE', async () => {
  const { port } = await start({ left: async () => (await sleep(60), 'ok') }, { concurrency: 1, queue: { limit: 1 } })
  const answers = await Promise.all([1, 2, 3].map(() => post(port, {})))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 503])
})

test('marks travel back with answers and with streams, and a good call is recorded once', async () => {
  const running = await start({
    left: async () => (noteAnswer('a.b;tier=empty'), 'ok'),
    async *watch() {
      yield 'one'
      await sleep(1)
      noteAnswer('c.d;tier=empty')
    },
  })
  const records = recording()
  const trailers: (string | null)[] = []
  const made = clientOf(running)
  await made.left('x', { onHeader: (header) => trailers.push(header.get('request-degraded')) })
  for await (const _ of made.watch('x', { onTrailer: (trailer) => trailers.push(trailer.get('request-degraded')) }));
  expect(trailers).toEqual(['a.b;tier=empty', 'c.d;tier=empty'])
  await sleep(10)
  expect(records.stop().map(({ outcome, status }) => [outcome, status])).toEqual([
    ['answered', 200],
    ['answered', 200],
  ])
})

function recording(): { readonly all: RequestRecord[]; stop(): RequestRecord[] } {
  const all: RequestRecord[] = []
  const end = observe((record) => record.kind === 'request' && all.push(record))
  return { all, stop: () => (end(), all) }
}

test('the time a body takes to arrive counts when the handler of node:http is anchored', async () => {
  const seen: string[] = []
  const left = async (_text: string, { requestHeader }: HandlerContext): Promise<string> => {
    seen.push(...requestHeader.keys())
    return String(remainingMs())
  }
  const running = await startConnect({ left }, [server({ budgetMs: 2000 })], 1, anchored)
  open.push(running)
  const slow = await new Promise<string>((resolve, reject) => {
    const asking = request(
      { port: running.port, method: 'POST', path: '/test.Stock/Left', headers: { 'content-type': 'application/json' } },
      (response) => {
        response.setEncoding('utf8').on('data', resolve)
      },
    )
    asking.on('error', reject)
    asking.write('"')
    setTimeout(() => asking.end('x"'), 300)
  })
  expect(Number(JSON.parse(slow))).toBeLessThanOrEqual(1850)
  expect(seen).not.toContain('sandglass-anchor')
})
