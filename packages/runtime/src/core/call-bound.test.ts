import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { boundedBy, unbounded, unknownBound } from './bound.js'
import { attemptBound, type CallLimits, callBound, effectiveBound, triesBound } from './call-bound.js'

describe('one attempt', () => {
  test('is bounded by its own limit if it has one, whatever its phases say', () => {
    expect(attemptBound({ attemptMs: 700, silenceMs: 100 })).toEqual(boundedBy(700, 'attempt'))
  })

  test('is otherwise bounded by connect + write + silence, of kind silence', () => {
    expect(attemptBound({ connectMs: 100, writeMs: 50, silenceMs: 1000 })).toEqual(boundedBy(1150, 'silence'))
    expect(attemptBound({ silenceMs: 1000, connectMs: 'none' })).toEqual(boundedBy(1000, 'silence'))
  })

  test('is unbounded with only connect and write limits: the answer may never come', () => {
    expect(attemptBound({ connectMs: 100, writeMs: 50 })).toEqual(unbounded)
    expect(callBound({ connectMs: 100, attempts: 3 })).toEqual(unbounded)
    expect(attemptBound({ connectMs: 'unknown' })).toEqual(unbounded)
  })

  test('is unknown when a limit it needs is unknown', () => {
    expect(attemptBound({ attemptMs: 'unknown' })).toEqual(unknownBound)
    expect(attemptBound({ silenceMs: 1000, connectMs: 'unknown' })).toEqual(unknownBound)
    expect(attemptBound({ silenceMs: 'unknown' })).toEqual(unknownBound)
  })
})

describe('all tries', () => {
  test('of the worked example are 2 x 700 + 50', () => {
    expect(triesBound({ attemptMs: 700, attempts: 2, backoff: { baseMs: 50, maxMs: 100 } })).toEqual(boundedBy(1450, 'attempt'))
  })

  test('count the queueing each of them does anew', () => {
    expect(triesBound({ attemptMs: 700, attempts: 2, queuePerAttemptMs: 50 })).toEqual(boundedBy(1500, 'attempt'))
    expect(triesBound({ attemptMs: 700, queuePerAttemptMs: 'none' })).toEqual(unbounded)
  })

  test('are one attempt where a slow try is not repeated (Envoy with perTryTimeout 2s and retryOn 503)', () => {
    expect(triesBound({ attemptMs: 2000, attempts: 4, retriesTimeouts: false, backoff: { waitsMs: [25, 75, 175] } })).toEqual(
      boundedBy(2000, 'attempt'),
    )
    expect(triesBound({ attemptMs: 2000, attempts: 4, backoff: { waitsMs: [25, 75, 175] } })).toEqual(boundedBy(8275, 'attempt'))
  })

  test('are unbounded if an attempt is, and unknown if their number or back-off is', () => {
    expect(triesBound({ attempts: 3 })).toEqual(unbounded)
    expect(triesBound({ attemptMs: 700, attempts: 'unknown' })).toEqual(unknownBound)
    expect(triesBound({ attemptMs: 700, attempts: 2, backoff: 'unknown' })).toEqual(unknownBound)
    expect(triesBound({ attemptMs: 700, attempts: 1, backoff: 'unknown' })).toEqual(boundedBy(700, 'attempt'))
  })

  test('end one attempt after the last instant at which one may start', () => {
    expect(triesBound({ attemptMs: 700, attempts: 10, retryStartWithinMs: 1000 })).toEqual(boundedBy(1700, 'attempt'))
    expect(triesBound({ attemptMs: 700, attempts: 2, retryStartWithinMs: 5000 })).toEqual(boundedBy(1400, 'attempt'))
    expect(triesBound({ attemptMs: 700, attempts: 2, retryStartWithinMs: 'unknown' })).toEqual(unknownBound)
  })
})

describe('a call', () => {
  test('is bounded by the smaller of its total and its tries', () => {
    expect(callBound({ timeoutMs: 1500, attemptMs: 700, attempts: 2, backoff: { baseMs: 50, maxMs: 100 } })).toEqual(
      boundedBy(1450, 'attempt'),
    )
    expect(callBound({ timeoutMs: 15_000, attemptMs: 30_000, attempts: 4 })).toEqual(boundedBy(15_000, 'total'))
  })

  test('counts its queue inside the total and adds it where there is none', () => {
    expect(callBound({ timeoutMs: 800, queueMs: 200 })).toEqual(boundedBy(800, 'total'))
    expect(callBound({ attemptMs: 800, queueMs: 200 })).toEqual(boundedBy(1000, 'attempt'))
    expect(callBound({ attemptMs: 800, queueMs: 'none' })).toEqual(unbounded)
  })

  test('without any limit, or with none on purpose, is unbounded; with an unknown one unknown', () => {
    expect(callBound({})).toEqual(unbounded)
    expect(callBound({ timeoutMs: 'none' })).toEqual(unbounded)
    expect(callBound({ timeoutMs: 'unknown', attemptMs: 300 })).toEqual(unknownBound)
  })

  test('with ky 1: three tries of 2 s and waits of 300 and 600 ms take 6.9 s', () => {
    expect(callBound({ attemptMs: 2000, attempts: 3, backoff: { waitsMs: [300, 600] } })).toEqual(boundedBy(6900, 'attempt'))
  })

  test('never gets longer when a limit is added or shortened', () => {
    const limit = fc.option(fc.nat(5000), { nil: undefined })
    fc.assert(
      fc.property(limit, limit, fc.integer({ min: 1, max: 5 }), fc.nat(5000), (timeoutMs, attemptMs, attempts, tighterMs) => {
        const limits: CallLimits = {
          attempts,
          ...(timeoutMs !== undefined && { timeoutMs }),
          ...(attemptMs !== undefined && { attemptMs }),
        }
        const before = callBound(limits)
        const after = callBound({ ...limits, timeoutMs: Math.min(timeoutMs ?? Number.POSITIVE_INFINITY, tighterMs) })
        expect(msOf(after)).toBeLessThanOrEqual(msOf(before))
      }),
    )
  })
})

describe('under a budget handed down', () => {
  test('a call gets at most the budget less the reserve', () => {
    expect(effectiveBound(boundedBy(1500, 'total'), boundedBy(1000, 'total'), 50)).toEqual(boundedBy(950, 'total'))
    expect(effectiveBound(boundedBy(500, 'attempt'), boundedBy(1000, 'total'), 50)).toEqual(boundedBy(500, 'attempt'))
    expect(effectiveBound(unbounded, boundedBy(1000, 'total'), 50)).toEqual(boundedBy(950, 'total'))
  })

  test('a reserve above the budget leaves 0, never less', () => {
    expect(effectiveBound(unbounded, boundedBy(30, 'total'), 50)).toEqual(boundedBy(0, 'total'))
  })

  test('no budget changes nothing, an unknown one makes it unknown', () => {
    expect(effectiveBound(boundedBy(500, 'total'), unbounded, 50)).toEqual(boundedBy(500, 'total'))
    expect(effectiveBound(unbounded, unknownBound, 50)).toEqual(unknownBound)
  })
})

function msOf(bound: ReturnType<typeof callBound>): number {
  return bound.state === 'bounded' ? bound.ms : Number.POSITIVE_INFINITY
}
