/** What a call does, which decides what may be done with it when it is slow. */
export type Does = 'read' | 'idempotent-write' | 'write' | 'external-effect' | 'manual' | 'compensation'

/** A fallback tier, in the order they may be tried: last good answer, conservative constant, left out, done later. */
export type FallbackTier = 'snapshot' | 'default' | 'empty' | 'defer'

/** The tiers in the order a call may try them. */
export const fallbackTiers: readonly FallbackTier[] = ['snapshot', 'default', 'empty', 'defer']

interface Rules {
  readonly retry: 'yes' | 'with-key' | 'never'
  readonly tiers: readonly FallbackTier[]
  readonly hedge: boolean
}

/**
 * What is allowed for each `does`. Whatever writes may only `defer`: that promises nothing it has not done, every other
 * tier would pretend that the write happened.
 */
export const safetyRules: Readonly<Record<Does, Rules>> = Object.freeze({
  read: { retry: 'yes', tiers: fallbackTiers, hedge: true },
  'idempotent-write': { retry: 'with-key', tiers: ['defer'], hedge: false },
  write: { retry: 'never', tiers: ['defer'], hedge: false },
  'external-effect': { retry: 'with-key', tiers: ['defer'], hedge: false },
  manual: { retry: 'never', tiers: ['defer'], hedge: false },
  compensation: { retry: 'with-key', tiers: ['defer'], hedge: false },
})

/** What a call offers that makes a repetition harmless. */
export interface RetrySafety {
  /** The callee recognises a repetition by a key. */
  readonly idempotencyKey?: boolean
  /** The callee checks the state it changes; a compensation that says false is not repeated even with its key. */
  readonly stateGuard?: boolean
}

/** Whether a call may be repeated after it was sent and its answer is missing (a timeout, a reset, a failure answer). */
export function mayRetry(does: Does, safety: RetrySafety = {}): boolean {
  const { retry } = safetyRules[does]
  if (retry !== 'with-key') return retry === 'yes'
  if (does === 'compensation' && safety.stateGuard === false) return false
  return safety.idempotencyKey === true
}

/** Whether a failed call may be answered from a tier: a read from any, a write only by `defer`. */
export function mayFallBack(does: Does, tier: FallbackTier): boolean {
  return safetyRules[does].tiers.includes(tier)
}

/** Whether a second copy may be sent while the first is running: reads only. */
export function mayHedge(does: Does): boolean {
  return safetyRules[does].hedge
}
