import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFifoSlots } from './fifo-slots.js'

describe('slots', () => {
  it('serve first come, first served, and refuse what the queue cannot hold', () => {
    const slots = createFifoSlots(1, 2)
    const served: string[] = []
    const results = ['a', 'b', 'c', 'd'].map((name) => slots.take(() => void served.push(name)))
    expect(results).toEqual([true, true, true, false])
    expect([served, slots.inUse, slots.waiting]).toEqual([['a'], 1, 2])
    slots.give()
    slots.give()
    expect([served, slots.inUse, slots.waiting]).toEqual([['a', 'b', 'c'], 1, 0])
    slots.give()
    expect(slots.inUse).toBe(0)
  })

  it('never have more in use than there are, and lose nobody', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(fc.boolean(), { maxLength: 200 }), (most, steps) => {
        const slots = createFifoSlots(most, null)
        let [asked, served, given] = [0, 0, 0]
        for (const isTake of steps) {
          if (isTake) {
            asked += 1
            slots.take(() => void (served += 1))
          } else if (served > given) {
            given += 1
            slots.give()
          }
          expect(slots.inUse).toBe(served - given)
          expect(slots.inUse).toBeLessThanOrEqual(most)
          expect(slots.waiting).toBe(asked - served)
        }
      }),
    )
  })
})
