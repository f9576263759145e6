import { describe, expect, it } from 'vitest'
import type { End, SentRequest } from '../load/sent-request.js'
import { type Counters, noCounters } from '../service/counters.js'
import { goodputSeries } from './series.js'
import { pooled, type RunFacts, summarize } from './summary.js'

const sent = (intendedMs: number, latencyMs: number, end: End): SentRequest => ({ intendedMs, latencyMs, end })
const counted = (parts: Partial<Counters>): Counters => ({ ...noCounters(), ...parts })
const times = { durationMs: 1000, warmupMs: 100, promiseMs: 300, fault: { fromMs: 500, toMs: 700 } }
const facts = (requests: SentRequest[], services: RunFacts['services'] = {}): RunFacts => ({ name: 'any', times, requests, services })

describe('the numbers of an arm', () => {
  it('count what was to be sent after the warm-up: a clear failure is an answer, a late one and silence are not', () => {
    const summary = summarize(
      facts([
        sent(50, 900, 'gave-up'),
        sent(200, 10, 'full'),
        sent(300, 20, 'degraded'),
        sent(400, 5, 'failed'),
        sent(550, 301, 'full'),
        sent(600, 300, 'gave-up'),
        sent(800, 1, 'broken'),
        sent(810, 300, 'full'),
        sent(820, 400, 'failed'),
      ]),
    )
    expect(summary.answeredShare).toBeCloseTo(4 / 8, 10)
    expect(summary.usefulShare).toBeCloseTo(3 / 8, 10)
    expect(summary.degradedShare).toBeCloseTo(1 / 8, 10)
    expect(summary.underFault).toMatchObject({ answeredShare: 0, usefulShare: 0 })
  })

  it('takes percentiles over answers, late ones included, and not over failures', () => {
    const requests = [
      ...Array.from({ length: 98 }, (_, i) => sent(200, i + 1, 'full')),
      sent(200, 900, 'full'),
      sent(200, 950, 'degraded'),
      sent(200, 1, 'failed'),
    ]
    expect(summarize(facts(requests))).toMatchObject({ p50Ms: 50, p99Ms: 900 })
    expect(summarize(facts([sent(200, 1, 'failed')]))).toMatchObject({ p50Ms: null, p99Ms: null })
  })

  it('counts goodput by when answers come: one sent before the fault and answered during it counts during it', () => {
    const summary = summarize(facts([sent(400, 200, 'full'), sent(650, 100, 'full'), sent(950, 100, 'full')]))
    expect(summary.goodputPerS).toBeCloseTo(2 / 0.9, 10)
    expect(summary.underFault?.goodputPerS).toBeCloseTo(1 / 0.2, 10)
    expect(
      goodputSeries(summarize(facts([])).name === 'any' ? [sent(400, 200, 'full'), sent(650, 100, 'full')] : [], 300, 1000, 500),
    ).toEqual([0, 4])
  })

  it('counts orphaned work of our services only, and amplification of all', () => {
    const summary = summarize(
      facts([sent(200, 1, 'full'), sent(210, 1, 'full')], {
        order: {
          isOurs: true,
          from: counted({ arrivals: 10, busyMs: 100, orphanedMs: 50 }),
          to: counted({ arrivals: 16, busyMs: 300, orphanedMs: 60 }),
        },
        bank: { isOurs: false, from: counted({}), to: counted({ arrivals: 4, busyMs: 1000, orphanedMs: 1000 }) },
      }),
    )
    expect(summary.orphanedShare).toBeCloseTo(10 / 200, 10)
    expect(summary.amplification).toEqual({ order: 3, bank: 2 })
  })

  it('of several runs together have the mean goodput and the shares of all requests', () => {
    const one = facts([sent(200, 1, 'full'), sent(300, 1, 'failed')], {
      order: { isOurs: true, from: counted({}), to: counted({ arrivals: 2 }) },
    })
    const two = facts([sent(200, 1, 'full'), sent(300, 1, 'full')], {
      order: { isOurs: true, from: counted({}), to: counted({ arrivals: 4 }) },
    })
    const both = summarize(pooled([one, two]))
    expect(both.goodputPerS).toBeCloseTo((summarize(one).goodputPerS + summarize(two).goodputPerS) / 2, 10)
    expect(both.usefulShare).toBeCloseTo(3 / 4, 10)
    expect(both.amplification).toEqual({ order: 1.5 })
  })
})
