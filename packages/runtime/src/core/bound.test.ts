import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addBounds, type Bound, boundedBy, boundKinds, earliestBound, maxBound, unbounded, unknownBound } from './bound.js'

const someBound: fc.Arbitrary<Bound> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ state: fc.constant('bounded' as const), ms: fc.nat(20), kind: fc.constantFrom(...boundKinds) }) },
  fc.constant(unbounded),
  fc.constant(unknownBound),
)

describe.each([
  ['earliest', earliestBound],
  ['max', maxBound],
  ['add', addBounds],
] as const)('%s', (_, combine) => {
  test('does not care for the order', () => {
    fc.assert(
      fc.property(someBound, someBound, (a, b) => {
        expect(combine(a, b)).toEqual(combine(b, a))
      }),
    )
  })

  test('does not care for the grouping', () => {
    fc.assert(
      fc.property(someBound, someBound, someBound, (a, b, c) => {
        expect(combine(combine(a, b), c)).toEqual(combine(a, combine(b, c)))
      }),
    )
  })

  test('unknown with anything is unknown', () => {
    fc.assert(
      fc.property(someBound, (a) => {
        expect(combine(a, unknownBound)).toEqual(unknownBound)
      }),
    )
  })
})

test('min and max of a bound with itself are that bound', () => {
  fc.assert(
    fc.property(someBound, (a) => {
      expect(earliestBound(a, a)).toEqual(a)
      expect(maxBound(a, a)).toEqual(a)
    }),
  )
})

test('unbounded changes no minimum and swallows every sum and maximum of known bounds', () => {
  const second = boundedBy(1000, 'total')
  expect(earliestBound(second, unbounded)).toEqual(second)
  expect(addBounds(second, unbounded)).toEqual(unbounded)
  expect(maxBound(second, unbounded)).toEqual(unbounded)
})

test('a sum is of the weakest kind in it, an equal minimum of the stronger', () => {
  expect(addBounds(boundedBy(100, 'connect'), boundedBy(900, 'silence'))).toEqual(boundedBy(1000, 'silence'))
  expect(addBounds(boundedBy(700, 'attempt'), boundedBy(200, 'queue'))).toEqual(boundedBy(900, 'attempt'))
  expect(earliestBound(boundedBy(500, 'silence'), boundedBy(500, 'total'))).toEqual(boundedBy(500, 'total'))
})

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('%d ms is no bound', (ms) => {
  expect(() => boundedBy(ms, 'total')).toThrow(RangeError)
})
