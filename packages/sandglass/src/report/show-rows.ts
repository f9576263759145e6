import { boundFactors } from '../model/factors.js'
import type { Journey } from '../model/chain.js'
import type { Factor } from '../model/diagnostic.js'
import type { Arrival, Visit } from '../model/situations.js'
import type { View } from '../model/view.js'

/** One hop of a journey: a call in one situation. */
export interface ShowRow {
  readonly journey: Journey | null
  readonly visit: Visit
  /** Calls between the journey's start and this one. */
  readonly depth: number
  /** True where the calls below it are those of another row with the same call. */
  readonly isShownElsewhere: boolean
}

/** The hops of a chain, each journey depth first. */
export interface ShowRows {
  readonly rows: readonly ShowRow[]
  /** Hops beyond `most`. */
  readonly leftOut: number
}

interface Pending {
  readonly visit: Visit
  readonly depth: number
}

/** The hops of all journeys of a view, then those that no journey reaches; at most `most` of them. */
export function showRows(view: View, most: number): ShowRows {
  const below = new Map<Visit, Arrival>()
  const starts: Arrival[] = []
  for (const arrivals of view.situations.arrivals.values()) {
    for (const arrival of arrivals) {
      if (arrival.via) below.set(arrival.via, arrival)
      else starts.push(arrival)
    }
  }
  const rows: ShowRow[] = []
  const stack = pendingOf(view, starts)
  for (let next = stack.pop(); next && rows.length < most; next = stack.pop()) {
    const { visit, depth } = next
    const arrival = below.get(visit)
    rows.push({ journey: visit.arrival.journey, visit, depth, isShownElsewhere: !arrival && (visit.call.callee?.calls.length ?? 0) > 0 })
    if (arrival) for (const inner of [...view.visitsIn(arrival)].reverse()) stack.push({ visit: inner, depth: depth + 1 })
  }
  return { rows, leftOut: view.situations.visits.length - rows.length }
}

function pendingOf(view: View, starts: readonly Arrival[]): Pending[] {
  const rank = new Map(view.journeys.map(({ journey }, index) => [journey, index]))
  const rankOf = (arrival: Arrival) => (arrival.journey ? (rank.get(arrival.journey) ?? 0) : rank.size)
  const ordered = [...starts].sort((a, b) => rankOf(a) - rankOf(b))
  return ordered.flatMap((arrival) => view.visitsIn(arrival).map((visit) => ({ visit, depth: 0 }))).reverse()
}

/** What a hop's bound is made of; a budget that is handed down and shorter than the call's own limits comes first. */
export function rowFactors({ visit }: ShowRow): readonly Factor[] {
  const own = boundFactors(visit.call)
  const budget = visit.arrival.budget
  if (!visit.inherited || !budget) return own
  const layer = visit.arrival.via?.call.spot ?? visit.arrival.operation.limits?.requestMs?.origin.spot ?? visit.arrival.operation.spot
  return [{ name: 'budget handed down', value: budget.ms, unit: 'ms', origin: { kind: 'declared', spot: layer } }, ...own]
}
