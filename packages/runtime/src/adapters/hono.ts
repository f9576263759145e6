import type { IncomingHeaders } from '../core/wire-in.js'
import { createInbound, type InboundOptions, type OpenRequest } from '../inbound.js'
import { answerHeader } from '../outbound.js'
import type { Refusal } from '../refusal.js'

/** What is needed of a context of Hono. */
export interface HonoContext {
  /** With `@hono/node-server` it holds `incoming` and `outgoing` of node:http. */
  readonly env: unknown
  readonly req: { readonly method: string; readonly raw: { readonly headers: Headers; readonly signal: AbortSignal } }
  readonly error: Error | undefined
  get res(): Response
  set res(response: Response | undefined)
  header(name: string, value: string): void
}

/** How a Hono application is served. */
export interface HonoServerOptions<Context> extends InboundOptions {
  /** Name of what a request asks for: a route, never the raw path. Default its method. */
  readonly operation?: string | ((context: Context) => string)
}

interface Outgoing {
  readonly statusCode: number
  readonly headersSent: boolean
  readonly writableEnded: boolean
  readonly writableFinished: boolean
  on(event: 'close' | 'finish', listener: () => void): unknown
  destroy(): unknown
}

/**
 * The middleware that gives every request its deadline; use it before all others, on Node with `@hono/node-server`.
 *
 * Time up: 504, and what the handler returns afterwards is dropped. Errors of this package that no `onError` turned into an answer become 504 or 503
 * with `retry-after`. Where there is no node:http below, a request is over when its handler has returned. Throws TypeError or RangeError for options that make no sense.
 */
export function server<Context extends HonoContext>(
  options: HonoServerOptions<Context>,
): (context: Context, next: () => Promise<void>) => Promise<Response | void> {
  const inbound = createInbound(options)
  const { operation } = options
  return (context, next) =>
    new Promise((resolve, reject) => {
      const outgoing = outgoingOf(context.env)
      let open: OpenRequest | undefined
      let giveUp = (): void => undefined
      onLeft(context, outgoing, () => (open === undefined ? giveUp() : open.left()))
      const name = typeof operation === 'function' ? operation(context) : (operation ?? context.req.method)
      giveUp = inbound.open({ operation: name, headers: headersOf(context) }, (opened) => {
        if (opened.state === 'refused') return resolve(responseOf(opened.refusal))
        const admitted = opened.request
        open = admitted
        outgoing?.on('finish', () => admitted.answered(outgoing.statusCode))
        admitted.onExpired((refusal) => {
          if (outgoing?.headersSent === true && !outgoing.writableEnded) outgoing.destroy()
          resolve(responseOf(refusal))
          if (outgoing === undefined) admitted.answered(refusal.status)
        })
        admitted.run(next).then(() => {
          finish(context, admitted)
          if (outgoing === undefined) admitted.answered(context.res.status)
          resolve()
        }, reject)
      })
    })
}

function finish(context: HonoContext, open: OpenRequest): void {
  const refusal = context.error === undefined ? undefined : open.refusalOf(context.error)
  // Any other status is what the application's own `onError` made of it.
  if (refusal !== undefined && context.res.status === 500) context.res = responseOf(refusal)
  const marks = open.degraded()
  if (marks !== '') context.header(answerHeader, marks)
}

function responseOf({ status, headers, body }: Refusal): Response {
  return new Response(body, { status, headers })
}

function onLeft({ req }: HonoContext, outgoing: Outgoing | undefined, left: () => void): void {
  if (outgoing === undefined) return req.raw.signal.addEventListener('abort', left, { once: true })
  outgoing.on('close', () => {
    if (!outgoing.writableFinished) left()
  })
}

function outgoingOf(env: unknown): Outgoing | undefined {
  const { outgoing } = (env ?? {}) as { outgoing?: Outgoing }
  return typeof outgoing?.on === 'function' ? outgoing : undefined
}

// What node:http gives tells a header that came twice from one with a comma in it; the Headers of fetch do not.
function headersOf({ env, req }: HonoContext): IncomingHeaders {
  const { incoming } = (env ?? {}) as { incoming?: { headers?: IncomingHeaders } }
  return incoming?.headers ?? Object.fromEntries(req.raw.headers)
}
