import { describe, expect, test } from 'vitest'
import { amplification } from './amplification.js'
import { factorLines, findings, mended, onlyFinding, underlined } from './rule-run.fixture.js'

const layers = (
  attempts: readonly (number | string)[],
  service = '',
  extra = '',
): string => `journeys: { j: { promise: 9s, starts: gateway.a } }
services:
  gateway: { ${service}operations: { a: { calls: [{ to: order.b, attempts: ${attempts[0]} }] } } }
  order: { ${service}operations: { b: { calls: [{ to: inventory.c, attempts: ${attempts[1]} }] } } }
  inventory: { ${service}operations: { c: { calls: [{ to: db.d, attempts: ${attempts[2]}${extra} }] } } }
  db: { ${service}operations: { d: { calls: [{ to: disk.e }] } } }
  disk: { operations: { e: { does: read } } }
`

describe('amplification', () => {
  test('multiplies three layers of three to 27, reported once at the innermost retries with the path', () => {
    const found = onlyFinding(amplification, layers([3, 3, 3]))
    expect(found.severity).toBe('error')
    expect(found.message).toBe('one request becomes up to 27 calls of db.d')
    expect(found.arithmetic).toBe('gateway 3 x order 3 x inventory 3 = 27')
    expect(found.path).toEqual(['gateway.a', 'order.b', 'inventory.c', 'db.d'])
    expect(found.journey).toBe('j')
    expect(found.pathBoundsMs).toEqual([null, null, null])
    expect(found.values).toEqual({ amplification: 27, limit: 10, layers: 3, chainStop: 'no' })
    expect(underlined(found.spot)).toBe('3')
  })

  test('adds up where every service of the path stops chains: 1 + 2 + 2 + 2 = 7', () => {
    const found = onlyFinding(amplification, layers([3, 3, 3], 'chainStop: true, '))
    expect(found.severity).toBe('warning')
    expect(found.arithmetic).toBe('1 + (gateway 3 - 1) + (order 3 - 1) + (inventory 3 - 1) = 7')
    expect(found.values).toMatchObject({ amplification: 7, chainStop: 'yes' })
  })

  test('is an error above 10, a warning above 3, and nothing at 3', () => {
    expect(onlyFinding(amplification, layers([10, 1, 1])).severity).toBe('warning')
    expect(onlyFinding(amplification, layers([11, 1, 1])).severity).toBe('error')
    expect(findings(amplification, layers([3, 1, 1]))).toEqual([])
    expect(onlyFinding(amplification, layers([2, 2, 1])).values['amplification']).toBe(4)
  })

  test('takes its limit from the file', () => {
    expect(onlyFinding(amplification, `check: { limits: { amplification: 27 } }\n${layers([3, 3, 3])}`).severity).toBe('warning')
    expect(onlyFinding(amplification, `check: { limits: { amplification: 26 } }\n${layers([3, 3, 3])}`).severity).toBe('error')
  })

  test('counts a retry budget as what it allows', () => {
    expect(findings(amplification, layers([3, 1, 3], '', ', retryBudget: 10%'))).toHaveLength(1)
    const found = onlyFinding(amplification, layers([3, 1, 3], '', ', retryBudget: 10%'))
    expect(found.values['amplification']).toBeCloseTo(3.3, 9)
    expect(found.arithmetic).toBe('gateway 3 x inventory 1.1 = 3.3')
    expect(factorLines(found)).toContain('inventory.c retryBudget = 0.1 (declared)')
    expect(onlyFinding(amplification, layers([3, 1, 3], '', ', retryBudget: default')).arithmetic).toBe('gateway 3 x inventory 1.31 = 3.93')
  })

  test('counts unknown tries as one, and tries without limit as without limit', () => {
    expect(findings(amplification, layers([3, 'unknown', 'unknown']))).toEqual([])
    const found = onlyFinding(amplification, layers([3, 'none', 1]))
    expect(found.message).toBe('one request becomes up to any number of calls of inventory.c')
    expect(found.values['amplification']).toBeNull()
  })

  test('suggests to retry in the innermost layer only, and mends the text', () => {
    const text = layers([3, 3, 3])
    const found = onlyFinding(amplification, text)
    expect(found.suggestion?.text).toBe('retry in one layer only: gateway.a attempts 3 -> 1 and order.b attempts 3 -> 1; what is left is 3')
    expect(findings(amplification, mended(found, text))).toEqual([])
  })

  test('takes the largest of several paths', () => {
    const found = onlyFinding(
      amplification,
      `services:
  one: { operations: { a: { calls: [{ to: both.c, attempts: 2 }] } } }
  two: { operations: { b: { calls: [{ to: both.c, attempts: 6 }] } } }
  both: { operations: { c: { calls: [{ to: end.d, attempts: 2 }] } } }
  end: { operations: { d: { does: read } } }
`,
    )
    expect(found.path).toEqual(['two.b', 'both.c', 'end.d'])
    expect(found.arithmetic).toBe('two 6 x both 2 = 12')
  })
})
