import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatRequestMeta, isRetryOf, parseRequestMeta } from './wire-meta.js'

test('all parts are read back as they were written', () => {
  const meta = { sentAt: 1_764_374_400_000, from: 'gw-1', hop: 2, attempt: 1, last: true }
  expect(formatRequestMeta(meta)).toBe('sent=1764374400000; from=gw-1; hop=2; attempt=1; last')
  expect(parseRequestMeta(formatRequestMeta(meta))).toEqual(meta)
})

test('what is missing, unknown or malformed is left out and the rest is read', () => {
  expect(parseRequestMeta('hop=x; from=a b; attempt=2;colour=red;;=;sent=-1')).toEqual({ attempt: 2 })
  expect(parseRequestMeta('attempt=0')).toEqual({})
  expect(parseRequestMeta('last=yes')).toEqual({})
  expect(parseRequestMeta('sent=9999999999999999')).toEqual({})
  expect(parseRequestMeta('')).toEqual({})
  expect(parseRequestMeta(undefined)).toEqual({})
})

test('a part named twice counts once if it agrees and not at all if it does not', () => {
  expect(parseRequestMeta('hop=2; hop=2')).toEqual({ hop: 2 })
  expect(parseRequestMeta('hop=2; hop=3; hop=2')).toEqual({})
})

test('two headers count if they agree, and a long one is not read', () => {
  expect(parseRequestMeta(['hop=2', 'hop=2'])).toEqual({ hop: 2 })
  expect(parseRequestMeta(['hop=2', 'hop=3'])).toEqual({})
  expect(parseRequestMeta(`hop=2;${' '.repeat(300)}`)).toEqual({})
})

test('a name that could break out of the header is not written', () => {
  expect(formatRequestMeta({ from: 'a; attempt=9' })).toBe('')
  expect(formatRequestMeta({ from: 'a\r\nset-cookie: x' })).toBe('')
  expect(formatRequestMeta({ sentAt: Number.NaN, hop: -1, attempt: 0 })).toBe('')
})

test('an attempt above 1 is a retry', () => {
  expect([isRetryOf({}), isRetryOf({ attempt: 1 }), isRetryOf({ attempt: 2 })]).toEqual([false, false, true])
})

test('no text throws, and what was read can be written and read again', () => {
  const text = fc.oneof(
    fc.string(),
    fc
      .array(fc.constantFrom('sent=5', 'from=a', 'hop=1', 'attempt=3', 'last', 'hop=2', 'x', '='), { maxLength: 6 })
      .map((parts) => parts.join(';')),
  )
  fc.assert(
    fc.property(text, (written) => {
      const meta = parseRequestMeta(written)
      expect(parseRequestMeta(formatRequestMeta(meta))).toEqual(meta)
    }),
  )
})
