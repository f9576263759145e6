import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createWheel, type Due } from './wheel.js'

const target = (): Due => ({ onDue: () => undefined })

type Step =
  | { readonly do: 'add'; readonly inMs: number }
  | { readonly do: 'remove'; readonly which: number }
  | { readonly do: 'turn'; readonly byMs: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('add' as const),
    inMs: fc.oneof(fc.double({ min: -50, max: 300, noNaN: true }), fc.double({ min: 0, max: 20_000, noNaN: true }), fc.constant(1e15)),
  }),
  fc.record({ do: fc.constant('remove' as const), which: fc.nat() }),
  fc.record({
    do: fc.constant('turn' as const),
    byMs: fc.oneof(fc.double({ min: 0, max: 60, noNaN: true }), fc.double({ min: 0, max: 30_000, noNaN: true })),
  }),
)

test('a wheel finds what a sorted list would, whatever is added, removed and turned', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      let nowAt = 1000
      const wheel = createWheel(nowAt)
      const armed = new Map<number, number>()
      for (const one of steps) {
        if (one.do === 'add') armed.set(wheel.add(nowAt + one.inMs, target()), nowAt + one.inMs)
        else if (one.do === 'remove') {
          const entry = [...armed.keys()][one.which % Math.max(1, armed.size)]
          if (entry !== undefined) {
            wheel.remove(entry)
            armed.delete(entry)
          }
        } else {
          nowAt += one.byMs
          const found: number[] = []
          wheel.turn(nowAt, found)
          const expected = [...armed].filter(([, dueAt]) => dueAt <= nowAt).map(([entry]) => entry)
          expect(found.toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b))
          for (const entry of found) {
            wheel.remove(entry)
            armed.delete(entry)
          }
        }
        expect(wheel.size).toBe(armed.size)
      }
    }),
    { numRuns: 300 },
  )
})

test('a number is free again after its entry was removed, and removing twice does no harm', () => {
  const wheel = createWheel(0)
  const first = wheel.add(10, target())
  wheel.remove(first)
  wheel.remove(first)
  expect(wheel.add(20, target())).toBe(first)
  expect(wheel.size).toBe(1)
})

test('the next wake is never after the end of the slot of the earliest entry, nor beyond the horizon', () => {
  const wheel = createWheel(0)
  expect(wheel.nextWakeAt(48)).toBe(48)
  wheel.add(10, target())
  wheel.add(100, target())
  expect(wheel.nextWakeAt(48)).toBe(12)
})

test('ten thousand entries far away cost nothing to wake past', () => {
  const wheel = createWheel(0)
  for (let n = 0; n < 10_000; n++) wheel.add(1_000_000 + n, target())
  const found: number[] = []
  for (let nowAt = 0; nowAt < 900_000; nowAt += 5000) wheel.turn(nowAt, found)
  expect(found).toEqual([])
  wheel.turn(2_000_000, found)
  expect(found).toHaveLength(10_000)
})
