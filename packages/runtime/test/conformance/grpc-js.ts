import { once } from 'node:events'
import { createServer, type ServerHttp2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { getDeadlineTimeoutString } from '@grpc/grpc-js/build/src/deadline.js'
import { server, strictTimeouts } from '../../src/adapters/grpc-server.js'
import { observe } from '../../src/observe.js'
import { callRaw, startStock, stockClient } from '../adapters/grpc-service.js'
import { until } from '../adapters/http-server-scenarios.js'
import type { Read, Written } from './judge.js'

/** What grpc-js as it is makes of a `grpc-timeout` that a server receives; `nowAt` is what Date.now says meanwhile. */
export async function readByGrpcJs(value: string | string[] | undefined, nowAt: number): Promise<Read> {
  let read: Read = { refused: 'never reached' }
  const running = await startStock(
    { left: ((_call: unknown, done: (error: null, text: string) => void) => done(null, 'ok')) as never, watch: () => undefined },
    [
      (_method, call) => {
        const deadline = Number(call.getDeadline())
        read = deadline === Infinity ? {} : { ms: deadline - nowAt }
        return call as never
      },
    ],
  )
  const { status } = await callRaw(running.port, value === undefined ? {} : { 'grpc-timeout': value })
  running.close()
  if (status === '13') return { refused: 'INTERNAL' }
  if (status === '4' && (read.ms ?? 0) > 1000) return { ...read, endedAtOnce: true }
  return read
}

/** The same with this package's interceptor and `strictTimeouts`. */
export async function readByUs(value: string | string[] | undefined): Promise<Read> {
  const reads: Read[] = []
  const end = observe((record) => {
    if (record.kind === 'request')
      reads.push(record.budgetFrom === 'header' ? { ms: record.budgetInMs } : { malformed: record.budgetFrom === 'malformed' })
  })
  const interceptor = server({ budgetMs: Infinity, maxBudgetMs: Infinity })
  const running = await startStock(
    { left: ((_call: unknown, done: (error: null, text: string) => void) => done(null, 'ok')) as never, watch: () => undefined },
    [interceptor],
    strictTimeouts,
  )
  await callRaw(running.port, value === undefined ? {} : { 'grpc-timeout': value })
  await until(() => reads.length > 0)
  end()
  running.close()
  return reads[0] ?? { refused: 'never reached' }
}

/** What a client of grpc-js as it is sends for a deadline `budgetMs` after `nowAt`. */
export async function writtenByGrpcJs(budgetMs: number, nowAt: number): Promise<Written> {
  // Whether so short a call is still sent is up to its timers; what it would write is not.
  if (budgetMs > 0 && budgetMs < 1) return { sent: true, text: getDeadlineTimeoutString(nowAt + budgetMs) }
  let written: Written = { sent: false }
  const sessions = new Set<ServerHttp2Session>()
  const listener = createServer()
  listener.on('session', (session) => sessions.add(session))
  listener.on('stream', (stream, headers) => {
    const text = headers['grpc-timeout']
    written = { sent: true, ...(text !== undefined && { text: String(text) }) }
    stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '2' }, { endStream: true })
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const client = stockClient((listener.address() as AddressInfo).port)
  await client.left('x', budgetMs === Infinity ? {} : { deadline: nowAt + budgetMs }).catch(() => undefined)
  client.close()
  for (const session of sessions) session.destroy()
  listener.close()
  return written
}
