import type { Call, Count } from './chain.js'
import type { Sourced } from './sourced.js'

/** The slots a call draws on in one instance of its caller, and whose they are. */
export interface Slots {
  readonly kind: 'bulkhead' | 'pool' | 'concurrency'
  readonly size: Sourced<Count>
}

/** The slots of a call: its bulkhead, else its pool, else the caller's concurrency; null where nothing limits it. */
export function slotsOf(call: Call): Slots | null {
  if (call.bulkhead && call.bulkhead.value !== 'none') return { kind: 'bulkhead', size: call.bulkhead }
  const pool = call.pool && call.from.service.pools.get(call.pool.value)
  if (pool && pool.value !== 'none') return { kind: 'pool', size: pool }
  const { concurrency } = call.from.service
  return concurrency && concurrency.value !== 'none' ? { kind: 'concurrency', size: concurrency } : null
}
