/** How a request ended, as its client saw it. `gave-up`: its own limit, or the end of the run; `broken`: no answer, the connection failed. */
export const ENDS = ['full', 'degraded', 'failed', 'gave-up', 'broken'] as const

/** One of the ends. */
export type End = (typeof ENDS)[number]

/** One request of the load. */
export interface SentRequest {
  /** When it was to be sent, ms from the start of the run. */
  readonly intendedMs: number
  /** From there to its end (ms). */
  readonly latencyMs: number
  readonly end: End
}
