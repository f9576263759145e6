import type { Chain } from '../model/chain.js'
import type { Diagnostic, Severity } from '../model/diagnostic.js'
import { oncePerCause } from '../model/once-per-cause.js'
import { placeOf } from '../model/sourced.js'
import { type View, viewOf } from '../model/view.js'
import { allRules } from './all-rules.js'

/** What a check found, and what it was derived from. */
export interface Checked {
  readonly view: View
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Runs every rule on a chain, or on a view of it, and puts the findings in order: errors first, then by place.
 *
 * The chain's own `check:` severities, ignore comments and baselines are not applied here.
 */
export function checkChain(input: Chain | View): Checked {
  const view = 'situations' in input ? input : viewOf(input)
  return { view, diagnostics: inPlaceOrder(oncePerCause(allRules.flatMap((rule) => [...rule.check(view)]))) }
}

const rank: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 }

function inPlaceOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const placed = diagnostics.map((diagnostic) => ({ diagnostic, place: placeOf(diagnostic.spot) }))
  placed.sort((a, b) => {
    const bySeverity = rank[a.diagnostic.severity] - rank[b.diagnostic.severity]
    if (bySeverity !== 0) return bySeverity
    if (a.place.file !== b.place.file) return a.place.file < b.place.file ? -1 : 1
    return a.place.line - b.place.line || a.place.column - b.place.column
  })
  return placed.map(({ diagnostic }) => diagnostic)
}
