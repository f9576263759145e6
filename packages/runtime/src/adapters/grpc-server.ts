import { epochNow } from '../clock.js'
import { formatGrpcTimeout, grpcHeader, parseGrpcTimeout } from '../core/wire-grpc.js'
import { incomingBudgetHeaders } from '../core/wire-in.js'
import { metaHeader } from '../core/wire-meta.js'
import type { HeaderValue } from '../core/wire-value.js'
import { ConfigError, isSandglassError } from '../errors.js'
import { grpcCodeOf } from '../grpc-code.js'
import { createInbound, type Inbound, type InboundOptions, type OpenRequest } from '../inbound.js'
import { answerHeader } from '../outbound.js'
import type { Refusal } from '../refusal.js'

interface Metadata {
  get(key: string): unknown[]
  set(key: string, value: string): void
  remove(key: string): void
  clone(): Metadata
}

interface Status {
  code?: number | null
  details?: string | null
  metadata?: Metadata | null
}

interface Listener {
  onReceiveMetadata(metadata: Metadata): void
  onReceiveMessage(message: unknown): void
  onReceiveHalfClose(): void
  onCancel(): void
}

interface Call {
  start(listener: Listener): void
  sendMetadata(metadata: Metadata): void
  sendMessage(message: unknown, callback: () => void): void
  sendStatus(status: Status): void
  getDeadline(): Date | number
}

/** How a server of grpc-js is served. */
export interface GrpcServerOptions extends InboundOptions {
  /** Name of what a call asks for; default the path of its method. */
  readonly operation?: string | ((path: string) => string)
}

/** Where `strictTimeouts` leaves the text of `grpc-timeout`, which grpc-js takes away before any interceptor runs. */
const RAW_TIMEOUT = 'sandglass-grpc-timeout'
/** A caller that leaves this shortly before the deadline left because of it (ms): grpc-js's own timer is finer than ours. */
const SAME_INSTANT_MS = 20

/**
 * The server interceptor that gives every call its deadline; put it first of `interceptors`.
 *
 * Time up: DEADLINE_EXCEEDED, the handler's `cancelled` event, and what it sends afterwards goes nowhere. Refusals are UNAVAILABLE with a pushback. Marks of fallbacks
 * travel in the trailers. Throws TypeError or RangeError for options that make no sense.
 */
export function server(options: GrpcServerOptions): <C, R>(method: { readonly path: string }, call: C) => R {
  const inbound = createInbound(options)
  const { operation } = options
  const nameOf = typeof operation === 'function' ? namer(operation) : (path: string): string => operation ?? path
  return <C, R>(method: { readonly path: string }, call: C): R => {
    // grpc-js types the result as a class; it uses no more than the methods of the call that is given here.
    return serveCall(inbound, nameOf(method.path), call as unknown as Call) as unknown as R
  }
}

// Nothing is above an interceptor to catch what it throws: the process would end. A path is a good name, there are only so many.
function namer(operation: (path: string) => string): (path: string) => string {
  return (path) => {
    try {
      return operation(path)
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : String(error))
      return path
    }
  }
}

/**
 * What a handler gives to its callback for an error: one of this package as DEADLINE_EXCEEDED, CANCELLED or UNAVAILABLE, any other as it is.
 */
export function grpcError(error: unknown): unknown {
  if (!isSandglassError(error)) return error
  const message = error instanceof Error ? error.message : ''
  return Object.assign(new Error(message, { cause: error }), { code: grpcCodeOf(error.code), details: message })
}

/**
 * Makes a server of grpc-js read `grpc-timeout` as its specification says, and returns it; call it before `bindAsync`.
 *
 * grpc-js 1.14 folds `597H` to a negative number and reads `1.5S` as 5 s, before any interceptor can see it; so its private handler of streams is given the header
 * in a form it reads correctly, and none where it is malformed. Throws `ConfigError` where that handler is not what it was.
 */
export function strictTimeouts<S extends object>(grpcServer: S): S {
  const own = grpcServer as Record<string, unknown>
  const names = ['_streamHandler', '_channelzHandler'].filter((name) => typeof own[name] === 'function')
  if (names.length === 0) throw new ConfigError('strictTimeouts: this version of grpc-js handles its streams otherwise; tested with 1.14')
  for (const name of names) {
    const handle = own[name] as (this: unknown, extra: unknown, stream: unknown, headers: Record<string, HeaderValue>) => void
    own[name] = function handleStrictly(this: unknown, extra: unknown, stream: unknown, headers: Record<string, HeaderValue>): void {
      rewriteTimeout(headers)
      handle.call(this, extra, stream, headers)
    }
  }
  return grpcServer
}

/** The longest that grpc-js reads without folding it (ms), still above any cap that makes sense: 27 hours. */
const LONGEST_SAFE_MS = 99_999_999

function rewriteTimeout(headers: Record<string, HeaderValue>): void {
  const given = headers[grpcHeader]
  delete headers[RAW_TIMEOUT]
  if (given === undefined) return
  const budget = parseGrpcTimeout(given)
  headers[RAW_TIMEOUT] = given
  delete headers[grpcHeader]
  // What has expired already is answered by the interceptor, and an instant of grpc-js's own would only race with it.
  if (budget.state !== 'present' || budget.ms === 0) return
  headers[grpcHeader] = `${Math.ceil(Math.min(budget.ms, LONGEST_SAFE_MS))}m`
}

function serveCall(inbound: Inbound, operation: string, call: Call): Call {
  let open: OpenRequest | undefined
  let isOver = false
  let first: Metadata | undefined
  const listenerOf = (listener: Listener): Listener => {
    const refuse = (refusal: Refusal): void => {
      if (isOver) return
      isOver = true
      call.sendStatus({ code: grpcCodeOf(refusal.code), details: refusal.code, metadata: refusalMetadata(first, refusal, open) })
      if (open === undefined) return
      open.answered(refusal.status)
      listener.onCancel()
    }
    let giveUp = (): void => undefined
    return {
      onReceiveMetadata(metadata) {
        first = metadata
        giveUp = inbound.open({ operation, headers: headersOf(metadata, call) }, (opened) => {
          if (opened.state === 'refused') return refuse(opened.refusal)
          open = opened.request
          open.onExpired(refuse)
          open.run(() => listener.onReceiveMetadata(metadata))
        })
      },
      onReceiveMessage: (message) => void open?.run(() => listener.onReceiveMessage(message)),
      onReceiveHalfClose: () => void open?.run(() => listener.onReceiveHalfClose()),
      onCancel() {
        if (open === undefined) return giveUp()
        // At the deadline ours follows within a few ms, and says so; otherwise the caller went away.
        const atDeadline = Number(call.getDeadline()) <= epochNow() && open.context.remainingMs() <= SAME_INSTANT_MS
        if (!isOver && !atDeadline) open.left()
        listener.onCancel()
      },
    }
  }
  return forward(call, {
    start: (listener) => call.start(listenerOf(listener)),
    sendMetadata: (metadata) => void (isOver || call.sendMetadata(metadata)),
    sendMessage(message, callback) {
      if (isOver) queueMicrotask(callback)
      else call.sendMessage(message, callback)
    },
    sendStatus(status) {
      if (isOver) return
      isOver = true
      call.sendStatus({ ...status, metadata: marked(status.metadata, first, open) ?? null })
      open?.answered(httpStatusOf(status.code ?? 0))
    },
  })
}

// What is not overridden is passed on to the call itself, whatever a version of grpc-js has.
function forward(call: Call, own: Omit<Call, 'getDeadline'>): Call {
  return new Proxy(call, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return own[name as keyof typeof own]
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value
    },
  })
}

function headersOf(metadata: Metadata, call: Call): Record<string, HeaderValue> {
  const headers: Record<string, HeaderValue> = {}
  for (const name of [...incomingBudgetHeaders, metaHeader]) {
    const texts = metadata.get(name).filter((value): value is string => typeof value === 'string')
    if (texts.length > 0) headers[name] = texts
  }
  const raw = metadata.get(RAW_TIMEOUT).filter((value): value is string => typeof value === 'string')
  metadata.remove(RAW_TIMEOUT)
  const leftMs = Number(call.getDeadline()) - epochNow()
  if (raw.length > 0) headers[grpcHeader] = raw
  else if (leftMs !== Infinity) headers[grpcHeader] = timeoutText(leftMs)
  return headers
}

function timeoutText(leftMs: number): string {
  const text = formatGrpcTimeout(leftMs)
  return text.state === 'present' ? text.text : '0m'
}

function freshMetadata(model: Metadata | undefined): Metadata | undefined {
  if (model === undefined) return undefined
  return new (model.constructor as new () => Metadata)()
}

function marked(metadata: Metadata | null | undefined, model: Metadata | undefined, open: OpenRequest | undefined): Metadata | undefined {
  const marks = open?.degraded() ?? ''
  if (marks === '') return metadata ?? undefined
  const trailers = metadata?.clone() ?? freshMetadata(model)
  trailers?.set(answerHeader, marks)
  return trailers
}

function refusalMetadata(model: Metadata | undefined, { headers }: Refusal, open: OpenRequest | undefined): Metadata | null {
  const trailers = marked(undefined, model, open) ?? freshMetadata(model)
  const retryAfter = headers['retry-after']
  if (retryAfter !== undefined) trailers?.set('grpc-retry-pushback-ms', String(Number(retryAfter) * 1000))
  return trailers ?? null
}

function httpStatusOf(code: number): number {
  if (code === 0) return 200
  return code === 4 ? 504 : code === 14 ? 503 : code === 2 || code === 13 || code === 15 ? 500 : 400
}
