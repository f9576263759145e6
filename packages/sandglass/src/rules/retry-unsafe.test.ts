import { describe, expect, test } from 'vitest'
import { retryUnsafe } from './retry-unsafe.js'
import { factorLines, findings, mended, onlyFinding, underlined } from './rule-run.fixture.js'

const chain = (does: string, call = 'timeout: 2s, attempts: 2'): string => `services:
  a: { operations: { ask: { calls: [{ to: b.act, ${call} }] } } }
  b: { operations: { act: { ${does} } } }
`

describe('retry-unsafe', () => {
  test('says in words what people do by hand', () => {
    const text =
      'services: { a: { operations: { x: { calls: [{ to: b.x, timeout: 1s, attempts: 2 }] } } }, b: { operations: { x: { does: manual } } } }'
    expect(onlyFinding(retryUnsafe, text).message).toBe('b.x is tried up to 2 times, but it is a manual step')
  })

  test('reports a write that is tried twice, with or without a key', () => {
    const found = onlyFinding(retryUnsafe, chain('does: write'))
    expect(found.severity).toBe('error')
    expect(found.message).toBe('b.act is tried up to 2 times, but it is a write')
    expect(found.values).toEqual({ attempts: 2, does: 'write' })
    expect(underlined(found.spot)).toBe('2')
    expect(findings(retryUnsafe, chain('does: write', 'attempts: 2, idempotencyKey: true'))).toHaveLength(1)
    expect(findings(retryUnsafe, chain('does: manual', 'attempts: 2, idempotencyKey: true'))).toHaveLength(1)
  })

  test('accepts with a key what a key makes safe, and nothing without it', () => {
    for (const does of ['idempotent-write', 'external-effect', 'compensation']) {
      expect(onlyFinding(retryUnsafe, chain(`does: ${does}`)).message).toContain('and carries no idempotency key')
      expect(findings(retryUnsafe, chain(`does: ${does}`, 'attempts: 2, idempotencyKey: true'))).toEqual([])
    }
  })

  test('is silent for reads, for one try, and where only connecting is retried', () => {
    expect(findings(retryUnsafe, chain('does: read'))).toEqual([])
    expect(findings(retryUnsafe, chain('does: write', 'attempts: 1'))).toEqual([])
    expect(findings(retryUnsafe, chain('does: write', 'attempts: 3, retryOn: [connect]'))).toEqual([])
    expect(findings(retryUnsafe, chain('does: write', 'attempts: 3, retryOn: [connect, reset]'))).toHaveLength(1)
  })

  test('warns, and does not err, where nobody says what the callee does', () => {
    const found = onlyFinding(retryUnsafe, chain('latency: { p50: 1ms, p99: 2ms }'))
    expect(found.severity).toBe('warning')
    expect(found.message).toBe('b.act is tried up to 2 times, and nobody says that it may be repeated (it is taken for a write)')
    expect(found.suggestion?.text).toBe('attempts 2 -> 1, or say what b.act does (does: read, idempotent-write …)')
  })

  test('is silent where the number of tries or the callee is unknown', () => {
    expect(findings(retryUnsafe, chain('does: write', 'attempts: unknown'))).toEqual([])
    expect(findings(retryUnsafe, 'services: { a: { operations: { ask: { calls: [{ to: unknown, attempts: 3 }] } } } }')).toEqual([])
  })

  test('suggests one attempt, and mends the text', () => {
    const text = chain('does: write')
    const found = onlyFinding(retryUnsafe, text)
    expect(found.suggestion?.text).toBe('attempts 2 -> 1')
    expect(findings(retryUnsafe, mended(found, text))).toEqual([])
  })

  test('gives each factor with its origin', () => {
    expect(factorLines(onlyFinding(retryUnsafe, chain('does: write')))).toEqual([
      'attempts = 2 (declared)',
      'b.act does = write (declared)',
      'idempotencyKey = false (default)',
    ])
  })
})
