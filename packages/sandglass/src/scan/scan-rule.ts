import type { Diagnostic, Severity } from '../model/diagnostic.js'
import type { ScanView } from './scan-view.js'

/** One rule of `scan`: an id that is also its file, its test and its page. */
export interface ScanRule {
  readonly id: string
  /** The severity it reports with unless it says otherwise for a finding. */
  readonly severity: Severity
  /** What it says, in a few words. */
  readonly summary: string
  check(view: ScanView): Iterable<Diagnostic>
}
