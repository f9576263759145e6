import { setTimeout as sleep } from 'node:timers/promises'
import type { Interceptor } from '@connectrpc/connect'
import { createConnectTransport, createGrpcTransport } from '@connectrpc/connect-node'
import { server } from '../../src/adapters/connect-server.js'
import { observe } from '../../src/observe.js'
import { connectClient, startConnect } from '../adapters/connect-service.js'
import { callRaw } from '../adapters/grpc-service.js'
import { ask } from '../adapters/http-server-scenarios.js'
import type { Read, Written } from './judge.js'

/** The protocol of Connect that carries a budget. */
export type ConnectProtocol = 'connect' | 'grpc'

const headerOf = { connect: 'connect-timeout-ms', grpc: 'grpc-timeout' } as const

async function send(protocol: ConnectProtocol, port: number, value: string | string[] | undefined): Promise<string | undefined> {
  const headers = value === undefined ? {} : { [headerOf[protocol]]: value }
  if (protocol === 'grpc') {
    const { status } = await callRaw(port, headers, '')
    return status === '3' ? 'INVALID_ARGUMENT' : undefined
  }
  const { body } = await ask(port, '/test.Stock/Left', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '"x"',
  })
  return /"code":"invalid_argument"/.test(body) ? 'INVALID_ARGUMENT' : undefined
}

/** What connect-es as it is makes of a timeout that a server receives, under either protocol. */
export async function readByConnect(protocol: ConnectProtocol, value: string | string[] | undefined): Promise<Read> {
  let read: Read = { refused: 'never reached' }
  const left = async (_text: string, context: { timeoutMs(): number | undefined; readonly signal: AbortSignal }): Promise<string> => {
    const ms = context.timeoutMs()
    if (ms !== undefined && ms > 1000) await sleep(10)
    read = { ...(ms !== undefined && { ms }), ...(ms !== undefined && ms > 1000 && context.signal.aborted && { endedAtOnce: true }) }
    return 'ok'
  }
  const running = await startConnect({ left }, [], protocol === 'grpc' ? 2 : 1)
  const refused = await send(protocol, running.port, value)
  await running.close()
  return refused === undefined ? read : { refused }
}

/** The same with this package's interceptor. */
export async function readByUsInConnect(protocol: ConnectProtocol, value: string | string[] | undefined): Promise<Read> {
  const reads: Read[] = []
  const end = observe((record) => {
    if (record.kind === 'request')
      reads.push(record.budgetFrom === 'header' ? { ms: record.budgetInMs } : { malformed: record.budgetFrom === 'malformed' })
  })
  const running = await startConnect(
    { left: async () => 'ok' },
    [server({ budgetMs: Infinity, maxBudgetMs: Infinity })],
    protocol === 'grpc' ? 2 : 1,
  )
  const refused = await send(protocol, running.port, value)
  end()
  await running.close()
  return refused === undefined ? (reads[0] ?? { refused: 'never reached' }) : { refused }
}

/** What a client of connect-es as it is would send for `timeoutMs`: its interceptors see the headers as they go out, before any timer can interfere. */
export async function writtenByConnect(protocol: ConnectProtocol, budgetMs: number): Promise<Written> {
  let written: Written = { sent: false }
  const stop: Interceptor = () => (request) => {
    const text = request.header.get(headerOf[protocol])
    written = { sent: true, ...(text !== null && { text }) }
    return Promise.reject(new Error('seen'))
  }
  const [baseUrl, interceptors] = ['http://127.0.0.1:1', [stop]]
  const transport =
    protocol === 'grpc'
      ? createGrpcTransport({ baseUrl, interceptors })
      : createConnectTransport({ baseUrl, interceptors, httpVersion: '1.1' })
  const client = connectClient(transport)
  await client.left('x', budgetMs === Infinity ? {} : { timeoutMs: budgetMs }).catch(() => undefined)
  return written
}
