import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Diagnostic } from '../src/model/diagnostic.js'
import { readChainText } from '../src/model/read-chain.js'
import { planChain } from '../src/plan/plan.js'
import { writePlan } from '../src/plan/write-plan.js'
import { checkChain } from '../src/rules/check-chain.js'
import { randomChain } from './random-chain.fixture.js'

/** Rules whose errors a plan takes away: all that a limit or a retry can break. */
const PLANNED = new Set([
  'missing-timeout',
  'inverted',
  'client-gives-up-first',
  'does-not-fit',
  'promise-broken',
  'retry-overflow',
  'retry-fresh-clock',
  'retry-unsafe',
  'amplification',
  'never-reached',
  'queue-unbounded',
  'breaker-no-timeout',
  'pool-exhausted',
])

/** `PLAN_RUNS=2000 npx vitest run packages/sandglass/test/plan-then-check.test.ts` looks further. */
const RUNS = Number(process.env['PLAN_RUNS'] ?? 100)
const TIME_LIMIT_MS = RUNS * 1000

function rewritten(text: string, options: Parameters<typeof planChain>[1] = {}): string {
  const { chain, problems } = readChainText(text)
  expect(problems).toEqual([])
  return writePlan(planChain(chain, options))[0]?.text ?? text
}

function errorsOf(text: string): Diagnostic[] {
  const { chain, problems } = readChainText(text)
  expect(problems).toEqual([])
  return checkChain(chain).diagnostics.filter(({ severity, rule }) => severity === 'error' && PLANNED.has(rule))
}

function inWords({ rule, message, arithmetic, path }: Diagnostic): string {
  return `${rule}: ${message} | ${arithmetic} | ${path.join(' > ')}`
}

test(
  'after plan --write a random chain has no timeout or retry error, has every comment, and a second plan changes nothing',
  () => {
    let feasible = 0
    let broken = 0
    fc.assert(
      fc.property(randomChain, fc.constantFrom(1, 3), ({ text, comments }, attempts) => {
        const { chain, problems } = readChainText(text)
        expect(problems.map(({ message }) => message)).toEqual([])
        const plan = planChain(chain, { attempts })
        const written = writePlan(plan)[0]?.text ?? text
        expect(comments.filter((comment) => !written.includes(comment))).toEqual([])
        const again = rewritten(written, { attempts })
        if (!plan.journeys.every((journey) => journey.feasible)) return
        feasible++
        if (errorsOf(text).length > 0) broken++
        expect(errorsOf(written).map(inWords)).toEqual([])
        expect(again).toBe(written)
      }),
      { numRuns: RUNS, seed: 20261129 },
    )
    // The law says something only if most chains were broken before, and could be planned.
    expect(broken).toBeGreaterThan(RUNS * 0.6)
    expect(feasible).toBeGreaterThanOrEqual(broken)
  },
  TIME_LIMIT_MS,
)
