import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { longestDurationMs, parseDuration } from './duration.js'

const ms = (text: string): number | string => {
  const parsed = parseDuration(text)
  return parsed.ok ? parsed.ms : parsed.message
}

describe('a duration that is understood', () => {
  test.each([
    ['250ms', 250],
    ['0.25s', 250],
    ['1m30s', 90_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    ['0ms', 0],
    ['0s', 0],
    ['4.35s', 4350],
    ['1.005s', 1005],
    ['0.1ms', 0.1],
    ['1.5h', 5_400_000],
    ['1d2h3m4s5ms', 93_784_005],
    [' 3s ', 3000],
    ['007s', 7000],
    ['9999999999ms', longestDurationMs],
  ])('%s is %d ms', (text, expected) => {
    expect(ms(text)).toBe(expected)
  })
})

describe('a duration that is refused names what is likely', () => {
  test.each([
    ['30', '"30" needs a unit: 30s or 30ms?', '30s'],
    ['3000', '"3000" needs a unit: 3000ms or 3000s?', '3000ms'],
    ['2.5', '"2.5" needs a unit: 2.5s or 2.5ms?', '2.5s'],
    ['0', '"0" needs a unit: did you mean 0ms?', '0ms'],
    ['-5s', '"-5s" has a sign: a duration is never negative: did you mean 5s?', '5s'],
    ['+5s', '"+5s" has a sign: a duration is never negative: did you mean 5s?', '5s'],
    ['5 s', '"5 s" has a space in it: did you mean 5s?', '5s'],
    ['5S', '"5S": "S" is no unit: did you mean 5s?', '5s'],
    ['30sec', '"30sec": "sec" is no unit: did you mean 30s?', '30s'],
    ['5 minutes', '"5 minutes": "minutes" is no unit: did you mean 5m?', '5m'],
    ['250mss', '"250mss": "mss" is no unit; the units are ms, s, m, h and d: did you mean 250ms?', '250ms'],
    ['30s1m', '"30s1m": the largest unit comes first: did you mean 1m30s?', '1m30s'],
  ])('%s', (text, message, likely) => {
    expect(parseDuration(text)).toEqual({ ok: false, message, likely })
  })

  test.each([
    ['', 'a duration is missing: write one such as 250ms or 2.8s'],
    ['   ', 'a duration is missing: write one such as 250ms or 2.8s'],
    ['NaN', '"NaN" is not a duration: write one such as 250ms, 2.8s or 1m30s'],
    ['Infinity', '"Infinity" is not a duration: write one such as 250ms, 2.8s or 1m30s'],
    ['1e3ms', '"1e3ms": "e" is no unit; the units are ms, s, m, h and d'],
    ['5x', '"5x": "x" is no unit; the units are ms, s, m, h and d'],
    ['250µs', '"250µs": the smallest unit is ms, write a fraction such as 0.5ms'],
    ['1s2s', '"1s2s" names a unit twice'],
    ['1.2.3s', '"1.2.3s" is not a duration: write one such as 250ms, 2.8s or 1m30s'],
    ['10000000000ms', '"10000000000ms" is longer than the longest duration, 9999999999ms (about 115 days)'],
    ['116d', '"116d" is longer than the longest duration, 9999999999ms (about 115 days)'],
    ['9'.repeat(60) + 's', `"${'9'.repeat(60)}s" is longer than the longest duration, 9999999999ms (about 115 days)`],
    ['1constructor', '"1constructor": "constructor" is no unit; the units are ms, s, m, h and d'],
  ])('%s', (text, message) => {
    expect(parseDuration(text)).toEqual({ ok: false, message })
  })

  test('a megabyte is refused without reading it', () => {
    expect(ms('1s'.repeat(500_000))).toBe('a duration of 1000000 characters is too long to be one')
  })

  test('no text throws, and what is read is never negative, NaN or too long', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('1', '0', '.', 's', 'm', 'h', 'd', ' ', '-', 'µ') })), (text) => {
        const parsed = parseDuration(text)
        if (parsed.ok) expect(parsed.ms >= 0 && parsed.ms <= longestDurationMs).toBe(true)
        else expect(parsed.message.includes('\n') && !text.includes('\n')).toBe(false)
      }),
    )
  })

  test('what is offered as likely can itself be read', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('1', '7', '.', 's', 'S', 'm', 'in', 'ms', ' ', '-', 'h'), maxLength: 12 }), (text) => {
        const parsed = parseDuration(text)
        if (!parsed.ok && parsed.likely !== undefined) expect(parseDuration(parsed.likely).ok).toBe(true)
      }),
    )
  })
})
