import { now } from '../clock.js'
import { connectErrorOf } from '../connect-error.js'
import type { IncomingHeaders } from '../core/wire-in.js'
import type { HeaderValue } from '../core/wire-value.js'
import { isSandglassError } from '../errors.js'
import { createInbound, type Inbound, type InboundOptions, type OpenRequest } from '../inbound.js'
import { answerHeader } from '../outbound.js'
import type { Refusal } from '../refusal.js'

/** How services of Connect are served. */
export interface ConnectServerOptions extends InboundOptions {
  /** Name of what a call asks for; default `package.Service/Method`. */
  readonly operation?: string | ((request: { readonly url: string }) => string)
}

interface Request {
  readonly stream: boolean
  readonly url: string
  readonly header: Headers
  readonly signal: AbortSignal
  readonly service: { readonly typeName: string }
  readonly method: { readonly name: string }
}

interface Answer {
  readonly stream: boolean
  readonly message: unknown
  readonly header: Headers
  readonly trailer: Headers
}

type Next = (request: Request) => Promise<Answer>

/** Where `anchored` leaves the instant at which a request was first seen; what a client sends under this name is overwritten. */
const ANCHOR = 'sandglass-anchor'

/**
 * Lets budgets run from the first sight of a request: wraps the handler that `connectNodeAdapter` returns. Without it they run from when the interceptor
 * is reached, which for a unary call is after its whole body was read.
 */
export function anchored<H extends (request: never, response: never) => void>(handler: H): H {
  const handle = handler as unknown as (request: { readonly headers: Record<string, HeaderValue> }, response: unknown) => void
  const seen: typeof handle = (request, response) => {
    request.headers[ANCHOR] = String(now())
    handle(request, response)
  }
  return seen as unknown as H
}

/**
 * The interceptor that gives every call its deadline, under the protocols Connect, gRPC and gRPC-Web; put it last of `interceptors`, where it runs first.
 *
 * The handler's `context.signal` is then ours: it aborts when time is up or the client leaves. Time up: DEADLINE_EXCEEDED at once, whatever the handler is doing.
 * Refusals are UNAVAILABLE. Throws TypeError or RangeError for options that make no sense.
 */
export function server(options: ConnectServerOptions): <N extends (request: never) => Promise<unknown>>(next: N) => N {
  const inbound = createInbound(options)
  const { operation } = options
  const nameOf =
    typeof operation === 'function'
      ? operation
      : ({ service, method }: Request): string => operation ?? `${service.typeName}/${method.name}`
  return <N extends (request: never) => Promise<unknown>>(next: N): N => {
    const serve = (request: Request): Promise<Answer> => serveCall(inbound, nameOf(request), request, next as unknown as Next)
    return serve as unknown as N
  }
}

function serveCall(inbound: Inbound, operation: string, request: Request, next: Next): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let open: OpenRequest | undefined
    let giveUp = (): void => undefined
    const onLeft = (): void => {
      // Connect's own reading of a timeout: ours is at work already, and right also where Connect's is not.
      if ((request.signal.reason as { code?: unknown } | undefined)?.code === 4) return
      if (open === undefined) giveUp()
      else open.left()
    }
    request.signal.addEventListener('abort', onLeft, { once: true })
    giveUp = inbound.open({ operation, headers: headersOf(request.header), ...arrivalOf(request.header) }, (opened) => {
      if (opened.state === 'refused') return reject(refusalError(opened.refusal, undefined))
      const admitted = opened.request
      open = admitted
      const failed = (error: unknown): void => {
        admitted.answered(statusOf(error))
        reject(translated(error, admitted))
      }
      admitted.onExpired((refusal) => {
        reject(refusalError(refusal, admitted))
        admitted.answered(refusal.status)
      })
      admitted.run(() => next({ ...request, signal: admitted.context.signal })).then((answer) => resolve(finish(answer, admitted)), failed)
      if (request.signal.aborted) onLeft()
    })
  })
}

function finish(answer: Answer, open: OpenRequest): Answer {
  if (answer.stream) return { ...answer, message: streamIn(answer.message as AsyncIterable<unknown>, answer.trailer, open) }
  mark(answer.header, open)
  open.answered(200)
  return answer
}

// A stream is worked on while it is read, by whoever reads it: every step is brought back into the request's scope and ends with it.
function streamIn(messages: AsyncIterable<unknown>, trailer: Headers, open: OpenRequest): AsyncIterable<unknown> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = open.run(() => messages[Symbol.asyncIterator]())
      return {
        next: () =>
          new Promise((resolve, reject) => {
            open.onExpired((refusal) => {
              reject(refusalError(refusal, open))
              open.answered(refusal.status)
              void Promise.resolve(iterator.return?.()).catch(() => undefined)
            })
            open
              .run(() => iterator.next())
              .then(
                (step) => {
                  if (step.done === true) {
                    mark(trailer, open)
                    open.answered(200)
                  }
                  resolve(step)
                },
                (error: unknown) => {
                  open.answered(statusOf(error))
                  reject(translated(error, open))
                },
              )
          }),
        return: async (value?: unknown) => {
          open.left()
          return (await open.run(() => iterator.return?.(value))) ?? { done: true, value }
        },
      }
    },
  }
}

function translated(error: unknown, open: OpenRequest): unknown {
  if (isSandglassError(error)) return connectErrorOf(error.code, error.message, metadataOf(open.refusalOf(error), open), error)
  const { metadata } = (error ?? {}) as { metadata?: unknown }
  if (metadata instanceof Headers) mark(metadata, open)
  return error
}

function refusalError(refusal: Refusal, open: OpenRequest | undefined): Error {
  return connectErrorOf(refusal.code, refusal.code, metadataOf(refusal, open))
}

function metadataOf(refusal: Refusal | undefined, open: OpenRequest | undefined): Record<string, string> {
  const marks = open?.degraded() ?? ''
  const retryAfter = refusal?.headers['retry-after']
  return { ...(retryAfter !== undefined && { 'retry-after': retryAfter }), ...(marks !== '' && { [answerHeader]: marks }) }
}

function mark(headers: Headers, open: OpenRequest): void {
  const marks = open.degraded()
  if (marks !== '') headers.set(answerHeader, marks)
}

function arrivalOf(headers: Headers): { arrivedAt?: number } {
  const text = headers.get(ANCHOR) ?? ''
  headers.delete(ANCHOR)
  return /^\d{1,15}(\.\d{1,20})?$/.test(text) ? { arrivedAt: Number(text) } : {}
}

function headersOf(headers: Headers): IncomingHeaders {
  return Object.fromEntries(headers)
}

function statusOf(error: unknown): number {
  const { code } = (error ?? {}) as { code?: unknown }
  if (code === 4 || code === 'DEADLINE_EXCEEDED') return 504
  return typeof code === 'number' && ![2, 13, 14, 15].includes(code) ? 400 : 500
}
