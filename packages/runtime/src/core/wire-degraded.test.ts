import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DegradedCall, formatDegraded, mergeDegraded, parseDegraded } from './wire-degraded.js'

const some: fc.Arbitrary<readonly DegradedCall[]> = fc.array(
  fc.record(
    {
      call: fc.stringMatching(/^[a-z]{1,8}\.[a-z]{1,8}$/),
      tier: fc.constantFrom('snapshot', 'default', 'empty', 'defer'),
      ageMs: fc.nat(1e9),
    },
    { requiredKeys: ['call', 'tier'] },
  ),
  { maxLength: 32 },
)

test('a list is read back as it was written', () => {
  expect(
    formatDegraded([
      { call: 'inventory.available', tier: 'snapshot', ageMs: 600_000 },
      { call: 'promotion.apply', tier: 'default' },
    ]),
  ).toBe('inventory.available;tier=snapshot;age-ms=600000, promotion.apply;tier=default')
  fc.assert(
    fc.property(some, (calls) => {
      expect(parseDegraded(formatDegraded(calls))).toEqual(calls)
    }),
  )
})

test('an age is rounded up, so that no answer looks fresher than it is', () => {
  expect(formatDegraded([{ call: 'a.b', tier: 'snapshot', ageMs: 10.2 }])).toBe('a.b;tier=snapshot;age-ms=11')
})

test('entries that are malformed are left out and the rest is read', () => {
  expect(parseDegraded('a.b, c.d;tier=Default, ;tier=empty, e.f;tier=empty;age-ms=-1, "x";tier=empty')).toEqual([
    { call: 'e.f', tier: 'empty' },
  ])
  expect(parseDegraded(undefined)).toEqual([])
  expect(parseDegraded(['a.b;tier=empty', 'c.d;tier=defer'])).toHaveLength(2)
})

test('a name that could break out of the header is not written', () => {
  expect(
    formatDegraded([
      { call: 'a.b\r\nx: y', tier: 'empty' },
      { call: 'a.b', tier: 'empty, c.d;tier=empty' },
      { call: 'c.d', tier: 'empty' },
    ]),
  ).toBe('c.d;tier=empty')
})

test('a flood is bounded: nothing of a megabyte, 32 of a thousand entries', () => {
  expect(parseDegraded('a.b;tier=empty,'.repeat(100_000))).toEqual([])
  expect(parseDegraded(Array.from({ length: 1000 }, (_, index) => `a.b${index};tier=empty`))).toHaveLength(32)
  expect(mergeDegraded(Array.from({ length: 1000 }, (_, index) => ({ call: `a.b${index}`, tier: 'empty' })))).toHaveLength(32)
  expect(
    formatDegraded(Array.from({ length: 40 }, () => ({ call: 'x'.repeat(128), tier: 'snapshot', ageMs: 1 }))).length,
  ).toBeLessThanOrEqual(4096)
})

test('what several answers report is joined, of two for one call the older is kept', () => {
  const a: DegradedCall = { call: 'a.b', tier: 'snapshot', ageMs: 5 }
  const older: DegradedCall = { call: 'a.b', tier: 'snapshot', ageMs: 9 }
  const c: DegradedCall = { call: 'c.d', tier: 'empty' }
  expect(mergeDegraded([a, c], [older], [a])).toEqual([older, c])
})
