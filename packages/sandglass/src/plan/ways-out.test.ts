import { expect, test } from 'vitest'
import { readChainText } from '../model/read-chain.js'
import { EXACT_CHAIN } from './exact-chain.fixture.js'
import { type JourneyPlan, planChain } from './plan.js'
import type { PlanOptions } from './plan-options.js'

function planOf(promiseMs: number, options: Partial<PlanOptions>): JourneyPlan {
  const [journey] = planChain(readChainText(EXACT_CHAIN.replace('560ms', `${promiseMs}ms`)).chain, options).journeys
  if (!journey) throw new Error('nothing is planned')
  return journey
}

test.each<[number, Partial<PlanOptions>]>([
  [100, {}],
  [560, { target: 0.95 }],
  [560, { target: 0.95, gridMs: 70 }],
  [560, { keepTail: true }],
  [600, { keepTail: true, gridMs: 7 }],
])('a promise of %d ms with %o: the longer one that is suggested fits, and leads to what it says', (promiseMs, options) => {
  const plan = planOf(promiseMs, options)
  expect(plan.feasible).toBe(false)
  const way = plan.waysOut.find(({ change }) => change.startsWith('promise '))
  const longer = /^promise ([\d.]+) (m?s) /.exec(way?.change ?? '')
  const longerMs = Math.round(Number(longer?.[1]) * (longer?.[2] === 's' ? 1000 : 1))
  const replanned = planOf(longerMs, options)
  expect(replanned).toMatchObject({ feasible: true, shortByMs: 0 })
  expect(way?.success).toBeCloseTo(replanned.success, 9)
})

test('tails that are to be kept count in what is missing, and in the limits that are shown', () => {
  const plan = planOf(560, { keepTail: true })
  // p99s in whole ms: 98 + 287 + 491.
  expect(plan.shortByMs).toBe(876 - 560)
  for (const { timeoutMs, planned } of plan.calls) expect(timeoutMs).toBeGreaterThanOrEqual(planned.leastAttemptMs)
  expect(plan.notes.map(({ message }) => message).join()).toContain('worth starting with (p99s, network')
  for (const { success, shortByMs } of plan.waysOut) if (shortByMs === 0) expect(success).toBeGreaterThan(0.5)
})
