import { currentScope, runIn } from '../context.js'
import type { HeaderValue } from '../core/wire-value.js'
import { type DispatchHeaders, dispatchHeaders } from '../dispatch-headers.js'
import { answerHeader, noteAnswer, type Outbound, type OutboundOptions, outbound } from '../outbound.js'
import type { Scope } from '../scope.js'

/** How requests are made with undici 7. */
export interface UndiciClientOptions extends OutboundOptions {
  /** What errors call these requests; default the origin they go to. */
  readonly name?: string
}

interface DispatchOptions {
  readonly origin?: string | URL
  readonly headers?: DispatchHeaders
}

interface Controller {
  readonly aborted: boolean
  abort(reason: unknown): void
}

interface Handler {
  onRequestStart?(controller: Controller, context: unknown): void
  onRequestUpgrade?(controller: Controller, ...rest: unknown[]): void
  onResponseStart?(controller: Controller, status: number, headers: Readonly<Record<string, HeaderValue>>, message?: string): void
  onResponseData?(controller: Controller, chunk: unknown): void
  onResponseEnd?(controller: Controller, trailers: unknown): void
  onResponseError?(controller: Controller, error: unknown): void
}

type Dispatch = (options: DispatchOptions, handler: Handler) => boolean

/** What stands for the controller of a request that never got a connection. */
const neverStarted: Controller = Object.freeze({
  aborted: true,
  paused: false,
  reason: null,
  rawHeaders: [],
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
})

/**
 * The interceptor for `dispatcher.compose(…)` that sends the present deadline along and ends the request with it: waiting for a connection, the answer and its body included.
 *
 * Compose it first, so that those composed after it, such as redirect and retry, pass through it with every request they make. A request that is not worth
 * sending fails with a `SandglassError` and is not dispatched.
 */
export function client(options: UndiciClientOptions = {}): <D extends (options: never, handler: never) => boolean>(dispatch: D) => D {
  return <D extends (options: never, handler: never) => boolean>(next: D): D => {
    const dispatch = next as unknown as Dispatch
    const guarded: Dispatch = (request, handler) => {
      let out: Outbound
      try {
        out = outbound(options.name ?? String(request.origin ?? 'undici'), options)
      } catch (error) {
        // Not thrown: an interceptor that tries again does so from a timer, where nobody would catch it.
        queueMicrotask(() => handler.onResponseError?.(neverStarted, error))
        return true
      }
      if (out.signal === undefined) return dispatch(request, handler)
      return dispatch({ ...request, headers: dispatchHeaders(request.headers, out) }, guard(handler, out.signal, currentScope()))
    }
    return guarded as unknown as D
  }
}

// Handlers are called in the context of the socket, which another request may have opened: what goes on from here must be in its own.
function guard(handler: Handler, signal: AbortSignal, scope: Scope | undefined): Handler {
  let controller: Controller | undefined
  let isGivenUp = false
  const onAbort = (): void => {
    if (controller !== undefined) return controller.abort(signal.reason)
    // It still waits for a connection, which undici itself does not interrupt.
    isGivenUp = true
    letGo()
    runIn(scope, () => handler.onResponseError?.(neverStarted, signal.reason))
  }
  const letGo = (): void => {
    signal.removeEventListener('abort', onAbort)
  }
  signal.addEventListener('abort', onAbort)
  return {
    onRequestStart(started, context) {
      if (isGivenUp) return started.abort(signal.reason)
      controller = started
      runIn(scope, () => handler.onRequestStart?.(started, context))
    },
    onRequestUpgrade(...args) {
      letGo()
      runIn(scope, () => handler.onRequestUpgrade?.(...args))
    },
    onResponseStart(started, status, headers, message) {
      scope?.noteExchange('headers')
      noteAnswer(headers[answerHeader], scope)
      runIn(scope, () => handler.onResponseStart?.(started, status, headers, message))
    },
    onResponseData: (started, chunk) => handler.onResponseData?.(started, chunk),
    onResponseEnd(started, trailers) {
      letGo()
      runIn(scope, () => handler.onResponseEnd?.(started, trailers))
    },
    onResponseError(started, error) {
      if (isGivenUp) return
      letGo()
      runIn(scope, () => handler.onResponseError?.(started, error))
    },
  }
}
