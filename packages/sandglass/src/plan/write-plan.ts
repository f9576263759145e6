import { durationText } from '@sandglass/runtime/core'
import type { LimitMs } from '../model/chain.js'
import type { Source, Sourced } from '../model/sourced.js'
import { readYaml, type YamlMap, type YamlNode } from '../model/yaml-tree.js'
import { placeKey } from './limits.js'
import { resolvedAliases } from './lost-anchors.js'
import type { JourneyPlan, PlannedCall } from './plan.js'
import { insertion, isOwn, removal, replacement, type Splice, valueRange } from './yaml-edit.js'

/** A source with a plan written into it: comments, order and everything else kept byte for byte. */
export interface Written {
  readonly source: Source
  readonly text: string
  /** Calls whose limits were changed. */
  readonly changed: number
}

/** The call's limit as the plan wants it in the file; null: not there. */
type Wanted = ReadonlyMap<string, string | null>

/** Writes plans into the files their calls stand in; files in which nothing changes are left out. */
export function writePlan({ journeys }: { readonly journeys: readonly JourneyPlan[] }): Written[] {
  const bySource = new Map<Source, Map<number, PlannedCall>>()
  for (const call of smallestOfEachPlace(journeys)) {
    const { source, start } = call.planned.call.spot
    const calls = bySource.get(source) ?? new Map<number, PlannedCall>()
    calls.set(start, call)
    bySource.set(source, calls)
  }
  return [...bySource].map(([source, calls]) => writeInto(source, calls)).filter(({ source, text }) => text !== source.text)
}

/** Calls of one place have the same limits; the derivation of the one that needed them smallest is written. */
export function smallestOfEachPlace(journeys: readonly JourneyPlan[]): PlannedCall[] {
  const smallest = new Map<string, PlannedCall>()
  for (const call of journeys.flatMap(({ calls }) => calls)) {
    const key = placeKey(call.planned)
    const before = smallest.get(key)
    if (!before || (before.isShared && !call.isShared)) smallest.set(key, call)
  }
  return [...smallest.values()]
}

function writeInto(source: Source, calls: ReadonlyMap<number, PlannedCall>): Written {
  const yaml = readYaml(source)
  const splices: Splice[] = []
  const written = new Set<number>()
  let changed = 0
  const walk = (node: YamlNode): void => {
    if (node.kind === 'scalar') return
    const call = node.kind === 'map' ? calls.get(node.start) : undefined
    if (node.kind === 'map' && call && node.entries.some((entry) => entry.key.text === 'to')) {
      if (written.has(node.start)) return
      written.add(node.start)
      const own = splicesOf(source.text, node, call)
      splices.push(...own)
      if (own.length > 0) changed++
      return
    }
    for (const child of node.kind === 'map' ? node.entries.map((entry) => entry.value) : node.items) walk(child)
  }
  if (yaml.ok && yaml.root) walk(yaml.root)
  return { source, text: applied(source.text, [...splices, ...resolvedAliases(source.text, splices)]), changed }
}

/** Splices do not overlap; they are applied from the end so that offsets stay true. */
function applied(text: string, splices: readonly Splice[]): string {
  let out = text
  for (const { start, end, text: put } of [...splices].sort((one, other) => other.start - one.start || other.end - one.end))
    out = out.slice(0, start) + put + out.slice(end)
  return out
}

/** Characters before a mapping in which its anchor is looked for. */
const LONGEST_ANCHOR = 200
const RETRY_SETTINGS = ['backoff', 'retryOn', 'retryBudget'] as const

function isRetrySetting(key: string): boolean {
  return RETRY_SETTINGS.some((setting) => setting === key)
}

function wanted(planned: PlannedCall): Wanted {
  const { call, fixedMs, declaredReserveMs } = planned.planned
  const fields = new Map<string, string | null>()
  if (fixedMs === null) fields.set('timeout', durationText(planned.timeoutMs))
  for (const [field, value] of wantedTries(planned)) fields.set(field, value)
  if (!call.attemptMs?.fixed) fields.set('attempt', planned.attemptMs === null ? null : durationText(planned.attemptMs))
  for (const phase of wantedOut(planned)) fields.set(phase, null)
  if (declaredReserveMs === null && fixedMs === null) fields.set('reserve', planned.reserveMs > 0 ? durationText(planned.reserveMs) : null)
  fields.set('floor', durationText(planned.floorMs))
  if (fixedMs === null) fields.set('basis', JSON.stringify(planned.basis))
  return fields
}

/** Where a call might retry, its one attempt is written, too: that was decided. What only retries use goes with them. */
function wantedTries({ attempts, attemptMs, planned }: PlannedCall): [string, string | null][] {
  if (attemptMs !== null) return [['attempts', String(attempts)]]
  const isDecided = planned.call.attempts.origin.kind === 'declared' || planned.mayRetry
  if (attempts > 1 || !isDecided) return []
  return [['attempts', '1'], ...RETRY_SETTINGS.map((unused): [string, null] => [unused, null])]
}

/** Limits that contradict the planned ones (a silence, a last start) or can never end anything within them. */
function wantedOut({ attemptMs, timeoutMs, planned: { call } }: PlannedCall): string[] {
  const onceMs = attemptMs ?? timeoutMs
  return [
    neverEnds(call.connectMs, onceMs) ? 'connect' : '',
    neverEnds(call.writeMs, onceMs) ? 'write' : '',
    neverEnds(call.queue?.totalMs, timeoutMs) ? 'queue' : '',
    call.silenceMs?.fixed ? '' : 'silence',
    call.retryStartWithinMs?.fixed ? '' : 'retryStartWithin',
  ].filter((field) => field !== '')
}

/** A limit on connecting, sending or waiting for a slot that is no shorter than what is around it can go. */
function neverEnds(limit: Sourced<LimitMs> | undefined, attemptMs: number): boolean {
  return limit !== undefined && !limit.fixed && typeof limit.value === 'number' && limit.value >= attemptMs
}

function splicesOf(text: string, map: YamlMap, call: PlannedCall): Splice[] {
  const splices: Splice[] = []
  const inserted: string[] = []
  // The tree keeps no "<<" itself, and nothing of a copy whose every key is overridden.
  const merges = /(^|[\s{,])<<\s*:/.test(text.slice(map.start, map.end))
  const isBase = /&[^\s,[\]{}]+\s*$/.test(text.slice(Math.max(0, map.start - LONGEST_ANCHOR), map.start)) && text.includes('<<')
  for (const [key, value] of merges ? withOverrides(wanted(call), call) : wanted(call)) {
    // What other calls copy from here stays: they may still retry.
    if (isBase && value === null && isRetrySetting(key)) continue
    const entry = map.entries.find((candidate) => candidate.key.text === key && isOwn(map, candidate))
    if (entry && value === null) splices.push(removal(text, map, entry))
    else if (entry && value !== null && valueText(text, entry) !== value) splices.push(replacement(text, map, entry, value))
    else if (!entry && value !== null) inserted.push(`${key}: ${value}`)
  }
  const own = map.entries.filter((entry) => isOwn(map, entry))
  const after = own.find((entry) => entry.key.text === 'timeout') ?? own.find((entry) => entry.key.text === 'to') ?? own[0]
  if (inserted.length > 0 && after) splices.push(insertion(text, map, after, inserted))
  return splices
}

function valueText(text: string, entry: YamlMap['entries'][number]): string {
  const { start, end } = valueRange(text, entry)
  return text.slice(start, end)
}

/** A mapping that copies another one (`<<`) has to say what it does not want of it, whatever the plan writes there. */
function withOverrides(fields: Wanted, { attempts }: PlannedCall): Wanted {
  const overriding = new Map<string, string | null>(fields)
  if (!fields.has('attempts')) overriding.set('attempts', String(attempts))
  for (const limit of ['attempt', 'silence', 'retryStartWithin'])
    if (fields.has(limit) && fields.get(limit) === null) overriding.set(limit, 'none')
  if (fields.has('reserve') && fields.get('reserve') === null) overriding.set('reserve', '0ms')
  return overriding
}
