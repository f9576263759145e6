/** An answer of a callee that is a failure. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number

  constructor(to: string, status: number) {
    super(`${to} answered ${status}`)
    this.status = status
  }
}

/** A limit of a caller that knows of no deadline is reached. */
export class CallTimeout extends Error {
  override readonly name = 'TimeoutError'

  constructor(to: string, limitMs: number) {
    super(`${to} took more than ${limitMs} ms`)
  }
}

/** What a service answers when a call it needs has failed: 504 for a timeout, else 503, and 500 for a 500. */
export function statusFor(error: unknown): number {
  if (!(error instanceof Error)) return 500
  const { status, name, code } = error as Error & { status?: number; code?: string }
  if (name === 'TimeoutError' || name === 'TaskCancelledError' || status === 504 || code === 'ETIMEDOUT') return 504
  return status === 500 ? 500 : 503
}
