import type { Source, Spot } from '../model/sourced.js'
import type { Written } from './limit-fact.js'

/** One setting of an INI file. */
export interface IniEntry {
  /** The name in brackets above it; empty where there is none. */
  readonly section: string
  readonly key: string
  /** Empty where a key stands alone. */
  readonly value: Written
  readonly spot: Spot
}

/** How one product writes its INI files. */
export interface IniDialect {
  /** A line that begins with one of these is a comment. */
  readonly comments: string
  /** These begin a comment behind a value too, outside quotes; mostly none. */
  readonly inline: string
  /** Quotes around a whole value are taken off. */
  readonly quotes: boolean
}

const MAX_LINES = 50_000
const MAX_ENTRIES = 20_000

/** Reads `[section]` and `key = value` lines, each with its place; what is neither is passed over. */
export function readIni(source: Source, dialect: IniDialect): readonly IniEntry[] {
  const entries: IniEntry[] = []
  let section = ''
  let start = 0
  for (const line of source.text.split('\n', MAX_LINES)) {
    const text = line.trimStart()
    const at = start + line.length - text.length
    start += line.length + 1
    if (text.trim() === '' || dialect.comments.includes(text.charAt(0)) || entries.length >= MAX_ENTRIES) continue
    const head = /^\[([^\]\n]{0,200})\]/.exec(text)
    if (head) section = (head[1] ?? '').trim()
    else entries.push(entryOf(source, section, text.trimEnd(), at, dialect))
  }
  return entries
}

function entryOf(source: Source, section: string, line: string, at: number, dialect: IniDialect): IniEntry {
  const equals = line.indexOf('=')
  const key = (equals < 0 ? line : line.slice(0, equals)).trim()
  const spot = { source, start: at, end: at + line.length }
  if (equals < 0) return { section, key: withoutComment(key, dialect), value: { text: '', spot }, spot }
  const raw = withoutComment(line.slice(equals + 1), dialect)
  const lead = raw.length - raw.trimStart().length
  const trimmed = raw.trim()
  const quoted = dialect.quotes ? /^(["'])(.*)\1$/.exec(trimmed) : null
  const value = quoted ? (quoted[2] ?? '') : trimmed
  const from = at + equals + 1 + lead + (quoted ? 1 : 0)
  return { section, key, value: { text: value, spot: { source, start: from, end: from + Math.max(1, value.length) } }, spot }
}

function withoutComment(text: string, { inline }: IniDialect): string {
  if (inline === '') return text
  let quote = ''
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index)
    if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (inline.includes(char)) return text.slice(0, index)
  }
  return text
}
