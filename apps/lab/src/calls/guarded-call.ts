import type { CallSpec } from '../chain/service-spec.js'
import type { Counters } from '../service/counters.js'
import type { Ask } from './ask.js'

/** How one call of a service ended well. */
export interface CallResult {
  readonly isDegraded: boolean
  /** The fallback that answered, null for the callee itself. */
  readonly tier: string | null
}

/** One call with its protection around it; `key` tells apart what is asked for. */
export type GuardedCall = (key: string) => Promise<CallResult>

/** Puts a protection around a call. */
export type Protect = (call: CallSpec, ask: Ask, counters: Counters) => GuardedCall
