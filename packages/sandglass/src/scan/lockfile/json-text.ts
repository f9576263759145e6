import type { Source, Spot } from '../../model/sourced.js'

/** The entries of a value that is an object; nothing for any other. */
export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isRecord(value) ? Object.entries(value) : []
}

/** A member of a value that is an object. */
export function memberOf(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** True for a value that is an object, no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const SLASH = 0x2f
const COLON = 0x3a
const BACKSLASH = 0x5c
const isOpening = (character: number): boolean => character === 0x7b || character === 0x5b
const isClosing = (character: number): boolean => character === 0x7d || character === 0x5d

/** Makes of a text with comments and commas behind the last item (`bun.lock`) one that JSON.parse takes; positions stay. */
export function strictJson(text: string): string {
  const cuts: (readonly [from: number, to: number])[] = []
  let comma = -1
  for (let at = 0; at < text.length; ) {
    const character = text.charCodeAt(at)
    const afterComment = character === SLASH ? commentEnd(text, at) : at
    if (afterComment > at) {
      cuts.push([at, afterComment])
      at = afterComment
      continue
    }
    if (isClosing(character) && comma >= 0) cuts.push([comma, comma + 1])
    if (character === COMMA) comma = at
    else if (character > SPACE) comma = -1
    at = character === QUOTE ? stringEnd(text, at) : at + 1
  }
  return blanked(text, cuts)
}

function blanked(text: string, cuts: (readonly [number, number])[]): string {
  const parts: string[] = []
  let kept = 0
  for (const [from, to] of cuts.sort((a, b) => a[0] - b[0])) {
    parts.push(text.slice(kept, from), text.slice(from, to).replace(/[^\r\n]/g, ' '))
    kept = to
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(kept)
}

/** Behind a comment; `at` itself where there is none. */
function commentEnd(text: string, at: number): number {
  const next = text[at + 1]
  if (next !== '/' && next !== '*') return at
  const end = next === '/' ? text.indexOf('\n', at) : text.indexOf('*/', at + 2) + 2
  return end < at + 2 ? text.length : end
}

/** Behind a string of a JSON text that starts at `at`; the end of its line where it is not closed. */
export function stringEnd(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end++) {
    const character = text.charCodeAt(end)
    if (character === BACKSLASH) end++
    else if (character === QUOTE) return end + 1
    else if (character === 0x0a) return end
  }
  return text.length
}

/** Where the members of one object stand in its text: key -> the first character of the value; of a list the first item, under `0`. */
type Members = ReadonlyMap<string, number>

const membersOf = new WeakMap<Source, Map<number, Members>>()

/**
 * The spot of a value in a JSON text by the keys that lead to it; of the last that is there. The text is looked through once for each object
 * that is asked for, and only then: most values of a large file are never pointed at.
 */
export function jsonSpot(source: Source, text: string, path: readonly string[]): Spot {
  let start = skipSpace(text, 0)
  for (const key of path) {
    const next = knownMembers(source, text, start).get(key)
    if (next === undefined) break
    start = next
  }
  const end = isOpening(text.charCodeAt(start)) ? start + 1 : scalarEnd(text, start)
  return { source, start, end }
}

function knownMembers(source: Source, text: string, start: number): Members {
  const known = membersOf.get(source) ?? new Map<number, Members>()
  membersOf.set(source, known)
  const members = known.get(start) ?? readMembers(text, start)
  known.set(start, members)
  return members
}

function readMembers(text: string, start: number): Members {
  if (text[start] === '[') return new Map([['0', skipSpace(text, start + 1)]])
  const members = new Map<string, number>()
  if (text[start] !== '{') return members
  let depth = 0
  let key: string | null = null
  for (let at = start; at < text.length; ) {
    const character = text.charCodeAt(at)
    if (isOpening(character)) depth++
    else if (isClosing(character) && --depth === 0) break
    const end = character === QUOTE ? stringEnd(text, at) : at + 1
    if (depth === 1 && character === QUOTE) key = text.slice(at + 1, end - 1)
    if (depth === 1 && character === COLON && key !== null) members.set(plainKey(key), skipSpace(text, end))
    at = end
  }
  return members
}

/** A key as JSON.parse gives it. */
function plainKey(written: string): string {
  return written.includes('\\') ? String(JSON.parse(`"${written}"`)) : written
}

function scalarEnd(text: string, start: number): number {
  if (text.charCodeAt(start) === QUOTE) return stringEnd(text, start)
  let end = start
  while (end < text.length && /[\w.+-]/.test(text.charAt(end))) end++
  return end
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) <= SPACE) at++
  return at
}
