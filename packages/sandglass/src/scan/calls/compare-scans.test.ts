import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareScans } from './compare-scans.js'
import type { Outcome, ScannedCall } from './scanned-call.js'

const source = { file: 'a.ts', text: 'a(); b(); c()' }

function call(outcome: Outcome, worstMs: number | null = null, start = 0, version = '1.0.0'): ScannedCall {
  const spot = { source, start, end: start + 3 }
  return { spot, library: 'ky', version, outcome, worstMs, factors: [], isShallow: false, target: null }
}

const none: Outcome = { state: 'unbounded' }
const unknown: Outcome = { state: 'unknown' }
const total = (ms: number): Outcome => ({ state: 'bounded', ms, kind: 'total' })
const silence = (ms: number): Outcome => ({ state: 'bounded', ms, kind: 'silence' })
const kindOf = (before: ScannedCall, after: ScannedCall) => compareScans([before], [after]).changes[0]?.kind ?? null

describe('compareScans', () => {
  it('compares what a call may take with all its attempts', () => {
    expect(kindOf(call(total(30_000)), call(none))).toBe('weaker')
    expect(kindOf(call(none), call(total(30_000)))).toBe('tighter')
    expect(kindOf(call({ state: 'bounded', ms: 2000, kind: 'attempt' }, 6900), call(total(2000), 2000))).toBe('tighter')
    expect(kindOf(call(total(2000), 2000), call(total(2000), 6000))).toBe('weaker')
    expect(kindOf(call(total(2000)), call(total(2000), 2000))).toBeNull()
  })

  it('holds a limit of the whole call for more than one of a part', () => {
    expect(kindOf(call(total(30_000)), call(silence(2000)))).toBe('weaker')
    expect(kindOf(call(silence(2000)), call(total(30_000)))).toBe('tighter')
    expect(kindOf(call(silence(2000)), call(silence(3000)))).toBe('weaker')
    expect(kindOf(call(silence(2000)), call({ state: 'bounded', ms: 2000, kind: 'headers' }))).toBe('unclear')
    expect(kindOf(call(silence(2000)), call(none))).toBe('weaker')
  })

  it('does not judge what is not known', () => {
    expect(kindOf(call(unknown), call(none))).toBe('unclear')
    expect(kindOf(call(total(1)), call(unknown))).toBe('unclear')
    expect(kindOf(call(unknown), call(unknown))).toBeNull()
  })

  it('pairs calls by their place and gives the weaker ones first', () => {
    const before = [call(none, null, 0), call(total(1), null, 5), call(total(9), null, 10)]
    const after = [call(total(1), null, 0), call(none, null, 5), call(total(9), null, 10), call(none, null, 99)]
    const { changes, calls } = compareScans(before, after)
    expect(calls).toBe(3)
    expect(changes.map(({ kind, after: { spot } }) => [kind, spot.start])).toEqual([
      ['weaker', 5],
      ['tighter', 0],
    ])
  })

  it('finds nothing between a scan and itself, and the opposite the other way round', () => {
    const ms = fc.constantFrom(1, 2, 3)
    const outcome = fc.oneof(fc.constant(none), fc.constant(unknown), ms.map(total), ms.map(silence))
    const any = fc.tuple(outcome, fc.option(ms)).map(([state, worst]) => call(state, state.state === 'bounded' ? worst : null))
    const opposite = { weaker: 'tighter', tighter: 'weaker', unclear: 'unclear' } as const
    fc.assert(
      fc.property(any, any, (a, b) => {
        expect(kindOf(a, a)).toBeNull()
        const kind = kindOf(a, b)
        expect(kindOf(b, a)).toBe(kind && opposite[kind])
      }),
    )
  })
})
