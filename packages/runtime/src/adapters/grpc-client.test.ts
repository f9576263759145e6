import { setTimeout as sleep } from 'node:timers/promises'
import type { Metadata, ServerUnaryCall, ServerWritableStream, sendUnaryData } from '@grpc/grpc-js'
import { afterEach, expect, test } from 'vitest'
import { answering, type RunningStock, type StockClient, startStock, stockClient } from '../../test/adapters/grpc-service.js'
import { until } from '../../test/adapters/http-server-scenarios.js'
import { call } from '../call.js'
import { currentSignal, withDeadline } from '../deadline-api.js'
import { noteAnswer } from '../outbound.js'
import { client } from './grpc-client.js'
import { server } from './grpc-server.js'

type Call = ServerUnaryCall<string, string>
type Done = sendUnaryData<string>

const open: (RunningStock | StockClient)[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

/** A server of grpc-js alone, and a client with the adapter. */
async function pair(
  left: (call: Call, done: Done) => unknown,
  watch: (stream: ServerWritableStream<string, string>) => void = () => undefined,
): Promise<StockClient> {
  const running = await startStock({ left: left as never, watch: watch as never }, [])
  const made = stockClient(running.port, [client()])
  open.push(running, made)
  await made.ready()
  return made
}

const leftOf = (given: Call): number => Number(given.getDeadline()) - Date.now()
const under = <T>(budgetMs: number, fn: () => Promise<T>): Promise<T> => withDeadline({ budgetMs, name: 'request' }, fn)

test.each([
  ['the parent’s when it is smaller', 2000, 5000, 1900],
  ['its own when it is smaller', 5000, 1000, 1000],
  ['the parent’s when it has none', 2000, undefined, 1900],
])('the deadline of a call is %s', async (_, parentMs, ownMs, most) => {
  const seen: number[] = []
  const made = await pair((given, done) => (seen.push(leftOf(given)), done(null, 'ok')))
  await under(parentMs, () => made.left('x', ownMs === undefined ? {} : { deadline: Date.now() + ownMs }))
  expect(seen[0]).toBeLessThanOrEqual(most)
  expect(seen[0]).toBeGreaterThan(most - 700)
})

test('outside of any deadline nothing is added', async () => {
  const seen: [number, Metadata][] = []
  const made = await pair((given, done) => (seen.push([leftOf(given), given.metadata]), done(null, 'ok')))
  await made.left('x')
  expect([seen[0]?.[0], seen[0]?.[1].get('request-budget-ms')]).toEqual([Infinity, []])
})

test('our own headers go along, and each attempt of a call has its own budget', async () => {
  const seen: Metadata[] = []
  const made = await pair((given, done) => {
    seen.push(given.metadata)
    if (seen.length === 2) done(null, 'second')
  })
  const guarded = call(
    'stock.left',
    { does: 'read', attempts: 2, attemptMs: 400, timeoutMs: 2000, reserveMs: 0 },
    async () => (await made.left('x')).text,
  )
  expect((await under(4000, () => guarded())).value).toBe('second')
  const budgets = seen.map((metadata) => Number(metadata.get('request-budget-ms')[0]))
  expect(budgets.every((ms) => ms > 200 && ms <= 400)).toBe(true)
  expect(seen.map((metadata) => /attempt=(\d)/.exec(String(metadata.get('request-budget-meta')[0]))?.[1])).toEqual(['1', '2'])
})

test('the end of the deadline cancels the call, also at the server', async () => {
  let cancelledAt = 0
  const made = await pair((given) => given.on('cancelled', () => (cancelledAt = performance.now())))
  const startedAt = performance.now()
  const inner: unknown[] = []
  await under(300, () => made.left('x').catch((error: unknown) => inner.push(error))).catch(() => undefined)
  await until(() => cancelledAt > 0 && inner.length > 0)
  expect(cancelledAt - startedAt).toBeLessThan(1500)
  expect(inner[0]).toMatchObject({ code: 4 })
})

test('the end of the deadline ends a stream that is being read', async () => {
  let cancelled = false
  const made = await pair(
    () => undefined,
    (stream) => {
      stream.write('one')
      stream.on('cancelled', () => (cancelled = true))
    },
  )
  const seen: string[] = []
  await under(300, async () => {
    for await (const text of made.watch('x')) seen.push(text)
  }).catch(() => undefined)
  await until(() => cancelled)
  expect(seen).toEqual(['one'])
})

test('a call that is not worth sending ends with DEADLINE_EXCEEDED and is not sent', async () => {
  let calls = 0
  const made = await pair((_given, done) => ((calls += 1), done(null, 'ok')))
  await made.left('warm')
  const error = await under(4, () => made.left('x').catch((reason: unknown) => reason as never)).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: expect.anything() })
  expect([4, 'DEADLINE_EXCEEDED', 'BUDGET_TOO_SMALL']).toContain((error as { code: unknown }).code)
  await sleep(30)
  expect(calls).toBe(1)
})

test('codes of gRPC are understood by call: UNAVAILABLE is tried again, INVALID_ARGUMENT is not', async () => {
  const tries: Record<string, number> = {}
  const made = await pair((given, done) => {
    tries[given.request] = (tries[given.request] ?? 0) + 1
    if (given.request === 'busy' && tries['busy'] === 1) done({ code: 14, details: 'busy' })
    else if (given.request === 'wrong') done({ code: 3, details: 'wrong' })
    else done(null, 'ok')
  })
  const guarded = call(
    'stock.left',
    { does: 'read', attempts: 3, timeoutMs: 3000 },
    async (_context, text: string) => (await made.left(text)).text,
  )
  expect((await guarded('busy')).value).toBe('ok')
  await expect(guarded('wrong')).rejects.toMatchObject({ code: 3 })
  expect(tries).toEqual({ busy: 2, wrong: 1 })
})

test('over two hops the budget shrinks and the marks travel back', async () => {
  const seen: number[] = []
  const last = await startStock(
    {
      left: ((given: Call, done: Done) => (noteAnswer('price.of;tier=default'), seen.push(leftOf(given)), done(null, 'ok'))) as never,
      watch: () => undefined,
    },
    [server({ budgetMs: 9000 })],
  )
  const toLast = stockClient(last.port, [client()])
  const middle = await startStock(
    {
      left: answering(async () => (await sleep(40), (await toLast.left('x')).text)) as never,
      watch: () => undefined,
    },
    [server({ budgetMs: 9000 })],
  )
  const toMiddle = stockClient(middle.port, [client()])
  open.push(last, toLast, middle, toMiddle)
  await Promise.all([toLast.ready(), toMiddle.ready()])
  const marks = await under(2000, async () => (await toMiddle.left('x')).trailers?.get('request-degraded'))
  expect(marks).toEqual(['price.of;tier=default'])
  expect(seen[0]).toBeLessThanOrEqual((1900 - 39) * 0.95 + 1)
  expect(seen[0]).toBeGreaterThan(1000)
})

test('what is called back runs in the scope that asked', async () => {
  const made = await pair((_given, done) => done(null, 'ok'))
  const signals = await under(500, async () => {
    const asked = currentSignal()
    await made.left('x')
    return [asked, currentSignal()]
  })
  expect(signals[0]).toBe(signals[1])
})
