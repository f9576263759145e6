import { setTimeout as sleep } from 'node:timers/promises'
import { Code, ConnectError, type HandlerContext, type Interceptor } from '@connectrpc/connect'
import { createConnectTransport, createGrpcTransport } from '@connectrpc/connect-node'
import { afterEach, describe, expect, test } from 'vitest'
import {
  type ConnectStock,
  type ConnectStockClient,
  connectClient,
  type RunningConnect,
  startConnect,
} from '../../test/adapters/connect-service.js'
import { until } from '../../test/adapters/http-server-scenarios.js'
import { call } from '../call.js'
import { withDeadline } from '../deadline-api.js'
import { SandglassError } from '../errors.js'
import { noteAnswer } from '../outbound.js'
import { client } from './connect-client.js'
import { server } from './connect-server.js'

const open: RunningConnect[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()))
})
const under = <T>(budgetMs: number, fn: () => Promise<T>): Promise<T> => withDeadline({ budgetMs, name: 'request' }, fn)

describe.each([
  ['Connect', 'connect-timeout-ms', 1],
  ['gRPC', 'grpc-timeout', 2],
] as const)('over the protocol %s', (protocol, header, version) => {
  const clientOf = ({ url }: RunningConnect, before: Interceptor[] = []): ConnectStockClient =>
    connectClient(
      protocol === 'gRPC'
        ? createGrpcTransport({ baseUrl: url, interceptors: [client(), ...before] })
        : createConnectTransport({ baseUrl: url, httpVersion: '1.1', interceptors: [client(), ...before] }),
    )
  async function pair(handlers: ConnectStock): Promise<ConnectStockClient> {
    const running = await startConnect(handlers, [], version)
    open.push(running)
    return clientOf(running)
  }
  const msOf = (headers: Headers): number => Number.parseInt(headers.get(header) ?? '', 10)

  test.each([
    ['the parent’s when it is smaller', 2000, 5000, 1900],
    ['its own when it is smaller', 5000, 1000, 1000],
    ['the parent’s when it has none', 2000, undefined, 1900],
  ])('the budget of a call is %s', async (_, parentMs, timeoutMs, most) => {
    const seen: Headers[] = []
    const made = await pair({ left: async (_text, { requestHeader }) => (seen.push(requestHeader), 'ok') })
    await under(parentMs, () => made.left('x', { ...(timeoutMs !== undefined && { timeoutMs }) }))
    expect(msOf(seen[0]!)).toBeLessThanOrEqual(most)
    expect(msOf(seen[0]!)).toBeGreaterThan(most - 700)
    expect(Number(seen[0]!.get('request-budget-ms'))).toBeGreaterThan(most - 700)
    expect(seen[0]!.get('request-budget-meta')).toContain('hop=1; attempt=1; last')
  })

  test('outside of any deadline nothing is added', async () => {
    const seen: Headers[] = []
    const made = await pair({ left: async (_text, { requestHeader }) => (seen.push(requestHeader), 'ok') })
    await made.left('x')
    expect([seen[0]!.has(header), seen[0]!.has('request-budget-ms')]).toEqual([false, false])
  })

  test('the end of the deadline ends the call with DEADLINE_EXCEEDED, also at the server', async () => {
    let abortedAt = 0
    const made = await pair({
      left: (_text, { signal }: HandlerContext) =>
        new Promise(() => signal.addEventListener('abort', () => (abortedAt = performance.now()))),
    })
    const startedAt = performance.now()
    const inner: unknown[] = []
    await under(300, () => made.left('x', { timeoutMs: 5000 }).catch((error: unknown) => inner.push(error))).catch(() => undefined)
    await until(() => abortedAt > 0 && inner.length > 0)
    expect(abortedAt - startedAt).toBeLessThan(1500)
    expect(inner[0]).toBeInstanceOf(ConnectError)
    expect(inner[0]).toMatchObject({ code: Code.DeadlineExceeded, cause: { code: 'DEADLINE_EXCEEDED', name: 'TimeoutError' } })
  })

  test('the end of the deadline ends a stream that is being read', async () => {
    let aborted = false
    const made = await pair({
      async *watch(_text, { signal }) {
        yield 'one'
        // Says nothing, not even that its own time is up.
        await new Promise(() => signal.addEventListener('abort', () => (aborted = true)))
      },
    })
    const seen: string[] = []
    const inner: unknown[] = []
    await under(300, async () => {
      try {
        for await (const text of made.watch('x')) seen.push(text)
      } catch (error) {
        inner.push(error)
      }
    }).catch(() => undefined)
    await until(() => inner.length > 0)
    await until(() => aborted)
    expect(seen).toEqual(['one'])
    expect(inner[0]).toMatchObject({ code: Code.DeadlineExceeded })
  })

  test('a call that is not worth sending is DEADLINE_EXCEEDED and not sent', async () => {
    let calls = 0
    const made = await pair({ left: async () => String((calls += 1)) })
    const inner: unknown[] = []
    await under(4, () => made.left('x').catch((error: unknown) => inner.push(error))).catch(() => undefined)
    await until(() => inner.length > 0)
    expect(inner[0]).toMatchObject({ code: Code.DeadlineExceeded })
    expect((inner[0] as ConnectError).cause).toBeInstanceOf(SandglassError)
    await sleep(30)
    expect(calls).toBe(0)
  })

  test('codes are understood by call, and each attempt has its own budget', async () => {
    const seen: Headers[] = []
    const made = await pair({
      left: async (_text, { requestHeader }) => {
        seen.push(requestHeader)
        if (seen.length === 1) throw new ConnectError('busy', Code.Unavailable)
        if (seen.length === 2) return 'ok'
        throw new ConnectError('wrong', Code.InvalidArgument)
      },
    })
    const guarded = call('stock.left', { does: 'read', attempts: 3, attemptMs: 500, timeoutMs: 3000, reserveMs: 0 }, () => made.left('x'))
    expect((await guarded()).value).toBe('ok')
    expect(seen.map((headers) => msOf(headers) > 350 && msOf(headers) <= 500)).toEqual([true, true])
    await expect(guarded()).rejects.toMatchObject({ code: Code.InvalidArgument })
    expect(seen.length).toBe(3)
  })

  test('the program’s own signal still cancels', async () => {
    const made = await pair({ left: () => new Promise(() => undefined) })
    const own = new AbortController()
    setTimeout(() => own.abort(), 30)
    await expect(under(3000, () => made.left('x', { signal: own.signal }))).rejects.toMatchObject({ code: Code.Canceled })
  })

  test('over two hops the budget shrinks and the marks travel back', async () => {
    const seen: Headers[] = []
    const last = await startConnect(
      { left: async (_text, { requestHeader }) => (noteAnswer('price.of;tier=default'), seen.push(requestHeader), 'ok') },
      [server({ budgetMs: 9000 })],
      version,
    )
    const toLast = clientOf(last)
    const middle = await startConnect({ left: async () => (await sleep(40), toLast.left('x')) }, [server({ budgetMs: 9000 })], version)
    open.push(last, middle)
    const marks: (string | null)[] = []
    const note = (headers: Headers): unknown => headers.has('request-degraded') && marks.push(headers.get('request-degraded'))
    await under(2000, () => clientOf(middle).left('x', { onHeader: note, onTrailer: note }))
    expect(marks).toEqual(['price.of;tier=default'])
    expect(msOf(seen[0]!)).toBeLessThanOrEqual((1900 - 39) * 0.95 + 1)
    expect(msOf(seen[0]!)).toBeGreaterThan(1000)
  })
})
