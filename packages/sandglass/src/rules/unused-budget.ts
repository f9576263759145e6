import { formatDuration } from '@sandglass/runtime/core'
import { isLeaf, ownBounds } from '../model/arithmetic.js'
import type { Call } from '../model/chain.js'
import { anyOf, changeLimit } from '../model/change.js'
import type { Diagnostic, Suggestion } from '../model/diagnostic.js'
import { boundFactors, boundInWords, ownTimeFactors } from '../model/factors.js'
import { roomMs } from '../model/room.js'
import { findingAt, type Rule, visitsWhere, worstVisits } from '../model/rule.js'
import type { Visit } from '../model/situations.js'
import type { View } from '../model/view.js'
import { exceeds } from './measure/exceeds.js'
import { boundSpot, decidingLimit, heldFactors, layerSpot } from './measure/limit-spot.js'

/** How much more than its bound the callee typically needs, its own callees included; null where it does not, or asks nobody. */
function shortByMs(view: View, { call, bound }: Visit): number | null {
  const { callee } = call
  if (!callee || isLeaf(callee) || call.async.value || bound.state !== 'bounded') return null
  const typicalMs = view.typicalMs(callee)
  return exceeds(typicalMs, bound.ms) ? typicalMs - bound.ms : null
}

/** Where no budget is handed down a call has its own bound in every situation. */
function mayBeShort(view: View, call: Call): boolean {
  const { callee, from, async } = call
  if (!callee || async.value || isLeaf(callee)) return false
  const { total } = ownBounds(call)
  return from.service.deadline.value === 'propagate' || (total.state === 'bounded' && exceeds(view.typicalMs(callee), total.ms))
}

/** A bound that is only what an outer call left is that call's fault, when it is too short as well. */
function isOuterFault(view: View, { inherited, arrival: { via } }: Visit): boolean {
  return inherited && via !== null && shortByMs(view, via) !== null
}

function* check(view: View): Iterable<Diagnostic> {
  const measure = (visit: Visit): number | null => (isOuterFault(view, visit) ? null : shortByMs(view, visit))
  for (const visit of worstVisits(
    visitsWhere(view, (call) => mayBeShort(view, call)),
    measure,
  )) {
    const { call, bound, arrival } = visit
    const { callee } = call
    const shortMs = shortByMs(view, visit)
    if (!callee || shortMs === null || bound.state !== 'bounded') continue
    const typicalMs = view.typicalMs(callee)
    yield findingAt(visit, {
      rule: 'unused-budget',
      severity: 'warning',
      message: `${call.from.id} gives up on ${call.to.value} after ${formatDuration(bound.ms)}, but with the calls it makes itself that typically needs up to ${formatDuration(typicalMs)}`,
      arithmetic: `${boundInWords(visit)} < ${formatDuration(typicalMs)}, by ${formatDuration(shortMs)}`,
      why: 'The call ends as a failure although nothing is wrong, and the budget the layers above have is never used.',
      ...boundSpot(visit),
      related: arrival.caller ? [layerSpot(arrival.caller)] : [],
      values: { boundMs: bound.ms, typicalMs, shortByMs: shortMs },
      factors: [
        ...heldFactors(visit),
        ...ownTimeFactors(callee),
        ...callee.calls
          .filter((inner) => !inner.async.value)
          .flatMap((inner) => [
            ...boundFactors(inner).map((part) => ({ ...part, name: `${inner.to.value} ${part.name}` })),
            ...(inner.callee ? ownTimeFactors(inner.callee) : []),
          ]),
      ],
      suggestion: suggest(view, visit, typicalMs),
    })
  }
}

/** As long as the callee needs, where the caller has that much. */
function suggest(view: View, visit: Visit, typicalMs: number): Suggestion | null {
  const deciding = decidingLimit(visit)
  const room = roomMs(view, visit)
  const neededMs = Math.ceil(typicalMs)
  if (!deciding || visit.inherited || visit.call.attempts.value !== 1 || (room !== null && room < neededMs)) return null
  return anyOf([changeLimit(deciding.field, deciding.limit, neededMs)])
}

/** A call gives up before its callee can have the answers it needs itself. */
export const unusedBudget: Rule = {
  id: 'unused-budget',
  severity: 'warning',
  summary: 'the inner layer gives up before its own callees can answer',
  check,
}
