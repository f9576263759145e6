import { describe, expect, test } from 'vitest'
import { fallbackOnWrite } from './fallback-on-write.js'
import { factorLines, findings, onlyFinding, underlined } from './rule-run.fixture.js'

const chain = (fallback: string, does = 'does: write'): string => `services:
  a: { operations: { ask: { calls: [{ to: b.act, timeout: 1s, fallback: ${fallback} }] } } }
  b: { operations: { act: { ${does} } } }
`

describe('fallback-on-write', () => {
  test('reports a fallback that pretends a write succeeded', () => {
    const found = onlyFinding(fallbackOnWrite, chain('{ tier: default }'))
    expect(found.severity).toBe('error')
    expect(found.message).toBe('b.act falls back to default although it is a write: that pretends it succeeded')
    expect(found.values).toEqual({ tier: 'default', does: 'write' })
    expect(underlined(found.spot)).toBe('default')
    expect(factorLines(found)).toEqual(['tier = default (declared)', 'b.act does = write (declared)'])
  })

  test('reports it for everything that writes, and for each tier but defer', () => {
    for (const does of ['write', 'idempotent-write', 'external-effect', 'manual', 'compensation']) {
      for (const tier of ['snapshot', 'default', 'empty'])
        expect(findings(fallbackOnWrite, chain(`{ tier: ${tier} }`, `does: ${does}`))).toHaveLength(1)
      expect(findings(fallbackOnWrite, chain('{ tier: defer }', `does: ${does}`))).toEqual([])
    }
  })

  test('names the tiers of a list that are wrong, in one finding', () => {
    const found = onlyFinding(
      fallbackOnWrite,
      chain('[{ tier: snapshot, maxAge: 10m }, { tier: defer }, { tier: empty }]', 'does: external-effect'),
    )
    expect(found.message).toBe('b.act falls back to snapshot, empty although it is an external-effect: that pretends it succeeded')
  })

  test('is silent for reads', () => {
    expect(findings(fallbackOnWrite, chain('[{ tier: snapshot }, { tier: default }]', 'does: read'))).toEqual([])
  })

  test('warns, and does not err, where nobody says what the callee does', () => {
    const found = onlyFinding(fallbackOnWrite, chain('{ tier: empty }', ''))
    expect(found.severity).toBe('warning')
    expect(found.suggestion?.text).toContain('say does: read, if b.act only reads')
  })

  test('is silent where the callee is not known', () => {
    expect(
      findings(fallbackOnWrite, 'services: { a: { operations: { ask: { calls: [{ to: unknown, fallback: { tier: empty } }] } } } }'),
    ).toEqual([])
  })
})
