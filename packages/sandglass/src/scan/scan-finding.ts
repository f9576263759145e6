import type { Diagnostic, Factor, Related, Severity, Suggestion } from '../model/diagnostic.js'
import type { Spot } from '../model/sourced.js'

/** What a rule of `scan` gives for a finding; the rest of a diagnostic belongs to chains. */
export interface ScanFinding {
  readonly rule: string
  readonly severity: Severity
  /** One sentence, without the rule's name. */
  readonly message: string
  readonly arithmetic?: string
  /** Why it matters, in one line. */
  readonly why: string
  readonly spot: Spot
  /** What `spot` says, under its underline. */
  readonly label: string
  readonly related?: readonly Related[]
  readonly values?: Readonly<Record<string, number | string | null>>
  readonly factors?: readonly Factor[]
  readonly suggestion?: Suggestion | null
}

/** A finding in source code as a diagnostic: outside every journey and path. */
export function scanFinding(finding: ScanFinding): Diagnostic {
  const { rule, severity, message, why, spot, label } = finding
  return {
    rule,
    severity,
    message,
    arithmetic: finding.arithmetic ?? '',
    why,
    spot,
    label,
    related: finding.related ?? [],
    values: finding.values ?? {},
    factors: finding.factors ?? [],
    consequences: [],
    suggestion: finding.suggestion ?? null,
    journey: null,
    path: [],
    pathBoundsMs: [],
  }
}
