import { epochOf } from './clock.js'
import { type AttemptEnd, endOfGrpcCode, endOfHttpStatus } from './core/outcome.js'
import type { FailureCause } from './core/retry-on.js'
import { isSandglassError } from './errors.js'

/** What an attempt's error or answer says. */
export interface Verdict {
  readonly end: AttemptEnd
  readonly cause: FailureCause
  /** False only where it is certain that nothing reached the callee. */
  readonly sent: boolean
  /** When the callee asked to be tried again (ms). */
  readonly retryAfterMs?: number
}

const CONNECT_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'UND_ERR_CONNECT_TIMEOUT',
])
const RESET_CODES: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_HTTP2_STREAM_ERROR',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED',
])
const TIMEOUT_CODES: ReadonlySet<string> = new Set([
  'ETIMEDOUT',
  'ESOCKETTIMEDOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ECONNABORTED',
  'TIMEOUT',
])

/** The one form of a date that HTTP lets anybody send. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** How deep causes and aggregates are looked into: what a library throws may refer to itself. */
const DEEPEST = 5

/**
 * What an error thrown by an attempt says: our own errors from further down, HTTP statuses (`status`, `statusCode`, `response.status`),
 * gRPC codes, system and undici codes, causes of `fetch failed`. Anything else is a failure of the callee after it was asked. Never throws.
 */
export function classifyError(error: unknown): Verdict {
  try {
    return classify(error, 0)
  } catch {
    return other
  }
}

/** What an answer says: only what looks like an HTTP response is judged, by its status; everything else is an answer. */
export function classifyAnswer(value: unknown): Verdict | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  try {
    const { status, statusCode, headers } = value as { status?: unknown; statusCode?: unknown; headers?: unknown }
    const code = typeof status === 'number' ? status : statusCode
    if (typeof code !== 'number' || typeof headers !== 'object' || headers === null || code < 400 || code > 599) return undefined
    return ofStatus(code, headers)
  } catch {
    return undefined
  }
}

/** What to make of an answer that its own `judge` broke at: it was sent, and nobody knows what came back. */
export const unjudged: Verdict = { end: 'lost', cause: 'other', sent: true }

/** A program's `classify` that cannot keep a call from settling: where it throws or says nothing, `classifyError` does, and the process is warned. */
export function guardedClassify(name: string, classify: (error: unknown) => Verdict): (error: unknown) => Verdict {
  return (error) => {
    try {
      const verdict = classify(error) as Verdict | undefined
      if (typeof verdict?.end === 'string') return verdict
      process.emitWarning(`${name}: classify said nothing about an error`)
    } catch (thrown) {
      process.emitWarning(`${name}: classify threw ${String(thrown)}`)
    }
    return classifyError(error)
  }
}

const connectFailed: Verdict = { end: 'connect', cause: 'connect', sent: false }
const other: Verdict = { end: 'error', cause: 'other', sent: true }

function classify(error: unknown, depth: number): Verdict {
  if (typeof error !== 'object' || error === null || depth > DEEPEST) return other
  if (isSandglassError(error)) return ofOurs(error)
  const { code, name, syscall } = error as { code?: unknown; name?: unknown; syscall?: unknown }
  if (typeof code === 'string') {
    // A timeout while connecting is safe to repeat, one after that is not.
    const known = syscall === 'connect' ? connectFailed : ofCode(code)
    if (known !== undefined) return known
  }
  const status = statusOf(error)
  if (status !== undefined) return ofStatus(status, headersOf(error))
  if (typeof code === 'number' && code >= 1 && code <= 16 && 'details' in error) return ofGrpc(code)
  if (name === 'TimeoutError') return { end: 'timeout', cause: 'timeout', sent: true }
  return ofCauses(error, depth)
}

function ofCauses(error: object, depth: number): Verdict {
  const { cause, errors } = error as { cause?: unknown; errors?: unknown }
  // Several addresses were tried: nothing was sent only if that is so of every one.
  if (Array.isArray(errors) && errors.length > 0) {
    const all = errors.slice(0, 16).map((one) => classify(one, depth + 1))
    return all.find((one) => one.sent) ?? all[0] ?? other
  }
  return cause === undefined ? other : classify(cause, depth + 1)
}

function ofOurs(error: { code: string; outcome: string; retryAfterMs?: number | undefined }): Verdict {
  const sent = error.outcome !== 'not-sent'
  if (error.code === 'DEADLINE_EXCEEDED') return { end: 'timeout', cause: 'timeout', sent }
  if (error.code === 'CANCELLED') return { end: 'cancelled', cause: 'other', sent }
  const asked = error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }
  return { end: 'refused', cause: 'other', sent, ...asked }
}

function ofCode(code: string): Verdict | undefined {
  if (CONNECT_CODES.has(code)) return connectFailed
  if (RESET_CODES.has(code)) return { end: 'lost', cause: 'reset', sent: true }
  if (TIMEOUT_CODES.has(code)) return { end: 'timeout', cause: 'timeout', sent: true }
  return undefined
}

function ofStatus(status: number, headers: unknown): Verdict {
  const asked = retryAfterMs(headerOf(headers, 'retry-after'), headerOf(headers, 'date'))
  const end = endOfHttpStatus(status, asked !== undefined)
  const cause = end === 'throttled' ? 429 : status
  return { end, cause, sent: true, ...(asked !== undefined && { retryAfterMs: asked }) }
}

function ofGrpc(code: number): Verdict {
  const end = endOfGrpcCode(code)
  if (end === 'throttled') return { end, cause: 429, sent: true }
  if (end === 'rejected') return { end, cause: 400, sent: true }
  return { end, cause: end === 'lost' ? 'reset' : 'other', sent: true }
}

function statusOf(error: object): number | undefined {
  const { status, statusCode, response } = error as {
    status?: unknown
    statusCode?: unknown
    response?: { status?: unknown; statusCode?: unknown } | null
  }
  return [status, statusCode, response?.status, response?.statusCode].find(
    (one): one is number => typeof one === 'number' && one >= 100 && one <= 599,
  )
}

function headersOf(error: object): unknown {
  const { headers, response } = error as { headers?: unknown; response?: { headers?: unknown } | null }
  return response?.headers ?? headers
}

function headerOf(headers: unknown, name: string): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined
  const { get } = headers as { get?: unknown }
  const value: unknown = typeof get === 'function' ? get.call(headers, name) : (headers as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : undefined
}

/**
 * Reads `retry-after`: whole seconds, however many, or a date, which is compared with the answer's own `date` and never with our clock.
 * Undefined where it says nothing.
 */
export function retryAfterMs(value: string | undefined, date?: string): number | undefined {
  if (value === undefined || value.length > 40) return undefined
  if (/^ *\d+ *$/.test(value)) return Number(value) * 1000
  if (date === undefined || !HTTP_DATE.test(value) || !HTTP_DATE.test(date)) return undefined
  const waitMs = epochOf(value) - epochOf(date)
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs)
}
