import type { Call, Count } from './chain.js'

/** Tries of a call where they are a number above 1 or without limit (`Infinity`); null where it does not retry or nobody knows. */
export function retriesOf(call: Call): number | null {
  const attempts: Count = call.attempts.value
  if (attempts === 'none') return Number.POSITIVE_INFINITY
  return typeof attempts === 'number' && attempts > 1 ? attempts : null
}

/**
 * True for retries that a product makes by itself and only of connecting (HAProxy, Envoy's TCP proxy): no request reaches the callee twice, and
 * nobody wrote them.
 */
export function isOwnReconnecting({ retryOn, attempts }: Pick<Call, 'retryOn' | 'attempts'>): boolean {
  return attempts.origin.kind === 'default' && retryOn !== undefined && retryOn.value.every((cause) => cause === 'connect')
}

/** True for tries that a product makes by itself: nobody wrote their number, so nobody gave thought to their back-off and their end either. */
export function isByItself({ attempts }: Pick<Call, 'attempts'>): boolean {
  return attempts.origin.kind === 'default'
}

/** True where nothing but connecting is tried again: no request reaches the callee twice, whoever wrote it. */
export function isReconnecting({ retryOn }: Pick<Call, 'retryOn'>): boolean {
  return retryOn?.value.every((cause) => cause === 'connect') ?? false
}

/** A count for people: "3", or "any number of" where there is no limit. */
export function countText(count: number): string {
  return Number.isFinite(count) ? String(Math.round(count * 1000) / 1000) : 'any number of'
}
