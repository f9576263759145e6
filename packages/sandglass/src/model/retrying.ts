import type { Call, Count } from './chain.js'

/** Tries of a call where they are a number above 1 or without limit (`Infinity`); null where it does not retry or nobody knows. */
export function retriesOf(call: Call): number | null {
  const attempts: Count = call.attempts.value
  if (attempts === 'none') return Number.POSITIVE_INFINITY
  return typeof attempts === 'number' && attempts > 1 ? attempts : null
}

/** A count for people: "3", or "any number of" where there is no limit. */
export function countText(count: number): string {
  return Number.isFinite(count) ? String(Math.round(count * 1000) / 1000) : 'any number of'
}
