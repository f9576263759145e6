import { retryFactor } from '@sandglass/runtime/core'
import { advice, anyOf } from '../model/change.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { factor, missingFactor } from '../model/factors.js'
import { countText, isByItself, retriesOf } from '../model/retrying.js'
import { findingAt, type Rule } from '../model/rule.js'
import type { View } from '../model/view.js'
import { notableCalls } from './measure/notable-calls.js'

function* check(view: View): Iterable<Diagnostic> {
  for (const visit of notableCalls(view).retried) {
    if (isByItself(visit.call)) continue
    const { call } = visit
    const attempts = retriesOf(call)
    if (attempts === null || call.breaker || call.retryBudget) continue
    const times = countText(attempts)
    const rate = view.flow.callRatePerS(call)
    const storm =
      rate !== null && Number.isFinite(attempts)
        ? `${countText(rate)}/s x ${times} = ${countText(rate * attempts)}/s`
        : `${times} times the load`
    yield findingAt(visit, {
      rule: 'retry-no-breaker',
      severity: 'warning',
      message: `when ${call.to.value} is down, retries send it ${times} times the load, and neither a breaker nor a retry budget stops them`,
      arithmetic: storm,
      why: 'Retries help against a failure here and there; when the callee is really down they become a storm that keeps it down.',
      spot: call.attempts.origin.spot,
      label: 'tried so often, whatever the callee is like',
      values: {
        attempts: Number.isFinite(attempts) ? attempts : null,
        ratePerS: rate,
        stormPerS: rate !== null && Number.isFinite(attempts) ? rate * attempts : null,
      },
      factors: [
        factor('attempts', call.attempts, 'count'),
        { ...missingFactor('breaker', call), unit: 'text' },
        { ...missingFactor('retryBudget', call), unit: 'text' },
      ],
      suggestion: anyOf([
        advice(`add retryBudget: default (at most ${retryFactor(attempts, 'default')} tries a request instead of ${times}), or a breaker`),
      ]),
    })
  }
}

/** Retries that nothing stops when the callee is down. */
export const retryNoBreaker: Rule = {
  id: 'retry-no-breaker',
  severity: 'warning',
  summary: 'nothing stops the retries when the callee is really down',
  check,
}
