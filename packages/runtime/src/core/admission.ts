import {
  advanceSketch,
  createLatencySketch,
  type LatencySketch,
  recentMedianMs,
  recordLatency,
  type SketchOptions,
} from './latency-sketch.js'
import { optionCount, optionInRange } from './option-range.js'

/**
 * What a server does with a request when its turn comes: `none` serves all · `expired` drops what is already late ·
 * `can-finish` drops what has too little time left to be finished.
 */
export type AdmissionMode = 'none' | 'expired' | 'can-finish'

/** What became of a request: `expired` and `cannot-finish` are answered 503 at once (`ADMISSION_REFUSED`). */
export type AdmissionVerdict = 'admitted' | 'expired' | 'cannot-finish'

/** How one operation's requests are admitted. */
export interface AdmissionOptions {
  /** Default `can-finish`. */
  readonly mode?: AdmissionMode
  /** Counts what it would refuse, and admits it; default false. Switch a server on with true first. */
  readonly observeOnly?: boolean
  /** Least time a request needs, ms; absent: the operation's own recent median, once there are `minSamples`. */
  readonly floorMs?: number
  /** Fewest samples the median is taken from; default 20. */
  readonly minSamples?: number
  /** Window of the median, ms; default 10 000. */
  readonly windowMs?: number
}

/** The defaults of {@link AdmissionOptions}. */
export const ADMISSION_DEFAULTS: Readonly<{ mode: AdmissionMode; observeOnly: boolean; minSamples: number; windowMs: number }> =
  Object.freeze({ mode: 'can-finish', observeOnly: false, minSamples: 20, windowMs: 10_000 })

/** One operation's admission: plain state, changed only by the functions of this file. */
export interface Admission {
  readonly mode: AdmissionMode
  readonly observeOnly: boolean
  readonly floorMs: number | null
  readonly minSamples: number
  /** Present only where the median is used. */
  readonly work: LatencySketch | null
  admitted: number
  /** Refused, or in observe-only mode admitted although they would have been. */
  expired: number
  cannotFinish: number
}

/** Makes one. @throws TypeError or RangeError for an option outside its range */
export function createAdmission(options: AdmissionOptions = {}): Admission {
  const mode = options.mode ?? ADMISSION_DEFAULTS.mode
  if (mode !== 'none' && mode !== 'expired' && mode !== 'can-finish')
    throw new RangeError(`admission.mode must be none, expired or can-finish, not ${String(mode)}`)
  const floorMs = options.floorMs === undefined ? null : optionInRange('admission.floorMs', options.floorMs, 0, 86_400_000)
  const sketch: SketchOptions = { windowMs: optionInRange('admission.windowMs', options.windowMs ?? ADMISSION_DEFAULTS.windowMs, 1) }
  return {
    mode,
    observeOnly: options.observeOnly ?? ADMISSION_DEFAULTS.observeOnly,
    floorMs,
    minSamples: optionCount('admission.minSamples', options.minSamples ?? ADMISSION_DEFAULTS.minSamples, 1),
    work: mode === 'can-finish' && floorMs === null ? createLatencySketch(sketch) : null,
    admitted: 0,
    expired: 0,
    cannotFinish: 0,
  }
}

/** Decides at `nowAt`, when a request's turn has come, with `remainingMs` of its budget left (`Infinity` without a deadline). */
export function admit(admission: Admission, remainingMs: number, nowAt: number): AdmissionVerdict {
  const verdict = judge(admission, remainingMs, nowAt)
  if (verdict === 'expired') admission.expired += 1
  else if (verdict === 'cannot-finish') admission.cannotFinish += 1
  if (verdict !== 'admitted' && !admission.observeOnly) return verdict
  admission.admitted += 1
  return 'admitted'
}

/** Tells how long (ms) an admitted request was worked on; free where no median is used. */
export function recordWork(admission: Admission, workMs: number, nowAt: number): void {
  if (admission.work !== null) recordLatency(admission.work, workMs, nowAt)
}

/** The time a request needs at least, ms, as of `nowAt`: the floor, else the recent median, else 0. */
export function neededMs(admission: Admission, nowAt: number): number {
  if (admission.floorMs !== null) return admission.floorMs
  if (admission.work === null) return 0
  advanceSketch(admission.work, nowAt)
  return admission.work.count < admission.minSamples ? 0 : recentMedianMs(admission.work, nowAt)
}

function judge(admission: Admission, remainingMs: number, nowAt: number): AdmissionVerdict {
  if (admission.mode === 'none' || remainingMs === Infinity) return 'admitted'
  if (remainingMs <= 0) return 'expired'
  return admission.mode === 'can-finish' && remainingMs < neededMs(admission, nowAt) ? 'cannot-finish' : 'admitted'
}
