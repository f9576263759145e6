import { connect, type IncomingHttpHeaders } from 'node:http2'
import { promisify } from 'node:util'
import {
  type ClientOptions,
  credentials,
  type Interceptor,
  type Metadata,
  makeClientConstructor,
  Server,
  ServerCredentials,
  type ServerInterceptor,
  type ServiceError,
} from '@grpc/grpc-js'

const texts = { serialize: (text: string) => Buffer.from(text), deserialize: (bytes: Buffer) => bytes.toString() }
const method = (name: string, responseStream: boolean) => ({
  path: `/test.Stock/${name}`,
  requestStream: false,
  responseStream,
  requestSerialize: texts.serialize,
  requestDeserialize: texts.deserialize,
  responseSerialize: texts.serialize,
  responseDeserialize: texts.deserialize,
})

/** A service with one unary method and one that streams its answers, both of plain text. */
export const stock = { left: method('Left', false), watch: method('Watch', true) }

const Client = makeClientConstructor(stock, 'test.Stock')

export type StockHandlers = Parameters<Server['addService']>[1]

export interface RunningStock {
  readonly port: number
  close(): void
}

/** Serves `handlers` with grpc-js as given, on a free port. */
export function startStock(
  handlers: StockHandlers,
  interceptors: ServerInterceptor[],
  prepare: (server: Server) => Server = (server) => server,
): Promise<RunningStock> {
  const server = prepare(new Server({ interceptors }))
  server.addService(stock as never, handlers)
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve({ port, close: () => server.forceShutdown() })
      else reject(error)
    })
  })
}

export interface StockClient {
  left(text: string, options?: { deadline?: Date | number }): Promise<{ text: string; trailers: Metadata | undefined }>
  watch(text: string): AsyncIterable<string>
  /** Connects, so that a short budget is not used up by that. */
  ready(): Promise<void>
  close(): void
}

/** A client of that service. */
export function stockClient(port: number, interceptors: Interceptor[] = [], options: ClientOptions = {}): StockClient {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), { ...options, interceptors })
  const methods = client as unknown as {
    left(
      text: string,
      options: object,
      done: (error: ServiceError | null, text: string) => void,
    ): { on(event: 'status', listener: (status: { metadata: Metadata }) => void): void }
    watch(text: string): AsyncIterable<string>
  }
  return {
    left: (text, callOptions = {}) =>
      new Promise((resolve, reject) => {
        let trailers: Metadata | undefined
        methods
          .left(text, callOptions, (error, answer) => {
            if (error === null) setImmediate(() => resolve({ text: answer, trailers }))
            else reject(error)
          })
          .on('status', (status) => (trailers = status.metadata))
      }),
    watch: (text) => methods.watch(text),
    ready: () => promisify(client.waitForReady.bind(client))(Date.now() + 10_000),
    close: () => client.close(),
  }
}

/** A handler of grpc-js that answers as a promise does. */
export function answering(fn: () => Promise<string>): (call: unknown, done: (error: Error | null, text?: string) => void) => void {
  const answer = async (done: (error: Error | null, text?: string) => void): Promise<void> => {
    try {
      done(null, await fn())
    } catch (error) {
      done(error as Error)
    }
  }
  return (_call, done) => void answer(done)
}

/** Calls `Left` with headers as they are, past any client library; the answer's status and text. */
export function callRaw(
  port: number,
  headers: Record<string, string | string[]>,
  message = 'x',
): Promise<{ status: string; message: string; text: string; tookMs: number }> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const session = connect(`http://127.0.0.1:${port}`)
    session.on('error', reject)
    const stream = session.request({
      ':method': 'POST',
      ':path': stock.left.path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...headers,
    })
    let status: IncomingHttpHeaders = {}
    const chunks: Buffer[] = []
    stream.on('response', (answer) => (status = { ...status, ...answer }))
    stream.on('trailers', (trailers) => (status = { ...status, ...trailers }))
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('error', reject)
    stream.on('close', () => {
      session.close()
      resolve({
        status: String(status['grpc-status']),
        message: String(status['grpc-message']),
        text: Buffer.concat(chunks).subarray(5).toString(),
        tookMs: performance.now() - startedAt,
      })
    })
    stream.end(Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), Buffer.from(message)]))
  })
}
