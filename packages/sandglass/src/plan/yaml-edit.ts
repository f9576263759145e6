import type { YamlEntry, YamlMap, YamlNode } from '../model/yaml-tree.js'

/** A replacement of `text[start, end)`. */
export interface Splice {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Where the value of an entry stands in the text, with what belongs to it. */
export interface ValueRange {
  readonly start: number
  readonly end: number
  /** The anchor that is set here (`&name`), null without one; an alias (`*name`) has none. */
  readonly anchor: string | null
  /** Comments inside the range. */
  readonly comments: readonly string[]
}

/** Characters between a key and its value, at most. */
const LONGEST_GAP = 10_000

/** The end of line of a text. */
export function eolOf(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

/** True for an entry that is written in this mapping; false for a copy that `<<` brought. */
export function isOwn(map: YamlMap, entry: YamlEntry): boolean {
  return entry.key.start >= map.start
}

/** True for a mapping in braces. */
export function isFlow(text: string, map: YamlMap): boolean {
  return text[map.start] === '{'
}

/** The value of an entry: quotes, anchors, aliases, brackets and block scalars included. */
export function valueRange(text: string, { key, value }: YamlEntry): ValueRange {
  const colon = text.indexOf(':', key.end)
  const start = skipped(text, colon + 1)
  if (text[start] === '*') return { start, end: tokenEnd(text, start), anchor: null, comments: [] }
  const anchor = text[start] === '&' ? text.slice(start + 1, tokenEnd(text, start)) : null
  const from = anchor === null ? start : skipped(text, tokenEnd(text, start))
  const end = Math.max(valueEnd(text, from, value), from)
  const commented = value.kind === 'scalar' ? headerOf(text, from, end) : text.slice(from, end)
  return { start, end, anchor, comments: commentsIn(commented) }
}

/** Over blanks, line ends and comments. */
function skipped(text: string, from: number): number {
  return from + (/^(?:\s|(?<=\s)#[^\n]*)*/.exec(text.slice(from, from + LONGEST_GAP))?.[0].length ?? 0)
}

function tokenEnd(text: string, start: number): number {
  let at = start
  while (at < text.length && !/[\s,[\]{}]/.test(text[at] ?? '')) at++
  return at
}

function valueEnd(text: string, from: number, value: YamlNode): number {
  if (value.kind !== 'scalar') return value.end
  const first = text[from]
  if (first === '"' || first === "'") return value.end + (text[value.end] === first ? 1 : 0)
  if (first !== '|' && first !== '>') return value.end
  // A block scalar ends before the line ends that follow it.
  let end = value.end
  while (end > from && /\s/.test(text[end - 1] ?? '')) end--
  return end
}

/** The first line of a block scalar may carry a comment; no other scalar can hold one. */
function headerOf(text: string, from: number, end: number): string {
  if (text[from] !== '|' && text[from] !== '>') return ''
  return text.slice(from, end).split('\n', 1)[0] ?? ''
}

const QUOTED_OR_COMMENT = /(?<=^|[\s,[{:])(?:"(?:\\.|[^"\\])*"|'(?:[^']|'')*')|(?<=^|\s)#[^\r\n]*/g

/** The comments of a piece of YAML without block scalars, each from its `#` to the end of its line. */
export function commentsIn(piece: string): string[] {
  return [...piece.matchAll(QUOTED_OR_COMMENT)].map(([found]) => found.trimEnd()).filter((found) => found.startsWith('#'))
}

/** Replaces a value; comments that stood inside it go on behind it. */
export function replacement(text: string, map: YamlMap, entry: YamlEntry, value: string): Splice {
  const { start, end, comments } = valueRange(text, entry)
  const onOwnLine = text.slice(text.indexOf(':', entry.key.end) + 1, start).includes('\n')
  const from = onOwnLine ? text.indexOf(':', entry.key.end) + 1 : start
  const between = onOwnLine ? commentsIn(text.slice(from, start)) : []
  return { start: from, end, text: `${onOwnLine ? ' ' : ''}${value}${kept(text, map, entry, [...between, ...comments])}` }
}

/** Comments as they go on behind something that was changed. */
function kept(text: string, map: YamlMap, entry: YamlEntry, comments: readonly string[]): string {
  const eol = eolOf(text)
  const indent = ' '.repeat(columnOf(text, entry.key.start))
  if (isFlow(text, map)) return comments.map((comment) => ` ${comment}${eol}${indent}`).join('')
  return comments.map((comment) => `${eol}${indent}${comment}`).join('')
}

function columnOf(text: string, at: number): number {
  return at - (text.lastIndexOf('\n', at - 1) + 1)
}

/** Adds fields behind an entry: in braces after its value, else on lines of their own. */
export function insertion(text: string, map: YamlMap, after: YamlEntry, fields: readonly string[]): Splice {
  const { end } = valueRange(text, after)
  if (isFlow(text, map)) return { start: end, end, text: fields.map((field) => `, ${field}`).join('') }
  const at = lineEndAt(text, end)
  const indent = ' '.repeat(columnOf(text, after.key.start))
  return { start: at, end: at, text: fields.map((field) => `${eolOf(text)}${indent}${field}`).join('') }
}

function lineEndAt(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  if (at < 0) return text.length
  return text[at - 1] === '\r' ? at - 1 : at
}

/** Takes an entry out: with its comma in braces, else with its line; its comments stay. */
export function removal(text: string, map: YamlMap, entry: YamlEntry): Splice {
  return isFlow(text, map) ? removalInFlow(text, map, entry) : removalOfLines(text, map, entry)
}

function keyStart(text: string, { key }: YamlEntry): number {
  return !key.plain && /["']/.test(text[key.start - 1] ?? '') ? key.start - 1 : key.start
}

function removalInFlow(text: string, map: YamlMap, entry: YamlEntry): Splice {
  const start = keyStart(text, entry)
  const { end, comments } = valueRange(text, entry)
  const stays = kept(text, map, entry, [
    ...commentsIn(text.slice(text.indexOf(':', entry.key.end) + 1, valueRange(text, entry).start)),
    ...comments,
  ])
  const comma = text.lastIndexOf(',', start)
  if (comma > map.start && text.slice(comma + 1, start).trim() === '' && isBehindValue(map, entry, comma))
    return { start: comma, end, text: stays }
  const next = /^[ \t]*,[ \t]*/.exec(text.slice(end))
  const until = end + (next?.[0].length ?? 0)
  return { start, end: until, text: text[until] === '#' && stays === '' ? ' ' : stays }
}

/** The comma before an entry is its own only where another entry ends before it. */
function isBehindValue(map: YamlMap, entry: YamlEntry, comma: number): boolean {
  return map.entries.some((other) => other !== entry && isOwn(map, other) && other.key.start < comma)
}

function removalOfLines(text: string, map: YamlMap, entry: YamlEntry): Splice {
  const start = keyStart(text, entry)
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const { end } = valueRange(text, entry)
  const lineEnd = text.indexOf('\n', end)
  const until = lineEnd < 0 ? text.length : lineEnd + 1
  const comments = commentsIn(text.slice(text.indexOf(':', entry.key.end) + 1, until))
  const eol = eolOf(text)
  const indent = ' '.repeat(start - lineStart)
  if (text.slice(lineStart, start).trim() === '')
    return { start: lineStart, end: until, text: comments.map((comment) => `${indent}${comment}${eol}`).join('') }
  // A call whose first line is "- attempts: 3" keeps its dash: the next entry moves up, below the comments if there are any.
  const following = map.entries.filter((candidate) => isOwn(map, candidate) && candidate.key.start > entry.key.start)[0]
  if (!following) return { start, end, text: '' }
  const between = commentsIn(text.slice(text.indexOf(':', entry.key.end) + 1, keyStart(text, following)))
  return { start, end: keyStart(text, following), text: between.map((comment) => `${comment}${eol}${indent}`).join('') }
}
