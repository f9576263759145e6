import type { CallSpec } from '../chain/service-spec.js'
import type { Counters } from '../service/counters.js'
import type { Reply } from './ask.js'
import type { GuardedCall } from './guarded-call.js'

/** Answers from a call's fallback when it fails, as any `catch` can: the last good answer, a constant, nothing, or "later". */
export function withFallback(call: CallSpec, counters: Counters, work: (key: string) => Promise<Reply>): GuardedCall {
  const seen = new Set<number>()
  return async (key) => {
    try {
      const { isDegraded } = await work(key)
      if (call.tiers.includes('snapshot')) seen.add(thing(key))
      return { isDegraded, tier: null }
    } catch (error) {
      const tier = tierFor(call, seen.has(thing(key)))
      if (tier === undefined) throw error
      counters[tier] += 1
      return { isDegraded: true, tier }
    }
  }
}

/** The first tier that has something to answer with. */
export function tierFor(call: CallSpec, hasSnapshot: boolean): 'snapshot' | 'default' | 'empty' | 'defer' | undefined {
  return call.tiers.find((tier) => tier !== 'snapshot' || hasSnapshot)
}

/** Requests ask for one of so many things. */
const thing = (key: string): number => Number(key) % 50
