import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createHedge, type Hedge, recentHedgeP95Ms, recordHedgeLoser, recordHedgeWinner, startHedgeable, tryHedge } from './hedge.js'
import { quantileMs } from './latency-sketch.js'
import { createRetryBudget, retryTokens, spendRetry } from './retry-budget.js'

function learnt(): Hedge {
  const hedge = createHedge()
  for (let ms = 1; ms <= 100; ms += 1) {
    startHedgeable(hedge, 0)
    recordHedgeWinner(hedge, ms, 0)
  }
  return hedge
}

describe('when', () => {
  test('after the recent p95, and never before there are twenty samples', () => {
    const hedge = createHedge()
    for (let sample = 0; sample < 19; sample += 1) recordHedgeWinner(hedge, 10, 0)
    expect(startHedgeable(hedge, 0)).toBe(Infinity)
    recordHedgeWinner(hedge, 10, 0)
    expect(startHedgeable(hedge, 0)).toBeCloseTo(10, 0)
    expect(startHedgeable(learnt(), 0)).toBeCloseTo(95, -1)
  })

  test('what left the window counts for nothing', () => {
    const hedge = learnt()
    expect(recentHedgeP95Ms(hedge, 9_999)).toBeGreaterThan(80)
    expect(startHedgeable(hedge, 10_000)).toBe(Infinity)
    expect(recentHedgeP95Ms(hedge, 10_000)).toBeNaN()
  })

  test('a declared delay needs no samples', () => {
    expect(startHedgeable(createHedge({ afterMs: 30 }), 0)).toBe(30)
  })
})

describe('how many', () => {
  test('at most a tenth of the calls of the window', () => {
    const hedge = learnt()
    let sent = 0
    while (tryHedge(hedge, null, 0) >= 0) sent += 1
    expect(sent).toBe(10)
    expect(tryHedge(hedge, null, 9_999)).toBe(-1)
    for (let call = 0; call < 10; call += 1) startHedgeable(hedge, 10_000)
    expect(tryHedge(hedge, null, 10_000)).toBe(0)
    expect(tryHedge(hedge, null, 20_000)).toBe(-1)
  })

  test('a second copy is paid from the budget of the retries and is not sent when that is empty', () => {
    const hedge = learnt()
    const budget = createRetryBudget({ capacity: 7 })
    expect(tryHedge(hedge, budget, 0)).toBe(3)
    expect(retryTokens(budget)).toBe(4)
    spendRetry(budget, 'error')
    expect(tryHedge(hedge, budget, 0)).toBe(-1)
    expect(hedge.calls.marked).toBe(1)
  })

  test('never more than the share, in any order of calls, hedges and time', () => {
    const event = fc.oneof(fc.constant('call'), fc.constant('hedge'), fc.nat(3_000))
    fc.assert(
      fc.property(fc.array(event, { maxLength: 300 }), fc.double({ min: 0.01, max: 1, noNaN: true }), (events, maxExtra) => {
        const hedge = createHedge({ maxExtra })
        let nowAt = 0
        let [calls, sent] = [0, 0]
        for (const next of events) {
          if (typeof next === 'number') nowAt += next
          else if (next === 'call') {
            startHedgeable(hedge, nowAt)
            calls += 1
          } else if (tryHedge(hedge, null, nowAt) >= 0) {
            sent += 1
            expect(hedge.calls.marked).toBeLessThanOrEqual(maxExtra * hedge.calls.total)
          }
        }
        // A hedge may outlive the call it belongs to in the window by one bucket; over all it is the same share.
        expect(sent).toBeLessThanOrEqual(calls)
      }),
    )
  })
})

describe('losers are censored', () => {
  test('those cancelled early say nothing, so the callee does not look quick', () => {
    const hedge = learnt()
    const before = quantileMs(hedge.ended, 0.95, 0)
    for (let loser = 0; loser < 500; loser += 1) recordHedgeLoser(hedge, 0.5, 0)
    expect(recentHedgeP95Ms(hedge, 0)).toBe(before)
  })

  test('those cancelled late are slow ones: leaving them out would make the callee look quick', () => {
    const hedge = learnt()
    const before = quantileMs(hedge.ended, 0.95, 0)
    for (let loser = 0; loser < 20; loser += 1) recordHedgeLoser(hedge, 99, 0)
    expect(recentHedgeP95Ms(hedge, 0)).toBeGreaterThan(before)
  })
})
