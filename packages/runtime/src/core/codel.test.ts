import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CODEL_SLOUGH_TARGETS, codelOverloaded, createCodel, sampleCodel } from './codel.js'

test('a burst that empties within an interval is left alone', () => {
  const codel = createCodel()
  sampleCodel(codel, 0, 0)
  for (let nowAt = 1; nowAt < 100; nowAt += 1) expect(sampleCodel(codel, 60, nowAt)).toBe(false)
  expect(sampleCodel(codel, 0, 100)).toBe(false)
  expect(codel.overloaded).toBe(false)
})

test('a wait above the target for a whole interval is overload, and ends with the first interval that saw a short one', () => {
  const codel = createCodel()
  sampleCodel(codel, 0, 0)
  for (let nowAt = 100; nowAt < 200; nowAt += 10) sampleCodel(codel, 6, nowAt)
  expect(codel.overloaded).toBe(false)
  expect(sampleCodel(codel, 6, 200)).toBe(false)
  expect(codel.overloaded).toBe(true)
  expect(sampleCodel(codel, 10, 210)).toBe(false)
  expect(sampleCodel(codel, 10.1, 220)).toBe(true)
  sampleCodel(codel, 1, 230)
  expect(sampleCodel(codel, 50, 299)).toBe(true)
  expect(sampleCodel(codel, 50, 300)).toBe(false)
})

test('an interval in which nothing was served is overload exactly when something waited through it', () => {
  const standing = createCodel()
  sampleCodel(standing, 0, 0)
  expect(codelOverloaded(standing, 5_000, 10)).toBe(true)
  const idle = createCodel()
  for (let nowAt = 0; nowAt < 200; nowAt += 10) sampleCodel(idle, 50, nowAt)
  expect(idle.overloaded).toBe(true)
  expect(codelOverloaded(idle, 5_000, Infinity)).toBe(false)
})

test('never drops a wait of twice the target or less, nor anything while every interval has a short wait', () => {
  const samples = fc.array(fc.tuple(fc.nat(40), fc.nat(30)), { maxLength: 300 })
  fc.assert(
    fc.property(samples, (given) => {
      const codel = createCodel()
      const calm = createCodel()
      let nowAt = 0
      for (const [gapMs, waitMs] of given) {
        nowAt += gapMs
        const dropped = sampleCodel(codel, waitMs, nowAt)
        if (waitMs <= CODEL_SLOUGH_TARGETS * codel.targetMs) expect(dropped).toBe(false)
        sampleCodel(calm, 0, nowAt)
        expect(sampleCodel(calm, waitMs, nowAt)).toBe(false)
      }
    }),
  )
})
