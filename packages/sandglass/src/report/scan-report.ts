import type { Diagnostic, Note } from '../model/diagnostic.js'
import type { ScannedCall } from '../scan/calls/scanned-call.js'
import type { CheckReport, NotRead } from './check-report.js'

/** What a scan found, ready for every format. */
export interface ScanReport extends CheckReport {
  readonly calls: readonly ScannedCall[]
}

/** What a scan is reported with. */
export interface ScanReportInput {
  readonly calls: readonly ScannedCall[]
  readonly diagnostics: readonly Diagnostic[]
  readonly notes: readonly Note[]
  readonly notRead: readonly NotRead[]
  /** Source files that were scanned. */
  readonly files: number
}

/** A scan as a report: code has no journeys and no chain. */
export function scanReport({ calls, diagnostics, notes, notRead, files }: ScanReportInput): ScanReport {
  const count = (state: string) => calls.filter(({ outcome }) => outcome.state === state).length
  return {
    calls,
    journeys: [],
    diagnostics,
    notes,
    coverage: {
      journeys: 0,
      files,
      calls: calls.length,
      unboundedCalls: count('unbounded'),
      unknownCalls: count('unknown'),
      notRead,
      servicesWithoutData: [],
    },
    hopOf: () => null,
    drawing: { nodes: [], edges: [], leftOut: 0 },
  }
}
