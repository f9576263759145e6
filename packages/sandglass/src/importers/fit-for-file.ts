import { longestDurationMs } from '@sandglass/runtime/core'
import type { Breaker, CallFields, LimitMs } from '../model/chain.js'
import type { Sourced } from '../model/sourced.js'

/** A number of slots, tries or instances of which there is at least one: nothing runs with 0 of them, and what a product does instead differs. */
export function atLeastOne<T>(count: Sourced<T>): Sourced<T | 'unknown'> {
  return count.value === 0 ? { ...count, value: 'unknown' } : count
}

/** The fields of a call as a chain file takes them: counts of at least one, a breaker's numbers in their ranges. */
export function fitFields(fields: Partial<Omit<CallFields, 'to'>>): Partial<Omit<CallFields, 'to'>> {
  const { attempts, bulkhead, breaker } = fields
  return {
    ...fields,
    ...(attempts ? { attempts: atLeastOne(attempts) } : {}),
    ...(bulkhead ? { bulkhead: atLeastOne(bulkhead) } : {}),
    ...(breaker ? { breaker: fitBreaker(breaker) } : {}),
  }
}

const MAX_CALLS = 999_999_999

/** A breaker without the numbers that mean nothing: half a call, a share above all, a time beyond the longest. */
function fitBreaker(breaker: Breaker): Breaker {
  const { spot, window, failureRate, minCalls, consecutive, open, probes, slowMs, slowRate } = breaker
  const fitWindow = window && windowOf(window)
  return {
    spot,
    ...(fitWindow ? { window: fitWindow } : {}),
    ...(isShare(failureRate) ? { failureRate } : {}),
    ...(isCount(minCalls) ? { minCalls } : {}),
    ...(isCount(consecutive) ? { consecutive } : {}),
    ...(open ? { open: { ...open, value: { baseMs: shortened(open.value.baseMs), maxMs: shortened(open.value.maxMs) } } } : {}),
    ...(isCount(probes) ? { probes } : {}),
    ...(slowMs ? { slowMs: limitOf(slowMs) } : {}),
    ...(isShare(slowRate) ? { slowRate } : {}),
  }
}

function windowOf(window: NonNullable<Breaker['window']>): Breaker['window'] {
  const { value } = window
  if ('ms' in value) return { ...window, value: { ms: shortened(value.ms) } }
  return Number.isInteger(value.calls) && value.calls >= 1 && value.calls <= MAX_CALLS ? window : undefined
}

function isCount(count: Sourced<number> | undefined): count is Sourced<number> {
  return count !== undefined && Number.isInteger(count.value) && count.value >= 1 && count.value <= MAX_CALLS
}

function isShare(share: Sourced<number> | undefined): share is Sourced<number> {
  return share !== undefined && share.value >= 0 && share.value <= 1
}

function limitOf(limit: Sourced<LimitMs>): Sourced<LimitMs> {
  return typeof limit.value === 'number' ? { ...limit, value: shortened(limit.value) } : limit
}

function shortened(ms: number): number {
  return Math.min(ms, longestDurationMs)
}
