import type { Spot } from '../../model/sourced.js'
import type { Limit } from '../limits/limit-state.js'
import type { Judged } from '../limits/outcome.js'
import type { Guard, LimitGuard, RetryGuard } from './guard.js'

/** How long a caller waits when something stands around the call; `guards` from the inside out. */
export function guarded(judged: Judged, guards: readonly Guard[]): Judged {
  return guards.reduce((inner, guard) => (guard.kind === 'limit' ? limited(inner, guard) : repeated(inner, guard)), judged)
}

function limited(inner: Judged, { ms, isDefault }: LimitGuard): Judged {
  if (ms === null) return isOpen(inner) ? { ...inner, outcome: { state: 'unknown' }, worstMs: null, open: [] } : inner
  const isSooner = inner.worstMs !== null && inner.worstMs[1] <= ms
  if (isSooner) return inner
  return { ...inner, outcome: { state: 'bounded', ms, kind: 'total' }, worstMs: [ms, ms], isDefault, open: [] }
}

/** Where nobody wrote a limit, one that is not known when may be the only one. */
function isOpen({ outcome, isDefault }: Judged): boolean {
  return outcome.state === 'unbounded' || isDefault
}

function repeated(inner: Judged, guard: RetryGuard): Judged {
  const { count, waitMs, isEndless, isEndedTogether } = guard
  if (isShared(inner, guard)) return inner
  if (isEndless || isEndedTogether) return { ...inner, worstMs: null }
  if (inner.worstMs === null || count === null || waitMs === null) return { ...inner, worstMs: null }
  const [least, most] = inner.worstMs
  return { ...inner, worstMs: [least * count + waitMs[0], most * count + waitMs[1]] }
}

/** True where one signal, made before the first attempt, ends all attempts together. */
export function isShared({ limits, outcome }: Judged, { repeats }: RetryGuard): boolean {
  const [limit, ...others] = limits
  if (!limit || others.length > 0 || !isOfSignal(limit) || outcome.state !== 'bounded') return false
  return !repeats.some((code) => holds(code, limit.origin.spot))
}

const OF_SIGNALS: ReadonlySet<string> = new Set(['AbortSignal.timeout', 'setTimeout and abort'])

/** A signal counts from where it is made; any other limit begins anew with each attempt. */
function isOfSignal({ name, kind }: Limit): boolean {
  return kind === 'total' && OF_SIGNALS.has(name)
}

/** True for a signal that is made before the first attempt, whatever it still ends, and for the clock of a connection that all attempts go over. */
export function isSharedBy(limit: Limit, { repeats }: RetryGuard): boolean {
  const { name, origin, endsConnection = false } = limit
  return (endsConnection || OF_SIGNALS.has(name)) && origin.kind === 'declared' && !repeats.some((code) => holds(code, origin.spot))
}

function holds(outer: Spot, inner: Spot): boolean {
  return outer.source === inner.source && outer.start <= inner.start && outer.end >= inner.end
}
