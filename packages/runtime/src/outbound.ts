import { epochNow, now } from './clock.js'
import { currentScope } from './context.js'
import { reserveMs } from './core/reserve.js'
import { degradedHeader, parseDegraded } from './core/wire-degraded.js'
import { outgoingBudget, type WireFormat } from './core/wire-out.js'
import type { HeaderValue } from './core/wire-value.js'
import { SandglassError } from './errors.js'
import { instanceName } from './instance.js'
import { addMark } from './request-facts.js'
import { type ExchangePhase, endingError, type Scope } from './scope.js'

/** What a client adapter may be told. */
export interface OutboundOptions {
  /** The headers to write; default only `request-budget-ms` and its companion. */
  readonly formats?: readonly WireFormat[]
  /** What is kept back from the deadline (ms); default that of the request, else max(5 ms, 5 %). Inside a `call` it was kept already and is not taken twice. */
  readonly reserveMs?: number
  /** Whether to send `request-budget-meta`; default true. */
  readonly meta?: boolean
}

/** What to do with a request that is about to be sent. */
export interface Outbound {
  /** Headers to add, by lower-case name; empty without a deadline. */
  readonly headers: Readonly<Record<string, string>>
  /** The budget handed down (ms); `Infinity` without a deadline. */
  readonly budgetMs: number
  /** What ends the request early; undefined outside of any scope. */
  readonly signal: AbortSignal | undefined
}

const nothing: Outbound = Object.freeze({ headers: Object.freeze({}), budgetMs: Infinity, signal: undefined })

/**
 * What to send with a request made from here, in the present scope: its budget less the reserve, and who asks.
 *
 * Throws `SandglassError`: `DEADLINE_EXCEEDED` or `CANCELLED` when the scope has ended, `BUDGET_TOO_SMALL` when less than 1 ms is left to hand down. Nothing must be sent then.
 */
export function outbound(name: string, options: OutboundOptions = {}): Outbound {
  const scope = currentScope()
  if (scope === undefined) return nothing
  if (scope.ending !== undefined) throw endingError(scope.ending, scope, 'not-sent')
  const leftMs = scope.remainingAt(now())
  const budgetMs = leftMs - keptMs(scope, leftMs, options.reserveMs)
  const written = outgoingBudget(budgetMs, {
    ...(options.formats !== undefined && { formats: options.formats }),
    ...(options.meta !== false && { meta: metaOf(scope) }),
  })
  if (written.state === 'expired') throw tooSmall(name, budgetMs, leftMs, scope)
  return { headers: written.headers, budgetMs, signal: scope.signal }
}

/** Takes in what an answer says about fallbacks further down, so that it travels on to our own caller. */
export function noteAnswer(degraded: HeaderValue, scope: Scope | undefined = currentScope()): void {
  if (degraded === undefined || scope === undefined) return
  for (const mark of parseDegraded(degraded)) addMark(scope.facts, mark)
}

/** Tells the attempt under way how far its exchange has come, for clients that know: it decides whether a repetition is harmless when time runs out. */
export function noteExchange(phase: ExchangePhase): void {
  currentScope()?.noteExchange(phase)
}

/** The name of the header `noteAnswer` wants. */
export const answerHeader: string = degradedHeader

function keptMs(scope: Scope, leftMs: number, ownMs: number | undefined): number {
  return setterOf(scope).attempt > 0 ? 0 : reserveMs(leftMs, ownMs ?? scope.facts?.reserveMs)
}

// Whoever set the deadline decides: an attempt's is what remains after the reserve.
function setterOf(scope: Scope): Scope {
  let setter = scope
  while (setter.parent !== undefined && setter.parent.endsAt === setter.endsAt && setter.attempt === 0) setter = setter.parent
  return setter
}

function metaOf(scope: Scope): { sentAt: number; from: string; hop: number; attempt: number; last: boolean } {
  let attempt: Scope | undefined = scope
  while (attempt !== undefined && attempt.attempt === 0) attempt = attempt.parent
  return {
    sentAt: epochNow(),
    from: instanceName(),
    hop: (scope.facts?.hop ?? 0) + 1,
    // A request that serves a retry is one itself, or layers of retries would multiply below it.
    attempt: Math.max(attempt?.attempt ?? 1, scope.facts?.inboundAttempt ?? 1),
    last: attempt?.isLast ?? true,
  }
}

function tooSmall(name: string, budgetMs: number, leftMs: number, scope: Scope): SandglassError {
  return new SandglassError({
    code: leftMs > 0 ? 'BUDGET_TOO_SMALL' : 'DEADLINE_EXCEEDED',
    whose: 'inherited',
    outcome: 'not-sent',
    retryable: false,
    budgetMs: Math.max(0, budgetMs),
    elapsedMs: now() - scope.startedAt,
    call: name,
    level: scope.deadline.state === 'set' ? scope.deadline.name : '',
  })
}
