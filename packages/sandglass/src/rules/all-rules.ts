import type { Rule } from '../model/rule.js'
import { amplification } from './amplification.js'
import { belowTail } from './below-tail.js'
import { breakerFlaps } from './breaker-flaps.js'
import { breakerNoFallback } from './breaker-no-fallback.js'
import { breakerNoTimeout } from './breaker-no-timeout.js'
import { clientGivesUpFirst } from './client-gives-up-first.js'
import { cycle } from './cycle.js'
import { deadSetting } from './dead-setting.js'
import { deadlineLost } from './deadline-lost.js'
import { doesNotFit } from './does-not-fit.js'
import { fallbackOnWrite } from './fallback-on-write.js'
import { farAboveTail } from './far-above-tail.js'
import { hedgeOnWrite } from './hedge-on-write.js'
import { inverted } from './inverted.js'
import { keepAliveOrder } from './keep-alive-order.js'
import { lateSuccess } from './late-success.js'
import { lockOutlives } from './lock-outlives.js'
import { missingTimeout } from './missing-timeout.js'
import { neverReached } from './never-reached.js'
import { noBasis } from './no-basis.js'
import { noMargin } from './no-margin.js'
import { noReserve } from './no-reserve.js'
import { orphanedWork } from './orphaned-work.js'
import { poolExhausted } from './pool-exhausted.js'
import { poolOversized } from './pool-oversized.js'
import { poolShared } from './pool-shared.js'
import { probeTooTight } from './probe-too-tight.js'
import { promiseBroken } from './promise-broken.js'
import { queueUnbounded } from './queue-unbounded.js'
import { retryDead } from './retry-dead.js'
import { retryFreshClock } from './retry-fresh-clock.js'
import { retryLayers } from './retry-layers.js'
import { retryNoBreaker } from './retry-no-breaker.js'
import { retryNoJitter } from './retry-no-jitter.js'
import { retryOverflow } from './retry-overflow.js'
import { retryUnsafe } from './retry-unsafe.js'
import { statementOutlives } from './statement-outlives.js'
import { streamLimit } from './stream-limit.js'
import { uniform } from './uniform.js'
import { unknownTarget } from './unknown-target.js'
import { unusedBudget } from './unused-budget.js'

/** Every rule of `check`, in the order their findings are printed where the severity is the same. */
export const allRules: readonly Rule[] = [
  missingTimeout,
  inverted,
  clientGivesUpFirst,
  noMargin,
  doesNotFit,
  promiseBroken,
  unusedBudget,
  belowTail,
  farAboveTail,
  uniform,
  retryOverflow,
  retryFreshClock,
  retryDead,
  amplification,
  retryLayers,
  retryUnsafe,
  retryNoJitter,
  retryNoBreaker,
  breakerNoTimeout,
  breakerNoFallback,
  breakerFlaps,
  fallbackOnWrite,
  hedgeOnWrite,
  poolExhausted,
  poolOversized,
  poolShared,
  queueUnbounded,
  lockOutlives,
  statementOutlives,
  noReserve,
  neverReached,
  deadlineLost,
  orphanedWork,
  lateSuccess,
  streamLimit,
  keepAliveOrder,
  probeTooTight,
  deadSetting,
  unknownTarget,
  cycle,
  noBasis,
]
