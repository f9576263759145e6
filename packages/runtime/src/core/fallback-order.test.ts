import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fallbackOrder, fallbackProblems, nextTier, tierNeedsTime, tierSliceMs } from './fallback-order.js'
import { type Does, type FallbackTier, fallbackTiers, mayFallBack } from './safety.js'

const tiers = fc.array(fc.constantFrom<FallbackTier>(...fallbackTiers), { maxLength: 5 })
const does = fc.constantFrom<Does>('read', 'idempotent-write', 'write', 'external-effect', 'manual', 'compensation')

test('a read may use every tier, tried in their own order whatever the order given', () => {
  expect(fallbackOrder('read', ['defer', 'empty', 'snapshot', 'default'])).toEqual(['snapshot', 'default', 'empty', 'defer'])
  expect(fallbackProblems('read', ['empty', 'snapshot'])).toEqual([])
})

test('a write is never answered from a tier that claims it happened', () => {
  expect(fallbackOrder('write', ['snapshot', 'default', 'defer'])).toEqual(['defer'])
  expect(fallbackProblems('external-effect', ['default', 'defer'])).toEqual([{ tier: 'default', why: 'not-allowed' }])
})

test('a tier nobody knows and one given twice are problems', () => {
  expect(fallbackProblems('read', ['magic' as 'empty', 'empty', 'empty'])).toEqual([
    { tier: 'magic', why: 'unknown' },
    { tier: 'empty', why: 'twice' },
  ])
})

test('the order holds exactly the given tiers that are allowed, each once', () => {
  fc.assert(
    fc.property(does, tiers, (kind, given) => {
      const order = fallbackOrder(kind, given)
      expect(new Set(order)).toEqual(new Set(given.filter((tier) => mayFallBack(kind, tier))))
      expect(new Set(order).size).toBe(order.length)
      expect(order.toSorted((a, b) => fallbackTiers.indexOf(a) - fallbackTiers.indexOf(b))).toEqual(order)
    }),
  )
})

describe('slices', () => {
  test('a slow tier leaves the next its share', () => {
    const order: FallbackTier[] = ['snapshot', 'default', 'defer']
    expect(tierSliceMs(order, 0, 100)).toBe(50)
    expect(tierSliceMs(order, 1, 50)).toBe(0)
    expect(tierSliceMs(order, 2, 50)).toBe(50)
  })

  test('together never exceed what is left', () => {
    fc.assert(
      fc.property(tiers, fc.double({ min: -10, max: 10_000, noNaN: true }), (given, usableMs) => {
        const order = fallbackOrder('read', given)
        let leftMs = usableMs
        order.forEach((_, place) => {
          const sliceMs = tierSliceMs(order, place, leftMs)
          expect(sliceMs).toBeGreaterThanOrEqual(0)
          leftMs -= sliceMs
        })
        expect(leftMs).toBeGreaterThanOrEqual(Math.min(usableMs, 0) - 1e-9)
      }),
    )
  })
})

describe('the next tier', () => {
  test('without time only what is at hand is left: a constant always answers', () => {
    expect(nextTier(['snapshot', 'default'], 0, 0, 5)).toBe(1)
    expect(nextTier(['snapshot'], 0, 0, 0)).toBe(-1)
    expect(nextTier(['snapshot'], 0, 5, 5)).toBe(0)
    expect(nextTier(['snapshot'], 0, 4.9, 5)).toBe(-1)
    expect(nextTier(['snapshot', 'defer'], 0, 8, 5)).toBe(1)
  })

  test('always comes later, may start, and there is none beyond the last', () => {
    fc.assert(
      fc.property(tiers, fc.nat(6), fc.nat(200), fc.nat(50), (given, place, usableMs, floorMs) => {
        const order = fallbackOrder('read', given)
        const next = nextTier(order, place, usableMs, floorMs)
        if (next === -1) expect(order.slice(place).every(tierNeedsTime)).toBe(true)
        else {
          expect(next).toBeGreaterThanOrEqual(place)
          if (tierNeedsTime(order[next]!)) expect(tierSliceMs(order, next, usableMs)).toBeGreaterThanOrEqual(floorMs)
        }
      }),
    )
  })
})
