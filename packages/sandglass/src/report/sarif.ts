import type { ArtifactLocation, Fix, Invocation, Location, Log, Region, ReportingDescriptor, Result } from 'sarif'
import type { Diagnostic, Edit, Related, Severity } from '../model/diagnostic.js'
import { placeOf, type Spot } from '../model/sourced.js'
import { boundText } from './bound-text.js'
import { type CheckReport, inOrder } from './check-report.js'
import { fingerprints } from './fingerprint.js'
import { realFile } from './real-file.js'

/** What a rule is called and how it is explained. */
export interface RuleHelp {
  readonly id: string
  /** What it says, in half a sentence. */
  readonly title: string
  readonly severity: Severity
  /** The rule's page, as Markdown; empty where there is none. */
  readonly page: string
}

const levels: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = { error: 'error', warning: 'warning', info: 'note' }

/** Findings as SARIF 2.1.0: what code scanning reads. `rules` explains the rules; one that is missing from it stays without help. */
export function sarifReport(report: CheckReport, version: string, rules: readonly RuleHelp[] = []): string {
  const names = fingerprints(report.diagnostics)
  const used = [...new Set(report.diagnostics.map((one) => one.rule))].sort()
  const results = inOrder(report.diagnostics).map((one) => resultOf(one, used.indexOf(one.rule), names.get(one) ?? '', report))
  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'sandglass', semanticVersion: version, rules: used.map((id) => descriptorOf(id, rules)) } },
        invocations: [invocationOf(report)],
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

/** That it ran to its end, and what it could not read. */
function invocationOf({ coverage }: CheckReport): Invocation {
  return {
    executionSuccessful: true,
    toolExecutionNotifications: coverage.notRead.map(({ file, why }) => {
      const [, path = file, line, column] = /^(.*?)(?::(\d+):(\d+))?$/.exec(file) ?? []
      const region = line === undefined ? {} : { region: { startLine: Number(line), startColumn: Number(column) } }
      return {
        level: 'warning',
        message: { text: `not read: ${why}` },
        locations: [{ physicalLocation: { artifactLocation: artifactOf(path), ...region } }],
      }
    }),
  }
}

const PAGES = 'https://github.com/sandglass/sandglass/blob/main/docs/rules/'

/** What stands on a page below a heading. */
function sectionOf(page: string, heading: string): string | null {
  const [, text] = page.split(`\n## ${heading}\n`)
  return text?.split('\n## ')[0]?.trim() || null
}

function descriptorOf(id: string, rules: readonly RuleHelp[]): ReportingDescriptor {
  const help = rules.find((rule) => rule.id === id)
  if (!help) return { id, name: pascal(id) }
  const page = help.page === '' ? help.title : help.page
  return {
    id,
    name: pascal(id),
    shortDescription: { text: help.title },
    fullDescription: { text: sectionOf(help.page, 'Why it matters') ?? help.title },
    help: { text: page, markdown: page },
    ...(help.page === '' ? {} : { helpUri: `${PAGES}${id}.md` }),
    defaultConfiguration: { level: levels[help.severity] },
  }
}

/** Code scanning shows a rule's name in PascalCase. */
function pascal(id: string): string {
  return id.replace(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())
}

function resultOf(one: Diagnostic, ruleIndex: number, fingerprint: string, report: CheckReport): Result {
  const related = relatedOf(one, report)
  return {
    ruleId: one.rule,
    ruleIndex,
    level: levels[one.severity],
    message: { text: messageOf(one) },
    locations: [locationOf(one.spot, one.label, one.path[one.path.length - 1])],
    ...(related.length > 0 ? { relatedLocations: related } : {}),
    partialFingerprints: { 'sandglass/v1': fingerprint },
    ...fixesOf(one),
    properties: { journey: one.journey, path: [...one.path], values: one.values },
  }
}

function messageOf(one: Diagnostic): string {
  const lines = [one.message, one.arithmetic, one.path.join(' > '), one.why, ...one.consequences.map((each) => `so: ${each.message}`)]
  if (one.suggestion) lines.push(`fix: ${one.suggestion.text}`)
  return lines.filter((line) => line !== '').join('\n')
}

/** The path hop by hop, the other places the finding speaks of, then where its factors are written: each place once. */
function relatedOf(one: Diagnostic, report: CheckReport): Location[] {
  const seen = new Set([keyOf(one.spot)])
  const places = [
    ...hopsOf(one, report),
    ...one.related,
    ...one.factors.map(({ name, value, origin }) => ({ spot: origin.spot, label: `${name}${value === null ? '' : ` ${value}`}` })),
    ...one.consequences.map(({ spot, message }) => ({ spot, label: message })),
  ]
  const locations: Location[] = []
  for (const { spot, label } of places) {
    if (seen.has(keyOf(spot))) continue
    seen.add(keyOf(spot))
    locations.push({ id: locations.length + 1, ...locationOf(spot, label) })
  }
  return locations
}

function hopsOf(one: Diagnostic, report: CheckReport): Related[] {
  return one.path.slice(1).flatMap((callee, index) => {
    const caller = one.path[index] ?? ''
    const hop = report.hopOf(caller, callee)
    if (!hop) return []
    const ms = one.pathBoundsMs[index] ?? null
    return [{ spot: hop.spot, label: `${caller} > ${callee}: ${boundText({ state: ms === null ? hop.state : 'bounded', boundMs: ms })}` }]
  })
}

function keyOf(spot: Spot): string {
  return `${spot.start} ${spot.end} ${spot.source.file}`
}

function locationOf(spot: Spot, label: string, operation?: string): Location {
  const { file } = placeOf(spot)
  return {
    physicalLocation: { artifactLocation: artifactOf(file), region: regionOf(spot) },
    ...(label === '' ? {} : { message: { text: label } }),
    ...(operation === undefined ? {} : { logicalLocations: [{ fullyQualifiedName: operation, kind: 'function' }] }),
  }
}

/** A relative path is a URI once each of its parts is encoded. */
function artifactOf(file: string): ArtifactLocation {
  const uri = realFile(file).replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/')
  return { uri: file.startsWith('/') ? `file://${uri}` : uri }
}

function regionOf(spot: Spot): Region {
  const { line, column, endColumn } = placeOf(spot)
  return { startLine: line, startColumn: column, endLine: line, endColumn }
}

function fixesOf(one: Diagnostic): { fixes?: Fix[] } {
  if (!one.suggestion || one.suggestion.edits.length === 0) return {}
  const artifactChanges = [...byFileOf(one.suggestion.edits)].map(([file, edits]) => ({
    artifactLocation: artifactOf(file),
    replacements: edits.map((edit) => ({ deletedRegion: wholeRegion(edit.spot), insertedContent: { text: edit.text } })),
  }))
  return { fixes: [{ description: { text: one.suggestion.text }, artifactChanges }] }
}

function byFileOf(edits: readonly Edit[]): ReadonlyMap<string, Edit[]> {
  const groups = new Map<string, Edit[]>()
  for (const edit of edits) groups.set(edit.spot.source.file, [...(groups.get(edit.spot.source.file) ?? []), edit])
  return groups
}

function wholeRegion(spot: Spot): Region {
  const { line, column } = placeOf(spot)
  const last = placeOf({ ...spot, start: spot.end })
  return { startLine: line, startColumn: column, endLine: last.line, endColumn: last.column }
}
