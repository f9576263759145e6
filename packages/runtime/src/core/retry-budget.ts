import { optionInRange } from './option-range.js'

/** Why another attempt is wanted: it decides what the attempt costs. A hedge costs as much as after an `error`. */
export type RetryCause = 'error' | 'timeout' | 'throttled'

/**
 * A bucket of tokens that starts full. An attempt after the first costs tokens; what a call spent comes back when it
 * finally succeeds, so only retries that did not help drain it (the standard mode of the AWS SDKs, with its own prices).
 */
export interface TokenBucketOptions {
  /** Most tokens it holds, and what it starts with; default 100. */
  readonly capacity?: number
  /** Price of a retry after an error; default 3. */
  readonly errorCost?: number
  /** Price of a retry after a timeout; default 6. */
  readonly timeoutCost?: number
  /** Price of a retry after a throttling answer; default 1. */
  readonly throttledCost?: number
  /** What a call that succeeds on its first attempt adds; default 0.2. */
  readonly firstTryGain?: number
}

/**
 * Each success earns `share` of a retry; it starts empty and holds at most `cap` retries. Every retry costs one and does not
 * come back (Finagle's `RetryBudget` without its constant part).
 */
export interface RetryShareOptions {
  /** Retries earned per success, 0 to 1. */
  readonly share: number
  /** Most retries it holds; default 10; `none` (or `Infinity`) for no cap. */
  readonly cap?: number | 'none'
}

/** One of the two kinds of budget. */
export type RetryBudgetOptions = TokenBucketOptions | RetryShareOptions

/** The defaults of {@link TokenBucketOptions}. */
export const RETRY_BUDGET_DEFAULTS: Readonly<Required<TokenBucketOptions>> = Object.freeze({
  capacity: 100,
  errorCost: 3,
  timeoutCost: 6,
  throttledCost: 1,
  firstTryGain: 0.2,
})

/** The default of {@link RetryShareOptions}. */
export const RETRY_SHARE_DEFAULTS: Readonly<{ cap: number }> = Object.freeze({ cap: 10 })

/** One callee's budget, shared by its retries and hedges: plain state, changed only by the functions of this file. */
export interface RetryBudget {
  // In millionths of a token: ten times a tenth is then exactly one.
  units: number
  readonly capacityUnits: number
  readonly errorUnits: number
  readonly timeoutUnits: number
  readonly throttledUnits: number
  /** Earned by a call that succeeds without having spent anything. */
  readonly firstTryUnits: number
  /** Earned by a call that succeeds after spending. */
  readonly laterTryUnits: number
  /** 1 when what a call spent comes back with its success. */
  readonly refunded: 0 | 1
}

const UNITS_PER_TOKEN = 1_000_000

/**
 * Makes a budget: with `share` the earning kind, otherwise the bucket.
 * @throws TypeError or RangeError for an option outside its range
 */
export function createRetryBudget(options: RetryBudgetOptions = {}): RetryBudget {
  return 'share' in options ? createShare(options) : createBucket(options)
}

/**
 * Takes the price of one more attempt.
 * @returns the tokens taken, to be added up per call and handed to {@link settleRetryBudget}; 0 when there are too few: stop
 */
export function spendRetry(budget: RetryBudget, cause: RetryCause): number {
  const price = cause === 'error' ? budget.errorUnits : cause === 'timeout' ? budget.timeoutUnits : budget.throttledUnits
  if (budget.units < price) return 0
  budget.units -= price
  return price / UNITS_PER_TOKEN
}

/** Ends a call that spent `spentTokens` in all (0 when its first attempt was its only one): a success earns or returns tokens. */
export function settleRetryBudget(budget: RetryBudget, spentTokens: number, succeeded: boolean): void {
  if (!succeeded) return
  const gain = spentTokens === 0 ? budget.firstTryUnits : budget.laterTryUnits + budget.refunded * Math.round(spentTokens * UNITS_PER_TOKEN)
  budget.units = Math.min(budget.capacityUnits, budget.units + gain)
}

/** Tokens it holds now, 0 to its capacity. */
export function retryTokens(budget: RetryBudget): number {
  return budget.units / UNITS_PER_TOKEN
}

function createBucket(options: TokenBucketOptions): RetryBudget {
  const capacityUnits = units('retryBudget.capacity', options.capacity ?? RETRY_BUDGET_DEFAULTS.capacity)
  return {
    units: capacityUnits,
    capacityUnits,
    errorUnits: price('retryBudget.errorCost', options.errorCost ?? RETRY_BUDGET_DEFAULTS.errorCost),
    timeoutUnits: price('retryBudget.timeoutCost', options.timeoutCost ?? RETRY_BUDGET_DEFAULTS.timeoutCost),
    throttledUnits: price('retryBudget.throttledCost', options.throttledCost ?? RETRY_BUDGET_DEFAULTS.throttledCost),
    firstTryUnits: units('retryBudget.firstTryGain', options.firstTryGain ?? RETRY_BUDGET_DEFAULTS.firstTryGain),
    laterTryUnits: 0,
    refunded: 1,
  }
}

function createShare(options: RetryShareOptions): RetryBudget {
  const earned = Math.round(optionInRange('retryBudget.share', options.share, 0, 1) * UNITS_PER_TOKEN)
  const cap = optionInRange('retryBudget.cap', options.cap === 'none' ? Infinity : (options.cap ?? RETRY_SHARE_DEFAULTS.cap), 0)
  return {
    units: 0,
    capacityUnits: Math.min(cap * UNITS_PER_TOKEN, Number.MAX_SAFE_INTEGER),
    errorUnits: UNITS_PER_TOKEN,
    timeoutUnits: UNITS_PER_TOKEN,
    throttledUnits: UNITS_PER_TOKEN,
    firstTryUnits: earned,
    laterTryUnits: earned,
    refunded: 0,
  }
}

function units(name: string, tokens: number): number {
  return Math.round(optionInRange(name, tokens, 0, 1e9) * UNITS_PER_TOKEN)
}

function price(name: string, tokens: number): number {
  return Math.round(optionInRange(name, tokens, 1e-6, 1e9) * UNITS_PER_TOKEN)
}
