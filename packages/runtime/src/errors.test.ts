import { expect, test } from 'vitest'
import { ERROR_CODES } from './core/outcome.js'
import { isSandglassError, SandglassError } from './errors.js'

const init = { whose: 'own', outcome: 'unknown', retryable: false, budgetMs: 100, elapsedMs: 101.4, call: 'a.b' } as const

test('an error has the name applications branch on', () => {
  const names = ERROR_CODES.map((code) => new SandglassError({ ...init, code }).name)
  expect(names.slice(0, 3)).toEqual(['TimeoutError', 'TimeoutError', 'AbortError'])
  expect(new Set(names.slice(3))).toEqual(new Set(['SandglassError']))
})

test('every code has a message of its own that names the call', () => {
  const messages = ERROR_CODES.map((code) => new SandglassError({ ...init, code }).message)
  expect(new Set(messages).size).toBe(ERROR_CODES.length)
  for (const message of messages) expect(message).toMatch(/^a\.b: .+[^\n]$/)
})

test('the message says whose limit it was, and what the event loop took', () => {
  expect(new SandglassError({ ...init, code: 'DEADLINE_EXCEEDED' }).message).toBe('a.b: its own limit of 100 ms ran out after 101 ms')
  expect(
    new SandglassError({ ...init, code: 'DEADLINE_EXCEEDED', whose: 'inherited', level: 'place-order', loopDelayMs: 60 }).message,
  ).toBe('a.b: the parent deadline "place-order" of 100 ms ran out after 101 ms; the event loop was blocked for 60 ms of it')
})

test('an error of another copy of the package is recognised by its code, other errors are not', () => {
  const foreign = Object.assign(new Error('x'), { code: 'BREAKER_OPEN', whose: 'own', outcome: 'not-sent' })
  expect(isSandglassError(foreign)).toBe(true)
  expect(foreign).not.toBeInstanceOf(SandglassError)
  for (const other of [null, 5, new Error('x'), { code: 'ECONNRESET', whose: 'own', outcome: 'x' }, { code: 'CANCELLED' }])
    expect(isSandglassError(other)).toBe(false)
})

test('the cause is kept, and absent where there is none', () => {
  const cause = new Error('why')
  expect(new SandglassError({ ...init, code: 'CANCELLED', cause }).cause).toBe(cause)
  expect('cause' in new SandglassError({ ...init, code: 'CANCELLED' })).toBe(false)
})
