import { type Bound, boundedBy, earliestBound, formatDuration } from '@sandglass/runtime/core'
import { ownP99Ms } from '../../model/arithmetic.js'
import type { Step } from '../../model/chain.js'
import { type Arrival, type Layer, stepBound } from '../../model/situations.js'
import type { View } from '../../model/view.js'
import { exceeds } from './exceeds.js'
import { inversionOf } from './inversions.js'
import { marginOf } from './ladder.js'
import { oncePerView } from './once-per-view.js'

/** One step that the caller waits for, with its bound in a situation. */
export interface SummedStep {
  readonly step: Step
  readonly ms: number
}

/** What the steps of an operation add up to, next to what its caller has. */
export interface Sum {
  readonly arrival: Arrival
  readonly caller: Layer
  /** Own work at p99. */
  readonly ownMs: number
  readonly steps: readonly SummedStep[]
  /** worst(o), cut where a budget ends it. */
  readonly worstMs: number
  /** True where a budget that holds here ends the sum. */
  readonly isCut: boolean
  /** Network and reserve of the call that leads here. */
  readonly marginMs: number
}

/** The steps of an operation that its caller waits for: async calls are none. */
export function waitedSteps(steps: readonly Step[]): readonly Step[] {
  return steps.filter((step) => (step.kind === 'call' ? [step.call] : step.calls).some((call) => !call.async.value))
}

/** The sum of a situation; null where nobody limits it, a bound is missing or unknown, or a single call is inverted (that is its own finding). */
export function sumOf(view: View, arrival: Arrival): Sum | null {
  const known = sumsOf(view)
  let sum = known.get(arrival)
  if (sum === undefined) {
    sum = addUp(view, arrival)
    known.set(arrival, sum)
  }
  return sum
}

const sumsOf = oncePerView(() => new Map<Arrival, Sum | null>())

function addUp(view: View, arrival: Arrival): Sum | null {
  const { caller, callerBound, operation, budget } = arrival
  if (!caller || callerBound.state !== 'bounded') return null
  const visits = view.visitsIn(arrival)
  if (visits.some((visit) => inversionOf(visit))) return null
  const worst = view.worst(arrival)
  if (worst.state !== 'bounded') return null
  const bounds = new Map(visits.map((visit) => [visit.call, visit.bound]))
  const steps = waitedSteps(operation.steps).map((step) => ({
    step,
    ms: msIn(stepBound(step, (call) => bounds.get(call) ?? boundedBy(0, 'total'))),
  }))
  const cut: Bound = budget ? earliestBound(worst, boundedBy(budget.ms, 'total')) : worst
  const isCut = budget !== null && exceeds(worst.ms, budget.ms)
  return { arrival, caller, ownMs: ownP99Ms(operation), steps, worstMs: msIn(cut), isCut, marginMs: marginOf(arrival) }
}

function msIn(bound: Bound): number {
  return bound.state === 'bounded' ? bound.ms : 0
}

/** True where the steps add up to more than the caller has: two or more of them, each of which alone would fit. */
export function overflows({ steps, worstMs, caller }: Sum): boolean {
  return steps.length >= 2 && exceeds(worstMs, caller.ms)
}

/** The names of a step's calls: `db.get`, or `stock.take and promo.apply together`. */
export function stepName(step: Step): string {
  if (step.kind === 'call') return step.call.to.value
  return `${listed(step.calls.map((call) => call.to.value))} together`
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(names: readonly string[]): string {
  if (names.length < 2) return names.join('')
  return `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`
}

/** The sum in words: `own work 60 ms + orders-db.insert 800 ms + … = 2.31 s`. */
export function sumInWords({ ownMs, steps, worstMs, isCut }: Sum): string {
  const parts = steps.map(({ step, ms }) => `${stepName(step)} ${formatDuration(ms)}`)
  const all = ownMs > 0 ? [`own work ${formatDuration(ownMs)}`, ...parts] : parts
  const cut = isCut ? `, ended by the budget at ${formatDuration(worstMs)}` : ` = ${formatDuration(worstMs)}`
  return all.length > 1 || isCut ? `${all.join(' + ')}${cut}` : all.join('')
}
