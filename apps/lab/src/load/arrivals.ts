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

/** Instants of a Poisson process: `ratePerS` requests per second on average, from `startAt` (ms). */
export function poissonArrivals(startAt: number, ratePerS: number, random: () => number): () => number {
  let at = startAt
  return () => {
    at -= (Math.log(1 - random()) * 1000) / ratePerS
    return at
  }
}
