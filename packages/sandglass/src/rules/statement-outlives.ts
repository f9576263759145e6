import { durationText, formatDuration, longestDurationMs } from '@sandglass/runtime/core'
import { heldByOneAttempt } from '../model/arithmetic.js'
import type { Operation } from '../model/chain.js'
import { advice, anyOf, changeLimit } from '../model/change.js'
import type { Diagnostic, Factor, Suggestion } from '../model/diagnostic.js'
import { factor, limitFactor } from '../model/factors.js'
import { findingAt, type Rule, visitsWhere, worstVisits } from '../model/rule.js'
import type { Visit } from '../model/situations.js'
import type { View } from '../model/view.js'
import { exceeds } from './measure/exceeds.js'
import { boundSpot, heldFactors } from './measure/limit-spot.js'

/** The time after which the server itself ends a statement; infinite for a database that has no such limit, null where it is none or nobody knows. */
function statementMs(callee: Operation | null): number | null {
  const limit = callee?.limits?.statementMs?.value
  if (limit === undefined) return callee?.service.kind.value === 'database' ? Number.POSITIVE_INFINITY : null
  if (limit === 'unknown') return null
  return limit === 'none' ? Number.POSITIVE_INFINITY : limit
}

/** What one attempt gets at the client, where the statement may go on after it. */
function abandonedAtMs({ call, own, bound }: Visit): number | null {
  const statement = statementMs(call.callee)
  const held = heldByOneAttempt(own, bound)
  if (statement === null || call.cancel.value !== 'stops-here' || call.async.value || held.state !== 'bounded') return null
  return exceeds(statement, held.ms) ? held.ms : null
}

function* check(view: View): Iterable<Diagnostic> {
  const visits = visitsWhere(view, ({ callee, cancel }) => cancel.value === 'stops-here' && statementMs(callee) !== null)
  for (const visit of worstVisits(visits, (each) => abandonedMeasure(abandonedAtMs(each)))) {
    const { call } = visit
    const { callee } = call
    const boundMs = abandonedAtMs(visit)
    const statement = statementMs(callee)
    if (boundMs === null || statement === null || !callee) continue
    const limit = callee.limits?.statementMs
    const isUnlimited = !Number.isFinite(statement)
    const each = call.attempts.value === 1 ? 'gives up' : 'gives each attempt up'
    yield findingAt(visit, {
      rule: 'statement-outlives',
      severity: 'warning',
      message: `${callee.service.name} works on after ${call.from.id} ${each} after ${formatDuration(boundMs)}: the statement ${isUnlimited ? 'has no limit' : `may run ${formatDuration(statement)}`}`,
      arithmetic: isUnlimited
        ? `${formatDuration(boundMs)} < no limit`
        : `${formatDuration(boundMs)} < ${formatDuration(statement)}, by ${formatDuration(statement - boundMs)}`,
      why: 'Statements that nobody waits for hold their connections and locks, and every retry adds one.',
      spot: limit?.origin.spot ?? call.to.origin.spot,
      label: limit ? 'the server ends the statement' : 'no limit on the statement',
      related: [{ ...boundSpot(visit), label: 'the client gives up' }],
      values: { boundMs, statementMs: isUnlimited ? null : statement, outlivesMs: isUnlimited ? null : statement - boundMs },
      factors: [...heldFactors(visit), ...statementFactors(callee), factor('cancel', call.cancel, 'text')],
      suggestion: suggest(callee, boundMs),
    })
  }
}

/** The shortest wait at the client leaves the most work behind. */
function abandonedMeasure(ms: number | null): number | null {
  return ms === null ? null : 0 - ms
}

function statementFactors(callee: Operation): Factor[] {
  const limit = callee.limits?.statementMs
  if (limit) return limitFactor(`${callee.id} limits.statement`, limit)
  return [
    {
      name: `${callee.id} limits.statement`,
      value: null,
      unit: 'ms',
      origin: { kind: 'default', product: 'sandglass', version: '1', spot: callee.spot },
    },
  ]
}

function suggest(callee: Operation, boundMs: number): Suggestion | null {
  const limit = callee.limits?.statementMs
  const cancelling = advice('cancel the statement at the server when the call is given up (cancel: reaches)')
  if (limit) return anyOf([changeLimit(`${callee.id} limits.statement`, limit, boundMs), cancelling])
  return anyOf([
    boundMs >= 1
      ? advice(`add limits: { statement: ${durationText(Math.min(Math.floor(boundMs), longestDurationMs))} } to ${callee.id}`)
      : null,
    cancelling,
  ])
}

/** The database goes on with a statement after the client has given up. */
export const statementOutlives: Rule = {
  id: 'statement-outlives',
  severity: 'warning',
  summary: 'the database goes on after the client gave up',
  check,
}
