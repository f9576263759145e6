import type { LimitState } from '../limits/limit-state.js'
import { holds } from '../limits/limit-state.js'

/** Of several limits that each would end the wait the strongest that is there; where none is, what is known about the last. */
export function firstHolding(first: LimitState, ...others: readonly LimitState[]): LimitState {
  const all = [first, ...others]
  return all.find(holds) ?? all.find(({ state }) => state === 'unknown') ?? all.find((each) => each.state === 'none' && each.isOff) ?? first
}
