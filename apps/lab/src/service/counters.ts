/** What a service has seen since it started; only ever grows, apart from the three that say how it is now. */
export interface Counters {
  arrivals: number
  /** Requests answered well / refused or failed / given up by their caller. */
  good: number
  failed: number
  left: number
  degraded: number
  /** Tries of its calls after the first. */
  retries: number
  /** Calls that were not sent because too little time was left. */
  notSent: number
  /** Fallback answers by tier. */
  snapshot: number
  default: number
  empty: number
  defer: number
  /** Slot time (ms), and the part of it after the caller had left. */
  busyMs: number
  orphanedMs: number
  inFlight: number
  queued: number
  cpuMs: number
}

/** All zero. */
export function noCounters(): Counters {
  return {
    arrivals: 0,
    good: 0,
    failed: 0,
    left: 0,
    degraded: 0,
    retries: 0,
    notSent: 0,
    snapshot: 0,
    default: 0,
    empty: 0,
    defer: 0,
    busyMs: 0,
    orphanedMs: 0,
    inFlight: 0,
    queued: 0,
    cpuMs: 0,
  }
}

/** What was added between two readings; what says how it is now stays as in the later one. */
export function addedSince(from: Counters, to: Counters): Counters {
  const added = { ...to }
  for (const name of Object.keys(to) as (keyof Counters)[])
    if (name !== 'inFlight' && name !== 'queued') added[name] = to[name] - from[name]
  return added
}
