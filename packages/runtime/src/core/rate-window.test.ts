import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { advanceRateWindow, clearRateWindow, createRateWindow, markNewest, RATE_WINDOW_BUCKETS, recordRate } from './rate-window.js'

describe('a window in time', () => {
  test('holds an event until its bucket is the tenth back', () => {
    const window = createRateWindow({ windowMs: 10_000 })
    recordRate(window, 1, 999)
    recordRate(window, 0, 1_000)
    advanceRateWindow(window, 9_999)
    expect([window.total, window.marked]).toEqual([2, 1])
    advanceRateWindow(window, 10_000)
    expect([window.total, window.marked]).toEqual([1, 0])
    advanceRateWindow(window, 11_000)
    expect([window.total, window.marked]).toEqual([0, 0])
  })

  test('an idle spell of any length empties it', () => {
    const window = createRateWindow({ windowMs: 10_000 })
    for (let atMs = 0; atMs < 10_000; atMs += 100) recordRate(window, 1, atMs)
    expect(window.total).toBe(100)
    recordRate(window, 0, 86_400_000)
    expect([window.total, window.marked]).toEqual([1, 0])
  })

  test('is always the sum of the events of the ten newest buckets', () => {
    const events = fc.array(fc.tuple(fc.nat(3_000), fc.constantFrom<0 | 1>(0, 1)), { maxLength: 200 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), events, (windowMs, steps) => {
        const window = createRateWindow({ windowMs })
        const bucketOf = (at: number): number => Math.floor(at / (windowMs / RATE_WINDOW_BUCKETS))
        const seen: { bucket: number; mark: 0 | 1 }[] = []
        let nowAt = 0
        for (const [waitMs, mark] of steps) {
          nowAt += waitMs
          recordRate(window, mark, nowAt)
          seen.push({ bucket: bucketOf(nowAt), mark })
          const held = seen.filter((event) => event.bucket > bucketOf(nowAt) - RATE_WINDOW_BUCKETS)
          expect(window.total).toBe(held.length)
          expect(window.marked).toBe(held.filter((event) => event.mark === 1).length)
        }
      }),
      { numRuns: 50 },
    )
  })

  test('a clock that steps back counts in the newest bucket', () => {
    const window = createRateWindow({ windowMs: 10_000 })
    recordRate(window, 0, 5_000)
    recordRate(window, 1, 1_000)
    advanceRateWindow(window, 14_999)
    expect([window.total, window.marked]).toEqual([2, 1])
  })
})

test('a mark that comes later marks one of the events there are, and leaves with the newest', () => {
  const window = createRateWindow({ windowMs: 10_000 })
  recordRate(window, 0, 0)
  recordRate(window, 0, 5_000)
  expect([markNewest(window), markNewest(window), markNewest(window)]).toEqual([true, true, false])
  expect([window.total, window.marked]).toEqual([2, 2])
  advanceRateWindow(window, 15_000)
  expect([window.total, window.marked]).toEqual([0, 0])
})

describe('a window of calls', () => {
  test('is always the sum of the last calls, whatever the clock says', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.array(fc.constantFrom<0 | 1>(0, 1), { maxLength: 100 }), (windowCalls, marks) => {
        const window = createRateWindow({ windowCalls })
        marks.forEach((mark, at) => {
          recordRate(window, mark, at * 1e9)
          const last = marks.slice(Math.max(0, at + 1 - windowCalls), at + 1)
          expect(window.total).toBe(last.length)
          expect(window.marked).toBe(last.filter((m) => m === 1).length)
        })
      }),
    )
  })

  test('starts again after it was cleared', () => {
    const window = createRateWindow({ windowCalls: 2 })
    for (const mark of [1, 1, 1] as const) recordRate(window, mark, 0)
    clearRateWindow(window)
    recordRate(window, 0, 0)
    expect([window.total, window.marked]).toEqual([1, 0])
  })
})

test('lengths outside their range are refused', () => {
  expect(() => createRateWindow({ windowMs: 0 })).toThrow(RangeError)
  expect(() => createRateWindow({ windowCalls: 1.5 })).toThrow(RangeError)
  expect(() => createRateWindow({ windowCalls: Infinity })).toThrow(RangeError)
  expect(() => createRateWindow({ windowMs: Number.NaN })).toThrow(TypeError)
})
