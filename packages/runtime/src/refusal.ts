import { type ErrorCode, httpStatusOf } from './core/outcome.js'

/** How to answer a request that is not worked on, or no longer. */
export interface Refusal {
  readonly status: 499 | 503 | 504
  readonly code: ErrorCode
  /** `content-type`, and `retry-after` with 503. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The answer for a code: 504 when time ran out, 503 with `retry-after` (whole seconds, at least 1) for every refusal. */
export function refusalWith(code: ErrorCode, retryAfterMs: number | undefined): Refusal {
  // A caller that is still there to read it did not leave: we are the ones who stop.
  const status = code === 'CANCELLED' ? 503 : httpStatusOf(code)
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (status === 503) headers['retry-after'] = String(Math.max(1, Math.ceil((retryAfterMs ?? 1000) / 1000)))
  return { status, code, headers, body: `{"error":"${code}"}` }
}
