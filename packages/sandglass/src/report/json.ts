import type { Consequence, Diagnostic, Edit, Factor, Related, Suggestion } from '../model/diagnostic.js'
import { type Origin, placeOf, type Spot } from '../model/sourced.js'
import { type CheckReport, inOrder, summaryOf } from './check-report.js'
import { fingerprints } from './fingerprint.js'
import { type JsonNote, jsonNotes } from './json-note.js'

/** The version of every JSON document; it grows when a name is taken away or changes its meaning. */
export const SCHEMA_VERSION = 1

/** A place as JSON: counted from 1. */
export interface JsonPlace {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** An origin as JSON; what does not apply is null. */
export interface JsonOrigin {
  readonly kind: Origin['kind']
  readonly file: string
  readonly line: number
  readonly column: number
  readonly product: string | null
  readonly version: string | null
  /** What it was learnt from; null unless inferred. */
  readonly from: string | null
}

/** A factor as JSON. */
export interface JsonFactor {
  readonly name: string
  readonly value: number | string | null
  readonly unit: Factor['unit']
  readonly origin: JsonOrigin
}

/** Findings as one JSON document, described by `schema/check.schema.json`. */
export function jsonReport(report: CheckReport): string {
  const names = fingerprints(report.diagnostics)
  const { coverage } = report
  const document = {
    schemaVersion: SCHEMA_VERSION,
    journeys: report.journeys,
    summary: summaryOf(report.diagnostics),
    diagnostics: inOrder(report.diagnostics).map((one) => diagnosticJson(one, names.get(one) ?? '')),
    coverage,
    notes: jsonNotes(report.notes) satisfies readonly JsonNote[],
  }
  return jsonText(document, report.diagnostics.length)
}

/** JSON as people read it, or on one line where it has more than a thousand items: indentation would triple its size. */
export function jsonText(document: object, items: number): string {
  return `${JSON.stringify(document, null, items > 1000 ? 0 : 2)}\n`
}

/** A finding as JSON. */
export function diagnosticJson(one: Diagnostic, fingerprint: string): object {
  return {
    rule: one.rule,
    severity: one.severity,
    message: one.message,
    arithmetic: one.arithmetic,
    why: one.why,
    at: jsonPlace(one.spot),
    label: one.label,
    related: one.related.map(relatedJson),
    journey: one.journey,
    path: one.path,
    pathBoundsMs: one.pathBoundsMs,
    values: one.values,
    factors: one.factors.map(jsonFactor),
    consequences: one.consequences.map(consequenceJson),
    suggestion: one.suggestion && suggestionJson(one.suggestion),
    fingerprint,
  }
}

/** Where a spot starts. */
export function jsonPlace(spot: Spot): JsonPlace {
  const { file, line, column } = placeOf(spot)
  return { file, line, column }
}

/** A factor with the place, product and version it comes from. */
export function jsonFactor({ name, value, unit, origin }: Factor): JsonFactor {
  const isDefault = origin.kind === 'default'
  return {
    name,
    value,
    unit,
    origin: {
      kind: origin.kind,
      ...jsonPlace(origin.spot),
      product: isDefault ? origin.product : null,
      version: isDefault ? origin.version : null,
      from: origin.kind === 'inferred' ? origin.from : null,
    },
  }
}

function relatedJson({ spot, label }: Related): object {
  return { at: jsonPlace(spot), label }
}

function consequenceJson({ message, path, values, spot }: Consequence): object {
  return { message, path, values, at: jsonPlace(spot) }
}

function suggestionJson({ text, edits }: Suggestion): object {
  return { text, edits: edits.map(editJson) }
}

function editJson({ spot, text }: Edit): object {
  const last = placeOf({ ...spot, start: spot.end })
  return {
    at: jsonPlace(spot),
    end: { line: last.line, column: last.column },
    old: spot.source.text.slice(spot.start, spot.end),
    new: text,
  }
}
