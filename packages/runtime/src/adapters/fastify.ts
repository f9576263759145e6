import { type ExchangeRequest, type ExchangeResponse, httpExchange } from '../http-exchange.js'
import { createInbound, type InboundOptions, type OpenRequest } from '../inbound.js'

/** What is needed of a request of Fastify. */
export interface FastifyRequest {
  readonly raw: ExchangeRequest
  readonly method: string
  readonly routeOptions?: { readonly url?: string | undefined }
}

/** What is needed of a reply of Fastify. */
export interface FastifyReply {
  readonly raw: ExchangeResponse
  hijack(): unknown
  code(status: number): unknown
  headers(headers: Record<string, string>): unknown
  getHeaders(): Record<string, unknown>
}

/** What is needed of an instance of Fastify: its `addHook`. */
export interface FastifyInstance {
  addHook: (...args: never[]) => unknown
}

/** How a Fastify application is served. */
export interface FastifyServerOptions extends InboundOptions {
  /** Name of what a request asks for. Default its method and route, such as `GET /orders/:id`. */
  readonly operation?: string | ((request: FastifyRequest) => string)
}

type Hook = (request: FastifyRequest, reply: FastifyReply, ...rest: never[]) => void

/**
 * The plugin that gives every request of the instance it is registered on its deadline, the contexts below it included; register it before all others.
 *
 * Time up: 504 with the headers set so far, past the `onSend` hooks; what the handler sends afterwards goes nowhere. Errors of this package get the status
 * 504 or 503 with `retry-after` and go through Fastify's error handler. Throws TypeError or RangeError for options that make no sense.
 */
export function server(options: FastifyServerOptions): (instance: FastifyInstance, pluginOptions: unknown, done: () => void) => void {
  const inbound = createInbound(options)
  const nameOf = namer(options.operation)
  const opens = new WeakMap<FastifyRequest, OpenRequest>()
  const onRequest = (request: FastifyRequest, reply: FastifyReply, next: () => void): void => {
    httpExchange(inbound, nameOf(request), request.raw, reply.raw, {
      onRefusal: () => takeOver(reply),
      work(open) {
        opens.set(request, open)
        open.run(next)
      },
    })
  }
  const onError = (request: FastifyRequest, reply: FastifyReply, error: unknown, next: () => void): void => {
    const refusal = opens.get(request)?.refusalOf(error)
    if (refusal !== undefined) {
      reply.code(refusal.status)
      reply.headers({ ...refusal.headers })
    }
    next()
  }
  const plugin = (instance: FastifyInstance, _options: unknown, done: () => void): void => {
    const addHook = instance.addHook as unknown as (this: FastifyInstance, name: string, hook: Hook) => unknown
    addHook.call(instance, 'onRequest', onRequest)
    addHook.call(instance, 'onError', onError)
    done()
  }
  // Known to Fastify: the hooks belong to the instance itself and not to a context of the plugin's own.
  return Object.assign(plugin, { [Symbol.for('skip-override')]: true, [Symbol.for('fastify.display-name')]: 'sandglass' })
}

function namer(operation: FastifyServerOptions['operation']): (request: FastifyRequest) => string {
  if (typeof operation === 'function') return operation
  return (request) => operation ?? `${request.method} ${request.routeOptions?.url ?? '*'}`
}

// Headers that plugins have set (CORS) are needed with a 504 as well; those about the body are not ours.
function takeOver(reply: FastifyReply): void {
  if (!reply.raw.headersSent) {
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (!name.startsWith('content-') && (typeof value === 'string' || typeof value === 'number')) reply.raw.setHeader(name, String(value))
    }
  }
  reply.hijack()
}
