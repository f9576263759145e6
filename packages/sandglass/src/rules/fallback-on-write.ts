import { mayFallBack } from '@sandglass/runtime/core'
import type { Fallback, Operation } from '../model/chain.js'
import { advice, anyOf } from '../model/change.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { factor } from '../model/factors.js'
import { findingAt, type Rule } from '../model/rule.js'
import type { View } from '../model/view.js'
import { withArticle } from '../model/with-article.js'
import { notableCalls } from './measure/notable-calls.js'

function pretending(fallbacks: readonly Fallback[] | undefined, callee: Operation | null): Fallback[] {
  if (!fallbacks || !callee) return []
  return fallbacks.filter(({ tier }) => !mayFallBack(callee.does.value, tier.value))
}

function* check(view: View): Iterable<Diagnostic> {
  for (const visit of notableCalls(view).withFallback) {
    const { call } = visit
    const wrong = pretending(call.fallback, call.callee)
    const [first] = wrong
    if (!first || !call.callee) continue
    const { does } = call.callee
    const guessed = does.origin.kind === 'default'
    const tiers = wrong.map(({ tier }) => tier.value).join(', ')
    yield findingAt(visit, {
      rule: 'fallback-on-write',
      severity: guessed ? 'warning' : 'error',
      message: guessed
        ? `${call.to.value} falls back to ${tiers}, and nobody says that it only reads (it is taken for a write)`
        : `${call.to.value} falls back to ${tiers} although it is ${withArticle(does.value)}: that pretends it succeeded`,
      why: 'A write that failed has failed; an answer from a fallback makes the caller go on as if it had happened.',
      spot: first.tier.origin.spot,
      label: 'answers instead of the write',
      related: [{ spot: guessed ? call.callee.spot : does.origin.spot, label: guessed ? 'does not say what it does' : 'what it does' }],
      values: { tier: tiers, does: does.value },
      factors: [...wrong.map(({ tier }) => factor('tier', tier, 'text')), factor(`${call.to.value} does`, does, 'text')],
      suggestion: anyOf([
        advice('remove the fallback, so that it fails clearly'),
        advice(`tier ${first.tier.value} -> defer (accept now, do later, settle by reconciliation)`),
        guessed ? advice(`say does: read, if ${call.to.value} only reads`) : null,
      ]),
    })
  }
}

/** A fallback that pretends a write succeeded. */
export const fallbackOnWrite: Rule = {
  id: 'fallback-on-write',
  severity: 'error',
  summary: 'a fallback pretends that a write succeeded',
  check,
}
