import { formatDuration } from '@sandglass/runtime/core'
import { advice, anyOf } from '../model/change.js'
import type { Diagnostic, Suggestion } from '../model/diagnostic.js'
import { boundFactors } from '../model/factors.js'
import { roomMs } from '../model/room.js'
import { findingAt, type Rule, worstVisits } from '../model/rule.js'
import type { Visit } from '../model/situations.js'
import type { View } from '../model/view.js'
import { inAllSituations, notableCalls } from './measure/notable-calls.js'

function unboundedBehindBreaker({ call, bound }: Visit): number | null {
  const isStream = call.callee?.stream !== undefined
  return call.breaker && bound.state === 'unbounded' && !isStream ? 1 : null
}

function suggest(view: View, visit: Visit): Suggestion | null {
  const room = roomMs(view, visit)
  const at = room === null || room < 1 ? '' : `: at most ${formatDuration(Math.floor(room))} (what its caller leaves)`
  return anyOf([advice(`add a timeout${at}, so that a hung call ends and is counted`)])
}

function* check(view: View): Iterable<Diagnostic> {
  for (const visit of worstVisits(inAllSituations(view, notableCalls(view).withBreaker), unboundedBehindBreaker)) {
    const { call } = visit
    if (!call.breaker) continue
    yield findingAt(visit, {
      rule: 'breaker-no-timeout',
      severity: 'error',
      message: `the breaker on ${call.to.value} never sees a hung call: nothing ends it, so nothing is counted`,
      arithmetic: 'no timeout, no attempt, no phase limit: a hung call never becomes a failure',
      why: 'A breaker counts calls that have ended; calls that hang hold their slots for ever while it stays closed.',
      spot: call.breaker.spot,
      label: 'counts only calls that end',
      related: [{ spot: call.timeoutMs?.origin.spot ?? call.to.origin.spot, label: 'can wait for ever' }],
      values: { boundMs: null },
      factors: boundFactors(call),
      suggestion: suggest(view, visit),
    })
  }
}

/** A breaker on a call that has no bound. */
export const breakerNoTimeout: Rule = {
  id: 'breaker-no-timeout',
  severity: 'error',
  summary: 'one hung call defeats the breaker',
  check,
}
