import { expect, test } from 'vitest'
import { type CallOptions, call, memoryStore, snapshot } from './index.js'

const make = (options: object): unknown => call('a.b', { does: 'read', ...options } as CallOptions as { does: 'read' }, () => 1)

test.each([
  [{ timeout: 500 }, /^a\.b: there is no option "timeout"; is timeoutMs meant\?$/],
  [{ retries: 3 }, /^a\.b: there is no option "retries"$/],
  [{ floorMs: '50' }, /^a\.b: floorMs must be a number, not string$/],
  [{ reserveMs: '20' }, /^a\.b: reserveMs must be a number/],
  [{ reserveMs: -1 }, /^a\.b: reserveMs must be between 0/],
  [{ reserveMs: Infinity }, /^a\.b: a reserve must be 0 ms or more and finite/],
  [{ retryStartWithinMs: Number.NaN }, /^a\.b: retryStartWithinMs must be a number, not NaN$/],
  [{ fallbackMs: '5' }, /^a\.b: /],
  [{ attempts: 1.5 }, /^a\.b: attempts must be a whole number/],
  [{ attempts: '2' }, /^a\.b: attempts must be a whole number/],
  [{ backoff: null }, /^a\.b: backoff must be \{ baseMs/],
  [{ backoff: { baseMs: '5' } }, /^a\.b: backoff\.baseMs must be a number, not string$/],
  [{ backoff: { baseMs: -5 } }, /^a\.b: backoff\.baseMs must be between 0/],
  [{ backoff: { baseMs: 5, maxMs: Number.NaN } }, /^a\.b: backoff\.maxMs/],
  [{ backoff: { baseMs: 5, factor: 0.5 } }, /^a\.b: backoff\.factor must be between 1/],
  [{ backoff: { baseMs: 5, jitter: 'some' } }, /^a\.b: backoff\.jitter must be full, equal or none$/],
  [{ backoff: { waitsMs: 5 } }, /^a\.b: backoff\.waitsMs must be a list/],
  [{ backoff: { waitsMs: [5, 'a'] } }, /^a\.b: backoff\.waitsMs must be a number/],
  [{ retryOn: ['TIMEOUT'] }, /^a\.b: retryOn must be a list of timeout, connect/],
  [{ retryOn: 'timeout' }, /^a\.b: retryOn/],
  [{ retryOn: [99] }, /^a\.b: retryOn/],
  [{ retryBudget: 'nope' }, /^a\.b: retryBudget must be "none" or an object/],
  [{ retryBudget: null }, /^a\.b: retryBudget/],
  [{ breaker: true }, /^a\.b: breaker must be an object of options$/],
  [{ breaker: null }, /^a\.b: breaker/],
  [{ breaker: { failureRate: 40 } }, /^a\.b: breaker\.failureRate must be between/],
  [{ bulkhead: {} }, /^a\.b: bulkhead\.slots must be a number/],
  [{ hedge: 50 }, /^a\.b: hedge must be an object/],
  [{ observeOnly: ['brakers'] }, /^a\.b: observeOnly must be true, false or a list of breaker/],
  [{ fallback: [undefined] }, /^a\.b: fallback must be made by snapshot/],
  [{ signal: 'x' }, /^a\.b: signal must be an AbortSignal$/],
  [{ limits: {} }, /^a\.b: limits must be what limitsFile\(\) returned$/],
  [{ judge: true }, /^a\.b: judge must be a function$/],
  [{ does: 'reads' }, /^a\.b: does must be one of/],
])('%j is refused with one line that names the call and the option', (options, message) => {
  expect(() => make(options)).toThrow(message)
})

test('options that are no options are refused, and an age that is no number', () => {
  expect(() => call('a.b', undefined as unknown as { does: 'read' }, () => 1)).toThrow(/^a\.b: a call needs options/)
  expect(() => call('a.b', { does: 'read' }, undefined as unknown as () => 1)).toThrow(/^a\.b: a call needs a function/)
  expect(() => snapshot(memoryStore(), { maxAgeMs: '5' as unknown as number })).toThrow(/maxAgeMs/)
})

test('what the types allow is not refused', () => {
  make({ backoff: { waitsMs: [] }, retryOn: ['5xx', 429, 'timeout'], retryBudget: 'none', observeOnly: ['floor'], floorMs: 0 })
  make({ backoff: { baseMs: 0, maxMs: Infinity, factor: 1, jitter: 'equal' }, timeoutMs: Infinity, signal: AbortSignal.abort() })
})
