import { formatDuration } from '@sandglass/runtime/core'
import { advice, anyOf } from '../model/change.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { factor } from '../model/factors.js'
import { findingAt, type Rule } from '../model/rule.js'
import { pathOf, type Visit } from '../model/situations.js'
import type { View } from '../model/view.js'

/** A call that hands on the whole budget it has. */
function handsOnAll({ call, arrival }: Visit): boolean {
  const isNothing = call.reserveMs.value === 0 || call.reserveMs.value === 'none'
  return isNothing && arrival.budget !== null && call.deadline.value === 'propagate' && !call.async.value
}

/** The one value that is missing: `defaults.reserve` for all calls that say nothing, else the place where 0 is written. */
function causeOf({ call }: Visit): string {
  const { origin } = call.reserveMs
  return origin.kind === 'default' ? 'missing' : `${origin.spot.source.file} ${origin.spot.start}`
}

function* check(view: View): Iterable<Diagnostic> {
  const byCause = new Map<string, Visit[]>()
  for (const visit of view.perCall.filter(handsOnAll)) {
    const cause = causeOf(visit)
    const list = byCause.get(cause)
    if (list) list.push(visit)
    else byCause.set(cause, [visit])
  }
  for (const visits of byCause.values()) {
    const [first, ...others] = visits
    if (first) yield findingOf(first, others)
  }
}

function findingOf(visit: Visit, others: readonly Visit[]): Diagnostic {
  const { call, arrival } = visit
  const budgetMs = arrival.budget?.ms ?? 0
  const isMissing = call.reserveMs.origin.kind === 'default'
  const besides = others.length === 0 ? '' : `, and so ${others.length === 1 ? 'does 1 other call' : `do ${others.length} other calls`}`
  return findingAt(visit, {
    rule: 'no-reserve',
    severity: 'warning',
    message: `${call.from.id} hands its whole budget of ${formatDuration(budgetMs)} on to ${call.to.value} and keeps nothing for itself${besides}`,
    arithmetic: `${formatDuration(budgetMs)} - reserve 0 ms = ${formatDuration(budgetMs)}`,
    why: 'When the callee uses all of it, no time is left to send an answer or a clear failure back.',
    spot: isMissing ? call.to.origin.spot : call.reserveMs.origin.spot,
    label: isMissing ? 'no reserve is declared' : 'nothing is kept',
    values: { reserveMs: 0, budgetMs },
    factors: [factor('reserve', call.reserveMs, 'ms'), factor(`${call.from.service.name} deadline`, call.deadline, 'text')],
    consequences: others.map((other) => ({
      message: `${other.call.from.id} keeps nothing of its budget when it calls ${other.call.to.value}`,
      path: pathOf(other),
      values: { reserveMs: 0, budgetMs: other.arrival.budget?.ms ?? null },
      spot: other.call.to.origin.spot,
    })),
    suggestion: anyOf([
      advice('declare defaults.reserve (or reserve: on the call): what a hop needs for the way back, serialising and logging'),
    ]),
  })
}

/** A deadline is handed on with nothing kept of it. */
export const noReserve: Rule = { id: 'no-reserve', severity: 'warning', summary: 'hands on everything it has', check }
