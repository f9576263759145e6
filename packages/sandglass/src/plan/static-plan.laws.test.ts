import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readChainText } from '../model/read-chain.js'
import { viewOf } from '../model/view.js'
import { bruteForce } from './brute-force.fixture.js'
import { PLAN_DEFAULTS, type PlanOptions } from './plan-options.js'
import { planTree } from './plan-tree.js'
import { StaticPlanner } from './static-plan.js'

interface Leaf {
  readonly mean: number
  readonly shift: number
  readonly errors: number
  readonly hangs: number
  readonly attempts: number
  readonly optional: boolean
  readonly share: number
}

const leaf: fc.Arbitrary<Leaf> = fc.record({
  mean: fc.integer({ min: 1, max: 80 }),
  shift: fc.integer({ min: 0, max: 30 }),
  errors: fc.constantFrom(0, 0.01, 0.2),
  hangs: fc.constantFrom(0, 0, 0.05),
  attempts: fc.integer({ min: 1, max: 3 }),
  optional: fc.constantFrom(false, false, false, true),
  share: fc.constantFrom(1, 1, 0.3),
})

/** Up to five leaves in up to three steps; a step is one leaf, a group, or an operation with its own steps. */
type Step = {
  readonly kind: 'leaf' | 'group' | 'nested'
  readonly leaves: readonly Leaf[]
  readonly attempts: number
  readonly inner?: string
}

const steps: fc.Arbitrary<Step[]> = fc
  .array(
    fc.oneof(
      fc.record({ kind: fc.constant('leaf' as const), leaves: fc.tuple(leaf), attempts: fc.constant(1) }),
      fc.record({ kind: fc.constant('group' as const), leaves: fc.array(leaf, { minLength: 2, maxLength: 2 }), attempts: fc.constant(1) }),
      fc.record({
        kind: fc.constant('nested' as const),
        leaves: fc.array(leaf, { minLength: 1, maxLength: 2 }),
        attempts: fc.integer({ min: 1, max: 2 }),
        inner: fc.constantFrom('', '', 'work: { p50: 2ms, p99: 15ms }', 'limits: { request: 90ms }'),
      }),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .filter((list) => list.reduce((sum, step) => sum + step.leaves.length, 0) <= 5)

function chainText(list: readonly Step[], reserveMs: number, networkMs: number): string {
  const services: string[] = []
  let next = 0
  const call = ({ attempts, optional, share, ...law }: Leaf): string => {
    const name = `s${next++}`
    services.push(
      `  ${name}: { operations: { get: { does: read, latency: { exponential: ${law.mean}ms, shift: ${law.shift}ms }, errors: ${law.errors}, hangs: ${law.hangs} } } }`,
    )
    return `{ to: ${name}.get, attempts: ${attempts}, optional: ${optional}, share: ${share}, backoff: { base: 5ms } }`
  }
  const calls = list.map((step): string => {
    const leaves = step.leaves.map(call)
    if (step.kind === 'leaf') return `          - ${leaves[0]}`
    if (step.kind === 'group') return `          - parallel: [${leaves.join(', ')}]`
    const name = `n${next++}`
    services.push(
      `  ${name}:\n    operations:\n      get:\n        does: read\n${step.inner ? `        ${step.inner}\n` : ''}        calls:\n${leaves.map((text) => `          - ${text}`).join('\n')}`,
    )
    return `          - { to: ${name}.get, attempts: ${step.attempts} }`
  })
  return `sandglass: 1
defaults: { network: ${networkMs}ms, reserve: ${reserveMs}ms, floor: 0ms }
journeys: { j: { promise: 1s, starts: app.start } }
services:
  app:
    operations:
      start:
        does: write
        calls:
${calls.join('\n')}
${services.join('\n')}
`
}

test('the static planner equals brute force on 500 random trees of up to five leaves', () => {
  let trees = 0
  fc.assert(
    fc.property(
      steps,
      fc.constantFrom(0, 7),
      fc.constantFrom(0, 10),
      fc.integer({ min: 4, max: 12 }),
      (list, reserveMs, networkMs, units) => {
        const { chain, problems } = readChainText(chainText(list, reserveMs, networkMs))
        expect(problems).toEqual([])
        const options: PlanOptions = { ...PLAN_DEFAULTS, gridMs: 20 }
        const start = chain.operations.get('app.start')
        if (!start) throw new Error('no start')
        const tree = planTree(viewOf(chain), start, options)
        if ('tooMany' in tree) throw new Error('too many')
        const planner = new StaticPlanner(tree.root, units * 20, 20, options)
        expect(planner.value()).toBeCloseTo(bruteForce(tree.root, units, 20, true, options), 10)
        trees++
      },
    ),
    { numRuns: 500, seed: 20261129 },
  )
  expect(trees).toBe(500)
})
