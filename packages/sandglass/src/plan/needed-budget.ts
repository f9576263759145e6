import type { PlanCall } from './plan-call.js'
import type { PlanOptions } from './plan-options.js'
import type { PlanOperation, PlanTree } from './plan-tree.js'
import { planPropagated, propagatedSuccess } from './propagated-plan.js'
import { StaticPlanner } from './static-plan.js'
import { successOf } from './static-success.js'

/** No journey is planned for longer than this: a little more than a day. */
const LONGEST_MS = 1e8
const PRECISION_MS = 0.005
const COARSE_POINTS = 300
const FINE_POINTS = 2000
/** Trees with more calls are searched on a coarser grid. */
const MANY_CALLS = 12

/** How exactly a budget is searched: to 0.005 ms, or to about a 300th for comparing many variants. */
export type Precision = 'exact' | 'rough'

/** The least budget in ms with which hard budgets reach a success of `wanted`; null where none does. */
export function neededStatic(
  tree: PlanTree,
  wanted: number,
  fromMs: number,
  options: PlanOptions,
  precision: Precision = 'exact',
): number | null {
  const bracket = roughly(tree, wanted, fromMs, options)
  if (!bracket) return null
  if (precision === 'rough') return between(bracket, wanted)
  const points = tree.calls.length > MANY_CALLS ? COARSE_POINTS : FINE_POINTS
  return refined(
    (budgetMs) => successWithin(tree.root, new StaticPlanner(tree.root, budgetMs, budgetMs / points, options), budgetMs),
    bracket,
    wanted,
  )
}

/** The least budget in ms with which a propagated deadline reaches it, with the cuts that are best at `fromMs`. */
export function neededPropagated(
  tree: PlanTree,
  wanted: number,
  fromMs: number,
  options: PlanOptions,
  precision: Precision = 'exact',
): number | null {
  const { cuts } = planPropagated(tree, fromMs, options)
  const success = (budgetMs: number, points?: number): number =>
    propagatedSuccess(tree, budgetMs, options, growing(cuts, budgetMs), { points })
  let highMs = Math.max(1, fromMs)
  let high = success(highMs, COARSE_POINTS)
  let lowMs = 0
  let low = 0
  while (high < wanted) {
    lowMs = highMs
    low = high
    if ((highMs *= 2) > LONGEST_MS || highMs > tree.root.endsMs * 2) return null
    high = success(highMs, COARSE_POINTS)
  }
  while (highMs - lowMs > highMs / COARSE_POINTS) {
    const middleMs = (lowMs + highMs) / 2
    const middle = success(middleMs, COARSE_POINTS)
    if (middle >= wanted) [highMs, high] = [middleMs, middle]
    else [lowMs, low] = [middleMs, middle]
  }
  const bracket = { lowMs, highMs, low, high }
  return precision === 'rough' ? between(bracket, wanted) : refined(success, bracket, wanted)
}

/** One attempt may use the whole of a larger budget, too. */
function growing(cuts: ReturnType<typeof planPropagated>['cuts'], budgetMs: number): ReturnType<typeof planPropagated>['cuts'] {
  const isFree = (planned: PlanCall): boolean => !planned.call.optional.value
  return new Map(
    [...cuts].map(([planned, cut]) => [planned, cut.attempts === 1 && isFree(planned) ? { attempts: 1, cutMs: budgetMs } : cut]),
  )
}

interface Bracket {
  readonly lowMs: number
  readonly highMs: number
  readonly low: number
  readonly high: number
}

/** One dynamic programme answers for all budgets up to its own: the two grid points around what is searched. */
function roughly(tree: PlanTree, wanted: number, fromMs: number, options: PlanOptions): Bracket | null {
  for (let mostMs = Math.max(fromMs, 1) * 2; mostMs <= LONGEST_MS; mostMs *= 2) {
    const stepMs = mostMs / COARSE_POINTS
    const planner = new StaticPlanner(tree.root, mostMs, stepMs, options)
    const success = (k: number): number => successWithin(tree.root, planner, k * stepMs)
    if (success(COARSE_POINTS) < wanted) {
      if (planner.points <= COARSE_POINTS) return null
      continue
    }
    let low = 0
    let high = COARSE_POINTS
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (success(middle) >= wanted) high = middle
      else low = middle
    }
    return { lowMs: low * stepMs, highMs: high * stepMs, low: success(low), high: success(high) }
  }
  return null
}

function successWithin(root: PlanOperation, planner: StaticPlanner, budgetMs: number): number {
  return successOf(root, planner.decisions(budgetMs), budgetMs).success
}

function between({ lowMs, highMs, low, high }: Bracket, wanted: number): number {
  return high > low ? lowMs + ((highMs - lowMs) * (wanted - low)) / (high - low) : highMs
}

/** Regula falsi (Illinois), widened where the coarse grid has been too sure. */
function refined(success: (budgetMs: number) => number, bracket: Bracket, wanted: number): number {
  let { lowMs, highMs } = bracket
  let low = success(lowMs) - wanted
  let high = success(highMs) - wanted
  for (let i = 0; high < 0 && i < 20; i++) high = success((highMs *= 1.02)) - wanted
  for (let i = 0; low >= 0 && lowMs > PRECISION_MS && i < 20; i++) low = success((lowMs *= 0.98)) - wanted
  if (low >= 0) return lowMs
  for (let i = 0; i < 60 && highMs - lowMs > PRECISION_MS; i++) {
    const secantMs = lowMs + ((highMs - lowMs) * -low) / (high - low)
    // At least a little inside the bracket, so that both of its ends close in.
    const middleMs = Math.min(highMs - PRECISION_MS / 2, Math.max(lowMs + PRECISION_MS / 2, secantMs))
    const middle = success(middleMs) - wanted
    if (middle >= 0) {
      highMs = middleMs
      high = middle
      low /= 2
    } else {
      lowMs = middleMs
      low = middle
      high /= 2
    }
  }
  return highMs
}
