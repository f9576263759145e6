import { describe, expect, test } from 'vitest'
import {
  BREAKER_REFUSED,
  type Breaker,
  type BreakerClass,
  breakerOpenMs,
  breakerRetryAfterMs,
  breakerStateAt,
  createBreaker,
  enterBreaker,
  HALF_OPEN_LEASES,
  leaveBreaker,
} from './breaker.js'
import type { BreakerOptions } from './breaker-options.js'

const make = (options: BreakerOptions = {}, random = 0): Breaker => createBreaker(options, () => random)

function callOnce(breaker: Breaker, ended: BreakerClass, nowAt: number): number {
  const ticket = enterBreaker(breaker, nowAt)
  leaveBreaker(breaker, ticket, ended, nowAt)
  return ticket
}

function callTimes(breaker: Breaker, times: number, ended: BreakerClass, nowAt: number): void {
  for (let call = 0; call < times; call += 1) callOnce(breaker, ended, nowAt)
}

describe('opening by failures in a row', () => {
  test('opens at the fifth, not at the fourth', () => {
    const breaker = make()
    callTimes(breaker, 4, 'failure', 0)
    expect(breakerStateAt(breaker, 0)).toBe('closed')
    callOnce(breaker, 'failure', 0)
    expect(breakerStateAt(breaker, 0)).toBe('open')
    expect(enterBreaker(breaker, 0)).toBe(BREAKER_REFUSED)
  })

  test('a success between starts the count again; overload and neutral neither count nor reset', () => {
    const breaker = make({ consecutive: 3 })
    for (const ended of ['failure', 'failure', 'success', 'failure', 'failure', 'overload', 'neutral', 'overload'] as const) {
      callOnce(breaker, ended, 0)
    }
    expect(breakerStateAt(breaker, 0)).toBe('closed')
    callOnce(breaker, 'failure', 0)
    expect(breakerStateAt(breaker, 0)).toBe('open')
  })
})

describe('opening by the failure rate', () => {
  test('needs 20 calls and half of them failed', () => {
    const breaker = make({ failureRate: 0.5 })
    callTimes(breaker, 9, 'failure', 0)
    callTimes(breaker, 10, 'success', 1)
    expect(breakerStateAt(breaker, 1)).toBe('closed')
    callOnce(breaker, 'overload', 2)
    expect(breakerStateAt(breaker, 2)).toBe('open')
  })

  test('a success that completes the fewest calls is judged too', () => {
    const breaker = make({ failureRate: 0.5, minCalls: 10 })
    callTimes(breaker, 9, 'failure', 0)
    expect(breakerStateAt(breaker, 0)).toBe('closed')
    callOnce(breaker, 'success', 0)
    expect(breakerStateAt(breaker, 0)).toBe('open')
  })

  test('failures that left the window do not count', () => {
    const breaker = make({ failureRate: 0.5 })
    callTimes(breaker, 15, 'failure', 0)
    callTimes(breaker, 15, 'failure', 10_000)
    expect(breakerStateAt(breaker, 10_000)).toBe('closed')
    callTimes(breaker, 5, 'failure', 10_500)
    expect(breakerStateAt(breaker, 10_500)).toBe('open')
  })

  test('over a window of calls time does not matter', () => {
    const breaker = make({ failureRate: 0.5, windowCalls: 10, minCalls: 10 })
    callTimes(breaker, 6, 'success', 0)
    callTimes(breaker, 4, 'failure', 60_000)
    expect(breakerStateAt(breaker, 60_000)).toBe('closed')
    callOnce(breaker, 'failure', 3_600_000)
    expect(breakerStateAt(breaker, 3_600_000)).toBe('open')
  })

  test('neutral calls do not dilute the rate: refusals of our own layers never open it', () => {
    const breaker = make({ failureRate: 0.5, consecutive: 5 })
    callTimes(breaker, 1_000, 'neutral', 0)
    expect(breaker.failures.total).toBe(0)
    expect(breakerStateAt(breaker, 0)).toBe('closed')
  })
})

describe('opening by slow calls', () => {
  const slow = { slowMs: 100, slowRate: 0.5, minCalls: 4 }

  test('calls still in flight beyond the threshold count: a callee that hangs is found before anything ends', () => {
    const breaker = make(slow)
    for (let call = 0; call < 4; call += 1) enterBreaker(breaker, call)
    expect(enterBreaker(breaker, 102)).not.toBe(BREAKER_REFUSED)
    expect(enterBreaker(breaker, 103)).toBe(BREAKER_REFUSED)
    expect(breakerStateAt(breaker, 103)).toBe('open')
  })

  test('a call counts as slow once, whether it is found in flight or at its end', () => {
    const breaker = make(slow)
    const tickets = [0, 0, 0].map((at) => enterBreaker(breaker, at))
    callOnce(breaker, 'success', 150)
    for (const ticket of tickets) leaveBreaker(breaker, ticket, 'success', 160)
    expect([breaker.slow.total, breaker.slow.marked]).toEqual([4, 3])
    expect(breakerStateAt(breaker, 160)).toBe('open')
  })

  test('quick calls below the rate keep it closed', () => {
    const breaker = make(slow)
    const ticket = enterBreaker(breaker, 0)
    callTimes(breaker, 3, 'success', 50)
    leaveBreaker(breaker, ticket, 'success', 100)
    expect([breaker.slow.total, breaker.slow.marked]).toEqual([4, 1])
    expect(breakerStateAt(breaker, 100)).toBe('closed')
  })

  test('opens at exactly the rate', () => {
    const breaker = make(slow)
    const tickets = [0, 0].map((at) => enterBreaker(breaker, at))
    callTimes(breaker, 2, 'success', 50)
    for (const ticket of tickets) leaveBreaker(breaker, ticket, 'success', 100)
    expect(breakerStateAt(breaker, 100)).toBe('open')
  })

  test('is judged anew when the quick calls have left the window', () => {
    const breaker = make(slow)
    callTimes(breaker, 5, 'success', 0)
    const tickets = [0, 0, 0, 0].map(() => enterBreaker(breaker, 5_000))
    for (const ticket of tickets) leaveBreaker(breaker, ticket, 'success', 5_100)
    expect(enterBreaker(breaker, 9_999)).not.toBe(BREAKER_REFUSED)
    expect(enterBreaker(breaker, 10_000)).toBe(BREAKER_REFUSED)
  })

  test('a call cancelled in time says nothing about speed', () => {
    const breaker = make(slow)
    leaveBreaker(breaker, enterBreaker(breaker, 0), 'neutral', 99)
    expect(breaker.slow.total).toBe(0)
  })
})

describe('staying open', () => {
  test('a declared time is exact and the refusal says how long', () => {
    const breaker = make({ consecutive: 1, openMs: 10_000 }, 0.9)
    callOnce(breaker, 'failure', 500)
    expect(breakerRetryAfterMs(breaker, 500)).toBe(10_000)
    expect(breakerRetryAfterMs(breaker, 10_499)).toBe(1)
    expect(enterBreaker(breaker, 10_499)).toBe(BREAKER_REFUSED)
    expect(breakerStateAt(breaker, 10_500)).toBe('half-open')
    expect(enterBreaker(breaker, 10_500)).not.toBe(BREAKER_REFUSED)
  })

  test('the default doubles from one second to one minute while probes fail, and starts again after it was closed', () => {
    const breaker = make({})
    callTimes(breaker, 5, 'failure', 0)
    const periodsMs: number[] = []
    let nowAt = 0
    for (let opening = 0; opening < 9; opening += 1) {
      periodsMs.push(breakerRetryAfterMs(breaker, nowAt))
      nowAt += breakerRetryAfterMs(breaker, nowAt)
      callOnce(breaker, 'failure', nowAt)
    }
    expect(periodsMs).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000])
    nowAt += 60_000
    callTimes(breaker, 3, 'success', nowAt)
    expect(breakerStateAt(breaker, nowAt)).toBe('closed')
    callTimes(breaker, 5, 'failure', nowAt)
    expect(breakerRetryAfterMs(breaker, nowAt)).toBe(1_000)
  })

  test('jitter shortens a period by at most a fifth', () => {
    const breaker = make({ consecutive: 1 }, 0.999_999)
    callOnce(breaker, 'failure', 0)
    expect(breakerRetryAfterMs(breaker, 0)).toBeCloseTo(800, 2)
  })

  test('needs no timer: however long nobody asks, the next call is a probe', () => {
    const breaker = make({ consecutive: 1 })
    callOnce(breaker, 'failure', 0)
    expect(callOnce(breaker, 'success', 1e9)).not.toBe(BREAKER_REFUSED)
  })

  test('counts the time it was open, not the time it was half-open', () => {
    const breaker = make({ consecutive: 1, openMs: 1_000, probes: 1 })
    callOnce(breaker, 'failure', 0)
    expect(breakerOpenMs(breaker, 400)).toBe(400)
    const probe = enterBreaker(breaker, 1_500)
    leaveBreaker(breaker, probe, 'failure', 2_000)
    expect(breakerOpenMs(breaker, 2_250)).toBe(1_250)
    callOnce(breaker, 'success', 3_000)
    expect(breakerOpenMs(breaker, 99_000)).toBe(2_000)
  })
})

describe('half-open', () => {
  const halfOpen = (options: BreakerOptions = {}): Breaker => {
    const breaker = make({ consecutive: 1, openMs: 1_000, leaseMs: 500, ...options })
    callOnce(breaker, 'failure', 0)
    return breaker
  }

  test('lets three probes through and closes when all three succeed', () => {
    const breaker = halfOpen()
    const probes = [1, 2, 3].map(() => enterBreaker(breaker, 1_000))
    expect(enterBreaker(breaker, 1_001)).toBe(BREAKER_REFUSED)
    for (const probe of probes) leaveBreaker(breaker, probe, 'success', 1_010)
    expect(breakerStateAt(breaker, 1_010)).toBe('closed')
  })

  test.each(['failure', 'overload'] as const)('one %s opens it again', (ended) => {
    const breaker = halfOpen()
    callTimes(breaker, 2, 'success', 1_000)
    callOnce(breaker, ended, 1_100)
    expect(breakerStateAt(breaker, 1_100)).toBe('open')
  })

  test('a slow probe is a failed one', () => {
    const breaker = halfOpen({ slowMs: 100 })
    const probe = enterBreaker(breaker, 1_000)
    leaveBreaker(breaker, probe, 'success', 1_100)
    expect(breakerStateAt(breaker, 1_100)).toBe('open')
  })

  test('a lease returned by an inner refusal or a cancel is free for the next call', () => {
    const breaker = halfOpen({ probes: 1 })
    callTimes(breaker, 10, 'neutral', 1_000)
    expect(callOnce(breaker, 'success', 1_001)).not.toBe(BREAKER_REFUSED)
    expect(breakerStateAt(breaker, 1_001)).toBe('closed')
  })

  test('a probe that never returns has failed when its lease ends, and its late answer is ignored', () => {
    const breaker = halfOpen({ probes: 1 })
    const lost = enterBreaker(breaker, 1_000)
    expect(breakerStateAt(breaker, 1_499)).toBe('half-open')
    expect(breakerStateAt(breaker, 1_500)).toBe('open')
    expect(enterBreaker(breaker, 2_499)).toBe(BREAKER_REFUSED)
    leaveBreaker(breaker, lost, 'success', 2_499)
    expect(breakerStateAt(breaker, 2_499)).toBe('open')
    expect(breakerStateAt(breaker, 2_500)).toBe('half-open')
  })

  test('an answer after the end of its lease is late even when nobody looked before', () => {
    const breaker = halfOpen({ probes: 1 })
    leaveBreaker(breaker, enterBreaker(breaker, 1_000), 'success', 1_500)
    expect(breakerStateAt(breaker, 1_500)).toBe('open')
  })

  test('each time it is half-open all probes have to succeed again', () => {
    const breaker = halfOpen()
    callTimes(breaker, 2, 'success', 1_000)
    callOnce(breaker, 'failure', 1_000)
    callTimes(breaker, 2, 'success', 2_000)
    expect(breakerStateAt(breaker, 2_000)).toBe('half-open')
    callOnce(breaker, 'success', 2_000)
    expect(breakerStateAt(breaker, 2_000)).toBe('closed')
  })

  test('once closed it counts from nothing, and what started before it opened does not count', () => {
    const breaker = make({ openMs: 1_000 })
    const before = [1, 2, 3, 4, 5].map(() => enterBreaker(breaker, 0))
    callTimes(breaker, 5, 'failure', 0)
    callTimes(breaker, 3, 'success', 1_000)
    for (const ticket of before) leaveBreaker(breaker, ticket, 'failure', 1_001)
    expect([breaker.failures.total, breakerStateAt(breaker, 1_001)]).toEqual([0, 'closed'])
    callTimes(breaker, 4, 'failure', 1_002)
    expect(breakerStateAt(breaker, 1_002)).toBe('closed')
  })

  test('a result of before the trip neither closes nor opens it', () => {
    const breaker = make({ consecutive: 1, openMs: 1_000, probes: 1 })
    const before = enterBreaker(breaker, 0)
    callOnce(breaker, 'failure', 0)
    const probe = enterBreaker(breaker, 1_000)
    leaveBreaker(breaker, before, 'success', 1_001)
    expect(breakerStateAt(breaker, 1_001)).toBe('half-open')
    leaveBreaker(breaker, before, 'failure', 1_002)
    expect(breakerStateAt(breaker, 1_002)).toBe('half-open')
    leaveBreaker(breaker, probe, 'success', 1_003)
    expect(breakerStateAt(breaker, 1_003)).toBe('closed')
  })

  test('one probe told twice counts once', () => {
    const breaker = halfOpen()
    const probe = enterBreaker(breaker, 1_000)
    for (let times = 0; times < 3; times += 1) leaveBreaker(breaker, probe, 'success', 1_001)
    expect(breakerStateAt(breaker, 1_001)).toBe('half-open')
  })

  test('with too little traffic to decide it closes on what succeeded', () => {
    const breaker = halfOpen()
    callOnce(breaker, 'success', 1_000)
    expect(breakerStateAt(breaker, 1_000 + HALF_OPEN_LEASES * 500)).toBe('closed')
  })

  test('when no probe said anything it opens for the same time again, not for twice as long', () => {
    const breaker = make({ consecutive: 1, leaseMs: 500 })
    callOnce(breaker, 'failure', 0)
    callOnce(breaker, 'neutral', 1_000)
    expect(breakerStateAt(breaker, 2_500)).toBe('open')
    expect(breakerRetryAfterMs(breaker, 2_500)).toBe(1_000)
  })
})

test('telling a refused ticket does nothing', () => {
  const breaker = make({ consecutive: 1 })
  leaveBreaker(breaker, BREAKER_REFUSED, 'failure', 0)
  leaveBreaker(breaker, breaker.nextTicket, 'failure', 0)
  expect(breakerStateAt(breaker, 0)).toBe('closed')
})
