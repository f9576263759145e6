import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readChainText } from '../model/read-chain.js'
import { checkChain } from '../rules/check-chain.js'
import { type JourneyPlan, planChain } from './plan.js'
import { writePlan } from './write-plan.js'

function chainOf(concurrency: number, ratePerS: number, p50Ms: number): string {
  return `sandglass: 1
defaults: { network: 0ms, reserve: 0ms }
journeys: { list: { promise: 1s, starts: app.list, rate: ${ratePerS}/s } }
services:
  app: { kind: client, operations: { list: { does: read, calls: [{ to: web.list }] } } }
  web: { concurrency: ${concurrency}, operations: { list: { does: read, calls: [{ to: items.list }] } } }
  items: { operations: { list: { does: read, latency: { p50: ${p50Ms}ms, p99: ${4 * p50Ms}ms } } } }
`
}

function planOf(text: string): JourneyPlan {
  const [journey] = planChain(readChainText(text).chain).journeys
  if (!journey) throw new Error('nothing is planned')
  return journey
}

test('what is written is never reported as a pool that hanging calls fill', () => {
  fc.assert(
    fc.property(fc.integer({ min: 20, max: 400 }), fc.integer({ min: 50, max: 400 }), (concurrency, ratePerS) => {
      const { chain } = readChainText(chainOf(concurrency, ratePerS, 2))
      for (const { text } of writePlan(planChain(chain))) {
        const found = checkChain(readChainText(text).chain).diagnostics.filter(({ rule }) => rule === 'pool-exhausted')
        expect(found.map(({ message }) => message)).toEqual([])
      }
    }),
    {
      numRuns: 60,
      examples: [
        [100, 100],
        [50, 100],
        [100, 400],
      ],
    },
  )
})

test.each([
  [50, 1250, 65],
  [2, 100, 20],
  [10, 100, 400],
])('%d slots at %d/s are too few for %d ms, and the slots it asks for lead to what it says', (concurrency, ratePerS, p50Ms) => {
  const plan = planOf(chainOf(concurrency, ratePerS, p50Ms))
  expect(plan.feasible).toBe(false)
  const way = plan.waysOut.find(({ change }) => change.startsWith('set the concurrency of web to'))
  const slots = Number(/to (\d+)/.exec(way?.change ?? '')?.[1])
  const changed = planOf(chainOf(slots, ratePerS, p50Ms))
  expect(changed).toMatchObject({ feasible: true, shortByMs: 0 })
  expect(way?.success).toBeCloseTo(changed.success, 9)
  expect(planOf(chainOf(slots - 1, ratePerS, p50Ms)).feasible).toBe(false)
})
