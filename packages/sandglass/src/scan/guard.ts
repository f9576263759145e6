import type { Spot } from '../model/sourced.js'
import type { At } from './terms/term.js'

/** Something around a call that ends the wait for it, or makes it again. */
export type Guard =
  /** The caller stops waiting after `ms`: `Promise.race` with a timer, `p-timeout`, a breaker's timeout. Null: not known when. */
  | {
      readonly kind: 'limit'
      readonly name: string
      readonly ms: number | null
      readonly at: At
      readonly spot: Spot
      /** The work is told to stop as well. */
      readonly cancels: boolean
      /** It is the default of the library, not written. */
      readonly isDefault: boolean
      /** The timer that no code clears; null where there is none or it is cleared. */
      readonly timerLeft: Spot | null
    }
  /** The call is made again: `p-retry`, a loop. `count` is all attempts, null without end or not known. */
  | {
      readonly kind: 'retry'
      readonly name: string
      readonly count: number | null
      /** All waits between the attempts together, at least and at most; null where not known. */
      readonly waitMs: readonly [number, number] | null
      readonly at: At
      readonly spot: Spot
      readonly isDefault: boolean
      /** It never gives up. */
      readonly isEndless: boolean
    }
