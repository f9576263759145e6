import { boundMs } from '../model/arithmetic.js'
import type { Note } from '../model/diagnostic.js'
import { pathOf } from '../model/situations.js'
import type { View } from '../model/view.js'
import { journeyTimes } from './chain-report.js'
import { jsonFactor, jsonText, SCHEMA_VERSION } from './json.js'
import { jsonNotes } from './json-note.js'
import { rowFactors, type ShowRow, showRows } from './show-rows.js'

/** Hops of one document; a chain with more should be shown a journey at a time. */
const MAX_HOPS = 20_000
/** Operations of all paths of one document together. */
const MAX_PATH_PARTS = 1_000_000

/** The effective chain as one JSON document, described by `schema/show.schema.json`. */
export function showJson(view: View, notes: readonly Note[] = []): string {
  const { rows, leftOut } = showRows(view, MAX_HOPS)
  const kept = withinParts(rows)
  const missing = leftOut + rows.length - kept.length
  const document = {
    schemaVersion: SCHEMA_VERSION,
    journeys: journeyTimes(view),
    calls: kept.map(callJson),
    operations: operationsJson(view),
    notes: jsonNotes(missing > 0 ? [{ message: `${missing} more calls are not listed; choose a journey`, spot: null }, ...notes] : notes),
  }
  return jsonText(document, kept.length)
}

function withinParts(rows: readonly ShowRow[]): readonly ShowRow[] {
  let parts = 0
  return rows.filter(({ depth }) => {
    parts += depth + 2
    return parts <= MAX_PATH_PARTS
  })
}

function callJson(row: ShowRow): object {
  const { call, bound, own } = row.visit
  const attempts = call.attempts.value
  return {
    journey: row.journey?.name ?? null,
    path: pathOf(row.visit),
    boundMs: boundMs(bound),
    kind: bound.state === 'bounded' ? bound.kind : null,
    attempts: typeof attempts === 'number' ? attempts : null,
    attemptMs: boundMs(own.attempt),
    state: bound.state,
    factors: rowFactors(row).map(jsonFactor),
  }
}

function operationsJson(view: View): object {
  const visited = view.order.operations.filter((operation) => view.situations.arrivals.has(operation))
  return Object.fromEntries(
    visited.map((operation) => [
      operation.id,
      {
        amplification: view.flow.amplification(operation).value,
        ratePerS: view.flow.ratePerS(operation),
        arrivalsPerRequest: view.flow.arrivalsPerRequest(operation),
      },
    ]),
  )
}
