import { currentScope } from '../context.js'
import { type DispatchHeaders, dispatchHeaders } from '../dispatch-headers.js'
import { isSandglassError } from '../errors.js'
import { headersToSet } from '../headers-to-set.js'
import { type JoinedSignal, joinedSignal } from '../joined-signal.js'
import { answerHeader, noteAnswer, noteExchange, type OutboundOptions, outbound } from '../outbound.js'
import { endingError } from '../scope.js'

/** How requests are made with fetch. */
export interface FetchClientOptions extends OutboundOptions {
  /** The fetch to use; default the one of the process. */
  readonly fetch?: typeof globalThis.fetch
  /** What errors call these requests; default `fetch`. */
  readonly name?: string
}

interface Dispatcher {
  dispatch(options: { readonly headers?: DispatchHeaders }, handler: unknown): boolean
}

type Init = RequestInit & { readonly dispatcher?: unknown }

// An answer that was dropped unread is over when nobody can reach it any more.
const unread = new FinalizationRegistry<() => void>((release) => release())

/**
 * A fetch that sends the present deadline along and ends with it, the body included.
 *
 * Rejects as fetch does; with a `SandglassError`, before anything is sent, when the time left is not worth a request, and as soon as time is up.
 * The budget is written anew for every redirect where the built-in fetch is used.
 */
export function client(options: FetchClientOptions = {}): typeof globalThis.fetch {
  const { name = 'fetch' } = options
  const hops: Dispatcher = {
    dispatch(request, handler) {
      return globalDispatcher().dispatch({ ...request, headers: dispatchHeaders(request.headers, outbound(name, options)) }, handler)
    },
  }
  return async (input, init?: Init) => {
    const send = options.fetch ?? globalThis.fetch
    const out = outbound(name, options)
    if (out.signal === undefined) return send(input, init)
    const asked = input instanceof Request ? input : undefined
    const headers = new Headers(init?.headers ?? asked?.headers)
    for (const [header, text] of Object.entries(headersToSet(out, (known) => headers.get(known) ?? undefined))) headers.set(header, text)
    const own = init?.signal ?? asked?.signal
    const joined = joinedSignal(name, own)
    const redirected =
      options.fetch === undefined && init?.dispatcher === undefined && globalDispatcher() !== undefined ? { dispatcher: hops } : {}
    const sent = { ...init, headers, ...redirected, ...(joined.signal !== undefined && { signal: joined.signal }) }
    try {
      const response = await send(input, sent as unknown as RequestInit)
      noteExchange('headers')
      noteAnswer(response.headers.get(answerHeader) ?? undefined)
      releaseAfter(response, joined)
      return response
    } catch (error) {
      joined.release()
      throw reasonOf(error, own)
    }
  }
}

function releaseAfter(response: Response, { release }: JoinedSignal): void {
  if (response.body === null) release()
  else unread.register(response, release)
}

function reasonOf(error: unknown, own: AbortSignal | null | undefined): unknown {
  if (own?.aborted === true) return own.reason
  const scope = currentScope()
  if (scope?.ending !== undefined) return endingError(scope.ending, scope)
  const { cause } = (error ?? {}) as { cause?: unknown }
  return isSandglassError(cause) ? cause : error
}

// The agent behind the built-in fetch, under the name that undici gives it in every process; there once fetch has been loaded.
function globalDispatcher(): Dispatcher {
  return (globalThis as unknown as Record<symbol, Dispatcher>)[Symbol.for('undici.globalDispatcher.1')] as Dispatcher
}
