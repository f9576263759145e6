export {
  ADMISSION_DEFAULTS,
  type Admission,
  type AdmissionMode,
  type AdmissionOptions,
  type AdmissionVerdict,
  admit,
  createAdmission,
  neededMs,
  recordWork,
} from './admission.js'
export {
  defaultBucketFactor,
  expectedAttempts,
  expectedLayeredCalls,
  failsAfter,
  pathAmplification,
  type RetryAllowance,
  retryFactor,
} from './amplification.js'
export {
  type AttemptPlan,
  type AttemptResult,
  type AttemptRun,
  type AttemptStep,
  beginAgain,
  beginAttempts,
  type FailedAttempt,
  nextStep,
  refuseRetry,
  type StopWhy,
} from './attempts.js'
export {
  type Backoff,
  defaultBackoff,
  type GrowingBackoff,
  type Jitter,
  type ListedBackoff,
  largestWaitMs,
  largestWaitsMs,
  throttledBackoff,
  waitMs,
} from './backoff.js'
export { addBounds, type Bound, type BoundKind, boundedBy, boundKinds, earliestBound, maxBound, unbounded, unknownBound } from './bound.js'
export {
  BREAKER_REFUSED,
  type Breaker,
  type BreakerClass,
  type BreakerState,
  breakerOpenMs,
  breakerRetryAfterMs,
  breakerStateAt,
  createBreaker,
  enterBreaker,
  HALF_OPEN_LEASES,
  leaveBreaker,
} from './breaker.js'
export { BREAKER_DEFAULTS, type BreakerOpenPeriods, type BreakerOptions, type BreakerRules, resolveBreaker } from './breaker-options.js'
export {
  abandonWait,
  BULKHEAD_DEFAULTS,
  type Bulkhead,
  type BulkheadOptions,
  boundedWaitMs,
  createBulkhead,
  nextExpired,
  nextSettled,
  releaseSlot,
  tryAcquireSlot,
  waitAgain,
  waitForSlot,
} from './bulkhead.js'
export { attemptBound, type CallLimits, callBound, effectiveBound, type LimitMs, limitBound, triesBound } from './call-bound.js'
export { CODEL_DEFAULTS, CODEL_SLOUGH_TARGETS, type Codel, type CodelOptions, codelOverloaded, createCodel, sampleCodel } from './codel.js'
export {
  budgetOf,
  childDeadline,
  type Deadline,
  deadlineAfter,
  earliest,
  grantedMs,
  isExpired,
  type NoDeadline,
  noDeadline,
  remainingMs,
  type TimedDeadline,
} from './deadline.js'
export { longestDurationMs, type ParsedDuration, parseDuration } from './duration.js'
export { durationText, formatDuration } from './duration-text.js'
export { type FallbackProblem, fallbackOrder, fallbackProblems, nextTier, tierNeedsTime, tierSliceMs } from './fallback-order.js'
export {
  createHedge,
  HEDGE_DEFAULTS,
  type Hedge,
  type HedgeOptions,
  recordHedgeLoser,
  recordHedgeWinner,
  startHedgeable,
  tryHedge,
} from './hedge.js'
export {
  addSketchData,
  advanceSketch,
  createLatencySketch,
  type LatencySketch,
  mergeSketch,
  quantileMs,
  recentMedianMs,
  recentP95Ms,
  recentP99Ms,
  recordLatency,
  SKETCH_BUCKETS,
  SKETCH_DEFAULTS,
  SKETCH_MAX_MS,
  SKETCH_STEPS,
  SKETCH_UNIT_MS,
  type SketchData,
  type SketchOptions,
  sketchBucketOf,
  sketchToData,
  sketchValueMs,
} from './latency-sketch.js'
export { createLimiter, enterLimiter, LIMITER_DEFAULTS, type Limiter, type LimiterOptions, leaveLimiter, limiterLimit } from './limiter.js'
export { createLoadShed, LOAD_SHED_DEFAULTS, type LoadShed, type LoadShedOptions, shouldShed } from './load-shed.js'
export { fullAfterMs, largestBoundMs, saturatesAtPerS, slotsHeld } from './occupancy.js'
export {
  type AttemptEnd,
  breakerClassOf,
  codeOf,
  ERROR_CODES,
  type ErrorCode,
  endOfFailure,
  endOfGrpcCode,
  endOfHttpStatus,
  errorNameOf,
  httpStatusOf,
  type Outcome,
  outcomeOf,
  retryableOf,
  retryCauseOf,
  type Whose,
  whoseOf,
} from './outcome.js'
export {
  createWaitQueue,
  dequeueWaiter,
  enqueueWaiter,
  expireWaiters,
  newWaiter,
  noteNoWait,
  QUEUE_DEFAULTS,
  type QueueOptions,
  type QueueOrder,
  requeueWaiter,
  type Waiter,
  type WaitFate,
  type WaitQueue,
  withdrawWaiter,
} from './queue-discipline.js'
export {
  advanceRateWindow,
  clearRateWindow,
  createRateWindow,
  RATE_WINDOW_BUCKETS,
  RATE_WINDOW_MAX_CALLS,
  type RateWindow,
  type RateWindowOptions,
  recordRate,
} from './rate-window.js'
export { grantMs, mayStart, reserveMs } from './reserve.js'
export {
  createRetryBudget,
  RETRY_BUDGET_DEFAULTS,
  RETRY_SHARE_DEFAULTS,
  type RetryBudget,
  type RetryBudgetOptions,
  type RetryCause,
  type RetryShareOptions,
  retryTokens,
  settleRetryBudget,
  spendRetry,
  type TokenBucketOptions,
} from './retry-budget.js'
export { type FailureCause, isRetriedOn, isThrottling, type RetryCondition } from './retry-on.js'
export { type Does, type FallbackTier, fallbackTiers, mayFallBack, mayHedge, mayRetry, type RetrySafety, safetyRules } from './safety.js'
export {
  createThrottle,
  recordThrottle,
  THROTTLE_DEFAULTS,
  type Throttle,
  type ThrottleOptions,
  throttleProbability,
  throttleRefuses,
} from './throttle.js'
export { correctedBudgetMs, createTransit, lostInTransitMs, type Transit, type TransitOptions } from './transit.js'
export { budgetHeader, formatRequestBudget, parseRequestBudget } from './wire-budget.js'
export { connectHeader, formatConnectTimeout, parseConnectTimeout } from './wire-connect.js'
export { type DegradedCall, degradedHeader, formatDegraded, mergeDegraded, parseDegraded } from './wire-degraded.js'
export { dubboAttachment, formatDubboTimeout, parseDubboTimeout } from './wire-dubbo.js'
export { envoyExpectedHeader, envoyUpstreamHeader, formatEnvoyUpstream, parseEnvoyExpected } from './wire-envoy.js'
export { finagleHeader, formatFinagleDeadline, parseFinagleDeadline } from './wire-finagle.js'
export { formatGrpcTimeout, grpcHeader, parseGrpcTimeout } from './wire-grpc.js'
export {
  type IncomingBudget,
  type IncomingHeaders,
  type IncomingOptions,
  incomingBudget,
  incomingBudgetHeaders,
  type Trust,
} from './wire-in.js'
export { formatRequestMeta, isRetryOf, metaHeader, parseRequestMeta, type RequestMeta } from './wire-meta.js'
export { type OutgoingBudget, type OutgoingOptions, outgoingBudget, type WireFormat } from './wire-out.js'
export { type HeaderValue, longestBudgetMs, type WireBudget, type WireFault, type WireText } from './wire-value.js'
