import { describe, expect, it } from 'vitest'
import { middleOf, type Prediction, predictionOf } from './predict.js'

const json = {
  journeys: { buy: { offered: 1000, succeeded: 600, degraded: 250, failed: 100, goodputPerS: 85, p50Ms: 40, p99Ms: 300 } },
  operations: {
    'order.create': { amplification: 1, busyMean: 2, orphanedMs: 100 },
    'order.cancel': { amplification: 0.5, busyMean: 0, orphanedMs: 0 },
    'bank.pay': { amplification: 3, busyMean: 9, orphanedMs: 9000 },
  },
  series: {
    windowMs: 1000,
    journeys: {
      buy: { goodputPerS: [50, 50, 50, 20, 30, 30, 49, 50], failed: [0, 0, 0, 10, 5, 5, 0, 0], offered: [50, 50, 50, 50, 50, 50, 50, 50] },
    },
  },
}
const times = { durationMs: 8000, warmupMs: 1000, promiseMs: 300, fault: { fromMs: 3000, toMs: 5000 } }
const prediction = (): Prediction => predictionOf('any', json, times, new Set(['bank']))

describe('a prediction', () => {
  it('has the numbers of the simulation, by service, and orphaned work of our services only', () => {
    expect(prediction().summary).toMatchObject({
      answeredShare: 0.95,
      usefulShare: 0.85,
      degradedShare: 0.25,
      goodputPerS: 85,
      p50Ms: 40,
      amplification: { order: 1.5, bank: 3 },
    })
    expect(prediction().summary.orphanedShare).toBeCloseTo(100 / (2 * 7000), 10)
  })

  it('sees time in whole windows: the fault, and the first good window after it that stays good', () => {
    expect(prediction().summary.underFault).toEqual({ usefulShare: 0.5, answeredShare: 0.65, goodputPerS: 25 })
    expect(prediction().summary.recoveryMs).toBe(1000)
  })

  it('is the middle one of several, and never counts as later than any time', () => {
    const with_ = (p50Ms: number, recoveryMs: number | null): Prediction => ({
      ...prediction(),
      summary: { ...prediction().summary, p50Ms, recoveryMs },
    })
    expect(middleOf([with_(10, 0), with_(9000, null), with_(12, 500)]).summary).toMatchObject({ name: 'any', p50Ms: 12, recoveryMs: 500 })
    expect(middleOf([with_(10, 0), with_(11, null), with_(12, null)]).summary.recoveryMs).toBeNull()
  })
})
