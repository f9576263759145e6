/** How a wait is spread: `full` anywhere from 0 to the largest, `equal` from half of it, `none` always the largest. */
export type Jitter = 'full' | 'equal' | 'none'

/** Waits that grow: retry i (from 1) waits at most min(maxMs, baseMs x factor^(i-1)). */
export interface GrowingBackoff {
  /** The largest wait before the first retry, in ms, 0 or more. */
  readonly baseMs: number
  /** No wait is longer, in ms; absent: no cap. */
  readonly maxMs?: number
  /** Growth per retry, 1 or more; default 2. */
  readonly factor?: number
  /** Default `full`. */
  readonly jitter?: Jitter
}

/** Waits that are listed: the largest of each retry in ms, the last one for all that follow. */
export interface ListedBackoff {
  readonly waitsMs: readonly number[]
  /** Default `full`. */
  readonly jitter?: Jitter
}

/** The waits between the attempts of a call. */
export type Backoff = GrowingBackoff | ListedBackoff

/** What the runtime waits unless told otherwise: full jitter from 50 ms, doubled, at most 20 s. */
export const defaultBackoff: GrowingBackoff = Object.freeze({ baseMs: 50, maxMs: 20_000, factor: 2, jitter: 'full' })

/** The runtime's waits after a throttling answer (429 and the like): as the default, but from 1 s. */
export const throttledBackoff: GrowingBackoff = Object.freeze({ baseMs: 1000, maxMs: 20_000, factor: 2, jitter: 'full' })

/** The largest wait in ms before a retry, counted from 1: min(max, base x factor^(retry-1)), or the listed one. */
export function largestWaitMs(backoff: Backoff, retry: number): number {
  if ('waitsMs' in backoff) return backoff.waitsMs[Math.min(retry, backoff.waitsMs.length) - 1] ?? 0
  const { baseMs, maxMs = Number.POSITIVE_INFINITY, factor = 2 } = backoff
  // 0 x Infinity is NaN: a base of 0 stays 0 however far the factor has grown.
  return baseMs === 0 ? 0 : Math.min(maxMs, baseMs * factor ** (retry - 1))
}

/**
 * The largest waits of a call together, in ms: the sum of `largestWaitMs` over retries 1 … attempts-1; 0 without back-off.
 *
 * Exact for up to 10 000 retries; beyond, the rest count as the last one, so that hostile input costs bounded time.
 */
export function largestWaitsMs(backoff: Backoff | undefined, attempts: number): number {
  if (backoff === undefined || !(attempts > 1)) return 0
  const retries = attempts - 1
  const counted = Math.min(retries, 10_000)
  let sumMs = 0
  for (let retry = 1; retry <= counted; retry += 1) sumMs += largestWaitMs(backoff, retry)
  return retries > counted ? sumMs + (retries - counted) * largestWaitMs(backoff, retries) : sumMs
}

/** The wait in ms before a retry, counted from 1; `random` is drawn from [0, 1) and used as jitter says (full: random x largest). */
export function waitMs(backoff: Backoff | undefined, retry: number, random: number): number {
  if (backoff === undefined) return 0
  const largestMs = largestWaitMs(backoff, retry)
  switch (backoff.jitter ?? 'full') {
    case 'full':
      return random * largestMs
    case 'equal':
      return largestMs / 2 + (random * largestMs) / 2
    case 'none':
      return largestMs
  }
}
