import { formatDuration } from '@sandglass/runtime/core'
import type { Call } from '../model/chain.js'
import { advice, anyOf } from '../model/change.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { factor } from '../model/factors.js'
import { findingAt, type Rule, worstVisits } from '../model/rule.js'
import type { Visit } from '../model/situations.js'
import type { View } from '../model/view.js'
import { withArticle } from '../model/with-article.js'
import { boundSpot, heldFactors } from './measure/limit-spot.js'
import { calleeFactors, mayOutlive, type Outliving, outlivingOf } from './measure/outliving.js'

/** Something that changes the world, asked without a key, whose cancellation does not arrive. */
function isBlindWrite({ callee, cancel, idempotencyKey }: Call): boolean {
  return callee !== null && callee.does.value !== 'read' && !idempotencyKey.value && cancel.value === 'stops-here'
}

function* check(view: View): Iterable<Diagnostic> {
  const visits = mayOutlive(view).filter(({ call }) => isBlindWrite(call))
  for (const visit of worstVisits(visits, (each) => outlivingOf(view, each)?.overMs ?? null)) {
    const found = outlivingOf(view, visit)
    const { callee } = visit.call
    if (found && callee) yield findingOf(visit, callee.does.origin.kind === 'default', found)
  }
}

function findingOf(visit: Visit, isGuessed: boolean, { callerBoundMs, calleeBoundMs, overMs }: Outliving): Diagnostic {
  const { call } = visit
  const { callee } = call
  const kind = isGuessed ? 'it does not say what it does and is taken for a write' : `it is ${withArticle(callee?.does.value ?? 'write')}`
  return findingAt(visit, {
    rule: 'late-success',
    severity: 'warning',
    message: `${call.from.id} calls ${call.to.value} failed after ${formatDuration(callerBoundMs)}, but it may still succeed up to ${formatDuration(overMs)} later (${kind}), and no idempotency key tells a repetition apart`,
    arithmetic: `${formatDuration(calleeBoundMs)} - ${formatDuration(callerBoundMs)} = ${formatDuration(overMs)}`,
    why: 'Who repeats it does it twice, and who does not has a success that nobody knows of.',
    ...boundSpot(visit),
    label: 'the caller calls it failed',
    related: callee
      ? [{ spot: isGuessed ? callee.spot : callee.does.origin.spot, label: isGuessed ? 'does not say what it does' : 'what it does' }]
      : [],
    values: { callerBoundMs, calleeBoundMs, lateByMs: overMs },
    factors: [
      ...heldFactors(visit),
      ...(callee ? [factor(`${callee.id} does`, callee.does, 'text'), ...calleeFactors(callee)] : []),
      factor('idempotencyKey', call.idempotencyKey, 'text'),
      factor('cancel', call.cancel, 'text'),
    ],
    suggestion: anyOf([
      advice(
        'send a key that the callee honours (idempotencyKey: true), let its state refuse what comes too late, and reconcile what remains',
      ),
    ]),
  })
}

/** A write may succeed after its caller has called it failed. */
export const lateSuccess: Rule = {
  id: 'late-success',
  severity: 'warning',
  summary: 'the caller calls it failed, it may have happened',
  check,
}
