import { defaultBound } from './rules/default-bound.js'
import { hiddenRetries } from './rules/hidden-retries.js'
import { overBudget } from './rules/over-budget.js'
import { retryFreshClock } from './rules/retry-fresh-clock.js'
import { timerLeft } from './rules/timer-left.js'
import { unboundedCall } from './rules/unbounded-call.js'
import { workNotCancelled } from './rules/work-not-cancelled.js'
import type { ScanRule } from './scan-rule.js'

/** Every rule of `scan`; a new one is a file in `rules/`, its test, its page, and a line here. */
export const allScanRules: readonly ScanRule[] = [
  unboundedCall,
  defaultBound,
  overBudget,
  hiddenRetries,
  retryFreshClock,
  workNotCancelled,
  timerLeft,
]
