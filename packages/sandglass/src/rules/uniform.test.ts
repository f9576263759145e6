import { describe, expect, it } from 'vitest'
import { factorLines, findings, onlyFinding } from './rule-run.fixture.js'
import { uniform } from './uniform.js'

const row = (...limits: string[]) => `
services:
${limits.map((limit, i) => `  s${i}: { operations: { x: { calls: [{ to: s${i + 1}.x, ${limit} }] } } }`).join('\n')}
  s${limits.length}: { operations: { x: } }
`

describe('uniform', () => {
  it('reports three layers with the same number, once, at the innermost', () => {
    const found = onlyFinding(uniform, row('timeout: 30s', 'timeout: 30s', 'timeout: 30s', 'timeout: 30s'))
    expect(found).toMatchObject({
      severity: 'warning',
      path: ['s0.x', 's1.x', 's2.x', 's3.x', 's4.x'],
      values: { boundMs: 30_000, layers: 4 },
    })
    expect(found.related).toHaveLength(3)
    expect(factorLines(found)).toEqual([0, 1, 2, 3].map((i) => `s${i}.x timeout = 30000 (declared)`))
  })

  it('counts from the queue on: before it, nobody waits for what comes behind', () => {
    const text = row('timeout: 5s', 'timeout: 5s, async: true', 'timeout: 5s', 'timeout: 5s', 'timeout: 5s')
    expect(onlyFinding(uniform, text).values).toEqual({ boundMs: 5000, layers: 3 })
  })

  it('needs three layers', () => {
    expect(findings(uniform, row('timeout: 30s', 'timeout: 30s'))).toEqual([])
    expect(findings(uniform, row('timeout: 30s', 'timeout: 29s', 'timeout: 28s'))).toEqual([])
    expect(findings(uniform, row('timeout: 30s', 'timeout: 5s', 'timeout: 30s', 'attempt: 15s, attempts: 2'))).toHaveLength(1)
  })

  it('reports branches that share their outer layers once', () => {
    const text =
      row('timeout: 30s', 'timeout: 30s').replace(
        's1: { operations: { x: { calls: [',
        's1: { operations: { x: { calls: [{ to: a.x, timeout: 30s }, ',
      ) + '  a: { operations: { x: { calls: [{ to: b.x, timeout: 30s }] } } }\n  b: { operations: { x: } }\n'
    expect(onlyFinding(uniform, text)).toMatchObject({ path: ['s0.x', 's1.x', 'a.x', 'b.x'], values: { layers: 3 } })
  })

  it('does not count unknown, missing or handed-down bounds', () => {
    expect(findings(uniform, row('timeout: unknown', 'timeout: unknown', 'timeout: unknown'))).toEqual([])
    expect(findings(uniform, row('timeout: none', 'timeout: none', 'timeout: none'))).toEqual([])
    const budgets = row('timeout: 1s', 'timeout: 5s', 'timeout: 5s', 'timeout: 5s').replaceAll(
      /(s\d): \{ operations/g,
      '$1: { deadline: propagate, operations',
    )
    expect(findings(uniform, budgets)).toEqual([])
  })
})
