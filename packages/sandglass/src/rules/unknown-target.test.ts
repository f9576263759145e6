import { describe, expect, test } from 'vitest'
import { findings, mended, onlyFinding, underlined } from './rule-run.fixture.js'
import { unknownTarget } from './unknown-target.js'

const chain = (to: string): string => `services:
  app: { operations: { go: { calls: [{ to: ${to}, timeout: 1s }] } } }
  order: { operations: { create: { does: write }, list: { does: read } } }
  stock: { operations: { deduct: { does: write } } }
`

describe('unknown-target', () => {
  test('names the nearest operation, and mends the text', () => {
    const text = chain('order.craete')
    const found = onlyFinding(unknownTarget, text)
    expect(found.severity).toBe('error')
    expect(found.message).toBe('a call of app.go names "order.craete", which is no operation of this chain; did you mean order.create?')
    expect(found.values).toEqual({ name: 'order.craete', nearest: 'order.create' })
    expect(found.path).toEqual(['app.go', 'order.craete'])
    expect(underlined(found.spot)).toBe('order.craete')
    expect(findings(unknownTarget, mended(found, text))).toEqual([])
  })

  test('mends a name in quotes as well', () => {
    const text = chain('"order.craete"')
    expect(mended(onlyFinding(unknownTarget, text), text)).toContain('"order.create"')
  })

  test('finds the only operation of a service that is named alone', () => {
    expect(onlyFinding(unknownTarget, chain('stock')).values['nearest']).toBe('stock.deduct')
  })

  test('suggests nothing where nothing is near', () => {
    const found = onlyFinding(unknownTarget, chain('payments.authorise'))
    expect(found.suggestion).toBeNull()
    expect(found.message).toContain('none of the 4 operations is called that')
  })

  test('is silent for names that exist, and for what an importer could not find out', () => {
    expect(findings(unknownTarget, chain('order.create'))).toEqual([])
    expect(findings(unknownTarget, chain('unknown'))).toEqual([])
  })

  test('looks at journeys, faults and probes too', () => {
    const text = `journeys: { buy: { promise: 3s, starts: app.goo } }
scenarios: { bad: { faults: [{ on: stok, at: 1s }, { on: order, at: 1s }, { on: order.lst, at: 2s }, { on: order.list, at: 3s }] } }
${chain('order.create').replace('  order: {', '  order: { probe: { operation: lst, timeout: 1s },').replace('  stock: {', '  stock: { probe: { operation: stock.deduct },')}`
    const found = findings(unknownTarget, text)
    expect(found.map(({ values }) => values)).toEqual([
      { name: 'app.goo', nearest: 'app.go' },
      { name: 'lst', nearest: 'list' },
      { name: 'stok', nearest: 'stock' },
      { name: 'order.lst', nearest: 'order.list' },
    ])
    expect(found[0]).toMatchObject({ journey: 'buy', path: ['app.goo'] })
  })

  test('looks at the journeys that a scenario loads, and mends none of its rates', () => {
    const text = `journeys: { buy: { promise: 3s, starts: app.go } }
scenarios: { peak: { load: { bye: 10/s, buy: 5/s } } }
${chain('order.create')}`
    const found = onlyFinding(unknownTarget, text)
    expect(found.message).toBe('the load of scenario peak names "bye", which is no journey of this chain; did you mean buy?')
    expect(found.suggestion?.edits).toEqual([])
  })

  test('takes seconds, not minutes, for thousands of names that do not exist', () => {
    const names = Array.from({ length: 2000 }, (_, i) => i)
    const text = `services:\n  a: { operations: { x: { calls: [${names.map((i) => `{ to: gone${i}.thing }`).join(', ')}] } } }\n${names.map((i) => `  service${i}: { operations: { thing: { does: read } } }\n`).join('')}`
    const usedBefore = process.cpuUsage()
    expect(findings(unknownTarget, text)).toHaveLength(2000)
    expect(process.cpuUsage(usedBefore).user / 1000).toBeLessThan(10_000)
  })
})
