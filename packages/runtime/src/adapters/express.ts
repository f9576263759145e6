import { answerRefusal, type ExchangeRequest, type ExchangeResponse, httpExchange } from '../http-exchange.js'
import { createInbound, type InboundOptions, type OpenRequest } from '../inbound.js'

/** How an Express application is served. */
export interface ExpressServerOptions<Request> extends InboundOptions {
  /** Name of what a request asks for: a route, never the raw path. Default its method. */
  readonly operation?: string | ((request: Request) => string)
}

/** What is needed of a request of Express, beside what node:http gives. */
export interface ExpressRequest extends ExchangeRequest {
  readonly method: string
}

const opens = new WeakMap<object, OpenRequest>()
const overdue = new WeakSet<object>()

/**
 * The middleware that gives every request its deadline; mount it before all others.
 *
 * Time up: 504, and what the handler writes afterwards goes nowhere. Load that is shed: 503 with `retry-after`. Throws TypeError or RangeError for options that make no sense.
 */
export function server<Request extends ExpressRequest>(
  options: ExpressServerOptions<Request>,
): (request: Request, response: ExchangeResponse, next: (error?: unknown) => void) => void {
  const inbound = createInbound(options)
  const { operation } = options
  return (request, response, next) => {
    const name = typeof operation === 'function' ? operation(request) : (operation ?? request.method)
    httpExchange(inbound, name, request, response, {
      onRefused: () => hideFromFinalHandler(response),
      work(open) {
        opens.set(response, open)
        open.run(() => next())
      },
    })
  }
}

/**
 * The error middleware that answers the errors of this package: 504 when time ran out, 503 with `retry-after` for an open breaker, a full bulkhead and the like.
 * All others are passed on, except those of requests that were already answered for being late. Mount it after the routes.
 */
export function errorHandler(): (
  error: unknown,
  request: ExchangeRequest,
  response: ExchangeResponse,
  next: (error?: unknown) => void,
) => void {
  return (error, request, response, next) => {
    if (overdue.has(response)) return
    const refusal = opens.get(response)?.refusalOf(error)
    if (refusal === undefined || response.headersSent) next(error)
    else answerRefusal(response, refusal, request.complete)
  }
}

// Express destroys the connection when a handler fails after its answer was sent. Here that answer was ours, and the connection is fine.
function hideFromFinalHandler(response: ExchangeResponse): void {
  overdue.add(response)
  Object.defineProperty(response, 'headersSent', { configurable: true, value: false })
}
