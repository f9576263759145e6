import { connectErrorOf } from '../connect-error.js'
import { currentScope, runIn } from '../context.js'
import { connectHeader } from '../core/wire-connect.js'
import { grpcHeader } from '../core/wire-grpc.js'
import { isSandglassError } from '../errors.js'
import { headersToSet } from '../headers-to-set.js'
import { type JoinedSignal, joinedSignal } from '../joined-signal.js'
import { answerHeader, noteAnswer, type Outbound, type OutboundOptions, outbound } from '../outbound.js'
import { endingError, type Scope } from '../scope.js'

/** How calls are made with Connect. */
export interface ConnectClientOptions extends OutboundOptions {
  /** What errors call these calls; default `package.Service/Method`. */
  readonly name?: string
}

interface Request {
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

/**
 * The interceptor for a transport that sends the present deadline along, in our header and in the protocol's own, and cancels the call when it ends.
 *
 * A call that is not worth sending, and one under way when time is up, fails with a ConnectError DEADLINE_EXCEEDED whose `cause` is the `SandglassError`.
 * Put it first of `interceptors`, so that what tries again does so above it.
 */
export function client(options: ConnectClientOptions = {}): <N extends (request: never) => Promise<unknown>>(next: N) => N {
  return <N extends (request: never) => Promise<unknown>>(next: N): N => {
    const send = (request: Request): Promise<Answer> => sendCall(options, request, next as unknown as Next)
    return send as unknown as N
  }
}

async function sendCall(options: ConnectClientOptions, request: Request, next: Next): Promise<Answer> {
  const scope = currentScope()
  const name = options.name ?? `${request.service.typeName}/${request.method.name}`
  const out = outboundOf(name, options, request.header)
  if (out.signal === undefined) return next(request)
  for (const [header, text] of Object.entries(headersToSet(out, (known) => request.header.get(known) ?? undefined)))
    request.header.set(header, text)
  const joined = joinedSignal(name, request.signal)
  const signal = joined.signal ?? request.signal
  try {
    const answer = await settledBy(signal, next({ ...request, signal }))
    noteAnswer(answer.header.get(answerHeader) ?? undefined, scope)
    noteAnswer(answer.trailer.get(answerHeader) ?? undefined, scope)
    if (answer.stream) return { ...answer, message: readIn(scope, answer, signal, joined) }
    joined.release()
    return answer
  } catch (error) {
    joined.release()
    throw failure(error, scope)
  }
}

function outboundOf(name: string, options: ConnectClientOptions, header: Headers): Outbound {
  try {
    const protocol = isGrpc(header) ? 'grpc' : 'connect'
    return outbound(name, { ...options, formats: options.formats ?? ['request-budget', protocol] })
  } catch (error) {
    throw failure(error, undefined)
  }
}

function isGrpc(header: Headers): boolean {
  return (
    header.has(grpcHeader) ||
    (header.get('content-type') ?? '').startsWith('application/grpc') ||
    (!header.has('connect-protocol-version') && !header.has(connectHeader))
  )
}

async function* readIn(
  scope: Scope | undefined,
  { message, trailer }: Answer,
  signal: AbortSignal,
  joined: JoinedSignal,
): AsyncGenerator<unknown> {
  const iterator = (message as AsyncIterable<unknown>)[Symbol.asyncIterator]()
  const following = (): Promise<IteratorResult<unknown>> =>
    settledBy(
      signal,
      runIn(scope, () => iterator.next()),
    )
  try {
    for (let step = await following(); step.done !== true; step = await following()) yield step.value
    noteAnswer(trailer.get(answerHeader) ?? undefined, scope)
  } catch (error) {
    throw failure(error, scope)
  } finally {
    joined.release()
    void Promise.resolve(iterator.return?.()).catch(() => undefined)
  }
}

// A stream of Connect does not always notice that its call was aborted; nobody may wait longer than the signal says.
function settledBy<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

// Connect would make CANCELLED of any error named TimeoutError; what it takes for its own it leaves alone.
function failure(error: unknown, scope: Scope | undefined): unknown {
  const { metadata } = (error ?? {}) as { metadata?: unknown }
  if (metadata instanceof Headers) noteAnswer(metadata.get(answerHeader) ?? undefined, scope)
  const ours = scope?.ending === undefined ? error : endingError(scope.ending, scope)
  return isSandglassError(ours) ? connectErrorOf(ours.code, ours.message, {}, ours) : error
}
