import { type ErrorCode, httpStatusOf } from './core/outcome.js'

/** The status codes of gRPC, which Connect shares, that our own errors become. */
export type GrpcCode = 1 | 4 | 14

/** The status an error of ours has in gRPC and Connect: DEADLINE_EXCEEDED (4) when time ran out, CANCELLED (1) when the caller left, UNAVAILABLE (14) for every refusal. */
export function grpcCodeOf(code: ErrorCode): GrpcCode {
  const status = httpStatusOf(code)
  if (status === 504) return 4
  return status === 499 ? 1 : 14
}
