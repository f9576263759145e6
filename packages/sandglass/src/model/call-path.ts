import type { Call } from './chain.js'
import type { Visit } from './situations.js'
import type { View } from './view.js'

/** The journey that starts with the first call of a path, when there is one. */
export function journeyOf(view: View, calls: readonly Call[]): string | null {
  const from = calls[0]?.from
  return view.journeys.find(({ journey }) => journey.start === from)?.journey.name ?? null
}

/** The names of a path of calls, from the first caller to the last callee. */
export function namesOf(calls: readonly Call[]): string[] {
  const first = calls[0]
  return first ? [first.from.id, ...calls.map((call) => call.to.value)] : []
}

/** The visits of each call, for rules that look for the situation of a certain path. */
export function visitsByCall(visits: readonly Visit[]): ReadonlyMap<Call, readonly Visit[]> {
  const byCall = new Map<Call, Visit[]>()
  for (const visit of visits) {
    const list = byCall.get(visit.call)
    if (list) list.push(visit)
    else byCall.set(visit.call, [visit])
  }
  return byCall
}

/** The situation that runs along a path of calls, or null where another path stands for it. */
export function visitAlong(visits: readonly Visit[], calls: readonly Call[]): Visit | null {
  return visits.find((visit) => runsAlong(visit, calls)) ?? null
}

function runsAlong(visit: Visit, calls: readonly Call[]): boolean {
  let at: Visit | null = visit
  for (let i = calls.length - 1; i >= 0; i--) {
    if (!at || at.call !== calls[i]) return false
    at = at.arrival.via
  }
  return at === null
}
