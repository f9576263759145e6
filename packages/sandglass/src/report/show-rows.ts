import type { Journey } from '../model/chain.js'
import type { Factor } from '../model/diagnostic.js'
import { boundFactors } from '../model/factors.js'
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
  const arrivals = [...view.situations.arrivals.values()].flat()
  const below = new Map(arrivals.flatMap((arrival) => (arrival.via ? [[arrival.via, arrival] as const] : [])))
  const rows: ShowRow[] = []
  const stack = pendingOf(
    view,
    arrivals.filter(({ via }) => via === null),
  )
  for (let next = stack.pop(); next && rows.length < most; next = stack.pop()) {
    const { visit, depth } = next
    const arrival = below.get(visit)
    rows.push({ journey: visit.arrival.journey, visit, depth, isShownElsewhere: !arrival && hasCalls(visit) })
    const inner = arrival ? [...view.visitsIn(arrival)].reverse() : []
    for (const each of inner) stack.push({ visit: each, depth: depth + 1 })
  }
  return { rows, leftOut: view.situations.visitCount - rows.length }
}

function hasCalls({ call }: Visit): boolean {
  return call.callee !== null && call.callee.calls.length > 0
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
