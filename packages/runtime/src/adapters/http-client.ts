import { type ClientRequest, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { Duplex } from 'node:stream'
import { urlToHttpOptions } from 'node:url'
import { currentScope } from '../context.js'
import type { HeaderValue } from '../core/wire-value.js'
import { type DispatchHeaders, dispatchHeaders } from '../dispatch-headers.js'
import { answerHeader, noteAnswer, type Outbound, type OutboundOptions, outbound } from '../outbound.js'

/** How requests are made with node:http and node:https. */
export interface HttpClientOptions extends OutboundOptions {
  /** What errors call these requests; default the host they go to. */
  readonly name?: string
}

type OnResponse = (response: IncomingMessage) => void

/** `request` as node:http and node:https have it, for both. */
export interface HttpRequest {
  (url: string | URL, options: RequestOptions, onResponse?: OnResponse): ClientRequest
  (options: RequestOptions | string | URL, onResponse?: OnResponse): ClientRequest
}

/**
 * `request` and `get` of node:http and node:https, by the protocol of the URL, that send the present deadline along and end the request with it, the body included.
 *
 * A request that is not worth sending emits `error` with a `SandglassError` and opens no connection. An `Agent` is yours to give.
 */
export function client(options: HttpClientOptions = {}): { readonly request: HttpRequest; readonly get: HttpRequest } {
  const request = (...args: unknown[]): ClientRequest => send(options, ...readArguments(args))
  const get = (...args: unknown[]): ClientRequest => {
    const sent = send(options, ...readArguments(args))
    sent.end()
    return sent
  }
  return { request, get }
}

function readArguments(args: readonly unknown[]): [RequestOptions, OnResponse | undefined] {
  const onResponse = args.find((arg): arg is OnResponse => typeof arg === 'function')
  const parts = args
    .filter((arg) => typeof arg !== 'function')
    .map((arg) => (typeof arg === 'string' || arg instanceof URL ? urlToHttpOptions(new URL(arg)) : arg))
  return [Object.assign({}, ...parts) as RequestOptions, onResponse]
}

function send(options: HttpClientOptions, given: RequestOptions, onResponse: OnResponse | undefined): ClientRequest {
  let out: Outbound
  try {
    out = outbound(options.name ?? given.hostname ?? given.host ?? 'http', options)
  } catch (error) {
    return deadRequest(given, error as Error)
  }
  const start = given.protocol === 'https:' ? httpsRequest : httpRequest
  if (out.signal === undefined) return start(given, onResponse)
  const headers = dispatchHeaders(given.headers as DispatchHeaders, out) as Record<string, HeaderValue & string>
  const request = start({ ...given, headers })
  noteResponse(request)
  if (onResponse !== undefined) request.once('response', onResponse)
  endWith(request, out.signal)
  return request
}

function noteResponse(request: ClientRequest): void {
  const scope = currentScope()
  request.once('response', (response) => {
    scope?.noteExchange('headers')
    noteAnswer(response.headers[answerHeader], scope)
  })
}

function endWith(request: ClientRequest, signal: AbortSignal): void {
  let response: IncomingMessage | undefined
  const onAbort = (): void => {
    const reason = signal.reason as Error
    // Whoever reads the body must learn why it stopped, and not only that the connection broke.
    response?.destroy(reason)
    request.destroy(reason)
  }
  signal.addEventListener('abort', onAbort)
  request.prependOnceListener('response', (answer) => {
    response = answer
  })
  request.once('close', () => signal.removeEventListener('abort', onAbort))
}

function deadRequest(given: RequestOptions, error: Error): ClientRequest {
  const nowhere = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() })
  const request = httpRequest({ ...given, protocol: 'http:', agent: undefined, createConnection: () => nowhere })
  request.destroy(error)
  return request
}
