import { formatDuration, mayHedge } from '@sandglass/runtime/core'
import { advice, anyOf } from '../model/change.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { factor, limitFactor } from '../model/factors.js'
import { findingAt, type Rule } from '../model/rule.js'
import type { View } from '../model/view.js'
import { withArticle } from '../model/with-article.js'
import { notableCalls } from './measure/notable-calls.js'

function* check(view: View): Iterable<Diagnostic> {
  for (const visit of notableCalls(view).hedged) {
    const { call } = visit
    const after = call.hedgeAfterMs?.value
    if (!call.callee || !call.hedgeAfterMs || typeof after !== 'number' || mayHedge(call.callee.does.value)) continue
    const { does } = call.callee
    const guessed = does.origin.kind === 'default'
    yield findingAt(visit, {
      rule: 'hedge-on-write',
      severity: guessed ? 'warning' : 'error',
      message: guessed
        ? `a second copy of ${call.to.value} is sent after ${formatDuration(after)}, and nobody says that it only reads (it is taken for a write)`
        : `a second copy of ${call.to.value} is sent after ${formatDuration(after)} although it is ${withArticle(does.value)}: both may happen`,
      arithmetic: `2 copies run at the same time from ${formatDuration(after)} on`,
      why: 'Both copies run at the same time, so whatever writes may write twice; only reads can be hedged.',
      spot: call.hedgeAfterMs.origin.spot,
      label: 'a second copy starts',
      related: [{ spot: guessed ? call.callee.spot : does.origin.spot, label: guessed ? 'does not say what it does' : 'what it does' }],
      values: { afterMs: after, does: does.value },
      factors: [...limitFactor('hedge.after', call.hedgeAfterMs), factor(`${call.to.value} does`, does, 'text')],
      suggestion: anyOf([advice('remove the hedge'), guessed ? advice(`say does: read, if ${call.to.value} only reads`) : null]),
    })
  }
}

/** A hedge on something that does not only read. */
export const hedgeOnWrite: Rule = {
  id: 'hedge-on-write',
  severity: 'error',
  summary: 'a second copy of a write runs beside the first',
  check,
}
