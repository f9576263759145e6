import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createHttp2Server, type Http2Server, type ServerHttp2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { create, createFileRegistry, type DescService } from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema, FileDescriptorSetSchema, file_google_protobuf_wrappers, type StringValue } from '@bufbuild/protobuf/wkt'
import { type CallOptions, createClient, type HandlerContext, type Interceptor, type Transport } from '@connectrpc/connect'
import { connectNodeAdapter } from '@connectrpc/connect-node'

const text = '.google.protobuf.StringValue'

const registry = createFileRegistry(
  create(FileDescriptorSetSchema, {
    file: [
      file_google_protobuf_wrappers.proto,
      create(FileDescriptorProtoSchema, {
        name: 'stock.proto',
        package: 'test',
        syntax: 'proto3',
        dependency: ['google/protobuf/wrappers.proto'],
        service: [
          {
            name: 'Stock',
            method: [
              { name: 'Left', inputType: text, outputType: text },
              { name: 'Watch', inputType: text, outputType: text, serverStreaming: true },
            ],
          },
        ],
      }),
    ],
  }),
)

/** A service with one unary method and one that streams its answers, both of plain text. */
export const stockService: DescService = registry.getService('test.Stock') as DescService

export interface ConnectStock {
  left?(text: string, context: HandlerContext): Promise<string>
  watch?(text: string, context: HandlerContext): AsyncIterable<string>
}

export interface RunningConnect {
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

type NodeListener = ReturnType<typeof connectNodeAdapter>

/** Serves `handlers` with connect-node, over HTTP/1.1 or, as gRPC wants it, HTTP/2. */
export async function startConnect(
  handlers: ConnectStock,
  interceptors: Interceptor[],
  version: 1 | 2 = 1,
  wrap: (listener: NodeListener) => NodeListener = (listener) => listener,
): Promise<RunningConnect> {
  const listener = wrap(
    connectNodeAdapter({
      interceptors,
      routes: (router) => {
        const implementation = {
          left: async ({ value }: StringValue, context: HandlerContext) => ({ value: (await handlers.left?.(value, context)) ?? '' }),
          async *watch({ value }: StringValue, context: HandlerContext) {
            for await (const one of handlers.watch?.(value, context) ?? []) yield { value: one }
          },
        }
        router.service(stockService, implementation as never)
      },
    }),
  )
  const server: Server | Http2Server = version === 1 ? createServer(listener) : createHttp2Server(listener)
  const sessions = new Set<ServerHttp2Session>()
  server.on('session', (session: ServerHttp2Session) => sessions.add(session))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async close() {
      for (const session of sessions) session.destroy()
      if ('closeAllConnections' in server) server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export interface ConnectStockClient {
  left(text: string, options?: CallOptions): Promise<string>
  watch(text: string, options?: CallOptions): AsyncIterable<string>
}

/** A client of that service over a transport. */
export function connectClient(transport: Transport): ConnectStockClient {
  const made = createClient(stockService, transport) as unknown as {
    left(message: { value: string }, options?: CallOptions): Promise<StringValue>
    watch(message: { value: string }, options?: CallOptions): AsyncIterable<StringValue>
  }
  return {
    left: async (value, options) => (await made.left({ value }, options)).value,
    async *watch(value, options) {
      for await (const one of made.watch({ value }, options)) yield one.value
    },
  }
}
