import { durationText, formatDuration, longestDurationMs, parseDuration } from '@sandglass/runtime/core'
import type { Count, LimitMs } from './chain.js'
import type { Edit, Suggestion } from './diagnostic.js'
import type { Sourced, Spot } from './sourced.js'

/** One change of a written value, in words (old -> new), with its edit where the text at its place can be replaced. */
export interface Change {
  readonly text: string
  readonly edits: readonly Edit[]
}

function written(spot: Spot): string {
  return spot.source.text.slice(spot.start, spot.end)
}

/** An edit of a duration, only where the source really says that duration: a chain file, not a product's own units. */
function durationEdit(limit: Sourced<LimitMs>, toMs: number): Edit[] {
  if (limit.origin.kind !== 'declared') return []
  const { spot } = limit.origin
  const now = parseDuration(written(spot))
  return now.ok && now.ms === limit.value ? [{ spot, text: durationText(Math.min(toMs, longestDurationMs)) }] : []
}

/** A limit as people read it: a duration, `none` or `unknown`. */
export function limitText(value: LimitMs): string {
  return typeof value === 'number' ? formatDuration(value) : value
}

/** Changes a limit to `toMs` (0 or more), rounded down to whole ms; null where a platform fixes it or nothing would be left. */
export function changeLimit(name: string, limit: Sourced<LimitMs> | undefined, toMs: number): Change | null {
  const wholeMs = Math.floor(toMs + 1e-6)
  if (!limit || limit.fixed || !(wholeMs >= 1) || wholeMs > 9_999_999_999 || wholeMs === limit.value) return null
  return { text: `${name} ${limitText(limit.value)} -> ${formatDuration(wholeMs)}`, edits: durationEdit(limit, wholeMs) }
}

/** Changes a count, e.g. attempts 3 -> 1; null where it is the same already or a platform fixes it. */
export function changeCount(name: string, count: Sourced<Count>, to: number): Change | null {
  if (count.fixed || count.value === to) return null
  return { text: `${name} ${count.value} -> ${to}`, edits: wordEdit(count, String(count.value), String(to)) }
}

/** Replaces a word of a closed set; null where a platform fixes it. */
export function changeWord(name: string, word: Sourced<string>, to: string): Change | null {
  return word.fixed ? null : { text: `${name} ${word.value} -> ${to}`, edits: wordEdit(word, word.value, to) }
}

function wordEdit(sourced: Sourced<unknown>, from: string, to: string): Edit[] {
  if (sourced.origin.kind !== 'declared') return []
  const { spot } = sourced.origin
  return written(spot) === from ? [{ spot, text: to }] : []
}

/** A suggestion of alternatives ("…, or …"): the edits are those of the first; null where there is none. */
export function anyOf(changes: readonly (Change | null)[]): Suggestion | null {
  const possible = changes.filter((change) => change !== null)
  const first = possible[0]
  return first ? { text: possible.map(({ text }) => text).join(', or '), edits: fitting(first.edits) } : null
}

/** A suggestion whose changes are all needed ("… and …"); null where there is none. */
export function allOf(changes: readonly (Change | null)[]): Suggestion | null {
  const needed = changes.filter((change) => change !== null)
  if (needed.length === 0) return null
  return { text: needed.map(({ text }) => text).join(' and '), edits: fitting(once(needed.flatMap(({ edits }) => edits))) }
}

/** Edits are in the language of chain files: where one would stand in another config, only the words are given. */
function fitting(edits: readonly Edit[]): readonly Edit[] {
  return edits.some(({ spot }) => spot.source.isConfig) ? [] : edits
}

/** One edit of a place: calls that repeat one by an alias stand at the same one. */
function once(edits: readonly Edit[]): Edit[] {
  const seen = new Set<string>()
  return edits.filter(({ spot: { source, start }, text }) => {
    const place = `${source.file}:${start} ${text}`
    return seen.has(place) ? false : seen.add(place)
  })
}

/** A change in words alone: something is to be added or thought about, not replaced. */
export function advice(text: string): Change {
  return { text, edits: [] }
}
