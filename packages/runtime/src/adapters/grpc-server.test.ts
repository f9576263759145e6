import { setTimeout as sleep } from 'node:timers/promises'
import {
  credentials,
  makeClientConstructor,
  type Server,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
} from '@grpc/grpc-js'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  answering,
  callRaw,
  type RunningStock,
  type StockClient,
  type StockHandlers,
  startStock,
  stock,
  stockClient,
} from '../../test/adapters/grpc-service.js'
import { expectWithin, until } from '../../test/adapters/http-server-scenarios.js'
import { currentSignal, remainingMs } from '../deadline-api.js'
import { SandglassError } from '../errors.js'
import type { InboundOptions } from '../inbound.js'
import { observe, type RequestRecord } from '../observe.js'
import { noteAnswer } from '../outbound.js'
import { client } from './grpc-client.js'
import { grpcError, server, strictTimeouts } from './grpc-server.js'

type Call = ServerUnaryCall<string, string>
type Done = sendUnaryData<string>
type Stream = ServerWritableStream<string, string>

const open: (RunningStock | StockClient)[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

async function start(
  left: (call: Call, done: Done) => unknown,
  options: Partial<InboundOptions> = {},
  more: StockHandlers = {},
  prepare?: (given: Server) => Server,
): Promise<number> {
  const running = await startStock(
    { left: left as never, watch: () => undefined, ...more },
    [server({ budgetMs: 2000, ...options })],
    prepare,
  )
  open.push(running)
  return running.port
}

function clientOf(port: number): StockClient {
  const made = stockClient(port)
  open.push(made)
  return made
}

const tellLeft = (_call: Call, done: Done): void => done(null, String(remainingMs()))

describe('the budget that comes in', () => {
  test('is that of grpc-timeout, or of our own header when that is smaller', async () => {
    const port = await start(tellLeft)
    const made = clientOf(port)
    await made.ready()
    const byDeadline = await made.left('x', { deadline: Date.now() + 500 })
    expect(Number(byDeadline.text)).toBeGreaterThan(200)
    expect(Number(byDeadline.text)).toBeLessThanOrEqual(500)
    const { text } = await callRaw(port, { 'grpc-timeout': '900m', 'request-budget-ms': '300' })
    expect(Number(text)).toBeGreaterThan(150)
    expect(Number(text)).toBeLessThanOrEqual(300)
  })

  test('is the server’s own without any', async () => {
    const { text } = await callRaw(await start(tellLeft), {})
    expect(Number(text)).toBeGreaterThan(1800)
  })

  test.each([
    ['597H', '0'],
    ['1200H', '0'],
    ['99999999H', '0'],
    ['100000000m', '0'],
    ['1000000000m', '0'],
    ['-5m', '0'],
    ['1.5S', '0'],
    ['500', '0'],
    ['500ms', '0'],
    ['', '0'],
    ['9'.repeat(8000), '0'],
    ['2S', '0'],
    ['500u', '4'],
    ['0m', '4'],
  ])('of grpc-timeout %s, read strictly, leads to status %s', async (given, status) => {
    const runs: number[] = []
    const port = await start(
      (_call, done) => {
        runs.push(remainingMs())
        setTimeout(() => done(null, 'ok'), 20)
      },
      {},
      {},
      strictTimeouts,
    )
    const answer = await callRaw(port, { 'grpc-timeout': given })
    expect(answer.status).toBe(status)
    // All of them are malformed or longer than the server's own budget, but two.
    if (status === '0') expect(runs[0]).toBeGreaterThan(1500)
    if (given === '0m') expect(runs).toEqual([])
  })

  test('counts as malformed in the record when it was', async () => {
    const port = await start(tellLeft, {}, {}, strictTimeouts)
    const records = recording()
    await callRaw(port, { 'grpc-timeout': '1.5S' })
    await callRaw(port, { 'grpc-timeout': '1500m' })
    const seen = (): unknown[] => records.all.map(({ budgetFrom, budgetInMs }) => [budgetFrom, budgetInMs])
    await until(() => records.all.some(({ budgetInMs }) => budgetInMs === 1500))
    records.stop()
    // A call of the test before may be recorded in here as well.
    expect(seen()).toEqual(
      expect.arrayContaining([
        ['malformed', 2000],
        ['header', 1500],
      ]),
    )
  })

  test('can only be read strictly where grpc-js is what it was', () => {
    expect(() => strictTimeouts({})).toThrow(/grpc-js/)
  })
})

describe('time up', () => {
  test('ends the call with DEADLINE_EXCEEDED, aborts the signal, and makes late answers disappear', async () => {
    let signal: AbortSignal | undefined
    let cancelled = false
    const late: Done[] = []
    const port = await start(
      (call, done) => {
        signal = currentSignal()
        call.on('cancelled', () => (cancelled = true))
        late.push(done)
      },
      { budgetMs: 50 },
    )
    const records = recording()
    const answer = await callRaw(port, {})
    expect([answer.status, answer.message]).toEqual(['4', 'DEADLINE_EXCEEDED'])
    expect(answer.tookMs).toBeGreaterThanOrEqual(49)
    expect(answer.tookMs).toBeLessThan(1000)
    await until(() => cancelled)
    expect(signal?.aborted).toBe(true)
    late[0]?.(null, 'late')
    expect(records.stop()).toMatchObject([{ outcome: 'expired', status: 504, whose: 'own' }])
    expect((await callRaw(port, {})).status).toBe('4')
  })

  test('goes by its path where the program has no name for it, and a name that throws ends nothing', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    const operation = (): string => {
      throw new Error('no name')
    }
    const port = await start(tellLeft, { operation } as Partial<InboundOptions>)
    const records = recording()
    expect((await callRaw(port, {})).status).toBe('0')
    await until(() => records.all.length === 1)
    expect(records.stop()).toMatchObject([{ operation: '/test.Stock/Left', outcome: 'answered' }])
    expect(warn).toHaveBeenCalledOnce()
    warn.mockRestore()
  })

  test('is expired in the record whoever’s timer was first', async () => {
    const port = await start(() => undefined)
    const records = recording()
    await callRaw(port, { 'grpc-timeout': '50m' })
    await until(() => records.all.length === 1)
    expect(records.stop()).toMatchObject([{ outcome: 'expired', whose: 'inherited', operation: '/test.Stock/Left' }])
  })

  test('ends a stream of answers', async () => {
    let finished = false
    const port = await start(
      tellLeft,
      { budgetMs: 60 },
      {
        watch: ((stream: Stream) => {
          stream.write('one')
          const timer = setInterval(() => stream.write('late'), 200)
          stream.on('cancelled', () => {
            clearInterval(timer)
            finished = true
          })
        }) as never,
      },
    )
    const seen: string[] = []
    const error = await (async () => {
      for await (const text of clientOf(port).watch('x')) seen.push(text)
    })().catch((reason: unknown) => reason)
    expect(seen).toEqual(['one'])
    expect(error).toMatchObject({ code: 4 })
    await until(() => finished)
  })
})

test('when its caller gives up, a server’s own outgoing call is cancelled too', async () => {
  let thirdCancelledAt = 0
  let reached = 0
  const third = await start((call) => {
    reached += 1
    call.on('cancelled', () => (thirdCancelledAt = performance.now()))
  })
  const toThird = stockClient(third, [client()])
  open.push(toThird)
  let asked = 0
  const reasons: unknown[] = []
  const second = await start(
    answering(async () => {
      asked += 1
      try {
        return (await toThird.left('x')).text
      } catch (error) {
        reasons.push(error)
        throw error
      }
    }),
  )
  const Client = makeClientConstructor(stock, 'test.Stock')
  const first = new Client(`127.0.0.1:${second}`, credentials.createInsecure()) as unknown as {
    left(text: string, done: () => void): { cancel(): void }
    close(): void
  }
  open.push(first as unknown as StockClient)
  await expectWithin(30, async () => {
    const before = reached
    const leaving = first.left('x', () => undefined)
    await until(() => reached > before)
    thirdCancelledAt = 0
    const leftAt = performance.now()
    leaving.cancel()
    await until(() => thirdCancelledAt > 0)
    return thirdCancelledAt - leftAt
  })
  await until(() => reasons.length === asked)
  expect(reasons[0]).toMatchObject({ code: 1 })
})

test('refusals are UNAVAILABLE and say when to come back', async () => {
  const port = await start((_call, done) => void setTimeout(() => done(null, 'ok'), 60), { concurrency: 1, queue: { limit: 1 } })
  const made = clientOf(port)
  const results = await Promise.allSettled([1, 2, 3].map(() => made.left('x')))
  const refused = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as { code: number; metadata: { get(key: string): unknown[] } }] : [],
  )
  expect(refused.map(({ code }) => code)).toEqual([14])
  expect(Number(refused[0]?.metadata.get('grpc-retry-pushback-ms')[0])).toBeGreaterThanOrEqual(1000)
})

test('an error of this package becomes a status of gRPC, any other stays', async () => {
  const failing = new SandglassError({
    code: 'BUDGET_TOO_SMALL',
    whose: 'inherited',
    outcome: 'not-sent',
    retryable: false,
    budgetMs: 1,
    elapsedMs: 1,
    call: 'a.b',
  })
  const port = await start((_call, done) => done(grpcError(failing) as Error))
  await expect(clientOf(port).left('x')).rejects.toMatchObject({ code: 4, details: expect.stringContaining('a.b') })
  const other = new Error('other')
  expect(grpcError(other)).toBe(other)
})

test('marks travel in the trailers, of good answers and of bad ones', async () => {
  const port = await start((call, done) => {
    noteAnswer('stock.left;tier=snapshot;age-ms=10')
    if (call.request === 'bad') done({ code: 9, details: 'bad' })
    else done(null, 'ok')
  })
  const made = clientOf(port)
  expect((await made.left('good')).trailers?.get('request-degraded')).toEqual(['stock.left;tier=snapshot;age-ms=10'])
  const error = (await made.left('bad').catch((reason: unknown) => reason)) as { code: number; metadata: { get(key: string): unknown[] } }
  expect([error.code, error.metadata.get('request-degraded')]).toEqual([9, ['stock.left;tier=snapshot;age-ms=10']])
})

test('a good call is recorded once, and its signal stays', async () => {
  let signal: AbortSignal | undefined
  const port = await start((_call, done) => ((signal = currentSignal()), done(null, 'ok')))
  const records = recording()
  const made = clientOf(port)
  await made.ready()
  await made.left('x', { deadline: Date.now() + 300 })
  await sleep(330)
  expect(signal?.aborted).toBe(false)
  expect(records.stop()).toMatchObject([{ outcome: 'answered', status: 200 }])
})

function recording(): { readonly all: RequestRecord[]; stop(): RequestRecord[] } {
  const all: RequestRecord[] = []
  const end = observe((record) => record.kind === 'request' && all.push(record))
  return { all, stop: () => (end(), all) }
}
