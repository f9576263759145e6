import { expect, test } from 'vitest'
import { readChainText } from '../model/read-chain.js'
import { viewOf } from '../model/view.js'
import { EXACT_CHAIN } from './exact-chain.fixture.js'
import { PLAN_DEFAULTS } from './plan-options.js'
import { type PlanTree, planTree } from './plan-tree.js'
import { StaticPlanner } from './static-plan.js'
import { successOf } from './static-success.js'

function treeOf(text: string): PlanTree {
  const { chain, problems } = readChainText(text)
  expect(problems).toEqual([])
  const start = chain.journeys[0]?.start
  if (!start) throw new Error('no start')
  const tree = planTree(viewOf(chain), start, PLAN_DEFAULTS)
  if ('tooMany' in tree) throw new Error('too many')
  return tree
}

test('the static optimum of the exact-answer chain is 80/200/280 with success .828357', () => {
  const { root } = treeOf(EXACT_CHAIN)
  const decisions = new StaticPlanner(root, 560, 10, PLAN_DEFAULTS).decisions()
  expect(Object.fromEntries(decisions.map((decision) => [decision.planned.call.to.value, decision.timeoutMs]))).toEqual({
    'auth.check': 80,
    'catalog.get': 200,
    'price.get': 200,
    'pay.charge': 280,
  })
  expect(successOf(root, decisions, 560).success).toBeCloseTo(0.828357, 6)
})
