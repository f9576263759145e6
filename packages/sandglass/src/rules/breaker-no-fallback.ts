import { advice, anyOf } from '../model/change.js'
import type { Diagnostic, Factor } from '../model/diagnostic.js'
import { factor } from '../model/factors.js'
import { findingAt, type Rule, worstVisits } from '../model/rule.js'
import type { Visit } from '../model/situations.js'
import { defaultsAt } from '../model/sourced.js'
import type { View } from '../model/view.js'

/** The visits whose failure fails the whole journey: no layer outside does without them. Callers come before callees. */
function requiredVisits(visits: readonly Visit[]): ReadonlySet<Visit> {
  const required = new Set<Visit>()
  for (const visit of visits) {
    const { call, arrival } = visit
    const needed = !call.optional.value && !call.async.value && !call.fallback
    if (needed && (arrival.via === null || required.has(arrival.via))) required.add(visit)
  }
  return required
}

function* check(view: View): Iterable<Diagnostic> {
  if (!view.chain.calls.some((call) => call.breaker && !call.fallback)) return
  const required = requiredVisits(view.situations.visits)
  const bareBreaker = ({ call }: Visit): boolean => call.breaker !== undefined && call.callee?.does.value === 'read'
  for (const visit of worstVisits(view.situations.visits, (visit) => (bareBreaker(visit) && required.has(visit) ? 1 : null))) {
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
