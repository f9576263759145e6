import { formatDuration, slotsHeld } from '@sandglass/runtime/core'
import { isLeaf } from '../model/arithmetic.js'
import type { Call } from '../model/chain.js'
import { advice, anyOf } from '../model/change.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { factor } from '../model/factors.js'
import { findingAt, type Rule, worstVisits } from '../model/rule.js'
import type { Visit } from '../model/situations.js'
import type { View } from '../model/view.js'
import { boundSpot, heldFactors } from './measure/limit-spot.js'
import { calleeFactors, mayOutlive, type Outliving, outlivingOf } from './measure/outliving.js'

/** A callee with work of its own below it that does not hear when its caller gives up. */
function isNotTold({ cancel, callee }: Call): boolean {
  return cancel.value === 'stops-here' && callee !== null && !isLeaf(callee)
}

function* check(view: View): Iterable<Diagnostic> {
  const visits = mayOutlive(view).filter(({ call }) => isNotTold(call))
  for (const visit of worstVisits(visits, (each) => outlivingOf(view, each)?.overMs ?? null)) {
    const found = outlivingOf(view, visit)
    if (found) yield findingOf(view, visit, found)
  }
}

function findingOf(view: View, visit: Visit, { callerBoundMs, calleeBoundMs, overMs }: Outliving): Diagnostic {
  const { call } = visit
  const { callee } = call
  const totalPerS = view.flow.callRatePerS(call)
  const instances = callee?.service.instances.value
  const heldSlots = totalPerS === null || typeof instances !== 'number' ? null : slotsHeld(totalPerS / instances, overMs)
  const held =
    heldSlots === null
      ? ''
      : `; at ${round(totalPerS ?? 0)}/s that is ${round(heldSlots)} slots of ${instances === 1 ? '' : 'each instance of '}${callee?.service.name ?? ''} for nobody`
  const rate = visit.arrival.journey?.ratePerS
  return findingAt(visit, {
    rule: 'orphaned-work',
    severity: 'warning',
    message: `when ${call.from.id} gives up on ${call.to.value} nobody tells it, and it works on for up to ${formatDuration(overMs)} a request${held}`,
    arithmetic: `${formatDuration(calleeBoundMs)} - ${formatDuration(callerBoundMs)} = ${formatDuration(overMs)}${heldSlots === null ? '' : `; x ${round(totalPerS ?? 0)}/s${instances === 1 ? '' : ` / ${instances}`} = ${round(heldSlots)} slots`}`,
    why: 'Work for callers that have left takes the slots of callers that still wait.',
    spot: call.cancel.origin.kind === 'declared' ? call.cancel.origin.spot : call.to.origin.spot,
    label: call.cancel.origin.kind === 'declared' ? 'cancellation ends here' : 'cancellation does not reach it',
    related: [{ ...boundSpot(visit), label: 'the caller gives up' }],
    values: { orphanedMs: overMs, callerBoundMs, calleeBoundMs, ratePerS: totalPerS, heldSlots },
    factors: [
      factor('cancel', call.cancel, 'text'),
      ...heldFactors(visit),
      ...(callee ? calleeFactors(callee) : []),
      ...(typeof rate?.value === 'number' ? [{ name: 'rate', value: rate.value, unit: 'perS' as const, origin: rate.origin }] : []),
      ...(callee && typeof instances === 'number'
        ? [{ name: `${callee.service.name} instances`, value: instances, unit: 'count' as const, origin: callee.service.instances.origin }]
        : []),
    ],
    suggestion: anyOf([
      advice(
        `pass the abort signal on and let ${call.to.value} stop its own calls with it (cancel: reaches), or hand the deadline down (deadline: propagate)`,
      ),
    ]),
  })
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100)
}

/** A callee works on for a caller that has given up, because cancellation does not reach it. */
export const orphanedWork: Rule = { id: 'orphaned-work', severity: 'warning', summary: 'cancellation does not arrive', check }
