import {
  constant,
  defer,
  empty,
  type Fallback,
  call as guard,
  isSandglassError,
  type LimitsFile,
  type SnapshotStore,
  snapshot,
} from '@sandglass/runtime'
import type { CallSpec } from '../chain/service-spec.js'
import type { Counters } from '../service/counters.js'
import type { Protect } from './guarded-call.js'

/** What a service of the `sandglass` arm has: its compiled limits, and where last good answers are kept. */
export interface SandglassParts {
  readonly limits: LimitsFile
  readonly store: SnapshotStore
  /** Writes down what is accepted now and done later. */
  readonly deferred: (key: string) => void
  /** What keys start with. */
  readonly prefix: string
}

/** The runtime's own call; all its limits come from the file that `sandglass compile` writes. */
export function protectWithSandglass({ limits, store, deferred, prefix }: SandglassParts): Protect {
  return (call, ask, counters) => {
    const fallback = fallbacksOf(call, { store, deferred, prefix })
    const work = async ({ attempt }: { attempt: number }, key: string): Promise<{ isDegraded: boolean }> => {
      if (attempt > 1) counters.retries += 1
      return ask(call.to, undefined, key, call.idempotencyKey)
    }
    const name = call.to
    const guarded =
      call.does === 'read'
        ? guard(name, { does: 'read', limits, fallback }, work)
        : guard(name, { does: call.does, limits, ...(call.tiers.includes('defer') && { fallback: laterOf(deferred) }) }, work)
    return async (key) => {
      try {
        const { value, degraded } = await guarded(key)
        if (degraded !== null) note(counters, degraded)
        return { isDegraded: degraded !== null || value?.isDegraded === true, tier: degraded?.tier ?? null }
      } catch (error) {
        if (isSandglassError(error) && error.outcome === 'not-sent') counters.notSent += 1
        throw error
      }
    }
  }
}

function note(counters: Counters, { tier, why }: { tier: 'snapshot' | 'default' | 'empty' | 'defer'; why: string }): void {
  counters[tier] += 1
  if (why === 'BUDGET_TOO_SMALL') counters.notSent += 1
}

type Value = { isDegraded: boolean } | null

/** Requests ask for one of so many things: the last good answer is that of the same thing. */
const THINGS = 50

function fallbacksOf(
  call: CallSpec,
  { store, deferred, prefix }: Pick<SandglassParts, 'store' | 'deferred' | 'prefix'>,
): Fallback<Value>[] {
  return call.tiers.map((tier): Fallback<Value> => {
    if (tier === 'snapshot')
      return snapshot(store, { maxAgeMs: call.maxAgeMs, key: (name, [request]) => `${prefix}:${name}:${Number(request) % THINGS}` })
    if (tier === 'default') return constant({ isDegraded: true })
    if (tier === 'empty') return empty()
    return laterOf(deferred)
  })
}

function laterOf(deferred: (key: string) => void): ReturnType<typeof defer<Value>> {
  return defer<Value>(({ args: [key] }) => {
    deferred(String(key))
    return { isDegraded: true }
  })
}
