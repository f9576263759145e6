import { degradedHeader } from './core/wire-degraded.js'
import type { IncomingHeaders } from './core/wire-in.js'
import type { Inbound, OpenRequest } from './inbound.js'
import type { Refusal } from './refusal.js'

/** What is needed of a request of node:http. */
export interface ExchangeRequest {
  readonly headers: IncomingHeaders
  readonly complete: boolean
}

/** What is needed of a response of node:http. */
export interface ExchangeResponse {
  statusCode: number
  readonly headersSent: boolean
  readonly writableEnded: boolean
  readonly writableFinished: boolean
  writeHead: (...args: never[]) => unknown
  setHeader(name: string, value: string): unknown
  end(body?: string): unknown
  destroy(): unknown
  on(event: 'close' | 'finish' | 'error', listener: (...args: never[]) => void): unknown
}

/** What a framework does in one exchange. */
export interface ExchangeWork {
  /** Does the work of a request that was let in. Called at most once. */
  readonly work: (open: OpenRequest) => void
  /** Told just before the exchange is answered in place of the work: refused at the door, or out of time. */
  readonly onRefusal?: (refusal: Refusal) => void
  /** Told just after that. */
  readonly onRefused?: (refusal: Refusal) => void
}

/**
 * Serves one exchange of node:http under its deadline: refusals are answered, marks are written, the client's leaving ends the work.
 *
 * When time is up it answers 504 and from then on lets everything the handler still writes disappear; an answer that has begun and is
 * not ended is cut off, one that is ended is left to be sent. Never throws.
 */
export function httpExchange(
  inbound: Inbound,
  operation: string,
  request: ExchangeRequest,
  response: ExchangeResponse,
  { work, onRefusal, onRefused }: ExchangeWork,
): void {
  let open: OpenRequest | undefined
  let giveUp = (): void => undefined
  // The request's own `close` fires on healthy requests as soon as the body was read.
  response.on('close', () => {
    if (response.writableFinished) return
    if (open === undefined) giveUp()
    else open.left()
  })
  const refuse = (refusal: Refusal): void => {
    if (response.writableEnded) return
    onRefusal?.(refusal)
    answerRefusal(response, refusal, request.complete)
    muteLateWrites(response)
    onRefused?.(refusal)
  }
  giveUp = inbound.open({ operation, headers: request.headers }, (opened) => {
    if (opened.state === 'refused') return refuse(opened.refusal)
    const { request: admitted } = opened
    open = admitted
    markDegraded(response, admitted)
    response.on('finish', () => admitted.answered(response.statusCode))
    admitted.onExpired(refuse)
    work(admitted)
  })
}

/** Answers with a refusal, or cuts off an answer that has begun; `complete` is whether the request's body has wholly arrived. */
export function answerRefusal(response: ExchangeResponse, { status, headers, body }: Refusal, complete: boolean): void {
  if (response.headersSent) {
    if (!response.writableEnded) response.destroy()
    return
  }
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  // A body nobody will read must not stand in the way of the next request on this connection.
  if (!complete) response.setHeader('connection', 'close')
  response.end(body)
}

// Node writes every head through `writeHead`, also one that nobody wrote explicitly.
function markDegraded(response: ExchangeResponse, open: OpenRequest): void {
  const writeHead = response.writeHead
  response.writeHead = function writeMarkedHead(this: unknown, ...args: never[]): unknown {
    const marks = open.degraded()
    if (marks !== '' && !response.headersSent) response.setHeader(degradedHeader, marks)
    return writeHead.apply(this, args)
  }
}

const MUTED_SETTERS = [
  'setHeader',
  'setHeaders',
  'appendHeader',
  'removeHeader',
  'writeHead',
  'flushHeaders',
  'addTrailers',
  'writeContinue',
  'writeProcessing',
  'writeEarlyHints',
] as const

// A late `setHeader` throws, also inside a timer where nothing can catch it, and would bring the process down.
function muteLateWrites(response: ExchangeResponse): void {
  response.on('error', () => undefined)
  const own = response as unknown as Record<string, unknown>
  const { statusCode } = response
  Object.defineProperty(response, 'statusCode', { configurable: true, get: () => statusCode, set: (_status: number) => {} })
  for (const name of MUTED_SETTERS) if (typeof own[name] === 'function') own[name] = () => response
  own['write'] = (...args: unknown[]): boolean => {
    callLast(args)
    return true
  }
  own['end'] = (...args: unknown[]): unknown => {
    callLast(args)
    return response
  }
}

function callLast(args: readonly unknown[]): void {
  const callback = args.at(-1)
  if (typeof callback === 'function') queueMicrotask(() => (callback as () => void)())
}
