import type { CallContext, CallLimits, CallOptions, ObserveOnly } from './call-options.js'
import { type Callee, callee as createCallee } from './callee.js'
import { classifyAnswer, classifyError, guardedClassify, type Verdict } from './classify.js'
import { type AttemptPlan, beginAttempts } from './core/attempts.js'
import { budgetOf, noDeadline } from './core/deadline.js'
import { fallbackProblems } from './core/fallback-order.js'
import { type Does, type FallbackTier, fallbackTiers, mayHedge, mayRetry, safetyRules } from './core/safety.js'
import { ConfigError } from './errors.js'
import type { Fallback, SnapshotFallback } from './fallback.js'
import { checkLimits, checkOptions, named } from './option-check.js'
import type { Scope } from './scope.js'
import { linkOf, type SignalLink } from './signal-link.js'

/** What a call does, with any arguments and answer. */
export type CallFunction = (context: CallContext, ...args: readonly unknown[]) => unknown

/** Everything one call needs, checked once; exchanged as a whole when a limits file changes. */
export interface CallPlan {
  readonly name: string
  readonly does: Does
  readonly fn: CallFunction
  readonly attempts: AttemptPlan
  /** The same for where there is no deadline: never without a limit unless that was asked for. */
  readonly attemptsAlone: AttemptPlan
  /** `attempts` with the reserve of the requests it is called from, the last one asked for. */
  readonly reserved: { ms: number; attempts: AttemptPlan }
  readonly floorMs: number
  /** What `callee` was made from. */
  readonly policies: string
  readonly callee: Callee
  readonly fallbacks: readonly Fallback<unknown>[]
  readonly tierOrder: readonly FallbackTier[]
  readonly snapshot: SnapshotFallback | undefined
  readonly fallbackMs: number
  /** Whether anything of a run may happen later than its first attempt. */
  readonly mayResume: boolean
  readonly judge: (value: unknown) => Verdict | undefined
  readonly classify: (error: unknown) => Verdict
  readonly link: SignalLink | undefined
  readonly observes: Readonly<Record<Policy, boolean>>
}

type Policy = 'breaker' | 'bulkhead' | 'floor' | 'retry-budget'

/** The limit of a call that has neither a timeout nor a deadline (ms). */
export const LONE_TIMEOUT_MS = 10_000
/** What a fallback may take beyond the call's own timeout (ms). */
const FALLBACK_MS = 50

/** Checks a call's options and prepares what every run of it needs; policies that did not change since `before` keep their state. Throws `ConfigError`, TypeError or RangeError with one clear line. */
export function planCall(name: string, options: CallOptions, fn: CallFunction, limits: CallLimits = options, before?: CallPlan): CallPlan {
  if (typeof name !== 'string' || name === '') throw new ConfigError('a call needs a name, such as "inventory.available"')
  return named(name, () => checkedPlan(name, options, fn, limits, before))
}

function checkedPlan(name: string, options: CallOptions, fn: CallFunction, limits: CallLimits, before: CallPlan | undefined): CallPlan {
  checkOptions(options)
  checkLimits(limits)
  if (typeof fn !== 'function') throw new ConfigError(`${name}: a call needs a function`)
  const { does } = options
  if (!Object.hasOwn(safetyRules, does))
    throw new ConfigError(`${name}: does must be one of ${Object.keys(safetyRules).join(', ')}, not ${JSON.stringify(does)}`)
  if (limits.hedge !== undefined && !mayHedge(does)) throw new ConfigError(`${name}: only a read may be hedged, this is a ${does}`)
  const observes = observed(options.observeOnly)
  const attempts = attemptPlan(name, does, limits, observes.floor)
  const policies = JSON.stringify(policiesOf(limits))
  const fallbacks = orderFallbacks(name, does, options.fallback)
  const callee = options.callee ?? (before?.policies === policies ? before.callee : createCallee(name, policiesOf(limits)))
  return {
    name,
    does,
    fn,
    attempts,
    attemptsAlone: attempts.timeoutMs === undefined ? { ...attempts, timeoutMs: LONE_TIMEOUT_MS } : attempts,
    reserved: { ms: Number.NaN, attempts },
    floorMs: limits.floorMs ?? 0,
    policies,
    callee,
    mayResume: (attempts.attempts ?? 1) > 1 || fallbacks.length > 0 || callee.slots !== null || callee.hedge !== null,
    fallbacks,
    tierOrder: fallbacks.map(({ tier }) => tier),
    snapshot: fallbacks.find((one): one is SnapshotFallback => one.tier === 'snapshot'),
    fallbackMs: budgetOf(options.fallbackMs ?? FALLBACK_MS),
    judge: options.judge ?? classifyAnswer,
    classify: options.classify === undefined ? classifyError : guardedClassify(name, options.classify),
    link: options.signal === undefined ? undefined : linkOf(options.signal),
    observes,
  }
}

/** The part of the limits that makes a callee's policies. */
export function policiesOf(limits: CallLimits): Parameters<typeof createCallee>[1] {
  const { breaker, bulkhead, retryBudget, hedge, timeoutMs, attemptMs } = limits
  const leaseMs = breaker?.leaseMs ?? finiteOf(attemptMs) ?? finiteOf(timeoutMs)
  return {
    // A probe may take as long as any attempt, or healthy probes of a slow callee would count as lost.
    ...(breaker !== undefined && { breaker: leaseMs === undefined ? breaker : { ...breaker, leaseMs } }),
    ...(bulkhead !== undefined && { bulkhead }),
    ...(retryBudget !== undefined && { retryBudget }),
    ...(hedge !== undefined && { hedge }),
  }
}

function attemptPlan(name: string, does: Does, limits: CallLimits, observesFloor: boolean): AttemptPlan {
  const {
    timeoutMs,
    attemptMs,
    attempts,
    backoff,
    retryOn,
    retryStartWithinMs,
    reserveMs,
    floorMs,
    idempotencyKey,
    stateGuard,
    chainStop,
  } = limits
  const plan: AttemptPlan = {
    does,
    ...(timeoutMs !== undefined && { timeoutMs: budget(name, 'timeoutMs', timeoutMs) }),
    ...(attemptMs !== undefined && { attemptMs: budget(name, 'attemptMs', attemptMs) }),
    ...(attempts !== undefined && { attempts }),
    ...(backoff !== undefined && { backoff }),
    ...(retryOn !== undefined && { retryOn }),
    ...(retryStartWithinMs !== undefined && { retryStartWithinMs }),
    ...(reserveMs !== undefined && { reserveMs }),
    ...(floorMs !== undefined && !observesFloor && { floorMs }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(stateGuard !== undefined && { stateGuard }),
    ...(chainStop !== undefined && { chainStop }),
  }
  if ((attempts ?? 1) > 1 && does === 'manual') throw new ConfigError(`${name}: manual work is never tried again, attempts must be 1`)
  if (retryOn?.includes('timeout') === true && !mayRetry(does, plan)) {
    throw new ConfigError(
      `${name}: a ${does} is not tried again after a timeout; give it an idempotencyKey the callee honours, or leave "timeout" out of retryOn`,
    )
  }
  // Runs the range checks of core now, when the options are given, and never later.
  beginAttempts(plan, noDeadline, 0)
  return plan
}

function budget(name: string, field: string, value: unknown): number {
  try {
    return budgetOf(value)
  } catch (error) {
    throw new ConfigError(`${name}: ${field}: ${(error as Error).message}`)
  }
}

function finiteOf(ms: number | undefined): number | undefined {
  return ms !== undefined && ms >= 1 && ms <= 86_400_000 ? ms : undefined
}

function orderFallbacks(name: string, does: Does, given: CallOptions['fallback']): readonly Fallback<unknown>[] {
  if (given === undefined) return []
  const fallbacks = (Array.isArray(given) ? given : [given]) as readonly Fallback<unknown>[]
  const [problem] = fallbackProblems(
    does,
    fallbacks.map(({ tier }) => tier),
  )
  if (problem?.why === 'not-allowed')
    throw new ConfigError(
      `${name}: a ${does} cannot be answered from the tier "${problem.tier}": it would claim a write that did not happen; only defer is allowed`,
    )
  if (problem !== undefined)
    throw new ConfigError(
      `${name}: the fallback tier ${JSON.stringify(problem.tier)} is ${problem.why === 'twice' ? 'given twice' : 'none of snapshot, default, empty, defer'}`,
    )
  return fallbackTiers.flatMap((tier) => fallbacks.filter((one) => one.tier === tier))
}

function observed(given: ObserveOnly | undefined): Record<Policy, boolean> {
  const on = (policy: Policy): boolean => given === true || (Array.isArray(given) && given.includes(policy))
  return { breaker: on('breaker'), bulkhead: on('bulkhead'), floor: on('floor'), 'retry-budget': on('retry-budget') }
}

/** The plan of one run: the request's own reserve is what a call keeps unless it says otherwise itself. */
export function planUnder(plan: CallPlan, parent: Scope | undefined): AttemptPlan {
  if (parent === undefined || parent.endsAt === Infinity) return plan.attemptsAlone
  const inheritedMs = parent.facts?.reserveMs
  if (inheritedMs === undefined || plan.attempts.reserveMs !== undefined) return plan.attempts
  const { reserved } = plan
  if (reserved.ms !== inheritedMs) {
    reserved.ms = inheritedMs
    reserved.attempts = { ...plan.attempts, reserveMs: inheritedMs }
  }
  return reserved.attempts
}
