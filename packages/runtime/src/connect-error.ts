import type { ErrorCode } from './core/outcome.js'
import type { SandglassError } from './errors.js'
import { grpcCodeOf } from './grpc-code.js'

const CODE_NAMES: Readonly<Record<number, string>> = { 1: 'canceled', 4: 'deadline_exceeded', 14: 'unavailable' }

/** An error that Connect takes for one of its own: it knows them by their fields, so that two copies of it understand each other. */
export interface ConnectErrorLike extends Error {
  readonly code: number
  readonly rawMessage: string
  readonly metadata: Headers
  readonly details: readonly never[]
}

/** Makes one: DEADLINE_EXCEEDED, CANCELLED or UNAVAILABLE as the code of our own says; `metadata` travels as headers or trailers. */
export function connectErrorOf(
  code: ErrorCode,
  rawMessage: string,
  metadata: Readonly<Record<string, string>> = {},
  cause?: SandglassError,
): ConnectErrorLike {
  const number = grpcCodeOf(code)
  const error = new Error(`[${CODE_NAMES[number]}] ${rawMessage}`)
  error.name = 'ConnectError'
  return Object.assign(error, { code: number, rawMessage, metadata: new Headers({ ...metadata }), details: [], cause })
}
