import { type Codel, type CodelOptions, createCodel, sampleCodel } from './codel.js'

/** When a server sheds load: two controlled delays, each of which alone is enough. */
export interface LoadShedOptions {
  /** On the wait of a request for its turn; default target 5 ms, interval 100 ms. */
  readonly queue?: CodelOptions
  /** On the delay of the event loop; default target 20 ms, interval 100 ms. */
  readonly loop?: CodelOptions
  /** Counts what it would shed, and sheds nothing; default false. */
  readonly observeOnly?: boolean
}

/** The defaults of {@link LoadShedOptions}. */
export const LOAD_SHED_DEFAULTS: Readonly<{
  queue: Readonly<Required<CodelOptions>>
  loop: Readonly<Required<CodelOptions>>
  observeOnly: boolean
}> = Object.freeze({
  queue: Object.freeze({ targetMs: 5, intervalMs: 100 }),
  loop: Object.freeze({ targetMs: 20, intervalMs: 100 }),
  observeOnly: false,
})

/** One server's load shedding: plain state, changed only by {@link shouldShed}. */
export interface LoadShed {
  readonly queue: Codel
  readonly loop: Codel
  readonly observeOnly: boolean
  /** Requests shed, or that would have been. */
  shed: number
}

/** Makes one that sheds nothing yet. @throws TypeError or RangeError for an option outside its range */
export function createLoadShed(options: LoadShedOptions = {}): LoadShed {
  return {
    queue: createCodel({ ...LOAD_SHED_DEFAULTS.queue, ...options.queue }),
    loop: createCodel({ ...LOAD_SHED_DEFAULTS.loop, ...options.loop }),
    observeOnly: options.observeOnly ?? LOAD_SHED_DEFAULTS.observeOnly,
    shed: 0,
  }
}

/** Whether to refuse a request that waited `queueWaitMs` while the event loop is `loopDelayMs` late; to be asked for every request. */
export function shouldShed(shed: LoadShed, queueWaitMs: number, loopDelayMs: number, nowAt: number): boolean {
  const byQueue = sampleCodel(shed.queue, queueWaitMs, nowAt)
  const byLoop = sampleCodel(shed.loop, loopDelayMs, nowAt)
  if (!byQueue && !byLoop) return false
  shed.shed += 1
  return !shed.observeOnly
}
