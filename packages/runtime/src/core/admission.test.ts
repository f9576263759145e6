import { describe, expect, test } from 'vitest'
import { admit, createAdmission, neededMs, recordWork } from './admission.js'

describe('modes', () => {
  test('none admits even what is late', () => {
    expect(admit(createAdmission({ mode: 'none' }), -5, 0)).toBe('admitted')
  })

  test('expired drops what is late and nothing else', () => {
    const admission = createAdmission({ mode: 'expired', floorMs: 100 })
    expect([1, 0, -1].map((remainingMs) => admit(admission, remainingMs, 0))).toEqual(['admitted', 'expired', 'expired'])
    expect(admission).toMatchObject({ admitted: 1, expired: 2, cannotFinish: 0 })
  })

  test('can-finish drops what has less than the floor left', () => {
    const admission = createAdmission({ floorMs: 100 })
    expect([100, 99.9, 0].map((remainingMs) => admit(admission, remainingMs, 0))).toEqual(['admitted', 'cannot-finish', 'expired'])
  })

  test('without a deadline everything is admitted', () => {
    expect(admit(createAdmission({ floorMs: 100 }), Infinity, 0)).toBe('admitted')
  })

  test('observe-only admits all and counts what it would have dropped', () => {
    const admission = createAdmission({ floorMs: 100, observeOnly: true })
    expect([200, 50, 0].map((remainingMs) => admit(admission, remainingMs, 0))).toEqual(['admitted', 'admitted', 'admitted'])
    expect(admission).toMatchObject({ admitted: 3, expired: 1, cannotFinish: 1 })
  })
})

describe('the recent median in place of a floor', () => {
  test('counts from the twentieth sample on', () => {
    const admission = createAdmission()
    for (let sample = 0; sample < 19; sample += 1) recordWork(admission, 200, 0)
    expect(admit(admission, 1, 0)).toBe('admitted')
    recordWork(admission, 200, 0)
    expect(neededMs(admission, 0)).toBeCloseTo(200, -1)
    expect(admit(admission, 150, 0)).toBe('cannot-finish')
  })

  test('is forgotten after ten seconds without work', () => {
    const admission = createAdmission()
    for (let sample = 0; sample < 100; sample += 1) recordWork(admission, 200, 0)
    expect(admit(admission, 150, 9_999)).toBe('cannot-finish')
    expect(admit(admission, 150, 10_000)).toBe('admitted')
  })

  test('is the median, not the mean: a few very slow ones do not lock out the rest', () => {
    const admission = createAdmission()
    for (let sample = 0; sample < 60; sample += 1) recordWork(admission, sample % 3 === 0 ? 30_000 : 10, 0)
    expect(neededMs(admission, 0)).toBeCloseTo(10, 0)
  })
})

test('a mode that is none, a negative floor and a floor that is no number are refused', () => {
  expect(() => createAdmission({ mode: 'all' as 'none' })).toThrow(RangeError)
  expect(() => createAdmission({ floorMs: -1 })).toThrow(RangeError)
  expect(() => createAdmission({ floorMs: Number.NaN })).toThrow(TypeError)
})
