import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AttemptEnd,
  breakerClassOf,
  codeOf,
  ERROR_CODES,
  endOfFailure,
  endOfGrpcCode,
  endOfHttpStatus,
  errorNameOf,
  httpStatusOf,
  outcomeOf,
  retryableOf,
  retryCauseOf,
  whoseOf,
} from './outcome.js'
import type { Does } from './safety.js'

const ENDS: AttemptEnd[] = ['answered', 'rejected', 'error', 'throttled', 'connect', 'lost', 'timeout', 'deadline', 'cancelled', 'refused']
const DOES: Does[] = ['read', 'idempotent-write', 'write', 'external-effect', 'manual', 'compensation']

describe('the outcome', () => {
  test.each(['timeout', 'deadline', 'cancelled', 'lost'] as const)(
    'of a write that was sent and ended by %s is unknown, of a read failed',
    (end) => {
      expect(outcomeOf(end, true, 'write')).toBe('unknown')
      expect(outcomeOf(end, true, 'external-effect')).toBe('unknown')
      expect(outcomeOf(end, true, 'read')).toBe('failed')
      expect(outcomeOf(end, false, 'write')).toBe('not-sent')
    },
  )

  test('of an answer is what the answer says, whatever the call does', () => {
    for (const does of DOES) {
      expect(outcomeOf('answered', true, does)).toBe('succeeded')
      for (const end of ['rejected', 'error', 'throttled'] as const) expect(outcomeOf(end, true, does)).toBe('failed')
    }
  })

  test('of a refusal or a missing connection is not-sent', () => {
    for (const end of ['refused', 'connect'] as const) expect(outcomeOf(end, true, 'write')).toBe('not-sent')
  })
})

describe('what the breaker hears', () => {
  test.each([
    ['answered', 'success'],
    ['rejected', 'success'],
    ['error', 'failure'],
    ['connect', 'failure'],
    ['lost', 'failure'],
    ['timeout', 'failure'],
    ['throttled', 'overload'],
    ['cancelled', 'neutral'],
    ['refused', 'neutral'],
  ] as const)('%s is %s', (end, heard) => {
    expect(breakerClassOf(end, 10, 1_000)).toBe(heard)
  })

  test('an inherited deadline is neutral when it gave less than the usual p99, else a failure', () => {
    expect(breakerClassOf('deadline', 99, 100)).toBe('neutral')
    expect(breakerClassOf('deadline', 100, 100)).toBe('failure')
    expect(breakerClassOf('deadline', 1, Number.NaN)).toBe('failure')
  })
})

describe('retryable', () => {
  test('what was not sent may be sent again, but people are not asked twice', () => {
    for (const does of DOES) {
      expect(retryableOf('timeout', false, does)).toBe(does !== 'manual')
      for (const end of ['connect', 'refused'] as const) expect(retryableOf(end, true, does)).toBe(does !== 'manual')
    }
  })

  test('an unknown write is never retryable without its key', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ENDS), fc.constantFrom(...DOES), (end, does) => {
        if (outcomeOf(end, true, does) === 'unknown') expect(retryableOf(end, true, does)).toBe(false)
      }),
    )
    expect(retryableOf('timeout', true, 'idempotent-write', { idempotencyKey: true })).toBe(true)
    expect(retryableOf('timeout', true, 'write', { idempotencyKey: true })).toBe(false)
  })

  test('an answer to the point and a cancel end it', () => {
    for (const end of ['answered', 'rejected', 'cancelled'] as const) expect(retryableOf(end, false, 'read')).toBe(false)
    for (const end of ['error', 'lost', 'timeout', 'deadline', 'throttled'] as const) expect(retryableOf(end, true, 'read')).toBe(true)
  })
})

describe('names', () => {
  test('whose limit it was', () => {
    expect((['timeout', 'refused', 'deadline', 'cancelled', 'error', 'throttled'] as const).map(whoseOf)).toEqual([
      'own',
      'own',
      'inherited',
      'caller',
      'peer',
      'peer',
    ])
  })

  test('codes, names and statuses go together', () => {
    expect(codeOf('deadline')).toBe('DEADLINE_EXCEEDED')
    expect(codeOf('cancelled')).toBe('CANCELLED')
    expect(codeOf('error')).toBe(null)
    expect(ERROR_CODES.map(errorNameOf)).toEqual([
      'TimeoutError',
      'TimeoutError',
      'AbortError',
      'SandglassError',
      'SandglassError',
      'SandglassError',
      'SandglassError',
    ])
    expect(ERROR_CODES.map(httpStatusOf)).toEqual([504, 504, 499, 503, 503, 503, 503])
  })

  test('a retry after a timeout costs as one, after throttling as one', () => {
    expect((['timeout', 'deadline', 'throttled', 'error', 'lost', 'connect'] as const).map(retryCauseOf)).toEqual([
      'timeout',
      'timeout',
      'throttled',
      'error',
      'error',
      'error',
    ])
  })
})

describe('answers of protocols', () => {
  test.each([
    [204, 'answered'],
    [304, 'answered'],
    [400, 'rejected'],
    [404, 'rejected'],
    [408, 'lost'],
    [429, 'throttled'],
    [500, 'error'],
    [502, 'lost'],
    [503, 'error'],
    [504, 'lost'],
  ] as const)('HTTP %d is %s', (status, end) => {
    expect(endOfHttpStatus(status)).toBe(end)
    expect(endOfFailure(status)).toBe(end)
  })

  test('an HTTP 503 that says when to come back is throttling', () => {
    expect(endOfHttpStatus(503, true)).toBe('throttled')
    expect(endOfHttpStatus(500, true)).toBe('error')
  })

  test.each([
    [0, 'answered'],
    [1, 'cancelled'],
    [2, 'error'],
    [3, 'rejected'],
    [4, 'lost'],
    [5, 'rejected'],
    [8, 'throttled'],
    [13, 'error'],
    [14, 'lost'],
    [16, 'rejected'],
    [17, 'error'],
    [-1, 'error'],
  ] as const)('gRPC %d is %s', (code, end) => {
    expect(endOfGrpcCode(code)).toBe(end)
  })

  test('the words of retryOn', () => {
    expect((['timeout', 'connect', 'reset', 'other'] as const).map((cause) => endOfFailure(cause))).toEqual([
      'timeout',
      'connect',
      'lost',
      'error',
    ])
  })
})
