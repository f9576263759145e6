import { random } from './clock.js'
import { type Breaker, createBreaker } from './core/breaker.js'
import type { BreakerOptions } from './core/breaker-options.js'
import type { BulkheadOptions } from './core/bulkhead.js'
import { createHedge, type Hedge, type HedgeOptions } from './core/hedge.js'
import { createLatencySketch, type LatencySketch } from './core/latency-sketch.js'
import { createRetryBudget, type RetryBudget, type RetryBudgetOptions } from './core/retry-budget.js'
import { createSlots, type Slots } from './slots.js'

/** The policies that belong to a callee rather than to one call of it. */
export interface CalleeOptions {
  readonly breaker?: BreakerOptions
  readonly bulkhead?: BulkheadOptions
  /** Default: 100 tokens, a retry costs 3. `none`: no cap. */
  readonly retryBudget?: RetryBudgetOptions | 'none'
  readonly hedge?: HedgeOptions
}

/** A callee's breaker, slots, retry budget and hedging, shared by all calls that name it. */
export interface Callee {
  readonly name: string
  readonly breaker: Breaker | null
  readonly slots: Slots | null
  readonly retryBudget: RetryBudget | null
  readonly hedge: Hedge | null
  /** Its usual latencies; kept only where a breaker asks for them. */
  readonly latencies: LatencySketch | null
}

/** Makes the policies of one callee; give it to several calls as `callee` to share them. Throws TypeError or RangeError for an option outside its range. */
export function callee(name: string, options: CalleeOptions = {}): Callee {
  const { breaker, bulkhead, retryBudget, hedge } = options
  return {
    name,
    breaker: breaker === undefined ? null : createBreaker(breaker, random),
    slots: bulkhead === undefined ? null : createSlots(bulkhead),
    retryBudget: retryBudget === 'none' ? null : createRetryBudget(retryBudget),
    hedge: hedge === undefined ? null : createHedge(hedge),
    latencies: breaker === undefined ? null : createLatencySketch(),
  }
}
