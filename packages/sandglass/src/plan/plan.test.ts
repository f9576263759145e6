import { expect, test } from 'vitest'
import { readChainText } from '../model/read-chain.js'
import { EXACT_CHAIN } from './exact-chain.fixture.js'
import { type JourneyPlan, planChain } from './plan.js'
import type { PlanOptions } from './plan-options.js'

const PROPAGATED = EXACT_CHAIN.replace('  shop:\n', '  shop:\n    deadline: propagate\n')

function planned(text: string, options: Partial<PlanOptions> = {}): JourneyPlan {
  const { chain, problems } = readChainText(text)
  expect(problems).toEqual([])
  const [journey] = planChain(chain, { gridMs: 10, ...options }).journeys
  if (!journey) throw new Error('no journey was planned')
  return journey
}

test('the exact-answer chain: static .828357, and what the rules of thumb would give', () => {
  const plan = planned(EXACT_CHAIN)
  expect(plan).toMatchObject({ mode: 'static', feasible: true, shortByMs: 0, promiseMs: 560 })
  expect(plan.success).toBeCloseTo(0.828357, 6)
  const thumbs = Object.fromEntries(plan.alternatives.map(({ name, success }) => [name, success]))
  expect(thumbs.equal).toBeCloseTo(0.737871, 6)
  expect(thumbs.mean).toBeCloseTo(0.79077, 6)
  expect(thumbs.p99).toBeCloseTo(0.79871, 6)
})

test('the same chain where the deadline is propagated reaches .953548', () => {
  const plan = planned(PROPAGATED)
  expect(plan.mode).toBe('propagated')
  expect(Math.abs(plan.success - 0.953548)).toBeLessThan(2e-6)
})

test('95 % needs 889.48 ms of hard budgets, and 543.19 ms of a propagated one', () => {
  const hard = planned(EXACT_CHAIN, { target: 0.95 })
  expect(hard.feasible).toBe(false)
  expect(Math.abs(560 + hard.shortByMs - 889.48)).toBeLessThan(0.02)
  const handedOn = planned(PROPAGATED.replace('promise: 560ms', 'promise: 500ms'), { target: 0.95 })
  expect(Math.abs(500 + handedOn.shortByMs - 543.19)).toBeLessThan(0.02)
})

test('an infeasible plan names three ways out, each with what it would bring', () => {
  const plan = planned(EXACT_CHAIN, { target: 0.95 })
  expect(plan.waysOut).toHaveLength(3)
  expect(plan.waysOut.map(({ change }) => change)).toContain('promise 890 ms instead of 560 ms')
  for (const way of plan.waysOut) expect(way.success).toBeGreaterThan(plan.success)
})
