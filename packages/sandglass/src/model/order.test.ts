import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Chain } from './chain.js'
import { MAX_CYCLES, orderChain } from './order.js'
import { readChainText } from './read-chain.js'

/** A chain of operations `s.o0`, `s.o1` … with these calls between them. */
function chainOf(size: number, calls: readonly (readonly [number, number])[], starts: readonly number[] = []): Chain {
  const operations = Array.from(
    { length: size },
    (_, i) =>
      `o${i}: { calls: [${calls
        .filter(([from]) => from === i)
        .map(([, to]) => `{ to: s.o${to} }`)
        .join(', ')}] }`,
  )
  const journeys = starts.map((start, i) => `j${i}: { starts: s.o${start} }`)
  return readChainText(`sandglass: 1\njourneys: { ${journeys.join(', ')} }\nservices: { s: { operations: { ${operations.join(', ')} } } }`)
    .chain
}

const names = (operations: Iterable<{ readonly name: string }>): string[] => [...operations].map(({ name }) => name)

describe('the order of a chain', () => {
  test('has callers before callees', () => {
    expect(
      names(
        orderChain(
          chainOf(4, [
            [0, 1],
            [0, 2],
            [1, 3],
            [2, 3],
          ]),
        ).operations,
      ),
    ).toEqual(['o0', 'o2', 'o1', 'o3'])
  })

  test('begins where journeys start, then what nothing calls', () => {
    expect(
      names(
        orderChain(
          chainOf(
            4,
            [
              [0, 1],
              [2, 3],
            ],
            [1],
          ),
        ).entries,
      ),
    ).toEqual(['o1', 'o0', 'o2'])
  })

  test('enters a circle that nothing calls somewhere', () => {
    const order = orderChain(
      chainOf(3, [
        [0, 1],
        [1, 2],
        [2, 0],
      ]),
    )
    expect(names(order.entries)).toEqual(['o0'])
    expect(order.cycles.map((cycle) => cycle.map((call) => call.to.value))).toEqual([['s.o1', 's.o2', 's.o0']])
    expect(order.closing.size).toBe(1)
  })

  test('keeps the paths of at most so many cycles, and leaves out all of them', () => {
    const calls = Array.from(
      { length: 299 },
      (_, i) =>
        [
          [i, i + 1],
          [i + 1, 0],
        ] as const,
    ).flat()
    const order = orderChain(chainOf(300, calls))
    expect(order.closing.size).toBe(299)
    expect(order.cycles).toHaveLength(MAX_CYCLES)
  })

  test('of any chain has each operation once, and no call left but the closing ones leads back', () => {
    const call = fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 9 }))
    fc.assert(
      fc.property(fc.array(call, { maxLength: 30 }), fc.array(fc.nat({ max: 9 }), { maxLength: 2 }), (calls, starts) => {
        const chain = chainOf(10, calls, [...new Set(starts)])
        const order = orderChain(chain)
        expect(new Set(order.operations).size).toBe(10)
        const place = new Map(order.operations.map((operation, i) => [operation, i]))
        for (const each of chain.calls) {
          if (!each.callee || order.closing.has(each)) continue
          expect(place.get(each.from) ?? 0).toBeLessThan(place.get(each.callee) ?? 0)
        }
        for (const cycle of order.cycles) expect(cycle[0]?.from).toBe(cycle.at(-1)?.callee)
      }),
      { numRuns: 200 },
    )
  })
})
