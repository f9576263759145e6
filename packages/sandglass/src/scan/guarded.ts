import type { Guard } from './guard.js'
import type { Judged } from './outcome.js'

/** How long a caller waits when something stands around the call; `guards` from the inside out. */
export function guarded(judged: Judged, guards: readonly Guard[]): Judged {
  return guards.reduce((inner, guard) => (guard.kind === 'limit' ? limited(inner, guard) : repeated(inner, guard)), judged)
}

function limited(inner: Judged, { ms, isDefault }: Extract<Guard, { kind: 'limit' }>): Judged {
  if (ms === null) return inner.outcome.state === 'unbounded' ? { ...inner, outcome: { state: 'unknown' }, open: [] } : inner
  const isSooner = inner.worstMs !== null && inner.worstMs[1] <= ms
  if (isSooner) return inner
  return { ...inner, outcome: { state: 'bounded', ms, kind: 'total' }, worstMs: [ms, ms], isDefault, open: [] }
}

function repeated(inner: Judged, { count, waitMs, isEndless }: Extract<Guard, { kind: 'retry' }>): Judged {
  if (isEndless) return { ...inner, worstMs: null }
  if (inner.worstMs === null || count === null || waitMs === null) return { ...inner, worstMs: null }
  const [least, most] = inner.worstMs
  return { ...inner, worstMs: [least * count + waitMs[0], most * count + waitMs[1]] }
}
