import type { Note } from '../model/diagnostic.js'
import type { ChainPlan, JourneyPlan, PlannedCall } from '../plan/plan.js'
import { jsonText, SCHEMA_VERSION } from './json.js'
import { jsonNotes } from './json-note.js'

/** A plan as one JSON document, described by `schema/plan.schema.json`. */
export function planJson(plan: ChainPlan, notes: readonly Note[] = []): string {
  const document = {
    schemaVersion: SCHEMA_VERSION,
    journeys: plan.journeys.map(journeyJson),
    notPlanned: plan.notPlanned,
    notes: jsonNotes([...plan.journeys.flatMap((journey) => journey.notes), ...notes]),
  }
  return jsonText(
    document,
    plan.journeys.reduce((sum, { calls }) => sum + calls.length, 0),
  )
}

function journeyJson(journey: JourneyPlan): object {
  return {
    name: journey.name,
    promiseMs: journey.promiseMs,
    feasible: journey.feasible,
    shortByMs: finite(journey.shortByMs),
    mode: journey.mode,
    success: journey.success,
    unionBound: journey.unionBound,
    calls: journey.calls.map(callJson),
    alternatives: journey.alternatives,
    waysOut: journey.waysOut.map((way) => ({ ...way, shortByMs: finite(way.shortByMs) })),
  }
}

function callJson({ path, timeoutMs, attemptMs, attempts, reserveMs, floorMs, timeoutRate, falseKill, basis }: PlannedCall): object {
  return { path, timeoutMs, attemptMs, attempts, reserveMs, floorMs, timeoutRate, falseKill, basis }
}

/** Null where no promise would be long enough. */
function finite(ms: number): number | null {
  return Number.isFinite(ms) ? ms : null
}
