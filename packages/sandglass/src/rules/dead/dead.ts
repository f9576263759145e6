import type { Change } from '../../model/change.js'
import type { Factor } from '../../model/diagnostic.js'
import type { Sourced, Spot } from '../../model/sourced.js'

/** A setting that is written and has no effect, and what holds instead. */
export interface Dead {
  /** Its key in the file, e.g. `attempt`. */
  readonly setting: string
  /** As it is written, for people. */
  readonly written: string
  readonly spot: Spot
  /** Why it has none: "timeout 2 s ends the call first". */
  readonly because: string
  /** What holds: "timeout 2 s". */
  readonly effective: string
  readonly factors: readonly Factor[]
  /** The place of what holds, when it is another one. */
  readonly instead?: Sourced<unknown>
  readonly change?: Change | null
}
