import { describe, expect, test } from 'vitest'
import { retryLayers } from './retry-layers.js'
import { factorLines, findings, mended, onlyFinding } from './rule-run.fixture.js'

const layers = (attempts: readonly (number | string)[]): string => `journeys: { j: { promise: 9s, starts: gateway.a } }
services:
  gateway: { operations: { a: { calls: [{ to: order.b, attempts: ${attempts[0]} }] } } }
  order: { operations: { b: { calls: [{ to: inventory.c, attempts: ${attempts[1]} }] } } }
  inventory: { operations: { c: { calls: [{ to: db.d, attempts: ${attempts[2]} }] } } }
  db: { operations: { d: { does: read } } }
`

describe('retry-layers', () => {
  test('names every layer of the path that retries, once', () => {
    const found = onlyFinding(retryLayers, layers([2, 1, 3]))
    expect(found.severity).toBe('warning')
    expect(found.message).toBe('2 layers of this path retry: gateway.a (2), inventory.c (3)')
    expect(found.path).toEqual(['gateway.a', 'order.b', 'inventory.c', 'db.d'])
    expect(found.values).toEqual({ layers: 2 })
    expect(factorLines(found)).toEqual(['gateway.a attempts = 2 (declared)', 'inventory.c attempts = 3 (declared)'])
  })

  test('ends at the innermost layer that retries', () => {
    expect(onlyFinding(retryLayers, layers([2, 2, 1])).path).toEqual(['gateway.a', 'order.b', 'inventory.c'])
    expect(onlyFinding(retryLayers, layers([2, 2, 2])).values).toEqual({ layers: 3 })
  })

  test('is silent where one layer or none retries, and where the others are unknown', () => {
    for (const attempts of [
      [1, 1, 3],
      [3, 1, 1],
      [1, 1, 1],
      [3, 'unknown', 'unknown'],
    ])
      expect(findings(retryLayers, layers(attempts))).toEqual([])
  })

  test('does not add up layers of different paths', () => {
    const text = `services:
  a: { operations: { x: { calls: [{ to: b.y, attempts: 2 }, { to: c.z, attempts: 2 }] } } }
  b: { operations: { y: { does: read } } }
  c: { operations: { z: { does: read } } }
`
    expect(findings(retryLayers, text)).toEqual([])
  })

  test('suggests to keep the innermost retries, and mends the text', () => {
    const text = layers([2, 1, 3])
    const found = onlyFinding(retryLayers, text)
    expect(found.suggestion?.text).toBe('retry in one layer only: gateway.a attempts 2 -> 1')
    expect(findings(retryLayers, mended(found, text))).toEqual([])
  })
})
