import { describe, expect, it } from 'vitest'
import { lateSuccess } from './late-success.js'
import { factorLines, findings, onlyFinding } from './rule-run.fixture.js'

const leaf = (call: string, operation: string, kind = 'third-party') => `
services:
  shop: { operations: { x: { does: write, calls: [{ to: pay.x, ${call} }] } } }
  pay: { kind: ${kind}, operations: { x: { ${operation} } } }
`
const slow = 'latency: { p50: 80ms, p99: 230ms, p999: 1.5s }'

describe('late-success', () => {
  it('reports an effect that may still happen after the caller has called it failed', () => {
    const found = onlyFinding(lateSuccess, leaf('timeout: 400ms', `does: external-effect, ${slow}`))
    expect(found).toMatchObject({
      severity: 'warning',
      path: ['shop.x', 'pay.x'],
      values: { callerBoundMs: 400, calleeBoundMs: 1500, lateByMs: 1100 },
    })
    expect(factorLines(found)).toEqual([
      'timeout = 400 (declared)',
      'pay.x does = external-effect (declared)',
      'pay.x p99.9 = 1500 (declared)',
      'idempotencyKey = false (default)',
      'cancel = stops-here (default)',
    ])
    expect(found.message).toContain('(it is an external-effect)')
  })

  it('says that an operation is only taken for a write', () => {
    expect(onlyFinding(lateSuccess, leaf('timeout: 400ms', slow)).message).toContain('does not say what it does and is taken for a write')
  })

  it('is quiet for reads, keys, and cancellation that arrives', () => {
    expect(findings(lateSuccess, leaf('timeout: 400ms', `does: read, ${slow}`))).toEqual([])
    expect(findings(lateSuccess, leaf('timeout: 400ms, idempotencyKey: true', `does: external-effect, ${slow}`))).toEqual([])
    expect(findings(lateSuccess, leaf('timeout: 400ms, cancel: reaches', `does: external-effect, ${slow}`))).toEqual([])
  })

  it('is quiet where the callee ends in time: by its maximum, or by a statement limit', () => {
    expect(findings(lateSuccess, leaf('timeout: 1.5s', `does: write, ${slow}`))).toEqual([])
    expect(findings(lateSuccess, leaf('timeout: 1.499s', `does: write, ${slow}`))).toHaveLength(1)
    expect(findings(lateSuccess, leaf('timeout: 400ms', `does: write, ${slow}, limits: { statement: 400ms }`, 'database'))).toEqual([])
    expect(
      onlyFinding(lateSuccess, leaf('timeout: 1.5s', `does: write, latency: { p50: 80ms, p99: 230ms, max: 8s }`)).values,
    ).toMatchObject({ calleeBoundMs: 8000 })
  })

  it('adds up a callee that calls on', () => {
    const text = (inner: string) => `
services:
  web: { operations: { x: { calls: [{ to: shop.x, timeout: 2s }] } } }
  shop: { operations: { x: { does: write, calls: [{ to: db.x, timeout: ${inner} }] } } }
  db: { kind: database, operations: { x: { does: read } } }
`
    expect(onlyFinding(lateSuccess, text('3s')).values).toEqual({ callerBoundMs: 2000, calleeBoundMs: 3000, lateByMs: 1000 })
    expect(findings(lateSuccess, text('2s'))).toEqual([])
  })

  it('says nothing where times are unknown', () => {
    expect(findings(lateSuccess, leaf('timeout: 400ms', 'does: external-effect'))).toEqual([])
    expect(findings(lateSuccess, leaf('timeout: unknown', `does: external-effect, ${slow}`))).toEqual([])
    expect(findings(lateSuccess, leaf('timeout: 400ms', `does: write, ${slow}, limits: { statement: unknown }`))).toEqual([])
  })
})
