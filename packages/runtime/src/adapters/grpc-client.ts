import { epochNow } from '../clock.js'
import { currentScope, runIn } from '../context.js'
import { isSandglassError } from '../errors.js'
import { grpcCodeOf } from '../grpc-code.js'
import { headersToSet } from '../headers-to-set.js'
import { answerHeader, noteAnswer, type Outbound, type OutboundOptions, outbound } from '../outbound.js'
import type { Scope } from '../scope.js'

/** How calls are made with grpc-js. */
export interface GrpcClientOptions extends OutboundOptions {
  /** What errors call these calls; default the path of the method. */
  readonly name?: string
}

/** What is needed of the options of a call of grpc-js. */
export interface GrpcCallOptions {
  readonly deadline?: Date | number
  readonly method_definition: { readonly path: string }
}

interface Metadata {
  get(key: string): unknown[]
  set(key: string, value: string): void
}

interface Status {
  readonly code: number
  readonly details: string
  readonly metadata: Metadata
}

interface Listener {
  onReceiveMetadata?(metadata: Metadata): void
  onReceiveMessage?(message: unknown): void
  onReceiveStatus?(status: Status): void
}

interface Call {
  start(metadata: Metadata, listener?: Listener): void
  cancelWithStatus(code: number, details: string): void
}

/**
 * The client interceptor that sends the present deadline along, as `grpc-timeout` too, and cancels the call when it ends.
 *
 * The deadline of a call is the smaller of its own and the one it is made under. A call that is not worth sending ends with DEADLINE_EXCEEDED and opens no stream.
 * Errors stay those of grpc-js; `call` understands their codes.
 */
export function client(
  options: GrpcClientOptions = {},
): <O extends GrpcCallOptions, C, R>(callOptions: O, nextCall: (callOptions: O) => C) => R {
  return <O extends GrpcCallOptions, C, R>(callOptions: O, nextCall: (callOptions: O) => C): R => {
    const call = guardedCall(options, callOptions, nextCall as unknown as (callOptions: GrpcCallOptions) => Call)
    // grpc-js types the result as a class; it uses no more than the methods of the call that is passed on here.
    return call as unknown as R
  }
}

function guardedCall(options: GrpcClientOptions, callOptions: GrpcCallOptions, nextCall: (callOptions: GrpcCallOptions) => Call): Call {
  let out: Outbound
  try {
    out = outbound(options.name ?? callOptions.method_definition.path, options)
  } catch (error) {
    return deadCall(error)
  }
  if (out.signal === undefined) return nextCall(callOptions)
  const call = nextCall(out.budgetMs === Infinity ? callOptions : { ...callOptions, deadline: earlier(callOptions.deadline, out.budgetMs) })
  const start = call.start.bind(call)
  const { signal } = out
  const scope = currentScope()
  call.start = (metadata, listener) => {
    for (const [header, text] of Object.entries(headersToSet(out, (known) => textsOf(metadata, known)))) {
      // grpc-js writes its own `grpc-timeout` from the deadline.
      if (header !== 'grpc-timeout') metadata.set(header, text)
    }
    const onAbort = (): void => call.cancelWithStatus(codeOf(signal.reason), messageOf(signal.reason))
    signal.addEventListener('abort', onAbort)
    start(
      metadata,
      listenIn(scope, listener, () => signal.removeEventListener('abort', onAbort)),
    )
  }
  return call
}

function listenIn(scope: Scope | undefined, listener: Listener | undefined, over: () => void): Listener {
  return {
    onReceiveMetadata(metadata) {
      noteAnswer(textsOf(metadata, answerHeader), scope)
      runIn(scope, () => listener?.onReceiveMetadata?.(metadata))
    },
    onReceiveMessage: (message) => runIn(scope, () => listener?.onReceiveMessage?.(message)),
    onReceiveStatus(status) {
      over()
      noteAnswer(textsOf(status.metadata, answerHeader), scope)
      runIn(scope, () => listener?.onReceiveStatus?.(status))
    },
  }
}

/** The longest that grpc-js writes in ms; above it changes to seconds and rounds them up. */
const LONGEST_EXACT_MS = 99_999_999

// Rounded down to whole ms: grpc-js rounds what it writes up.
function earlier(own: Date | number | undefined, budgetMs: number): number {
  return Math.min(own === undefined ? Infinity : Number(own), epochNow() + Math.floor(Math.min(budgetMs, LONGEST_EXACT_MS)))
}

function textsOf(metadata: Metadata, key: string): string[] | undefined {
  const texts = metadata.get(key).filter((value): value is string => typeof value === 'string')
  return texts.length === 0 ? undefined : texts
}

function codeOf(reason: unknown): number {
  return isSandglassError(reason) ? grpcCodeOf(reason.code) : 1
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : 'cancelled'
}

function deadCall(error: unknown): Call {
  const nothing = (): void => undefined
  const dead = {
    start(metadata: Metadata, listener?: Listener): void {
      const Fresh = metadata.constructor as new () => Metadata
      queueMicrotask(() => listener?.onReceiveStatus?.({ code: codeOf(error), details: messageOf(error), metadata: new Fresh() }))
    },
    cancelWithStatus: nothing,
    sendMessage: nothing,
    sendMessageWithContext: nothing,
    startRead: nothing,
    halfClose: nothing,
    getPeer: () => 'unknown',
    getAuthContext: () => null,
  }
  return dead
}
