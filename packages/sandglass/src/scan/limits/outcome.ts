import { addBounds, type Bound, type BoundKind, boundedBy, unbounded, unknownBound } from '@sandglass/runtime/core'
import type { Outcome } from '../calls/scanned-call.js'
import type { Limit, LimitState } from './limit-state.js'
import { holds } from './limit-state.js'
import type { Attempts, Phase, Reading } from './reading.js'

/** What a reading comes to. */
export interface Judged {
  readonly outcome: Outcome
  /** All attempts and the waits between them, at least and at most, in ms; null where unbounded or unknown. */
  readonly worstMs: readonly [number, number] | null
  /** Nobody wrote any of the limits that decide: all are the library's own. */
  readonly isDefault: boolean
  /** The limits that decide. */
  readonly limits: readonly Limit[]
  /** The phases that nothing ends. */
  readonly open: readonly Phase[]
}

const NOTHING: Pick<Judged, 'worstMs' | 'isDefault' | 'limits' | 'open'> = { worstMs: null, isDefault: false, limits: [], open: [] }

/** How long a call may take: its limits, phase by phase, times its attempts. */
export function judge(reading: Reading): Judged {
  const { overall, attempts } = reading
  if (holds(overall)) return ofOverall(overall, reading)
  if (overall?.state === 'unknown') return { outcome: { state: 'unknown' }, ...NOTHING }
  const each = ofAttempt(reading)
  const count = attempts ? attempts.count : 1
  const isUnknown = each.bound.state === 'unknown' || reading.isAttemptsUnknown === true
  if (each.bound.state === 'unbounded' || (count === null && !isUnknown))
    return { outcome: { state: 'unbounded' }, worstMs: null, isDefault: false, limits: each.limits, open: each.open }
  if (each.bound.state === 'unknown' || count === null) return { outcome: { state: 'unknown' }, ...NOTHING }
  const wait = attempts?.waitMs ?? [0, 0]
  const ms = each.bound.ms
  return {
    outcome: { state: 'bounded', ms: each.largest.ms, kind: each.largest.kind === 'total' && count > 1 ? 'attempt' : each.largest.kind },
    worstMs: reading.isAttemptsUnknown ? null : [ms * count + wait[0], ms * count + wait[1]],
    isDefault: each.limits.every(({ state }) => state === 'default'),
    limits: each.limits,
    open: [],
  }
}

function ofOverall(overall: Limit, reading: Reading): Judged {
  const each = ofAttempt(reading)
  const isSooner =
    each.bound.state === 'bounded' &&
    each.limits.some(({ kind }) => kind === 'total') &&
    tries(reading.attempts) * each.bound.ms < overall.ms
  const ms = isSooner && each.bound.state === 'bounded' ? each.bound.ms : overall.ms
  return {
    outcome: { state: 'bounded', ms, kind: overall.kind },
    worstMs: [ms, ms],
    isDefault: overall.state === 'default',
    limits: [overall],
    open: [],
  }
}

function tries(attempts: Attempts | null): number {
  return attempts === null ? 1 : (attempts.count ?? Number.POSITIVE_INFINITY)
}

interface AttemptBound {
  readonly bound: Bound
  /** The limit that decides: the largest of the phases. */
  readonly largest: { readonly ms: number; readonly kind: BoundKind }
  readonly limits: readonly Limit[]
  readonly open: readonly Phase[]
}

function ofAttempt({ attempt, phases }: Reading): AttemptBound {
  if (holds(attempt)) return { bound: boundedBy(attempt.ms, attempt.kind), largest: attempt, limits: [attempt], open: [] }
  const states = phases.map(({ limit }) => limit)
  const limits = states.filter(holds)
  const largest = decidingOf(limits) ?? { ms: 0, kind: 'total' as const }
  const open = phases.filter(({ limit }) => limit.state === 'none')
  if (open.length > 0 && attempt?.state !== 'unknown') return { bound: unbounded, largest, limits, open }
  if (attempt?.state === 'unknown' || states.some(isUnknown)) return { bound: unknownBound, largest, limits, open: [] }
  const bound = limits.map((limit): Bound => boundedBy(limit.ms, limit.kind)).reduce(addBounds, boundedBy(0, 'queue'))
  return limits.length === 0 ? { bound: unbounded, largest, limits, open } : { bound, largest, limits, open: [] }
}

/** The limit that people mean: the largest that somebody wrote for the answer, else the largest of all for the answer, else of any kind. */
function decidingOf(limits: readonly Limit[]): Limit | null {
  const forAnswer = limits.filter(({ kind }) => kind !== 'connect' && kind !== 'queue')
  const written = forAnswer.filter(({ state }) => state === 'written')
  const among = written.length > 0 ? written : forAnswer.length > 0 ? forAnswer : limits
  return among.reduce<Limit | null>((a, b) => (a === null || b.ms >= a.ms ? b : a), null)
}

function isUnknown({ state }: LimitState): boolean {
  return state === 'unknown'
}
