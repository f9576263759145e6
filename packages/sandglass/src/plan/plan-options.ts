/** What a plan may decide on, and for what. */
export interface PlanOptions {
  /** Step of the budgets in whole ms, 1 or more; null (the default): 5 ms, finer for a short promise and coarser for a long one. */
  readonly gridMs: number | null
  /** Most attempts where the vocabulary allows retries and the file does not say; default 1. */
  readonly attempts: number
  /** Never an attempt bound below the callee's p99; default false. */
  readonly keepTail: boolean
  /** What each hop keeps where the file does not say, in ms; null (the default): max(5 ms, 5 %). */
  readonly reserveMs: number | null
  /** Success that is asked for (0 to 1); null (the default): as much as can be had. */
  readonly target: number | null
  /** `success` (the default) uses the whole promise; `shortest` the least time that reaches the target. */
  readonly objective: 'success' | 'shortest'
}

export const PLAN_DEFAULTS: PlanOptions = {
  gridMs: null,
  attempts: 1,
  keepTail: false,
  reserveMs: null,
  target: null,
  objective: 'success',
}

/** What `shortest` reaches where no target is given. */
export const DEFAULT_TARGET = 0.99

const USUAL_GRID_MS = 5
const FEWEST_STEPS = 50
const MOST_STEPS = 2000

/** The step of a plan within `budgetMs`: as asked for, else 5 ms, between a 2000th and a 50th of it, at least 1 ms; whole ms. */
export function gridOf(budgetMs: number, options: PlanOptions): number {
  if (options.gridMs !== null) return options.gridMs
  const finest = Math.ceil(budgetMs / MOST_STEPS)
  const coarsest = Math.max(1, Math.floor(budgetMs / FEWEST_STEPS))
  return Math.max(finest, Math.min(USUAL_GRID_MS, coarsest))
}
