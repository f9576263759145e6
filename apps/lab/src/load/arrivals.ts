/** A stream of random numbers in [0, 1) for a seed (mulberry32): all arms of a run are given the same arrivals. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A rate from an instant on (ms from the start). */
export interface LoadStep {
  readonly atMs: number
  readonly ratePerS: number
}

/** Instants of a Poisson process whose rate changes at steps, `startAt` (ms) being the instant 0 of the steps; `Infinity` when no more come. */
export function poissonArrivals(startAt: number, steps: readonly LoadStep[], random: () => number): () => number {
  let at = steps[0]?.atMs ?? Infinity
  let step = 0
  return () => {
    // What is left of a pause, as a share of a mean pause, goes on at the next step's rate.
    let left = -Math.log(1 - random())
    for (;;) {
      const perMs = (steps[step]?.ratePerS ?? 0) / 1000
      const endsAt = steps[step + 1]?.atMs ?? Infinity
      const next = perMs > 0 ? at + left / perMs : Infinity
      if (next < endsAt || endsAt === Infinity) {
        at = next
        return startAt + at
      }
      left -= (endsAt - at) * perMs
      at = endsAt
      step += 1
    }
  }
}
