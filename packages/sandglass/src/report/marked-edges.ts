import type { Diagnostic, Severity } from '../model/diagnostic.js'
import { edgeKey } from './chain-drawing.js'
import { inOrder } from './check-report.js'

/** The findings of one drawn call or operation, the gravest first. */
export interface Marked {
  readonly severity: Severity
  readonly findings: readonly Diagnostic[]
}

/** Findings by the call they are about ({@link edgeKey}), or by the operation where the path has no call. */
export function markedEdges(diagnostics: readonly Diagnostic[]): ReadonlyMap<string, Marked> {
  const marks = new Map<string, { severity: Severity; findings: Diagnostic[] }>()
  for (const one of inOrder(diagnostics)) {
    const key = keyOf(one.path)
    if (key === null) continue
    const known = marks.get(key)
    if (known) known.findings.push(one)
    else marks.set(key, { severity: one.severity, findings: [one] })
  }
  return marks
}

function keyOf(path: readonly string[]): string | null {
  const callee = path[path.length - 1]
  const caller = path[path.length - 2]
  if (callee === undefined) return null
  return caller === undefined ? callee : edgeKey(caller, callee)
}
