import type { Diagnostic } from '../model/diagnostic.js'
import { fingerprints } from './fingerprint.js'

/** A finding that was there when the baseline was written. */
export interface BaselineEntry {
  readonly fingerprint: string
  readonly rule: string
  readonly path: readonly string[]
}

/** The findings an old system starts with. */
export interface Baseline {
  readonly schemaVersion: 1
  readonly findings: readonly BaselineEntry[]
}

/** What is new since the baseline, how much is old, and what is in the baseline but no longer found. */
export interface Compared {
  readonly diagnostics: readonly Diagnostic[]
  readonly known: number
  readonly stale: readonly BaselineEntry[]
}

/** The baseline of these findings as text: sorted, so that it changes only where the findings do. */
export function baselineText(diagnostics: readonly Diagnostic[]): string {
  const names = fingerprints(diagnostics)
  const findings = diagnostics
    .map((one) => ({ rule: one.rule, path: one.path, fingerprint: names.get(one) ?? '' }))
    .sort((a, b) => compare(a.rule, b.rule) || compare(a.path.join('>'), b.path.join('>')) || compare(a.fingerprint, b.fingerprint))
  const lines = findings.map((each) => `    ${JSON.stringify(each)}`)
  return `{\n  "schemaVersion": 1,\n  "findings": [${lines.length > 0 ? `\n${lines.join(',\n')}\n  ` : ''}]\n}\n`
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A baseline from its text, or what is wrong with it; `verb` is the command that wrote it. */
export function readBaseline(text: string, verb = 'check'): Baseline | { readonly message: string } {
  const expected = `expected what \`sandglass ${verb} --write-baseline\` writes`
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return { message: `not JSON; ${expected}` }
  }
  if (!isRecord(parsed) || !Array.isArray(parsed['findings'])) return { message: `it has no list "findings"; ${expected}` }
  if (parsed['schemaVersion'] !== 1) return { message: `schemaVersion ${JSON.stringify(parsed['schemaVersion'])} is not known; 1 is` }
  const findings: BaselineEntry[] = []
  for (const entry of parsed['findings'] as unknown[]) {
    if (!isRecord(entry) || typeof entry['fingerprint'] !== 'string')
      return { message: `finding ${findings.length + 1} has no fingerprint; ${expected}` }
    const path = Array.isArray(entry['path']) ? entry['path'].filter((part): part is string => typeof part === 'string') : []
    findings.push({ fingerprint: entry['fingerprint'], rule: typeof entry['rule'] === 'string' ? entry['rule'] : '', path })
  }
  return { schemaVersion: 1, findings }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Leaves out the findings that the baseline knows; `ran` are the rules that were run, where they are not all: what others found is not stale. */
export function compareBaseline(diagnostics: readonly Diagnostic[], baseline: Baseline, ran?: readonly string[]): Compared {
  const names = fingerprints(diagnostics)
  const left = new Map(baseline.findings.map((entry) => [entry.fingerprint, entry]))
  const found = new Set<string>()
  const fresh = diagnostics.filter((one) => {
    const name = names.get(one) ?? ''
    if (!left.has(name)) return true
    found.add(name)
    return false
  })
  return {
    diagnostics: fresh,
    known: diagnostics.length - fresh.length,
    stale: [...left.values()].filter(({ fingerprint, rule }) => !found.has(fingerprint) && (ran?.includes(rule) ?? true)),
  }
}
