import { describe, expect, test } from 'vitest'
import { MAX_CYCLES } from '../model/order.js'
import { cycle } from './cycle.js'
import { factorLines, findings, onlyFinding, underlined } from './rule-run.fixture.js'

describe('cycle', () => {
  test('shows the way on which a chain calls itself', () => {
    const found = onlyFinding(
      cycle,
      `journeys: { j: { promise: 3s, starts: app.go } }
services:
  app: { operations: { go: { calls: [{ to: a.x }] } } }
  a: { operations: { x: { calls: [{ to: b.y }] } } }
  b: { operations: { y: { calls: [{ to: a.x, timeout: 1s }] } } }
`,
    )
    expect(found.severity).toBe('error')
    expect(found.message).toBe('b.y calls a.x, which is on the way to it: the chain calls itself')
    expect(found.arithmetic).toBe('a.x > b.y > a.x')
    expect(found.path).toEqual(['app.go', 'a.x', 'b.y', 'a.x'])
    expect(found.journey).toBe('j')
    expect(found.values).toEqual({ calls: 2 })
    expect(underlined(found.spot)).toBe('a.x')
    expect(factorLines(found)).toEqual(['a.x = b.y (declared)', 'b.y = a.x (declared)'])
  })

  test('finds an operation that calls itself, and a cycle that nothing enters', () => {
    expect(onlyFinding(cycle, 'services: { a: { operations: { x: { calls: [{ to: a.x }] } } } }').arithmetic).toBe('a.x > a.x')
  })

  test('is silent where operations of a service call each other, and where paths meet again', () => {
    const text = `services:
  a: { operations: { x: { calls: [{ to: a.y }, { to: b.z }] }, y: { calls: [{ to: b.z }] } } }
  b: { operations: { z: { does: read } } }
`
    expect(findings(cycle, text)).toEqual([])
  })

  test('shows a long way by its ends, and does not show every one of hundreds', () => {
    const operations = Array.from({ length: 300 }, (_, i) => `x${i}: { calls: [${i < 299 ? `{ to: a.x${i + 1} }, ` : ''}{ to: a.x0 }] }`)
    const found = findings(cycle, `services: { a: { operations: { ${operations.join(', ')} } } }`)
    expect(found).toHaveLength(MAX_CYCLES)
    expect(found[0]?.arithmetic).toContain('… 289 more …')
    expect(found.at(-1)?.message).toContain('(and 200 more calls lead back to where they came from)')
  })
})
