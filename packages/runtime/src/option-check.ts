import type { CallLimits, CallOptions } from './call-options.js'
import { optionInRange } from './core/option-range.js'
import { ConfigError } from './errors.js'

const LIMITS: readonly (keyof CallLimits)[] = [
  'timeoutMs',
  'attemptMs',
  'attempts',
  'backoff',
  'retryOn',
  'retryStartWithinMs',
  'retryBudget',
  'floorMs',
  'reserveMs',
  'idempotencyKey',
  'stateGuard',
  'chainStop',
  'breaker',
  'bulkhead',
  'hedge',
]
const OPTIONS: readonly string[] = [
  ...LIMITS,
  'does',
  'fallback',
  'fallbackMs',
  'callee',
  'limits',
  'signal',
  'observeOnly',
  'judge',
  'classify',
]
const RETRY_WORDS: readonly unknown[] = ['timeout', 'connect', 'reset', '5xx', '429']
const OBSERVED: readonly unknown[] = ['breaker', 'bulkhead', 'floor', 'retry-budget']
const JITTERS: readonly unknown[] = [undefined, 'full', 'equal', 'none']

/** Refuses what the types refuse, for those who write no types: an option that does not exist, a word that means nothing. Throws `ConfigError`. */
export function checkOptions(options: CallOptions): void {
  if (!isObject(options)) throw new ConfigError(`a call needs options, such as { does: "read", timeoutMs: 1000 }`)
  const unknown = Object.keys(options).find((field) => !OPTIONS.includes(field))
  if (unknown !== undefined) throw new ConfigError(`there is no option ${JSON.stringify(unknown)}${likely(OPTIONS, unknown)}`)
  const { signal, limits, callee, observeOnly, fallback } = options
  need(signal === undefined || typeof signal?.addEventListener === 'function', 'signal', 'an AbortSignal')
  need(limits === undefined || typeof limits?.register === 'function', 'limits', 'what limitsFile() returned')
  need(callee === undefined || isObject(callee), 'callee', 'what callee() returned')
  need(
    observeOnly === undefined || typeof observeOnly === 'boolean' || areAll(observeOnly, (word) => OBSERVED.includes(word)),
    'observeOnly',
    `true, false or a list of ${OBSERVED.join(', ')}`,
  )
  need(fallback === undefined || [fallback].flat().every(isObject), 'fallback', 'made by snapshot, constant, empty or defer')
  for (const field of ['judge', 'classify'] as const)
    need(options[field] === undefined || typeof options[field] === 'function', field, 'a function')
}

/** The same for the limits, which may come from a file. Throws `ConfigError`, TypeError or RangeError. */
export function checkLimits(limits: CallLimits): void {
  for (const field of ['floorMs', 'reserveMs', 'retryStartWithinMs'] as const)
    if (limits[field] !== undefined) optionInRange(field, limits[field], 0)
  for (const field of ['breaker', 'bulkhead', 'hedge'] as const)
    need(limits[field] === undefined || isObject(limits[field]), field, 'an object of options')
  const { retryBudget, retryOn, backoff } = limits
  need(retryBudget === undefined || retryBudget === 'none' || isObject(retryBudget), 'retryBudget', '"none" or an object of options')
  const isCondition = (one: unknown): boolean =>
    RETRY_WORDS.includes(one) || (Number.isInteger(one) && Number(one) >= 100 && Number(one) <= 599)
  need(retryOn === undefined || areAll(retryOn, isCondition), 'retryOn', `a list of ${RETRY_WORDS.join(', ')} or a status`)
  if (backoff !== undefined) checkBackoff(backoff)
}

function checkBackoff(backoff: NonNullable<CallLimits['backoff']>): void {
  need(isObject(backoff), 'backoff', '{ baseMs, maxMs, factor, jitter } or { waitsMs, jitter }')
  need(JITTERS.includes(backoff.jitter), 'backoff.jitter', 'full, equal or none')
  if ('waitsMs' in backoff) {
    need(Array.isArray(backoff.waitsMs), 'backoff.waitsMs', 'a list of ms')
    for (const waitMs of backoff.waitsMs) optionInRange('backoff.waitsMs', waitMs, 0)
    return
  }
  optionInRange('backoff.baseMs', backoff.baseMs, 0)
  if (backoff.maxMs !== undefined) optionInRange('backoff.maxMs', backoff.maxMs, 0)
  if (backoff.factor !== undefined) optionInRange('backoff.factor', backoff.factor, 1)
}

/** Runs `check` and puts the call's name before what it throws: of a hundred calls, which one is it? */
export function named<T>(name: string, check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (error instanceof Error && !error.message.startsWith(`${name}: `)) error.message = `${name}: ${error.message}`
    throw error
  }
}

/** Throws `ConfigError` where it does not hold. */
export function need(holds: boolean, field: string, what: string): void {
  if (!holds) throw new ConfigError(`${field} must be ${what}`)
}

function areAll(value: unknown, holds: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(holds)
}

/** Whether a value may hold options. */
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** Which of `known` was probably meant by `field`, as the end of a message. */
export function likely(known: readonly string[], field: string): string {
  const start = field.toLowerCase().slice(0, 5)
  const meant = known.find((one) => one.toLowerCase().startsWith(start))
  return meant === undefined ? '' : `; is ${meant} meant?`
}
