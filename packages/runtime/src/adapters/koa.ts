import { type ExchangeRequest, type ExchangeResponse, httpExchange } from '../http-exchange.js'
import { createInbound, type InboundOptions } from '../inbound.js'

/** What is needed of a context of Koa. */
export interface KoaContext {
  readonly req: ExchangeRequest
  readonly res: ExchangeResponse
  readonly method: string
  status: number
  body: unknown
  set(headers: Record<string, string>): unknown
}

/** How a Koa application is served. */
export interface KoaServerOptions<Context> extends InboundOptions {
  /** Name of what a request asks for: a route, never the raw path. Default its method. */
  readonly operation?: string | ((context: Context) => string)
}

/**
 * The middleware that gives every request its deadline; use it before all others.
 *
 * Time up: 504 is sent and the middleware ends, so that those around it see the answer; what the handler does afterwards goes nowhere.
 * Errors of this package become 504 or 503 with `retry-after`. Throws TypeError or RangeError for options that make no sense.
 */
export function server<Context extends KoaContext>(
  options: KoaServerOptions<Context>,
): (context: Context, next: () => Promise<unknown>) => Promise<void> {
  const inbound = createInbound(options)
  const { operation } = options
  return (context, next) =>
    new Promise((resolve, reject) => {
      const name = typeof operation === 'function' ? operation(context) : (operation ?? context.method)
      httpExchange(inbound, name, context.req, context.res, {
        onRefused: () => resolve(),
        work(open) {
          // Once the promise is settled, what a late handler throws is dropped here.
          open.run(next).then(
            () => resolve(),
            (error: unknown) => {
              const refusal = open.refusalOf(error)
              if (refusal === undefined) return reject(error)
              context.status = refusal.status
              context.set({ ...refusal.headers })
              context.body = refusal.body
              resolve()
            },
          )
        },
      })
    })
}
