import { describe, expect, it } from 'vitest'
import type { RunFacts } from '../measure/summary.js'
import { gapAroundMedian, reasonsFor } from './reasons.js'

const facts = (...latencies: number[]): RunFacts => ({
  name: 'any',
  times: { durationMs: 1000, warmupMs: 0, promiseMs: 500, fault: null },
  requests: latencies.map((latencyMs) => ({ intendedMs: 10, latencyMs, end: 'full' as const })),
  services: {},
})
const many = (count: number, ms: number): number[] => Array.from({ length: count }, () => ms)
const off = [{ what: 'p50Ms' as const, share: 0.5, isNear: false }]

describe('the reason for a prediction that is off', () => {
  it('is seen in the run where the median lies between two kinds of answers', () => {
    expect(gapAroundMedian(facts(...many(50, 40), ...many(50, 300)))).toContain('45 % took at most 40 ms, 55 % at most 300 ms')
    expect(gapAroundMedian(facts(...many(80, 40), ...many(20, 300)))).toBeNull()
    expect(gapAroundMedian(facts())).toBeNull()
  })

  it('names the gap first, then what the simulator does not know of the arm', () => {
    expect(reasonsFor('opossum', facts(...many(50, 40), ...many(50, 300)), off, false)).toMatch(/^the median lies .*; its breaker counts /)
    expect(reasonsFor('opossum', facts(...many(99, 40)), off, false)).toMatch(/^its breaker counts /)
  })

  it('is the untold fault where there was one, and nothing where all is near', () => {
    expect(reasonsFor('sandglass', facts(40), off, true)).toContain('not told')
    expect(reasonsFor('sandglass', facts(40), [{ what: 'p50Ms', share: 0.01, isNear: true }], true)).toBe('')
  })
})
