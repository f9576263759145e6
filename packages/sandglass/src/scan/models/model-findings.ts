import type { Diagnostic } from '../../model/diagnostic.js'
import { scanFinding } from '../scan-finding.js'
import type { ScanView } from '../scan-view.js'

/** What the models of the libraries found besides limits; those of one rule at one place are one. */
export function* modelFindings({ calls }: ScanView): Iterable<Diagnostic> {
  const known = new Set<string>()
  for (const finding of calls.flatMap(({ reading }) => reading.findings)) {
    const { rule, spot } = finding
    const key = JSON.stringify([rule, spot.source.file, spot.start])
    if (known.has(key)) continue
    known.add(key)
    yield scanFinding(finding)
  }
}
