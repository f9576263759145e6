import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cancelEvent, createEventQueue, nextEvent, postEvent, scheduleEvent, scheduleLimit } from './event-queue.js'

/** Takes everything out, as pairs of time and handle. */
function drained(queue: ReturnType<typeof createEventQueue>): [number, number][] {
  const out: [number, number][] = []
  while (nextEvent(queue)) out.push([queue.at, queue.handle])
  return out
}

describe('an event queue', () => {
  it('gives events in the order of time, and of scheduling within an instant, whatever is cancelled', () => {
    const event = fc.record({
      at: fc.integer({ min: 0, max: 50 }),
      lane: fc.integer({ min: -1, max: 1 }),
      isLimit: fc.boolean(),
      isCancelled: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(event, { maxLength: 600 }), (events) => {
        const queue = createEventQueue(2)
        events.forEach(({ at, lane, isLimit, isCancelled }, handle) => {
          const id = isLimit ? scheduleLimit(queue, at, 1, handle, lane) : scheduleEvent(queue, at, 1, handle)
          if (isCancelled) cancelEvent(queue, id)
        })
        const expected = events
          .map((one, handle) => ({ ...one, handle }))
          .filter(({ isCancelled }) => !isCancelled)
          .sort((a, b) => a.at - b.at || Number(a.isLimit) - Number(b.isLimit) || a.handle - b.handle)
        expect(drained(queue)).toEqual(expected.map(({ at, handle }) => [at, handle]))
      }),
    )
  })

  it('keeps its order while events are added in between', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 3 })), { maxLength: 300 }), (delays) => {
        const queue = createEventQueue(4)
        let last = 0
        for (const [delayMs, lane] of delays) {
          scheduleLimit(queue, queue.at + delayMs, 1, 0, lane)
          if (delayMs % 2 === 0) continue
          nextEvent(queue)
          expect(queue.at).toBeGreaterThanOrEqual(last)
          last = queue.at
        }
      }),
    )
  })

  it('gives what happens now before anything later, in order', () => {
    const queue = createEventQueue(0)
    scheduleEvent(queue, 5, 1, 0)
    scheduleEvent(queue, 5, 1, 1)
    nextEvent(queue)
    for (let handle = 10; handle < 1000; handle++) postEvent(queue, 2, handle)
    const rest = drained(queue)
    expect(rest.map(([, handle]) => handle)).toEqual([...Array.from({ length: 990 }, (_, i) => i + 10), 1])
    expect(rest.every(([at]) => at === 5)).toBe(true)
  })

  it('uses the ids of cancelled timers again, so that a lane that never fires stays small', () => {
    const queue = createEventQueue(1)
    for (let at = 0; at < 100_000; at++) {
      cancelEvent(queue, scheduleLimit(queue, at + 1000, 1, 0, 0))
      scheduleEvent(queue, at, 1, 1)
      nextEvent(queue)
    }
    expect(queue.kinds.length).toBeLessThan(5000)
  })
})
