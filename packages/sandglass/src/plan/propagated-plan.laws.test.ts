import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readChainText } from '../model/read-chain.js'
import { viewOf } from '../model/view.js'
import type { PlanCall } from './plan-call.js'
import { PLAN_DEFAULTS, type PlanOptions } from './plan-options.js'
import { type PlanTree, planTree } from './plan-tree.js'
import { choicesOf, hardCaps, planPropagated, propagatedSuccess, usableOf, valueOf } from './propagated-plan.js'
import { type Cut, PropagatedEvaluation } from './propagated-search.js'

interface Leaf {
  readonly mean: number
  readonly shift: number
  readonly errors: number
  readonly attempts: number
  readonly optional: boolean
  readonly backoff: boolean
}

const leaf: fc.Arbitrary<Leaf> = fc.record({
  mean: fc.integer({ min: 5, max: 80 }),
  shift: fc.integer({ min: 0, max: 20 }),
  errors: fc.constantFrom(0, 0.02, 0.2),
  attempts: fc.constantFrom(1, 2, 3),
  optional: fc.constantFrom(false, false, false, true),
  backoff: fc.boolean(),
})

/** One to four leaves in a row, two of them side by side where `grouped`; at most two of them leave anything to decide. */
const journey = fc
  .record({
    leaves: fc.array(leaf, { minLength: 1, maxLength: 4 }),
    grouped: fc.boolean(),
    nested: fc.boolean(),
    promise: fc.integer({ min: 60, max: 500 }),
  })
  .map(({ leaves, ...rest }) => {
    let decided = 0
    const kept = leaves.map((each) =>
      (each.attempts > 1 || each.optional) && ++decided > 2 ? { ...each, attempts: 1, optional: false } : each,
    )
    return { ...rest, leaves: kept }
  })

function textOf({
  leaves,
  grouped,
  nested,
  promise,
}: {
  leaves: readonly Leaf[]
  grouped: boolean
  nested: boolean
  promise: number
}): string {
  const calls = leaves.map(
    ({ attempts, optional, backoff }, i) =>
      `{ to: l${i}.get, attempts: ${attempts}, optional: ${optional}${backoff ? ', backoff: { base: 10ms }' : ''} }`,
  )
  const steps = grouped && calls.length > 1 ? [`{ parallel: [${calls[0]}, ${calls[1]}] }`, ...calls.slice(2)] : calls
  const [first, ...others] = steps
  const inner = nested ? `  mid:\n    deadline: propagate\n    operations: { do: { does: write, calls: [${first}] } }\n` : ''
  const outer = nested ? ['{ to: mid.do }', ...others] : steps
  return `sandglass: 1
defaults: { network: 2ms, reserve: 3ms }
journeys: { j: { promise: ${promise}ms, starts: app.start } }
services:
  app:
    deadline: propagate
    operations: { start: { does: write, calls: [${outer.join(', ')}] } }
${inner}${leaves.map(({ mean, shift, errors }, i) => `  l${i}: { operations: { get: { does: read, latency: { exponential: ${mean}ms, shift: ${shift}ms }, errors: ${errors} } } }`).join('\n')}
`
}

function treeOf(text: string, options: PlanOptions): PlanTree {
  const { chain, problems } = readChainText(text)
  expect(problems).toEqual([])
  const start = chain.journeys[0]?.start
  const tree = start && planTree(viewOf(chain), start, options)
  if (!tree || 'tooMany' in tree) throw new Error('no tree')
  return tree
}

/** The best value of all combinations of the menu. */
function bestOfAll(search: PropagatedEvaluation, movable: readonly PlanCall[], options: PlanOptions): number {
  const [first, ...rest] = movable
  if (!first) return valueOf(search)
  let best = 0
  const start: Cut = { attempts: 1, cutMs: search.model.usableMs }
  for (const cut of [start, ...choicesOf(search, first, options)]) {
    search.set(first, cut)
    best = Math.max(best, bestOfAll(search, rest, options))
  }
  search.cuts.delete(first)
  return best
}

const options: PlanOptions = { ...PLAN_DEFAULTS, gridMs: 10 }
const TREES = 120
const COARSE = 240

test('the propagated plan is within 0.1 point of the best of all combinations in 99 % of random trees', () => {
  const gaps: number[] = []
  fc.assert(
    fc.property(journey, (drawn) => {
      const tree = treeOf(textOf(drawn), options)
      const usableMs = usableOf(tree, drawn.promise, options)
      const model = { tree, budgetMs: drawn.promise, usableMs, points: COARSE, capsMs: hardCaps(tree) }
      const movable = tree.calls.filter(({ maxAttempts, call }) => maxAttempts > 1 || call.optional.value)
      const best = bestOfAll(new PropagatedEvaluation(model), movable, options)
      const { cuts } = planPropagated(tree, drawn.promise, options)
      gaps.push(best - valueOf(new PropagatedEvaluation(model, cuts)))
    }),
    { numRuns: TREES, seed: 20261130 },
  )
  expect(gaps).toHaveLength(TREES)
  expect(gaps.filter((gap) => gap > 0.001).length).toBeLessThanOrEqual(TREES * 0.01)
  // The search may not be better than everything there is: the two count the same.
  expect(Math.min(...gaps)).toBeGreaterThan(-1e-9)
})

test('more time never means less success, and a deadline that is handed on never succeeds less than one attempt each would with half of it', () => {
  fc.assert(
    fc.property(journey, (drawn) => {
      const tree = treeOf(textOf(drawn), options)
      const { cuts, success } = planPropagated(tree, drawn.promise, options)
      expect(propagatedSuccess(tree, drawn.promise * 1.5, options, cuts)).toBeGreaterThan(success - 2e-3)
      expect(success).toBeGreaterThan(propagatedSuccess(tree, drawn.promise / 2, options, new Map()) - 2e-3)
      expect(success).toBeLessThanOrEqual(1 + 1e-9)
    }),
    { numRuns: 40, seed: 7 },
  )
})
