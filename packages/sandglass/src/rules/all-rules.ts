import type { Rule } from '../model/rule.js'
import { amplification } from './amplification.js'
import { breakerFlaps } from './breaker-flaps.js'
import { breakerNoFallback } from './breaker-no-fallback.js'
import { breakerNoTimeout } from './breaker-no-timeout.js'
import { clientGivesUpFirst } from './client-gives-up-first.js'
import { cycle } from './cycle.js'
import { deadSetting } from './dead-setting.js'
import { doesNotFit } from './does-not-fit.js'
import { fallbackOnWrite } from './fallback-on-write.js'
import { hedgeOnWrite } from './hedge-on-write.js'
import { inverted } from './inverted.js'
import { keepAliveOrder } from './keep-alive-order.js'
import { missingTimeout } from './missing-timeout.js'
import { noMargin } from './no-margin.js'
import { poolExhausted } from './pool-exhausted.js'
import { poolShared } from './pool-shared.js'
import { probeTooTight } from './probe-too-tight.js'
import { promiseBroken } from './promise-broken.js'
import { retryDead } from './retry-dead.js'
import { retryFreshClock } from './retry-fresh-clock.js'
import { retryLayers } from './retry-layers.js'
import { retryNoBreaker } from './retry-no-breaker.js'
import { retryNoJitter } from './retry-no-jitter.js'
import { retryOverflow } from './retry-overflow.js'
import { retryUnsafe } from './retry-unsafe.js'
import { unknownTarget } from './unknown-target.js'

/** Every rule of `check`, in the order their findings are printed where the severity is the same. */
export const allRules: readonly Rule[] = [
  missingTimeout,
  inverted,
  clientGivesUpFirst,
  noMargin,
  doesNotFit,
  promiseBroken,
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
  poolShared,
  keepAliveOrder,
  probeTooTight,
  deadSetting,
  unknownTarget,
  cycle,
]
