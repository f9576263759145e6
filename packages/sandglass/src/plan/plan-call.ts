import { type Backoff, largestBoundMs, largestWaitsMs, mayRetry } from '@sandglass/runtime/core'
import { backoffOf, msOf, ownP99Ms, retriesTimeouts } from '../model/arithmetic.js'
import type { Call, LimitMs } from '../model/chain.js'
import { slotsOf } from '../model/slots.js'
import type { Sourced } from '../model/sourced.js'
import type { View } from '../model/view.js'
import type { PlanOptions } from './plan-options.js'
import type { PlanOperation } from './plan-tree.js'

/** One call to plan, at one place of the journey's tree. */
export interface PlanCall {
  readonly call: Call
  /** From the journey's start to the callee. */
  readonly path: readonly string[]
  readonly callee: PlanOperation
  /** Most attempts that share the timeout; 1 where a slow try must not or shall not be repeated. */
  readonly maxAttempts: number
  /** True where more than one attempt could have been chosen: what is chosen is written down. */
  readonly mayRetry: boolean
  /** Declared tries of a call that repeats fast failures only (`retryOn` without `timeout`): they stay; 1 where there are none. */
  readonly keptAttempts: number
  readonly backoff: Backoff | undefined
  /** The wait for a slot that each attempt has anew, in ms. */
  readonly queueMs: number
  readonly networkMs: number
  /** Occupancy: every bound stays below 80 % of the pool at the journeys' rate, in whole ms; infinite where nothing limits it. */
  readonly capMs: number
  /** What each slot adds to that, in ms. */
  readonly perSlotMs: number
  /** A total that a platform sets, which the plan cannot change. */
  readonly fixedMs: number | null
  /** A bound of one attempt that a platform sets. */
  readonly fixedAttemptMs: number | null
  /** No attempt below this (keep-tail); 0 where any will do. */
  readonly leastAttemptMs: number
  /** The reserve that the file asks for; null where it is derived. */
  readonly declaredReserveMs: number | null
  /** True where the reserve is written at the call itself and stays. */
  readonly keepsReserve: boolean
}

/** A basis that `plan` wrote starts like this: what stands beside it is the plan's own and is derived again. */
export const PLAN_BASIS = 'sandglass plan: '

/** … unless it says that the reserve is the file's own. */
export const WRITTEN_RESERVE = 'reserve as written'

const MOST_ATTEMPTS = 10

/** How often tries multiply on the way to a call and below it: retries of fast failures that stay. */
export interface KeptAround {
  readonly above: number
  readonly below: number
}

export function planCall(
  view: View,
  call: Call,
  path: readonly string[],
  callee: PlanOperation,
  kept: KeptAround,
  options: PlanOptions,
): PlanCall {
  const backoff = backoffOf(call)
  const perAttempt = call.queue?.perAttemptMs?.value
  const perSlot = perSlotMs(view, call)
  const slots = slotsOf(call)?.size.value
  const limit = amplificationLimit(view)
  const maxAttempts = Math.max(1, Math.min(allowedAttempts(call, options), Math.floor(limit / (kept.above * kept.below))))
  return {
    call,
    path,
    callee,
    maxAttempts,
    mayRetry: maxAttempts > 1,
    keptAttempts: keptAttempts(view, call, kept.above * kept.below),
    backoff: backoff === 'unknown' ? undefined : backoff,
    queueMs: typeof perAttempt === 'number' ? perAttempt : 0,
    networkMs: msOf(call.networkMs),
    capMs: typeof slots === 'number' ? occupancyCapMs(slots, perSlot) : Number.POSITIVE_INFINITY,
    perSlotMs: perSlot,
    fixedMs: fixedOf(call.timeoutMs),
    fixedAttemptMs: fixedAttemptOf(call),
    leastAttemptMs: options.keepTail ? ownP99Ms(callee.operation) : 0,
    declaredReserveMs: declaredReserve(view, call),
    keepsReserve: keepsReserve(view, call),
  }
}

function amplificationLimit(view: View): number {
  return view.chain.check.limits.get('amplification')?.value ?? MOST_ATTEMPTS
}

/** Attempts that may repeat a slow try: what is written, else what is asked for, where a repetition is harmless. */
function allowedAttempts(call: Call, options: PlanOptions): number {
  if (!call.callee || !retriesTimeouts(call) || backoffOf(call) === 'unknown') return 1
  if (!mayRetry(call.callee.does.value, { idempotencyKey: call.idempotencyKey.value })) return 1
  const written = call.attempts.origin.kind === 'declared' ? call.attempts.value : options.attempts
  return typeof written === 'number' ? Math.min(MOST_ATTEMPTS, written) : 1
}

/** Tries of fast failures that may stay: harmless ones, as long as the layers of the path together keep to the limit. */
export function keptAttempts(view: View, call: Call, around: number): number {
  const { value } = call.attempts
  if (!call.callee || retriesTimeouts(call) || typeof value !== 'number' || value <= 1) return 1
  const beforeSending = call.retryOn?.value.every((cause) => cause === 'connect') ?? false
  const safe = beforeSending || mayRetry(call.callee.does.value, { idempotencyKey: call.idempotencyKey.value })
  return safe && value * around <= amplificationLimit(view) ? value : 1
}

function fixedOf(limit: Sourced<LimitMs> | undefined): number | null {
  return limit?.fixed && typeof limit.value === 'number' ? limit.value : null
}

/** What a platform sets for one attempt: its bound, or the phases that stay when the plan has taken out all others. */
function fixedAttemptOf(call: Call): number | null {
  const attempt = fixedOf(call.attemptMs)
  const silence = fixedOf(call.silenceMs)
  if (attempt !== null || silence === null) return attempt
  return silence + (fixedOf(call.connectMs) ?? 0) + (fixedOf(call.writeMs) ?? 0)
}

/** A reserve beside a basis of the plan was derived, and is derived again; one of the defaults holds for every call. */
function declaredReserve(view: View, { reserveMs, basis }: Call): number | null {
  if (reserveMs.origin.kind === 'default') return null
  return reserveMs !== view.chain.defaults.reserveMs && isDerived(basis?.value ?? '') ? null : msOf(reserveMs)
}

function isDerived(basis: string): boolean {
  return basis.startsWith(PLAN_BASIS) && !basis.includes(WRITTEN_RESERVE)
}

/** True where a reserve is written at the call itself and is to stay. */
function keepsReserve(view: View, call: Call): boolean {
  return (
    call.reserveMs.origin.kind === 'declared' && call.reserveMs !== view.chain.defaults.reserveMs && !isDerived(call.basis?.value ?? '')
  )
}

/** How long each slot a call draws on lets it last: where hanging calls fill 80 % of them; unlimited where rate or slots are not known. */
function perSlotMs(view: View, call: Call): number {
  const rate = view.flow.callRatePerS(call)
  const instances = call.from.service.instances.value
  if (!rate || typeof instances !== 'number') return Number.POSITIVE_INFINITY
  return largestBoundMs(1, rate / instances)
}

/** The longest bound in whole ms with which hanging calls stay below 80 % of the slots: at 80 % `check` warns. */
export function occupancyCapMs(slots: number, perSlotMs: number): number {
  return Math.max(0, Math.ceil(slots * perSlotMs - 1e-6) - 1)
}

/** The fewest slots with which a call may last `ms` and stay below 80 % of them. */
export function slotsToLast({ perSlotMs }: PlanCall, ms: number): number {
  return Math.floor(Math.ceil(ms) / perSlotMs + 1e-9) + 1
}

/** What `attempts` tries of a call spend beside their own time: the largest back-offs, and where each waits anew for a slot, that. */
export function waitsMs({ backoff, queueMs }: PlanCall, attempts: number): number {
  return attempts > 1 ? largestWaitsMs(backoff, attempts) + attempts * queueMs : 0
}

/** What a hop keeps of `budgetMs`: as declared, as asked for, or max(5 ms, 5 %). */
export function reserveOf({ declaredReserveMs }: PlanCall, budgetMs: number, options: PlanOptions): number {
  return declaredReserveMs ?? options.reserveMs ?? Math.max(5, budgetMs * 0.05)
}
