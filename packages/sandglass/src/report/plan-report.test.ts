import { readFileSync } from 'node:fs'
import { Ajv, type AnySchemaObject } from 'ajv'
import { describe, expect, it } from 'vitest'
import { readChainText } from '../model/read-chain.js'
import { type ChainPlan, planChain } from '../plan/plan.js'
import type { PlanOptions } from '../plan/plan-options.js'
import { plainStyle } from './palette.js'
import { planJson } from './plan-json.js'
import { planText } from './plan-text.js'

const CHAIN = `sandglass: 1
journeys:
  buy: { promise: 560ms, starts: shop.buy }
  watch: { promise: none, starts: shop.buy }
services:
  shop:
    operations:
      buy:
        does: write
        calls: [{ to: auth.check, timeout: 30s }, { to: pay.charge, attempts: 3 }]
  auth: { operations: { check: { does: read, latency: { exponential: 20ms, shift: 5ms } } } }
  pay: { operations: { charge: { does: write, latency: { exponential: 100ms, shift: 30ms }, errors: 1% } } }
`

function planOf(text: string, options: Partial<PlanOptions> = {}): ChainPlan {
  const { chain, problems } = readChainText(text)
  expect(problems).toEqual([])
  return planChain(chain, options)
}

describe('the JSON of a plan', () => {
  const schema = JSON.parse(readFileSync(new URL('../../schema/plan.schema.json', import.meta.url), 'utf8')) as AnySchemaObject
  const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema)

  it('is what its published schema says: feasible, infeasible, impossible, with notes', () => {
    const texts = [
      planOf(CHAIN),
      planOf(CHAIN, { target: 0.975 }),
      planOf(CHAIN, { target: 0.999 }),
      planOf(CHAIN.replace('560ms', '20ms')),
    ]
    expect(texts.map((plan) => plan.journeys[0]?.feasible)).toEqual([true, false, false, false])
    for (const plan of texts) {
      void validate(JSON.parse(planJson(plan, [{ message: 'a note', spot: null }])))
      expect(validate.errors).toBeNull()
    }
  })

  it('carries the names of the contract', () => {
    const { schemaVersion, journeys, notPlanned } = JSON.parse(planJson(planOf(CHAIN))) as {
      schemaVersion: number
      journeys: [Record<string, unknown>]
      notPlanned: unknown
    }
    expect(schemaVersion).toBe(1)
    expect(Object.keys(journeys[0])).toEqual([
      'name',
      'promiseMs',
      'feasible',
      'shortByMs',
      'mode',
      'success',
      'unionBound',
      'calls',
      'alternatives',
      'waysOut',
    ])
    expect(Object.keys((journeys[0]['calls'] as [object])[0])).toEqual([
      'path',
      'timeoutMs',
      'attemptMs',
      'attempts',
      'reserveMs',
      'floorMs',
      'timeoutRate',
      'falseKill',
      'basis',
    ])
    expect((journeys[0]['alternatives'] as { name: string }[]).map(({ name }) => name)).toEqual(['equal', 'mean', 'p99', 'p99x1.5'])
    expect(notPlanned).toEqual([{ journey: 'watch', why: 'its promise is none' }])
  })

  it('says null where no promise would be long enough: JSON has no infinity', () => {
    const { journeys } = JSON.parse(planJson(planOf(CHAIN, { target: 0.999 }))) as { journeys: [{ shortByMs: unknown }] }
    expect(journeys[0].shortByMs).toBeNull()
  })
})

describe('the text of a plan', () => {
  it('marks what is added, changed and stays, old -> new, with the reason below', () => {
    const text = planText(planOf(CHAIN))
    expect(text).toContain('~ shop.buy > auth.check   timeout 30 s -> ')
    expect(text).toMatch(/\+ shop\.buy > pay\.charge {3}timeout \d+ ms, attempts 3 -> 1\n/)
    expect(text).toContain('Plan: 1 to add, 1 to change.')
    expect(text).toContain('watch is not planned: its promise is none')
  })

  it('compares with the rules of thumb', () => {
    const text = planText(planOf(CHAIN))
    for (const rule of ['equal split', 'in proportion to means', 'in proportion to p99s', 'p99 x 1.5']) expect(text).toContain(rule)
  })

  it('says by how much a journey does not fit, and the ways out', () => {
    const text = planText(planOf(CHAIN, { target: 0.975 }))
    expect(text).toMatch(/does not fit: \d+(\.\d+)? ms too short; the most success within it is \d\d\.\d %/)
    expect(text).toMatch(/run auth\.check and pay\.charge in parallel {2,}success \d\d\.\d %/)
    expect(text).toContain('Plan: 1 journey of 1 does not fit.')
    expect(planText(planOf(CHAIN, { target: 0.999 }))).toContain('does not fit: no promise is long enough')
  })

  it('keeps to the width, and shows nothing that could rewrite a terminal', () => {
    const plan = planOf(CHAIN.replaceAll('auth', '"a\\u001b[2Juth"').replace('to: "a\\u001b[2Juth".check', 'to: "a\\u001b[2Juth.check"'))
    const text = planText(plan, { ...plainStyle, width: 60 })
    expect(text).not.toContain('\u001b')
    const why = text.split('\n').filter((line) => line.startsWith('      '))
    expect(Math.max(...why.map(({ length }) => length))).toBeLessThanOrEqual(60)
  })

  it('says so where nothing changes', () => {
    const text = CHAIN.replace('timeout: 30s', 'timeout: TO1').replace('attempts: 3', 'timeout: TO2')
    const plan = planOf(text.replace('TO1', '1s').replace('TO2', '1s'))
    const [auth, pay] = plan.journeys[0]?.calls ?? []
    expect(planText(planOf(text.replace('TO1', `${auth?.timeoutMs}ms`).replace('TO2', `${pay?.timeoutMs}ms`)))).toContain(
      'No changes: 2 calls as planned.',
    )
  })
})
