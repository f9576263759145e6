import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type LoopClock, runOpenLoop } from './open-loop.js'

/** A clock that is moved by hand and may be late. */
function manualClock(): LoopClock & { advanceTo(at: number): void } {
  let nowAt = 0
  let wakes: { at: number; fn: () => void }[] = []
  return {
    now: () => nowAt,
    wake: (at, fn) => void wakes.push({ at, fn }),
    advanceTo(at) {
      nowAt = at
      const due = wakes.filter((one) => one.at <= at)
      wakes = wakes.filter((one) => one.at > at)
      for (const { fn } of due) fn()
    },
  }
}

const everyMs = (ms: number) => {
  let at = 0
  return () => (at += ms)
}

describe('an open loop', () => {
  it('sends what it missed, each with the instant it was meant for, and says how late it was', async () => {
    const clock = manualClock()
    const sent: number[] = []
    const lag = runOpenLoop(clock, everyMs(10), 105, (intendedAt) => void sent.push(intendedAt))
    clock.advanceTo(10)
    clock.advanceTo(72) // the process was stopped meanwhile
    expect(sent).toEqual([10, 20, 30, 40, 50, 60, 70])
    clock.advanceTo(200)
    expect(await lag).toEqual({ sent: 10, mostMs: 120 })
  })

  it('sends every arrival before the end once, in order, however the clock jumps', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.double({ min: 0.1, max: 50, noNaN: true }), { minLength: 1, maxLength: 40 }),
        fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1, maxLength: 60 }),
        async (pauses, jumps) => {
          let last = 0
          const arrivals = pauses.map((pause) => (last += pause))
          const clock = manualClock()
          const sent: number[] = []
          let next = 0
          const done = runOpenLoop(
            clock,
            () => arrivals[next++] ?? Infinity,
            500,
            (at) => void sent.push(at),
          )
          let at = 0
          for (const jump of jumps) clock.advanceTo((at += jump))
          clock.advanceTo(10_000)
          await done
          expect(sent).toEqual(arrivals.filter((one) => one < 500))
        },
      ),
    )
  })
})
