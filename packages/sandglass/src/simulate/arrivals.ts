import type { RateStep } from '../model/chain.js'
import type { Random } from './random.js'

/**
 * The instants (ms from the start of the run) at which requests arrive, one a call, `Infinity` after the last: open loop, so
 * they come however slow the answers are. `poisson` draws each pause anew; `constant` spaces them evenly, the first when its
 * rate begins.
 */
export function createArrivals(steps: readonly RateStep[], arrivals: 'poisson' | 'constant', random: Random): () => number {
  // The pause until the next one is drawn as a share of a mean pause: where the rate changes, what is left of it goes on.
  const draw = arrivals === 'poisson' ? () => -Math.log(1 - random()) : () => 1
  let step = 0
  let at = steps[0]?.atMs ?? Number.POSITIVE_INFINITY
  let isFirst = arrivals === 'constant'
  return () => {
    let left = isFirst ? 0 : draw()
    isFirst = false
    for (;;) {
      const perMs = (steps[step]?.ratePerS ?? 0) / 1000
      const endsAt = steps[step + 1]?.atMs ?? Number.POSITIVE_INFINITY
      const next = perMs > 0 ? at + left / perMs : Number.POSITIVE_INFINITY
      if (next < endsAt || endsAt === Number.POSITIVE_INFINITY) {
        at = next
        return next
      }
      left -= (endsAt - at) * perMs
      at = endsAt
      step += 1
    }
  }
}
