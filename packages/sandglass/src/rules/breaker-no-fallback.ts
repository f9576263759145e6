import { advice, anyOf } from '../model/change.js'
import type { Diagnostic, Factor } from '../model/diagnostic.js'
import { factor } from '../model/factors.js'
import { findingAt, type Rule, worstVisits } from '../model/rule.js'
import { layersOf, type Visit } from '../model/situations.js'
import { defaultsAt } from '../model/sourced.js'
import type { View } from '../model/view.js'

/** True where the failure of this call fails the whole journey: no layer outside does without it. */
function isRequired(visit: Visit): boolean {
  return layersOf(visit).every(({ call }) => !call.optional.value && !call.async.value && !call.fallback)
}

function bareBreaker(visit: Visit): number | null {
  const { call } = visit
  return call.breaker && !call.fallback && call.callee?.does.value === 'read' && isRequired(visit) ? 1 : null
}

function* check(view: View): Iterable<Diagnostic> {
  for (const visit of worstVisits(view.situations.visits, bareBreaker)) {
    const { call } = visit
    if (!call.breaker || !call.callee) continue
    const missing: Factor = { name: 'fallback', value: null, unit: 'text', origin: defaultsAt(call.spot) }
    yield findingAt(visit, {
      rule: 'breaker-no-fallback',
      severity: 'warning',
      message: `when the breaker on ${call.to.value} is open, every request fails at once: the call is required and has no fallback`,
      why: 'An open breaker without a fallback is only a faster error; a read can answer from a snapshot, a default or without it.',
      spot: call.breaker.spot,
      label: 'opens, and then?',
      related: [{ spot: call.to.origin.spot, label: 'required, no fallback' }],
      factors: [factor(`${call.to.value} does`, call.callee.does, 'text'), factor('optional', call.optional, 'text'), missing],
      suggestion: anyOf([advice('add a fallback (snapshot, default or empty)'), advice('make the call optional')]),
    })
  }
}

/** A breaker on a required read that has no fallback. */
export const breakerNoFallback: Rule = {
  id: 'breaker-no-fallback',
  severity: 'warning',
  summary: 'an open breaker is just a faster error',
  check,
}
