import type { Call } from './chain.js'
import type { Consequence, Diagnostic, Factor, Related, Severity, Suggestion } from './diagnostic.js'
import { type Arrival, pathBoundsOf, pathInto, pathOf, type Visit } from './situations.js'
import type { Spot } from './sourced.js'
import type { View } from './view.js'

/** One rule: an id that is also its file, its test and its page. */
export interface Rule {
  readonly id: string
  /** The severity it reports with unless it says otherwise for a finding. */
  readonly severity: Severity
  /** What it says, in a few words. */
  readonly summary: string
  check(view: View): Iterable<Diagnostic>
}

/** The parts of a finding that a rule gives; the rest follows from where it was found. */
export interface Finding {
  readonly rule: string
  readonly severity: Severity
  readonly message: string
  readonly arithmetic?: string
  readonly why: string
  readonly spot: Spot
  readonly label: string
  readonly related?: readonly Related[]
  readonly values?: Readonly<Record<string, number | string | null>>
  readonly factors: readonly Factor[]
  readonly consequences?: readonly Consequence[]
  readonly suggestion?: Suggestion | null
}

function complete(finding: Finding, journey: string | null, path: readonly string[], pathBoundsMs: readonly (number | null)[]): Diagnostic {
  const { rule, severity, message, arithmetic, why, spot, label, related, values, factors, consequences, suggestion } = finding
  return {
    rule,
    severity,
    message,
    arithmetic: arithmetic ?? '',
    why,
    spot,
    label,
    related: related ?? [],
    values: values ?? {},
    factors,
    consequences: consequences ?? [],
    suggestion: suggestion ?? null,
    journey,
    path,
    pathBoundsMs,
  }
}

/** A finding about a call in a situation. */
export function findingAt(visit: Visit, finding: Finding): Diagnostic {
  return { ...complete(finding, visit.arrival.journey?.name ?? null, pathOf(visit), pathBoundsOf(visit)), callSpot: visit.call.spot }
}

/** A finding about an operation in a situation; its path ends with that operation. */
export function findingIn(arrival: Arrival, finding: Finding): Diagnostic {
  return complete(finding, arrival.journey?.name ?? null, pathInto(arrival), arrival.via ? pathBoundsOf(arrival.via) : [])
}

/** A finding about something outside every path (a service, a journey, a setting). */
export function findingBeside(finding: Finding, journey: string | null = null, path: readonly string[] = []): Diagnostic {
  return complete(finding, journey, path, [])
}

/** The visits of the calls that a rule asks about; the question is put once for each call, not for each situation. */
export function visitsWhere(view: View, concerns: (call: Call) => boolean): Visit[] {
  const found: Visit[] = []
  for (const [operation, arrivals] of view.situations.arrivals) {
    if (operation.calls.some(concerns)) takeVisits(arrivals, operation.calls.map(concerns), found)
  }
  return found
}

function takeVisits(arrivals: readonly Arrival[], isAsked: readonly boolean[], found: Visit[]): void {
  for (const { visits } of arrivals) {
    visits.forEach((visit, k) => {
      if (isAsked[k]) found.push(visit)
    })
  }
}

/** For each call, the visit in which `measure` is largest; visits measured null do not count. One cause, one finding. */
export function worstVisits(visits: Iterable<Visit>, measure: (visit: Visit) => number | null): Visit[] {
  const worst = new Map<Call, { visit: Visit; value: number }>()
  for (const visit of visits) {
    const value = measure(visit)
    if (value === null) continue
    const before = worst.get(visit.call)
    if (!before || value > before.value) worst.set(visit.call, { visit, value })
  }
  return [...worst.values()].map(({ visit }) => visit)
}
