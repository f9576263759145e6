import { describe, expect, test } from 'vitest'
import { readChainFile } from '../model/chain-file.js'
import { linkChain } from '../model/link.js'
import { MAX_CYCLES } from '../model/order.js'
import { viewOf } from '../model/view.js'
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

  test('warns of services that call each other where an import tells no more, and errs where it tells the operations', () => {
    const imported = (first: string, second: string) => {
      const text = `sandglass: 1
services:
  tea: { operations: { ${first}: { calls: [{ to: milk.${second}, timeout: 1s }] } } }
  milk: { operations: { ${second}: { calls: [{ to: tea.${first}, timeout: 1s }] } } }
`
      const { chain } = linkChain([readChainFile({ file: 'chain.yaml', text })])
      return [...cycle.check(viewOf({ ...chain, deadSettings: [] }))].map(({ severity, message }) => `${severity}: ${message}`)
    }
    expect(imported('request', 'request')).toEqual([
      'warning: milk calls tea, which calls it too: whether one request goes round is not in the configs',
    ])
    expect(imported('brew', 'pour')).toEqual(['error: milk.pour calls tea.brew, which is on the way to it: the chain calls itself'])
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
