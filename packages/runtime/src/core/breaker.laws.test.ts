import fc from 'fast-check'
import { expect, test } from 'vitest'
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

// What can happen to a breaker: a call starts; one of the unfinished ones ends, is cancelled, or is refused by an inner layer
// (`neutral`), possibly twice; time passes. A call that is never picked again never returns.
type Step = { start: true } | { end: number; as: BreakerClass; again: boolean } | { waitMs: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Step>({ start: true }) },
  {
    weight: 4,
    arbitrary: fc.record({
      end: fc.nat(30),
      as: fc.constantFrom<BreakerClass>('success', 'failure', 'failure', 'overload', 'neutral'),
      again: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ waitMs: fc.oneof(fc.nat(20), fc.nat(600), fc.nat(20_000)) }) },
)

const options: fc.Arbitrary<BreakerOptions> = fc.record(
  {
    windowMs: fc.integer({ min: 10, max: 5_000 }),
    consecutive: fc.integer({ min: 1, max: 4 }),
    failureRate: fc.constantFrom(0.1, 0.5, 1),
    minCalls: fc.integer({ min: 1, max: 6 }),
    probes: fc.integer({ min: 1, max: 4 }),
    slowMs: fc.constantFrom(50, 300),
    leaseMs: fc.integer({ min: 10, max: 500 }),
    openMs: fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.constant({ baseMs: 100, maxMs: 2_000 })),
  },
  { requiredKeys: [] },
)

interface Played {
  readonly breaker: Breaker
  readonly unfinished: number[]
  nowAt: number
}

function play(given: BreakerOptions, steps: readonly Step[], afterEach: (played: Played) => void): Played {
  const played: Played = { breaker: createBreaker(given, () => 0.5), unfinished: [], nowAt: 0 }
  for (const next of steps) {
    apply(played, next)
    afterEach(played)
  }
  return played
}

function apply(played: Played, next: Step): void {
  const { breaker, unfinished } = played
  if ('waitMs' in next) played.nowAt += next.waitMs
  else if ('start' in next) {
    const ticket = enterBreaker(breaker, played.nowAt)
    if (ticket !== BREAKER_REFUSED) unfinished.push(ticket)
  } else if (unfinished.length > 0) {
    const at = next.end % unfinished.length
    leaveBreaker(breaker, unfinished[at]!, next.as, played.nowAt)
    if (!next.again) unfinished.splice(at, 1)
  }
}

function longestOpenMs(given: BreakerOptions): number {
  const openMs = given.openMs ?? 60_000
  return typeof openMs === 'number' ? openMs : openMs.maxMs
}

test('after any interleaving it leaves half-open by the clock alone, even if nothing ever returns', () => {
  fc.assert(
    fc.property(options, fc.array(step, { maxLength: 200 }), (given, steps) => {
      const { breaker, nowAt } = play(given, steps, () => {})
      if (breakerStateAt(breaker, nowAt) !== 'half-open' || breaker.state !== 'half-open') return
      const laterAt = nowAt + HALF_OPEN_LEASES * breaker.rules.leaseMs
      breakerStateAt(breaker, laterAt)
      // It may read half-open again because a short open period is over as well; then the next call is a probe.
      expect(breaker.state).not.toBe('half-open')
      if (laterAt >= breaker.openUntilAt) expect(enterBreaker(breaker, laterAt)).not.toBe(BREAKER_REFUSED)
    }),
    { numRuns: 500 },
  )
})

test('after any interleaving, if the callee is well and calls keep coming, it is closed in bounded time', () => {
  fc.assert(
    fc.property(options, fc.array(step, { maxLength: 200 }), (given, steps) => {
      const { breaker, nowAt } = play(given, steps, () => {})
      const boundMs = longestOpenMs(given) + HALF_OPEN_LEASES * breaker.rules.leaseMs
      let at = nowAt
      let admitted = 0
      // Two open periods: one that was running, one that a probe lost before may still cause.
      while (at <= nowAt + 2 * boundMs + 10) {
        const ticket = enterBreaker(breaker, at)
        if (ticket !== BREAKER_REFUSED) admitted += 1
        leaveBreaker(breaker, ticket, 'success', at)
        at += Math.max(1, boundMs / 50)
      }
      expect(admitted).toBeGreaterThan(0)
      expect(breakerStateAt(breaker, at)).toBe('closed')
    }),
    { numRuns: 300 },
  )
})

test('never more probes at once than allowed, and never one while it is open', () => {
  fc.assert(
    fc.property(options, fc.array(step, { maxLength: 200 }), (given, steps) => {
      play(given, steps, ({ breaker, nowAt }) => {
        const { leased, probesPassed, rules, state } = breaker
        expect(leased).toBeGreaterThanOrEqual(0)
        expect(leased + probesPassed).toBeLessThanOrEqual(rules.probes)
        if (state !== 'half-open') expect(leased).toBe(0)
        expect(breaker.leaseTickets.filter((ticket) => ticket !== BREAKER_REFUSED).length).toBe(leased)
        expect(breakerRetryAfterMs(breaker, nowAt)).toBeLessThanOrEqual(longestOpenMs(given))
        expect(breaker.failures.marked).toBeLessThanOrEqual(breaker.failures.total)
        expect(breaker.slow.marked).toBeLessThanOrEqual(breaker.slow.total)
      })
    }),
    { numRuns: 300 },
  )
})

test('the time it was open never shrinks and never exceeds the time that passed', () => {
  fc.assert(
    fc.property(options, fc.array(step, { maxLength: 150 }), (given, steps) => {
      let before = 0
      play(given, steps, ({ breaker, nowAt }) => {
        breakerStateAt(breaker, nowAt)
        const openMs = breakerOpenMs(breaker, nowAt)
        expect(openMs).toBeGreaterThanOrEqual(before - 1e-6)
        expect(openMs).toBeLessThanOrEqual(nowAt + 1e-6)
        before = openMs
      })
    }),
  )
})

test('results of an earlier generation change nothing', () => {
  fc.assert(
    fc.property(options, fc.array(step, { maxLength: 150 }), fc.constantFrom<BreakerClass>('success', 'failure'), (given, steps, ended) => {
      const { breaker, nowAt } = play(given, steps, () => {})
      breakerStateAt(breaker, nowAt)
      const before = JSON.stringify(breaker)
      for (let ticket = Math.max(0, breaker.firstTicket - 20); ticket < breaker.firstTicket; ticket += 1)
        leaveBreaker(breaker, ticket, ended, nowAt)
      expect(JSON.stringify(breaker)).toBe(before)
    }),
  )
})
