/** The most calls watched at once (8 MB); beyond it the oldest are let go unwatched, so memory is bounded. */
export const SLOW_WATCH_MAX = 1_048_576

/**
 * Finds the calls that are still in flight beyond a threshold, at constant cost per call: tickets are given in the order of
 * their start, so the first ones to become slow are always at the head of a ring.
 */
export interface SlowWatch {
  readonly slowMs: number
  startedAt: Float64Array
  /** Oldest ticket still watched. */
  head: number
  /** Ticket after the newest. */
  tail: number
}

// What a place in the ring holds once its call has ended: no instant, so no comparison is ever true.
const ENDED = Number.NaN

/** Makes a watch for calls that take `slowMs` (ms, positive) or longer. */
export function createSlowWatch(slowMs: number): SlowWatch {
  return { slowMs, startedAt: new Float64Array(64), head: 0, tail: 0 }
}

/** Starts to watch `ticket`, which must be the one after the last (or the first after {@link resetSlowWatch}). */
export function watchStart(watch: SlowWatch, ticket: number, nowAt: number): void {
  if (ticket - watch.head >= watch.startedAt.length) makeRoom(watch)
  watch.startedAt[ticket % watch.startedAt.length] = nowAt
  watch.tail = ticket + 1
}

/** Ends the watch of `ticket`: true when it was still watched, so neither slow nor ended before. */
export function watchEnd(watch: SlowWatch, ticket: number): boolean {
  if (ticket < watch.head || ticket >= watch.tail) return false
  const slot = ticket % watch.startedAt.length
  const wasWatched = !Number.isNaN(watch.startedAt[slot]!)
  watch.startedAt[slot] = ENDED
  return wasWatched
}

/** Takes one call off the watch that became slow by `nowAt`: true when there was one. Ended calls at the head go with it. */
export function takeSlow(watch: SlowWatch, nowAt: number): boolean {
  while (watch.head < watch.tail) {
    const startedAt = watch.startedAt[watch.head % watch.startedAt.length]!
    const ended = Number.isNaN(startedAt)
    if (!ended && nowAt - startedAt < watch.slowMs) return false
    watch.head += 1
    if (!ended) return true
  }
  return false
}

/** Forgets all calls; the next ticket to be watched is `ticket`. */
export function resetSlowWatch(watch: SlowWatch, ticket: number): void {
  watch.head = ticket
  watch.tail = ticket
}

function makeRoom(watch: SlowWatch): void {
  const old = watch.startedAt
  if (old.length >= SLOW_WATCH_MAX) {
    watch.head += 1
    return
  }
  const wider = new Float64Array(old.length * 2)
  for (let ticket = watch.head; ticket < watch.tail; ticket += 1) {
    wider[ticket % wider.length] = old[ticket % old.length]!
  }
  watch.startedAt = wider
}
