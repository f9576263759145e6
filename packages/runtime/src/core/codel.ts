import { optionInRange } from './option-range.js'

/** When a wait counts as standing overload. */
export interface CodelOptions {
  /** The wait that is fine to have, ms; default 5. */
  readonly targetMs?: number
  /** How long the smallest wait must stay above the target before it is overload, ms; default 100. */
  readonly intervalMs?: number
}

/** The defaults of {@link CodelOptions}, as in RFC 8289 and Facebook's "Fail at Scale" (ACM Queue 13(8), 2015). */
export const CODEL_DEFAULTS: Readonly<Required<CodelOptions>> = Object.freeze({ targetMs: 5, intervalMs: 100 })

/** While overloaded nothing may wait longer than this many targets. */
export const CODEL_SLOUGH_TARGETS = 2

/**
 * Controlled delay: overloaded when the *smallest* wait seen in a whole interval was above the target. A burst empties
 * within an interval and is left alone; a standing queue does not (K. Nichols and V. Jacobson, RFC 8289; the interval rule
 * is that of folly's `Codel`).
 */
export interface Codel {
  readonly targetMs: number
  readonly intervalMs: number
  /** As of the last sample; {@link codelOverloaded} is as of now. */
  overloaded: boolean
  smallestMs: number
  intervalEndsAt: number
}

/**
 * Makes one that is not overloaded.
 * @throws TypeError or RangeError for an option outside its range
 */
export function createCodel(options: CodelOptions = {}): Codel {
  return {
    targetMs: optionInRange('codel.targetMs', options.targetMs ?? CODEL_DEFAULTS.targetMs, 0.001, 86_400_000),
    intervalMs: optionInRange('codel.intervalMs', options.intervalMs ?? CODEL_DEFAULTS.intervalMs, 0.001, 86_400_000),
    overloaded: false,
    smallestMs: Infinity,
    intervalEndsAt: -Infinity,
  }
}

/** Takes in one wait (ms) seen at `nowAt`: true when this wait is too long for the state of things, so what waited should be dropped. */
export function sampleCodel(codel: Codel, waitMs: number, nowAt: number): boolean {
  // A wait that spans an interval without samples proves that the queue stood all that time.
  if (nowAt >= codel.intervalEndsAt) turnInterval(codel, nowAt, nowAt - waitMs)
  if (waitMs < codel.smallestMs) codel.smallestMs = waitMs
  return codel.overloaded && waitMs > CODEL_SLOUGH_TARGETS * codel.targetMs
}

/** Whether it is overloaded at `nowAt`; `oldestAt` is when the oldest of those waiting began to, `Infinity` when none waits. */
export function codelOverloaded(codel: Codel, nowAt: number, oldestAt: number): boolean {
  if (nowAt >= codel.intervalEndsAt) turnInterval(codel, nowAt, oldestAt)
  return codel.overloaded
}

function turnInterval(codel: Codel, nowAt: number, oldestAt: number): void {
  const endedAt = codel.intervalEndsAt
  const silent = codel.smallestMs === Infinity || nowAt >= endedAt + codel.intervalMs
  codel.overloaded = silent ? nowAt - oldestAt > codel.intervalMs : codel.smallestMs > codel.targetMs
  codel.smallestMs = Infinity
  codel.intervalEndsAt = nowAt + codel.intervalMs
}
