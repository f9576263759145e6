import { ownBounds } from '../../model/arithmetic.js'
import { retriesOf } from '../../model/retrying.js'
import type { Visit } from '../../model/situations.js'
import type { View } from '../../model/view.js'
import { oncePerView } from './once-per-view.js'

/** The calls that have something of which a rule speaks, one visit for each, in their order: most calls of a large chain have none of it. */
export interface NotableCalls {
  /** More than one attempt. */
  readonly retried: readonly Visit[]
  readonly hedged: readonly Visit[]
  readonly withFallback: readonly Visit[]
  readonly withBreaker: readonly Visit[]
  /** The answer is a stream. */
  readonly streams: readonly Visit[]
  /** The target names no operation. */
  readonly unresolved: readonly Visit[]
  /** The caller says how long it keeps connections. */
  readonly keptAlive: readonly Visit[]
  /** Optional, or a third party's, and waited for. */
  readonly expendable: readonly Visit[]
  /** Nothing of their own ends them. */
  readonly endless: readonly Visit[]
  /** No total in numbers. */
  readonly withoutTotal: readonly Visit[]
}

type Sorted = { readonly [K in keyof NotableCalls]: Visit[] }

/** {@link NotableCalls} of a view, sorted out in one pass over its calls. */
export const notableCalls: (view: View) => NotableCalls = oncePerView((view) => {
  const sorted: Sorted = {
    retried: [],
    hedged: [],
    withFallback: [],
    withBreaker: [],
    streams: [],
    unresolved: [],
    keptAlive: [],
    expendable: [],
    endless: [],
    withoutTotal: [],
  }
  for (const visit of view.perCall) {
    sortByPolicy(sorted, visit)
    sortByCallee(sorted, visit)
  }
  return sorted
})

function sortByPolicy(sorted: Sorted, visit: Visit): void {
  const { call } = visit
  if (retriesOf(call) !== null) sorted.retried.push(visit)
  if (call.hedgeAfterMs) sorted.hedged.push(visit)
  if (call.fallback) sorted.withFallback.push(visit)
  if (call.breaker) sorted.withBreaker.push(visit)
  if (call.keepAliveMs ?? call.from.service.keepAlive) sorted.keptAlive.push(visit)
  if (ownBounds(call).total.state === 'unbounded') sorted.endless.push(visit)
  if (typeof call.timeoutMs?.value !== 'number') sorted.withoutTotal.push(visit)
}

function sortByCallee(sorted: Sorted, visit: Visit): void {
  const { callee, optional, async } = visit.call
  if (!callee) sorted.unresolved.push(visit)
  if (callee?.stream) sorted.streams.push(visit)
  if (!async.value && (optional.value || callee?.service.kind.value === 'third-party')) sorted.expendable.push(visit)
}

/** The visits, in all situations and in their order, of calls of which one visit each is given. */
export function inAllSituations(view: View, calls: readonly Visit[]): Visit[] {
  if (calls.length === 0) return []
  const asked = new Set(calls.map(({ call }) => call))
  const operations = new Set(calls.map(({ call }) => call.from))
  const found: Visit[] = []
  for (const operation of operations) {
    for (const { visits } of view.situations.arrivals.get(operation) ?? []) found.push(...visits.filter(({ call }) => asked.has(call)))
  }
  return found
}
