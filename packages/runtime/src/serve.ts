import { degradedHeader } from './core/wire-degraded.js'
import type { IncomingHeaders } from './core/wire-in.js'
import type { DeadlineContext } from './deadline-api.js'
import { createInbound, type InboundOptions, type OpenRequest } from './inbound.js'
import type { Refusal } from './refusal.js'
import { isThenable } from './settle-in.js'

/** What `serve` needs of a request of node:http. */
export interface ServeRequest {
  readonly headers: IncomingHeaders
  readonly method?: string | undefined
  readonly complete: boolean
}

/** What `serve` needs of a response of node:http. */
export interface ServeResponse {
  statusCode: number
  readonly headersSent: boolean
  readonly writableFinished: boolean
  writeHead: (...args: never[]) => unknown
  setHeader(name: string, value: string): unknown
  end(body?: string): unknown
  destroy(): unknown
  on(event: 'close' | 'finish' | 'error', listener: (...args: never[]) => void): unknown
}

/** How a handler of node:http is served. */
export interface ServeOptions<Request> extends InboundOptions {
  /** Name of what a request asks for: a route, never the raw path. Default its method. */
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
export function serve<Request extends ServeRequest, Response extends ServeResponse>(
  handler: (request: Request, response: Response, context: DeadlineContext) => unknown,
  options: ServeOptions<Request>,
): (request: Request, response: Response) => void {
  const inbound = createInbound(options)
  const { operation, onError = warn } = options
  const nameOf = typeof operation === 'function' ? operation : (request: Request) => operation ?? request.method ?? 'request'
  return (request, response) => {
    let open: OpenRequest | undefined
    let giveUp = (): void => undefined
    response.on('close', () => {
      // The request's own `close` fires on healthy requests as soon as the body was read.
      if (response.writableFinished) return
      if (open === undefined) giveUp()
      else open.left()
    })
    giveUp = inbound.open({ operation: nameOf(request), headers: request.headers }, (opened) => {
      if (opened.state === 'refused') return answerRefusal(request, response, opened.refusal)
      open = opened.request
      work(handler, request, response, open, onError)
    })
  }
}

function work<Request extends ServeRequest, Response extends ServeResponse>(
  handler: (request: Request, response: Response, context: DeadlineContext) => unknown,
  request: Request,
  response: Response,
  open: OpenRequest,
  onError: (error: unknown, request: Request) => void,
): void {
  markDegraded(response, open)
  response.on('finish', () => open.answered(response.statusCode))
  open.onExpired((refusal) => {
    // The handler may still write to what has been answered for it: that must not bring the process down.
    response.on('error', () => undefined)
    answerRefusal(request, response, refusal)
  })
  const failed = (error: unknown): void => {
    if (!open.context.signal.aborted && open.refusalOf(error) === undefined) onError(error, request)
    const refusal = open.refusalOf(error)
    if (refusal !== undefined) answerRefusal(request, response, refusal)
    else answerFailure(response)
  }
  try {
    const value = open.run(() => handler(request, response, open.context))
    if (isThenable(value)) value.then(undefined, failed)
  } catch (error) {
    failed(error)
  }
}

// Node writes every head through `writeHead`, also one that nobody wrote explicitly.
function markDegraded(response: ServeResponse, open: OpenRequest): void {
  const writeHead = response.writeHead
  response.writeHead = function writeMarkedHead(this: unknown, ...args: never[]): unknown {
    const marks = open.degraded()
    if (marks !== '' && !response.headersSent) response.setHeader(degradedHeader, marks)
    return writeHead.apply(this, args)
  }
}

function answerRefusal(request: ServeRequest, response: ServeResponse, { status, headers, body }: Refusal): void {
  if (response.headersSent) {
    if (!response.writableFinished) response.destroy()
    return
  }
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  // A body nobody will read must not stand in the way of the next request on this connection.
  if (!request.complete) response.setHeader('connection', 'close')
  response.end(body)
}

function answerFailure(response: ServeResponse): void {
  if (response.headersSent) {
    if (!response.writableFinished) response.destroy()
    return
  }
  response.statusCode = 500
  response.setHeader('content-type', 'application/json')
  response.end('{"error":"INTERNAL"}')
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
}
