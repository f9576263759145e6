import { durationText } from '@sandglass/runtime/core'
import type { Source } from '../model/sourced.js'
import { readYaml, type YamlEntry, type YamlMap, type YamlNode } from '../model/yaml-tree.js'
import type { ChainPlan, PlannedCall } from './plan.js'

/** A source with a plan written into it: comments, order and everything else kept byte for byte. */
export interface Written {
  readonly source: Source
  readonly text: string
  /** Calls whose limits were changed. */
  readonly changed: number
}

interface Splice {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Writes a plan into the files its calls stand in; a call planned on several paths gets the smallest of its limits. */
export function writePlan(plan: ChainPlan): Written[] {
  const bySource = new Map<Source, Map<number, PlannedCall>>()
  for (const call of plan.journeys.flatMap((journey) => journey.calls)) {
    const { source, start } = call.planned.call.spot
    const calls = bySource.get(source) ?? new Map<number, PlannedCall>()
    const before = calls.get(start)
    if (!before || call.timeoutMs < before.timeoutMs) calls.set(start, call)
    bySource.set(source, calls)
  }
  return [...bySource].map(([source, calls]) => writeInto(source, calls))
}

function writeInto(source: Source, calls: ReadonlyMap<number, PlannedCall>): Written {
  const yaml = readYaml(source)
  const splices: Splice[] = []
  let changed = 0
  const walk = (node: YamlNode): void => {
    if (node.kind === 'scalar') return
    const call = node.kind === 'map' ? calls.get(node.start) : undefined
    if (node.kind === 'map' && call && node.entries.some((entry) => entry.key.text === 'to')) {
      const own = splicesOf(source.text, node, call)
      splices.push(...own)
      if (own.length > 0) changed++
      return
    }
    for (const child of node.kind === 'map' ? node.entries.map((entry) => entry.value) : node.items) walk(child)
  }
  if (yaml.ok && yaml.root) walk(yaml.root)
  return { source, text: applied(source.text, splices), changed }
}

/** Splices do not overlap; they are applied from the end so that offsets stay true. An alias read twice is written once. */
function applied(text: string, splices: readonly Splice[]): string {
  const ordered = [...splices].sort((one, other) => other.start - one.start || other.end - one.end)
  let out = text
  let before: Splice | null = null
  for (const splice of ordered) {
    if (before && before.start === splice.start && before.end === splice.end && before.text === splice.text) continue
    out = out.slice(0, splice.start) + splice.text + out.slice(splice.end)
    before = splice
  }
  return out
}

function wanted(call: PlannedCall): Map<string, string | null> {
  const { fixedMs } = call.planned
  const fields = new Map<string, string | null>()
  if (fixedMs === null) fields.set('timeout', durationText(call.timeoutMs))
  fields.set('attempts', call.attempts > 1 ? String(call.attempts) : null)
  fields.set('attempt', call.attemptMs === null ? null : durationText(call.attemptMs))
  for (const phase of ['connect', 'write', 'silence', 'retryStartWithin']) fields.set(phase, null)
  if (call.attempts === 1) for (const unused of ['backoff', 'retryOn', 'retryBudget']) fields.set(unused, null)
  fields.set('floor', durationText(call.floorMs))
  fields.set('basis', JSON.stringify(call.basis))
  return fields
}

function splicesOf(text: string, map: YamlMap, call: PlannedCall): Splice[] {
  const splices: Splice[] = []
  const flow = text[map.start] === '{'
  const inserted: string[] = []
  for (const [key, value] of wanted(call)) {
    const entry = map.entries.find((candidate) => candidate.key.text === key)
    if (entry && value === null) splices.push(removal(text, map, entry, flow))
    else if (entry && value !== null && textOf(text, entry) !== value) splices.push({ ...rangeOf(text, entry), text: value })
    else if (!entry && value !== null) inserted.push(`${key}: ${value}`)
  }
  const to = map.entries.find((entry) => entry.key.text === 'to')
  if (inserted.length > 0 && to) splices.push(insertion(text, to, inserted, flow))
  return splices
}

/** A value with its quotes. */
function rangeOf(text: string, { value }: YamlEntry): { start: number; end: number } {
  if (value.kind !== 'scalar') return { start: value.start, end: endOf(text, value) }
  const quoted = !value.plain && /["']/.test(text[value.start - 1] ?? '')
  return quoted ? { start: value.start - 1, end: value.end + 1 } : { start: value.start, end: value.end }
}

/** Where a collection ends: a flow one with its bracket. */
function endOf(text: string, node: YamlNode): number {
  if (node.kind === 'scalar') return node.end
  const open = text[node.start]
  if (open !== '{' && open !== '[') return node.end
  const close = open === '{' ? '}' : ']'
  let depth = 0
  for (let i = node.start; i < text.length; i++) {
    if (text[i] === open) depth++
    else if (text[i] === close && --depth === 0) return i + 1
  }
  return node.end
}

function textOf(text: string, entry: YamlEntry): string {
  const { start, end } = rangeOf(text, entry)
  return text.slice(start, end)
}

function insertion(text: string, to: YamlEntry, fields: readonly string[], flow: boolean): Splice {
  const { end } = rangeOf(text, to)
  if (flow) return { start: end, end, text: fields.map((field) => `, ${field}`).join('') }
  const lineEnd = text.indexOf('\n', end)
  const at = lineEnd < 0 ? text.length : lineEnd
  const lineStart = text.lastIndexOf('\n', to.key.start - 1) + 1
  const indent = ' '.repeat(to.key.start - lineStart)
  return { start: at, end: at, text: fields.map((field) => `\n${indent}${field}`).join('') }
}

/** A flow entry goes with the comma before it (or after it, when it is the first); a block entry with its line. */
function removal(text: string, map: YamlMap, entry: YamlEntry, flow: boolean): Splice {
  const { end } = rangeOf(text, entry)
  if (flow) {
    const comma = text.lastIndexOf(',', entry.key.start)
    if (comma > map.start && text.slice(comma + 1, entry.key.start).trim() === '') return { start: comma, end, text: '' }
    const next = /^\s*,\s*/.exec(text.slice(end))
    return { start: entry.key.start, end: end + (next?.[0].length ?? 0), text: '' }
  }
  const lineStart = text.lastIndexOf('\n', entry.key.start - 1) + 1
  const lineEnd = text.indexOf('\n', end)
  const until = lineEnd < 0 ? text.length : lineEnd + 1
  // A call whose first line is "- attempts: 3" keeps its dash: the next entry moves up.
  const dash = text.slice(lineStart, entry.key.start).trim() !== ''
  if (!dash) return { start: lineStart, end: until, text: '' }
  const following = map.entries.find((candidate) => candidate.key.start > entry.key.start)
  return { start: entry.key.start, end: following ? following.key.start : end, text: '' }
}
