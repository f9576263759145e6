import { type Does, type FallbackTier, fallbackTiers, mayFallBack } from './safety.js'

/** Why a list of tiers cannot be used. */
export interface FallbackProblem {
  readonly tier: FallbackTier
  readonly why: 'not-allowed' | 'unknown' | 'twice'
}

/** What is wrong with `tiers` for a call that `does` this; empty when nothing is. A write may only `defer`: the rest would claim it happened. */
export function fallbackProblems(does: Does, tiers: readonly FallbackTier[]): readonly FallbackProblem[] {
  const problems: FallbackProblem[] = []
  tiers.forEach((tier, place) => {
    if (!fallbackTiers.includes(tier)) problems.push({ tier, why: 'unknown' })
    else if (!mayFallBack(does, tier)) problems.push({ tier, why: 'not-allowed' })
    else if (tiers.indexOf(tier) !== place) problems.push({ tier, why: 'twice' })
  })
  return problems
}

/** The usable tiers of `tiers` in the order they are tried: snapshot, default, empty, defer. */
export function fallbackOrder(does: Does, tiers: readonly FallbackTier[]): readonly FallbackTier[] {
  return fallbackTiers.filter((tier) => tiers.includes(tier) && mayFallBack(does, tier))
}

/** Whether a tier may have to wait for something, and so needs time: `snapshot` and `defer` ask a store, the others are at hand. */
export function tierNeedsTime(tier: FallbackTier): boolean {
  return tier === 'snapshot' || tier === 'defer'
}

/**
 * The time (ms) the tier at `place` of `order` may take: an equal share of `usableMs` (remaining - reserve) with the tiers
 * after it that need time too, so that a slow one leaves something for the next. 0 for a tier that needs none.
 */
export function tierSliceMs(order: readonly FallbackTier[], place: number, usableMs: number): number {
  const tier = order[place]
  if (tier === undefined || !tierNeedsTime(tier)) return 0
  let sharing = 0
  for (let at = place; at < order.length; at += 1) if (tierNeedsTime(order[at]!)) sharing += 1
  return Math.max(0, usableMs) / sharing
}

/**
 * The place of the first tier at or after `place` that may be started with `usableMs` left: those that need time want at
 * least `floorMs` in their slice, the others can always answer. -1 when none is left.
 */
export function nextTier(order: readonly FallbackTier[], place: number, usableMs: number, floorMs: number): number {
  for (let at = place; at < order.length; at += 1) {
    if (!tierNeedsTime(order[at]!)) return at
    const sliceMs = tierSliceMs(order, at, usableMs)
    if (sliceMs > 0 && sliceMs >= floorMs) return at
  }
  return -1
}
