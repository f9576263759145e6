import type { Spot } from '../../model/sourced.js'
import type { At } from '../terms/term.js'

/** Something around a call that ends the wait for it, or makes it again. */
export type Guard = LimitGuard | RetryGuard

/** The caller stops waiting after `ms`: `Promise.race` with a timer, `p-timeout`, a breaker's timeout. */
export interface LimitGuard {
  readonly kind: 'limit'
  readonly name: string
  /** Null: not known when. */
  readonly ms: number | null
  /** It ends the wait, whether it is known when or not. Default: false. */
  readonly isCertain?: boolean
  readonly at: At
  readonly spot: Spot
  /** What goes on when the caller stops waiting, as it stands in the guard. */
  readonly work: Spot
  /** The work is told to stop as well. */
  readonly cancels: boolean
  /** It is the default of the library, not written. */
  readonly isDefault: boolean
  /** The timer that no code clears; null where there is none or it is cleared. */
  readonly timerLeft: { readonly spot: Spot; readonly armed: Spot } | null
}

/** The call is made again: `p-retry`, a loop. */
export interface RetryGuard {
  readonly kind: 'retry'
  readonly name: string
  /** All attempts, the first included; null without end or not known. */
  readonly count: number | null
  /** All waits between the attempts together, at least and at most; null where not known. */
  readonly waitMs: readonly [number, number] | null
  /** The waits one by one, at least and at most each; null where not known. */
  readonly waits: readonly (readonly [number, number])[] | null
  readonly at: At
  readonly spot: Spot
  readonly isDefault: boolean
  /** It never gives up. */
  readonly isEndless: boolean
  /** It goes on to the next of a list: another server, another name. */
  readonly isOverList?: boolean
  /** A clock or a signal ends the attempts together, whatever their number: then nobody can say how long they take. */
  readonly isEndedTogether: boolean
  /** The code that runs anew for each attempt; a signal that is made outside of it is shared by all of them. */
  readonly repeats: readonly Spot[]
}
