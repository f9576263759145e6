import { cancelOnlySignal } from './rules/cancel-only-signal.js'
import { clearedEarlyRule } from './rules/cleared-early.js'
import { closeAborts } from './rules/close-aborts.js'
import { deadlineNotInherited } from './rules/deadline-not-inherited.js'
import { defaultBound } from './rules/default-bound.js'
import { dropsCancellation } from './rules/drops-cancellation.js'
import { hiddenRetries } from './rules/hidden-retries.js'
import { ignoredOption } from './rules/ignored-option.js'
import { keepAliveOrder } from './rules/keep-alive-order.js'
import { mistakenLimit } from './rules/mistaken-limit.js'
import { overBudget } from './rules/over-budget.js'
import { replaceableLimit } from './rules/replaceable-limit.js'
import { retryFreshClock } from './rules/retry-fresh-clock.js'
import { signalNotPassed } from './rules/signal-not-passed.js'
import { staleDeadline } from './rules/stale-deadline.js'
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
  clearedEarlyRule,
  staleDeadline,
  replaceableLimit,
  dropsCancellation,
  cancelOnlySignal,
  signalNotPassed,
  ignoredOption,
  mistakenLimit,
  closeAborts,
  deadlineNotInherited,
  keepAliveOrder,
]
