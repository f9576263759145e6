import type { IncomingMessage, ServerResponse } from 'node:http'
import type { DeadlineContext } from './deadline-api.js'
import { answerRefusal, type ExchangeRequest, type ExchangeResponse, httpExchange } from './http-exchange.js'
import { createInbound, type InboundOptions, type OpenRequest } from './inbound.js'
import { isThenable } from './settle-in.js'

/** What `serve` needs of a request of node:http. */
export interface ServeRequest extends ExchangeRequest {
  readonly method?: string | undefined
}

/** What `serve` needs of a response of node:http. */
export type ServeResponse = ExchangeResponse

/** How a handler of node:http is served. */
export interface ServeOptions<Request> extends InboundOptions {
  /** Name of what a request asks for: a route, never the raw path. Default its method; a function that throws is told to `onError`, and answered 500. */
  readonly operation?: string | ((request: Request) => string)
  /** Told what a handler threw that was not answered otherwise; such a request is answered 500. Default: a process warning. */
  readonly onError?: (error: unknown, request: Request) => void
}

/**
 * Wraps a handler of `http.createServer`: the caller's budget is honoured and capped, the handler runs under it, and its signal aborts when time is up or the client leaves.
 *
 * Answers 504 when time is up (an expired budget without running the handler), 503 with `retry-after` for what is shed, 500 for what a handler throws.
 * Throws TypeError or RangeError for options that make no sense.
 */
export function serve<Request extends ServeRequest = IncomingMessage, Response extends ServeResponse = ServerResponse>(
  handler: (request: Request, response: Response, context: DeadlineContext) => unknown,
  options: ServeOptions<Request>,
): (request: Request, response: Response) => void {
  const inbound = createInbound(options)
  const { operation, onError = warn } = options
  const nameOf = typeof operation === 'function' ? operation : () => operation
  return (request, response) => {
    let name: string | undefined
    try {
      // A path that cannot be read must not end the process, as an exception of this listener would.
      name = nameOf(request)
    } catch (error) {
      answerFailure(response)
      return onError(error, request)
    }
    const serveIt = (open: OpenRequest): void => work(handler, request, response, open, onError)
    httpExchange(inbound, name ?? request.method ?? 'request', request, response, { work: serveIt })
  }
}

function work<Request extends ServeRequest, Response extends ServeResponse>(
  handler: (request: Request, response: Response, context: DeadlineContext) => unknown,
  request: Request,
  response: Response,
  open: OpenRequest,
  onError: (error: unknown, request: Request) => void,
): void {
  const failed = (error: unknown): void => {
    const refusal = open.refusalOf(error)
    const isNews = !open.context.signal.aborted && refusal === undefined
    if (refusal !== undefined) answerRefusal(response, refusal, request.complete)
    else answerFailure(response)
    if (isNews) onError(error, request)
  }
  try {
    const value = open.run(() => handler(request, response, open.context))
    if (isThenable(value)) value.then(undefined, failed)
  } catch (error) {
    failed(error)
  }
}

function answerFailure(response: ServeResponse): void {
  if (response.headersSent) {
    if (!response.writableEnded) response.destroy()
    return
  }
  response.statusCode = 500
  response.setHeader('content-type', 'application/json')
  response.end('{"error":"INTERNAL"}')
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : `a handler failed with ${String(error)}`)
}
