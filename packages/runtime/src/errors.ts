import { ERROR_CODES, type ErrorCode, errorNameOf, type Outcome, type Whose } from './core/outcome.js'

/** What a `SandglassError` is made of. */
export interface SandglassErrorInit {
  readonly code: ErrorCode
  readonly whose: Whose
  readonly outcome: Outcome
  /** Whether the caller may try again without doing harm. */
  readonly retryable: boolean
  /** The budget that ended it (ms); `Infinity` where none was set. */
  readonly budgetMs: number
  readonly elapsedMs: number
  /** The call's name, or the name of the deadline. */
  readonly call: string
  /** The name of the deadline that ran out, where it is not the call's own. */
  readonly level?: string
  readonly cause?: unknown
  /** Which part of the exchange it ended in: `queue` `connect` `headers` `body` `work` `back-off`. */
  readonly phase?: string
  /** When the other side may be asked again (ms), for an open breaker and for shedding. */
  readonly retryAfterMs?: number
  /** How much of the elapsed time this process's event loop was blocked (ms); 0 when it was free. */
  readonly loopDelayMs?: number
  /** Why no further attempt was made, where that is not the code itself. */
  readonly stopped?: string
}

/** How a request or call ended when this package ended it; `name` is `TimeoutError` on expiry and `AbortError` on cancellation. */
export class SandglassError extends Error {
  readonly code: ErrorCode
  readonly whose: Whose
  readonly outcome: Outcome
  readonly retryable: boolean
  readonly budgetMs: number
  readonly elapsedMs: number
  readonly call: string
  readonly level: string
  readonly phase: string | undefined
  readonly retryAfterMs: number | undefined
  readonly loopDelayMs: number
  readonly stopped: string | undefined

  constructor(init: SandglassErrorInit) {
    super(describe(init), init.cause === undefined ? undefined : { cause: init.cause })
    this.name = errorNameOf(init.code)
    this.code = init.code
    this.whose = init.whose
    this.outcome = init.outcome
    this.retryable = init.retryable
    this.budgetMs = init.budgetMs
    this.elapsedMs = init.elapsedMs
    this.call = init.call
    this.level = init.level ?? init.call
    this.phase = init.phase
    this.retryAfterMs = init.retryAfterMs
    this.loopDelayMs = init.loopDelayMs ?? 0
    this.stopped = init.stopped
  }
}

/** Whether a value is such an error, also one made by another copy of this package: it is known by its `code` and fields, not by its class. */
export function isSandglassError(value: unknown): value is SandglassError {
  if (typeof value !== 'object' || value === null) return false
  const candidate = value as { code?: unknown; whose?: unknown; outcome?: unknown }
  return (
    typeof candidate.code === 'string' &&
    (ERROR_CODES as readonly string[]).includes(candidate.code) &&
    typeof candidate.whose === 'string' &&
    typeof candidate.outcome === 'string'
  )
}

/** A mistake in the options a programmer gave, thrown when they are given and never later. */
export class ConfigError extends TypeError {
  readonly code = 'SANDGLASS_CONFIG'
  constructor(message: string) {
    super(message)
    this.name = 'ConfigError'
  }
}

function describe(init: SandglassErrorInit): string {
  const ms = (value: number): string => `${Math.round(value)} ms`
  const blocked = (init.loopDelayMs ?? 0) > 0 ? `; the event loop was blocked for ${ms(init.loopDelayMs ?? 0)} of it` : ''
  switch (init.code) {
    case 'DEADLINE_EXCEEDED': {
      const level = init.level === undefined || init.level === '' ? '' : ` "${init.level}"`
      const limit = init.whose === 'inherited' ? `the parent deadline${level}` : 'its own limit'
      return `${init.call}: ${limit} of ${ms(init.budgetMs)} ran out after ${ms(init.elapsedMs)}${blocked}`
    }
    case 'BUDGET_TOO_SMALL':
      return `${init.call}: not started, ${ms(init.budgetMs)} left is less than it is worth starting with`
    case 'CANCELLED':
      return `${init.call}: cancelled after ${ms(init.elapsedMs)}${init.whose === 'caller' ? ', the caller went away' : ''}`
    case 'BREAKER_OPEN':
      return `${init.call}: not sent, the breaker is open${init.retryAfterMs === undefined ? '' : ` for ${ms(init.retryAfterMs)}`}`
    case 'BULKHEAD_FULL':
      return `${init.call}: not sent, no slot became free within ${ms(init.elapsedMs)}`
    case 'RETRY_BUDGET_EMPTY':
      return `${init.call}: not tried again, the retry budget is empty`
    case 'ADMISSION_REFUSED':
      return `${init.call}: refused, this service has too much to do`
  }
}
