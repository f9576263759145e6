import { onBodyEnd } from '../body.js'
import { currentScope, runIn } from '../context.js'
import type { HeaderValue } from '../core/wire-value.js'
import { headersToSet } from '../headers-to-set.js'
import { joinedSignal } from '../joined-signal.js'
import { answerHeader, noteAnswer, noteExchange, type OutboundOptions, outbound } from '../outbound.js'
import { endingError } from '../scope.js'

/** How requests are made with axios. */
export interface AxiosClientOptions extends OutboundOptions {
  /** What errors call these requests; default `axios`. */
  readonly name?: string
}

/** What is needed of an instance of axios. */
export interface AxiosInstance {
  readonly interceptors: {
    readonly request: { use: (...args: never[]) => unknown }
    readonly response: { use: (...args: never[]) => unknown }
  }
}

interface Config {
  headers: { get(name: string): unknown; set(name: string, value: string): unknown }
  signal?: AbortSignal
  beforeRedirect?: (options: { headers: Record<string, HeaderValue> }, ...rest: unknown[]) => void
}

interface Answer {
  readonly config?: Config
  readonly headers?: Readonly<Record<string, unknown>>
  readonly data?: unknown
}

interface Exchange {
  readonly given: Pick<Config, 'signal' | 'beforeRedirect'>
  readonly release: () => void
}

/**
 * Makes an instance of axios send the present deadline along and end its requests with it, bodies and redirects included; returns the instance.
 *
 * A request that is not worth sending rejects with a `SandglassError` and is not sent, and so does one that is under way when time is up.
 * What tries again above it (such as axios-retry) does so with what is left then.
 */
export function client(options: AxiosClientOptions = {}): <Instance extends AxiosInstance>(instance: Instance) => Instance {
  const exchanges = new WeakMap<Config, Exchange>()
  const name = options.name ?? 'axios'
  const onRequest = (config: Config): Config => {
    const out = outbound(name, options)
    if (out.signal === undefined) return config
    const { headers, signal, beforeRedirect } = config
    for (const [header, text] of Object.entries(headersToSet(out, (known) => textOf(headers.get(known))))) headers.set(header, text)
    const joined = joinedSignal(name, signal)
    exchanges.set(config, {
      given: { ...(signal !== undefined && { signal }), ...(beforeRedirect !== undefined && { beforeRedirect }) },
      release: joined.release,
    })
    if (joined.signal !== undefined) config.signal = joined.signal
    const scope = currentScope()
    config.beforeRedirect = (redirected, ...rest) => {
      const fresh = runIn(scope, () => outbound(name, options))
      Object.assign(
        redirected.headers,
        headersToSet(fresh, (known) => redirected.headers[known]),
      )
      beforeRedirect?.(redirected, ...rest)
    }
    return config
  }
  const onAnswer = (answer: Answer): Answer => {
    noteExchange('headers')
    noteAnswer(textOf(answer.headers?.[answerHeader]))
    const release = restore(exchanges, answer.config)
    if (isStream(answer.data)) onBodyEnd(answer.data, release)
    else release()
    return answer
  }
  const onError = (error: { config?: Config; response?: Answer }): never => {
    noteAnswer(textOf(error?.response?.headers?.[answerHeader]))
    const own = exchanges.get(error?.config as Config)?.given.signal
    restore(exchanges, error?.config)()
    const scope = currentScope()
    if (scope?.ending !== undefined && own?.aborted !== true) throw endingError({ ...scope.ending, cause: error }, scope)
    throw error
  }
  return (instance) => {
    const { request, response } = instance.interceptors as unknown as Record<'request' | 'response', { use(...args: unknown[]): void }>
    request.use(onRequest)
    response.use(onAnswer, onError)
    return instance
  }
}

// A config is used again by whatever tries again: it gets back what the program had put in it.
function restore(exchanges: WeakMap<Config, Exchange>, config: Config | undefined): () => void {
  const exchange = config === undefined ? undefined : exchanges.get(config)
  if (config === undefined || exchange === undefined) return () => undefined
  exchanges.delete(config)
  delete config.signal
  delete config.beforeRedirect
  Object.assign(config, exchange.given)
  return exchange.release
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function isStream(data: unknown): boolean {
  return typeof data === 'object' && data !== null && typeof (data as { pipe?: unknown }).pipe === 'function'
}
