import { formatDuration } from '@sandglass/runtime/core'
import type { Breaker } from '../model/chain.js'
import type { Sourced } from '../model/sourced.js'
import { addDead, type FactsDraft, type HopFact } from './facts.js'

/** Where a breaker stands: around a whole call, or around each of its tries. */
export type BreakerPlace = 'call' | 'attempt'

/** Says of a breaker that waits for slow calls that none can be as slow: each has ended by its timeout before. */
export function sayIfNeverSlow({ slowMs }: Breaker, hop: HopFact, place: BreakerPlace, setting: string, draft: FactsDraft): void {
  const limit = longestOf(hop, place)
  if (!slowMs || typeof slowMs.value !== 'number' || limit === null || slowMs.value < limit.value) return
  addDead(draft, {
    setting,
    written: `${slowMs.value} ms`,
    spot: slowMs.origin.spot,
    because: `the call ends by its timeout after ${formatDuration(limit.value)}, so none can be slower than that`,
    effective: 'no call counts as slow; only its errors can open the breaker',
  })
}

/** How long a call, or a try, can take at most as its own limits say; null where that is not known. */
function longestOf({ fields }: HopFact, place: BreakerPlace): Sourced<number> | null {
  const { timeoutMs, attemptMs, silenceMs, attempts } = fields
  const one = attemptMs ?? silenceMs
  const tries = attempts === undefined || place === 'attempt' ? 1 : attempts.value
  if (typeof timeoutMs?.value === 'number' && place === 'call') return { ...timeoutMs, value: timeoutMs.value }
  if ((timeoutMs && place === 'call') || !one || typeof one.value !== 'number' || typeof tries !== 'number') return null
  return { ...one, value: one.value * tries }
}
