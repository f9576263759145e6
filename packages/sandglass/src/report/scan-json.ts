import type { ScannedCall } from '../scan/calls/scanned-call.js'
import { inOrder, summaryOf } from './check-report.js'
import { fingerprints } from './fingerprint.js'
import { diagnosticJson, jsonFactor, jsonPlace, jsonText, SCHEMA_VERSION } from './json.js'
import { jsonNotes } from './json-note.js'
import type { ScanReport } from './scan-report.js'

/** A scan as one JSON document, described by `schema/scan.schema.json`. */
export function scanJson(report: ScanReport): string {
  const names = fingerprints(report.diagnostics)
  const document = {
    schemaVersion: SCHEMA_VERSION,
    summary: summaryOf(report.diagnostics),
    calls: report.calls.map(callJson),
    diagnostics: inOrder(report.diagnostics).map((one) => diagnosticJson(one, names.get(one) ?? '')),
    files: report.coverage.files ?? 0,
    notRead: report.coverage.notRead,
    notes: jsonNotes(report.notes),
  }
  return jsonText(document, report.calls.length + report.diagnostics.length)
}

function callJson({ spot, library, version, outcome, worstMs, factors, isShallow, target }: ScannedCall): object {
  return {
    at: jsonPlace(spot),
    library,
    version,
    outcome: outcome.state,
    ms: outcome.state === 'bounded' ? outcome.ms : null,
    kind: outcome.state === 'bounded' ? outcome.kind : null,
    worstMs,
    target,
    shallow: isShallow,
    factors: factors.map(jsonFactor),
  }
}
