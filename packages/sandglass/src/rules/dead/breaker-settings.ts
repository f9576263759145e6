import type { Breaker } from '../../model/chain.js'
import { changeCount } from '../../model/change.js'
import { factor } from '../../model/factors.js'
import type { Sourced } from '../../model/sourced.js'
import type { Dead } from './dead.js'

function rateWithoutSlow({ slowRate, slowMs }: Breaker): Dead[] {
  if (!slowRate || slowMs) return []
  return [
    {
      setting: 'breaker.slowRate',
      written: `${slowRate.value * 100} %`,
      spot: slowRate.origin.spot,
      because: 'nothing says from when on a call is slow (breaker.slow)',
      effective: 'no call counts as slow',
      factors: [factor('slowRate', slowRate, 'share')],
    },
  ]
}

function moreCallsThanWindow({ minCalls, window }: Breaker): Dead[] {
  if (!minCalls || !window || !('calls' in window.value) || minCalls.value <= window.value.calls) return []
  const { calls } = window.value
  return [
    {
      setting: 'breaker.minCalls',
      written: String(minCalls.value),
      spot: minCalls.origin.spot,
      because: `the window holds no more than ${calls} calls`,
      effective: `minCalls ${calls}`,
      factors: [factor('minCalls', minCalls, 'count'), { name: 'window', value: calls, unit: 'count', origin: window.origin }],
      instead: window,
      change: changeCount('minCalls', minCalls, calls),
    },
  ]
}

/** A window belongs to a rate; a breaker that counts failures in a row alone has none. */
function windowWithoutRate({ window, minCalls, consecutive, failureRate, slowMs }: Breaker): Dead[] {
  if (!consecutive || failureRate || slowMs) return []
  const dead = (setting: string, written: string, at: Sourced<unknown>): Dead => ({
    setting,
    written,
    spot: at.origin.spot,
    because: 'the breaker counts failures in a row, and judges no rate',
    effective: `consecutive ${consecutive.value}`,
    factors: [factor('consecutive', consecutive, 'count')],
    instead: consecutive,
  })
  return [
    ...(window ? [dead('breaker.window', 'calls' in window.value ? `${window.value.calls} calls` : `${window.value.ms} ms`, window)] : []),
    ...(minCalls ? [dead('breaker.minCalls', String(minCalls.value), minCalls)] : []),
  ]
}

/** What is written in a breaker and has no effect. */
export function breakerSettings(breaker: Breaker): Dead[] {
  const withoutRate = windowWithoutRate(breaker)
  return [...rateWithoutSlow(breaker), ...(withoutRate.length > 0 ? withoutRate : moreCallsThanWindow(breaker))]
}
