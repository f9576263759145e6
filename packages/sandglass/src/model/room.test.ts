import { describe, expect, it } from 'vitest'
import { readChainText } from './read-chain.js'
import { roomMs } from './room.js'
import { viewOf } from './view.js'

/** The room of the first call of `a.x`. */
function room(
  calls: string,
  { front = 'timeout: 3s', work = '', journey = '' }: { front?: string; work?: string; journey?: string } = {},
): number | null {
  const { chain, problems } = readChainText(`sandglass: 1
${journey}
services:
  web: { kind: client, operations: { x: { calls: [{ to: a.x, ${front} }] } } }
  a: { operations: { x: { ${work} calls: [${calls}] } } }
  b: { operations: { x: } }
`)
  expect(problems).toEqual([])
  const view = viewOf(chain)
  const visit = view.situations.visits.find(({ call }) => call.from.id === 'a.x')
  if (!visit) throw new Error('a.x makes no call')
  return roomMs(view, visit)
}

describe('the room of a call', () => {
  it('is what its caller has, less network, reserve, own work and the other steps', () => {
    expect(room('{ to: b.x }', { front: 'timeout: 3s, network: 10ms, reserve: 40ms', work: 'work: { constant: 50ms },' })).toBe(2900)
    expect(room('{ to: b.x }, { to: b.x, timeout: 1s }')).toBe(2000)
    expect(room('{ parallel: [{ to: b.x }, { to: b.x, timeout: 1s }] }')).toBe(3000)
  })

  it('is 0, not endless, where the other steps leave nothing', () => {
    expect(room('{ to: b.x }, { to: b.x, timeout: 3s }')).toBe(0)
    expect(room('{ to: b.x }, { to: b.x, timeout: 30s }')).toBe(0)
  })

  it('is shared with other steps that have no limit yet; what is unknown takes no share', () => {
    expect(room('{ to: b.x }, { to: b.x }, { to: b.x, timeout: none }')).toBe(1000)
    expect(room('{ to: b.x }, { to: b.x, timeout: unknown }')).toBe(3000)
    expect(room('{ to: b.x }, { to: b.x, async: true }')).toBe(3000)
  })

  it('is not known where nobody outside is limited', () => {
    expect(room('{ to: b.x }', { front: 'share: 100%' })).toBeNull()
    expect(room('{ to: b.x, async: true }')).toBeNull()
  })

  it('is the promise at the start of a journey', () => {
    expect(room('{ to: b.x }', { front: 'timeout: 9s', journey: 'journeys: { j: { promise: 2s, starts: a.x } }' })).toBe(2000)
    expect(
      room('{ to: b.x }', {
        front: 'timeout: 1s',
        journey: 'journeys: { j: { promise: 2s, starts: a.x }, k: { promise: 9s, starts: web.x } }',
      }),
    ).toBe(1000)
  })

  it('counts the tightest layer outside, not only the next one', () => {
    const { chain } = readChainText(`sandglass: 1
services:
  web: { kind: client, operations: { x: { calls: [{ to: a.x, timeout: 3s }] } } }
  a: { operations: { x: { calls: [{ to: b.x, timeout: 30s }] } } }
  b: { operations: { x: { calls: [{ to: c.x }] } } }
  c: { operations: { x: } }
`)
    const view = viewOf(chain)
    const visit = view.situations.visits.find(({ call }) => call.from.id === 'b.x')
    expect(visit && roomMs(view, visit)).toBe(3000)
  })
})
