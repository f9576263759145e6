import { expect, test } from 'vitest'
import { ADMISSION_DEFAULTS, createAdmission } from './admission.js'
import { createBreaker } from './breaker.js'
import { BREAKER_DEFAULTS } from './breaker-options.js'
import { BULKHEAD_DEFAULTS, createBulkhead } from './bulkhead.js'
import { CODEL_DEFAULTS, createCodel } from './codel.js'
import { createHedge, HEDGE_DEFAULTS } from './hedge.js'
import { createLatencySketch, SKETCH_DEFAULTS } from './latency-sketch.js'
import { createLimiter, LIMITER_DEFAULTS } from './limiter.js'
import { createLoadShed, LOAD_SHED_DEFAULTS } from './load-shed.js'
import { createWaitQueue, QUEUE_DEFAULTS } from './queue-discipline.js'
import { createRetryBudget, RETRY_BUDGET_DEFAULTS, RETRY_SHARE_DEFAULTS } from './retry-budget.js'
import { createThrottle, THROTTLE_DEFAULTS } from './throttle.js'

const random = (): number => 0.5

// What `slowMs: Infinity` says is what leaving it out says; given, it would count as a declared trigger.
const { slowMs: _, slowRate: __, ...declaredBreaker } = BREAKER_DEFAULTS

test.each([
  ['retry bucket', RETRY_BUDGET_DEFAULTS, () => createRetryBudget(), () => createRetryBudget(RETRY_BUDGET_DEFAULTS)],
  [
    'retry share',
    RETRY_SHARE_DEFAULTS,
    () => createRetryBudget({ share: 0.1 }),
    () => createRetryBudget({ share: 0.1, ...RETRY_SHARE_DEFAULTS }),
  ],
  ['breaker', BREAKER_DEFAULTS, () => createBreaker({}, random), () => createBreaker(declaredBreaker, random)],
  ['bulkhead', BULKHEAD_DEFAULTS, () => createBulkhead({ slots: 5 }), () => createBulkhead({ slots: 5, ...BULKHEAD_DEFAULTS })],
  ['codel', CODEL_DEFAULTS, () => createCodel(), () => createCodel(CODEL_DEFAULTS)],
  ['queue', QUEUE_DEFAULTS, () => createWaitQueue(), () => createWaitQueue(QUEUE_DEFAULTS)],
  ['admission', ADMISSION_DEFAULTS, () => createAdmission(), () => createAdmission(ADMISSION_DEFAULTS)],
  ['load shed', LOAD_SHED_DEFAULTS, () => createLoadShed(), () => createLoadShed(LOAD_SHED_DEFAULTS)],
  ['sketch', SKETCH_DEFAULTS, () => createLatencySketch(), () => createLatencySketch(SKETCH_DEFAULTS)],
  ['limiter', LIMITER_DEFAULTS, () => createLimiter(), () => createLimiter(LIMITER_DEFAULTS)],
  ['throttle', THROTTLE_DEFAULTS, () => createThrottle(), () => createThrottle(THROTTLE_DEFAULTS)],
  ['hedge', HEDGE_DEFAULTS, () => createHedge(), () => createHedge(HEDGE_DEFAULTS)],
])('the %s made without options is the one made of its published, frozen defaults', (_name, defaults, made, declared) => {
  expect(made()).toEqual(declared())
  expect(Object.isFrozen(defaults)).toBe(true)
})

test('the defaults are the documented ones: a change here is a change of behaviour for everyone', () => {
  expect(RETRY_BUDGET_DEFAULTS).toEqual({ capacity: 100, errorCost: 3, timeoutCost: 6, throttledCost: 1, firstTryGain: 0.2 })
  expect(RETRY_SHARE_DEFAULTS).toEqual({ cap: 10 })
  expect(BREAKER_DEFAULTS).toEqual({
    windowMs: 10_000,
    failureRate: 0.5,
    minCalls: 20,
    consecutive: 5,
    openMs: { baseMs: 1_000, maxMs: 60_000, jitter: 0.2 },
    probes: 3,
    slowMs: Infinity,
    slowRate: 0.5,
    leaseMs: 10_000,
  })
  expect(BULKHEAD_DEFAULTS).toEqual({ queue: { limit: 1_000, timeoutMs: Infinity, order: 'codel' } })
  expect(CODEL_DEFAULTS).toEqual({ targetMs: 5, intervalMs: 100 })
  expect(QUEUE_DEFAULTS).toEqual({ limit: Infinity, timeoutMs: Infinity, order: 'fifo' })
  expect(ADMISSION_DEFAULTS).toEqual({ mode: 'can-finish', observeOnly: false, minSamples: 20, windowMs: 10_000 })
  expect(LOAD_SHED_DEFAULTS).toEqual({ queue: CODEL_DEFAULTS, loop: { targetMs: 20, intervalMs: 100 }, observeOnly: false })
  expect(SKETCH_DEFAULTS).toEqual({ windowMs: 10_000, slices: 10 })
  expect(LIMITER_DEFAULTS).toEqual({ initial: 20, min: 1, max: 200, tolerance: 1.5, headroom: 4, smoothing: 0.2, probeRounds: 50 })
  expect(THROTTLE_DEFAULTS).toEqual({ multiplier: 2, windowMs: 120_000, minRequests: 1 })
  expect(HEDGE_DEFAULTS).toEqual({ maxExtra: 0.1, minSamples: 20, windowMs: 10_000 })
})
