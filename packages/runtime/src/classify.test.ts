import fc from 'fast-check'
import { expect, test } from 'vitest'
import { classifyAnswer, classifyError, retryAfterMs } from './classify.js'
import { SandglassError } from './errors.js'

const coded = (code: string, more: object = {}): Error => Object.assign(new Error(code), { code, ...more })

test.each([
  [coded('ECONNREFUSED'), 'connect', false],
  [coded('ENOTFOUND'), 'connect', false],
  [coded('UND_ERR_CONNECT_TIMEOUT'), 'connect', false],
  [coded('ETIMEDOUT', { syscall: 'connect' }), 'connect', false],
  [coded('ETIMEDOUT'), 'timeout', true],
  [coded('UND_ERR_HEADERS_TIMEOUT'), 'timeout', true],
  [coded('UND_ERR_BODY_TIMEOUT'), 'timeout', true],
  [coded('ECONNABORTED'), 'timeout', true],
  [coded('ECONNRESET'), 'lost', true],
  [coded('UND_ERR_SOCKET'), 'lost', true],
  [new TypeError('fetch failed', { cause: coded('ECONNREFUSED') }), 'connect', false],
  [new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]), 'connect', false],
  [new AggregateError([coded('ECONNREFUSED'), coded('ECONNRESET')]), 'lost', true],
  [Object.assign(new Error('x'), { response: { status: 404, headers: {} } }), 'rejected', true],
  [Object.assign(new Error('x'), { statusCode: 500 }), 'error', true],
  [Object.assign(new Error('x'), { status: 504 }), 'lost', true],
  [Object.assign(new Error('x'), { code: 14, details: 'unavailable' }), 'lost', true],
  [Object.assign(new Error('x'), { code: 8, details: 'exhausted' }), 'throttled', true],
  [new Error('anything'), 'error', true],
  ['a string', 'error', true],
  [undefined, 'error', true],
])('%s is %s', (error, end, sent) => {
  expect(classifyError(error)).toMatchObject({ end, sent })
})

test('our own errors from further down are told apart by their code, also those of another copy of this package', () => {
  const init = { whose: 'own', outcome: 'not-sent', retryable: true, budgetMs: 1, elapsedMs: 1, call: 'x' } as const
  expect(classifyError(new SandglassError({ ...init, code: 'BREAKER_OPEN', retryAfterMs: 500 }))).toEqual({
    end: 'refused',
    cause: 'other',
    sent: false,
    retryAfterMs: 500,
  })
  expect(classifyError({ ...init, code: 'DEADLINE_EXCEEDED', outcome: 'unknown', name: 'TimeoutError' })).toMatchObject({
    end: 'timeout',
    sent: true,
  })
})

test('an answer is judged only when it looks like an HTTP response', () => {
  expect(classifyAnswer({ status: 500 })).toBeUndefined()
  expect(classifyAnswer({ status: 'open', headers: {} })).toBeUndefined()
  expect(classifyAnswer({ status: 200, headers: {} })).toBeUndefined()
  expect(classifyAnswer({ status: 503, headers: { 'retry-after': '2' } })).toEqual({
    end: 'throttled',
    cause: 429,
    sent: true,
    retryAfterMs: 2000,
  })
  expect(classifyAnswer(new Response('', { status: 500 }))).toMatchObject({ end: 'error', cause: 500 })
})

test('retry-after is whole seconds, however many, or a date beside the date of the answer', () => {
  const read = (value: string | undefined, date?: string): number | undefined => retryAfterMs(value, date)
  expect(['3', ' 3 ', '0', '99999999', '9'.repeat(40)].map((value) => read(value))).toEqual([3000, 3000, 0, 99_999_999_000, 1e43])
  const date = 'Wed, 21 Oct 2026 07:28:00 GMT'
  expect(read('Wed, 21 Oct 2026 07:28:30 GMT', date)).toBe(30_000)
  expect(read('Wed, 21 Oct 2026 07:27:00 GMT', date)).toBe(0)
  const nothing = ['-1', '1.5', '', undefined, '9'.repeat(41), 'Xyz, 99 Abc 2026 99:99:99 GMT'].map((value) => read(value, date))
  expect(nothing).toEqual(Array.from({ length: 6 }, () => undefined))
  expect(read(date)).toBeUndefined()
})

test('no error, however strange, makes it throw', () => {
  const loop: { cause?: unknown } = {}
  loop.cause = loop
  const trap = new Proxy(
    {},
    {
      get: () => {
        throw new Error('trap')
      },
      has: () => {
        throw new Error('trap')
      },
    },
  )
  expect(classifyError(loop)).toMatchObject({ end: 'error' })
  expect(classifyError(trap)).toMatchObject({ end: 'error' })
  fc.assert(fc.property(fc.anything(), (value) => void expect(typeof classifyError(value).sent).toBe('boolean')))
})

test('answers are judged by `status` or `statusCode`, and what cannot be looked into is an answer', () => {
  expect(classifyAnswer({ statusCode: 503, headers: { 'retry-after': '2' } })).toMatchObject({ end: 'throttled', retryAfterMs: 2000 })
  expect(classifyAnswer({ status: 500, headers: new Headers() })).toMatchObject({ end: 'error', cause: 500 })
  expect(classifyAnswer({ statusCode: 200, headers: {} })).toBeUndefined()
  expect(classifyAnswer({ status: 1404, headers: {} })).toBeUndefined()
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  expect(classifyAnswer(proxy)).toBeUndefined()
})
