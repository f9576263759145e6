import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  budgetOf,
  childDeadline,
  type Deadline,
  deadlineAfter,
  earliest,
  grantedMs,
  isExpired,
  noDeadline,
  remainingMs,
} from './deadline.js'

const someDeadline: fc.Arbitrary<Deadline> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.nat(2), fc.nat(2), fc.constantFrom('', 'a', 'b'))
      .map(([now, budgetMs, name]) => deadlineAfter(now, budgetMs, name)),
  },
  fc.constant(noDeadline),
)

describe('the earliest deadline', () => {
  test('does not care for order or grouping, and is the same again', () => {
    fc.assert(
      fc.property(someDeadline, someDeadline, someDeadline, (a, b, c) => {
        expect(earliest(a, b)).toEqual(earliest(b, a))
        expect(earliest(earliest(a, b), c)).toEqual(earliest(a, earliest(b, c)))
        expect(earliest(a, a)).toEqual(a)
      }),
    )
  })

  test('of a deadline and none is that deadline', () => {
    fc.assert(
      fc.property(someDeadline, (a) => {
        expect(earliest(a, noDeadline)).toEqual(a)
      }),
    )
  })
})

describe('a child', () => {
  test('gets its own 1 s inside a parent of 5 s, and the rest of a parent of 300 ms', () => {
    expect(remainingMs(childDeadline(deadlineAfter(0, 5000), 0, 1000), 0)).toBe(1000)
    const parent = deadlineAfter(0, 300, 'parent')
    const child = childDeadline(parent, 0, 1000, 'child')
    const grandchild = childDeadline(child, 0, 100, 'grandchild')
    const sibling = childDeadline(parent, 0)
    expect([child, grandchild, sibling].map((deadline) => remainingMs(deadline, 0))).toEqual([300, 100, 300])
  })

  test('that is cut by its parent is its parent, so that the error can name the level and its 300 ms', () => {
    const parent = deadlineAfter(0, 300, 'parent')
    const child = childDeadline(parent, 10, 1000, 'child')
    expect(child).toBe(parent)
    expect(child).toMatchObject({ name: 'parent' })
    expect(grantedMs(child)).toBe(300)
    expect(childDeadline(parent, 0, 300, 'child')).toBe(parent)
  })

  test('of no deadline has its own, or none', () => {
    expect(grantedMs(childDeadline(noDeadline, 7, 50))).toBe(50)
    expect(childDeadline(noDeadline, 7)).toBe(noDeadline)
    expect(childDeadline(noDeadline, 7, Number.POSITIVE_INFINITY)).toBe(noDeadline)
  })

  test('never outlives its parent, at any instant', () => {
    fc.assert(
      fc.property(
        someDeadline,
        fc.nat(10),
        fc.oneof(fc.constant(undefined), fc.double({ min: -5, max: 20, noNaN: true })),
        fc.nat(20),
        (parent, now, budgetMs, later) => {
          expect(remainingMs(childDeadline(parent, now, budgetMs), later)).toBeLessThanOrEqual(remainingMs(parent, later))
        },
      ),
    )
  })
})

describe('what a programmer gives as a budget', () => {
  test.each([
    [250.7, 250.7],
    [0, 0],
    [-3, 0],
    [Number.NEGATIVE_INFINITY, 0],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  ])('%d is a budget of %d ms', (given, ms) => {
    expect(budgetOf(given)).toBe(ms)
  })

  test.each([
    [Number.NaN, 'NaN'],
    ['500', 'the string "500"'],
    [undefined, 'undefined'],
    [null, 'null'],
    [{}, 'object'],
    [5n, 'bigint'],
  ])('%s is refused when it is given, saying what it was', (given, described) => {
    expect(() => budgetOf(given)).toThrow(new TypeError(`a budget must be a number of ms, not ${described}`))
  })

  test('of 0 or less is expired at once, and only Infinity is no deadline', () => {
    expect(isExpired(deadlineAfter(100, 0), 100)).toBe(true)
    expect(isExpired(deadlineAfter(100, -3), 100)).toBe(true)
    expect(deadlineAfter(100, Number.POSITIVE_INFINITY)).toBe(noDeadline)
    expect(deadlineAfter(100, Number.MAX_SAFE_INTEGER).state).toBe('set')
  })
})

describe('what remains', () => {
  test('is never negative, and Infinity only without a deadline', () => {
    fc.assert(
      fc.property(someDeadline, fc.integer({ min: -10, max: 30 }), (deadline, now) => {
        const leftMs = remainingMs(deadline, now)
        expect(leftMs).toBeGreaterThanOrEqual(0)
        expect(leftMs === Number.POSITIVE_INFINITY).toBe(deadline.state === 'none')
        expect(isExpired(deadline, now)).toBe(leftMs === 0)
      }),
    )
  })

  test('is 750 after 50 ms in the accept queue and 630 after 120 ms of work, from the anchor on', () => {
    const deadline = deadlineAfter(1000, 800)
    expect(remainingMs(deadline, 1050)).toBe(750)
    expect(remainingMs(deadline, 1170)).toBe(630)
  })
})
