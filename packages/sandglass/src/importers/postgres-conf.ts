import type { Source } from '../model/sourced.js'
import { addDead, addNote, type FactsDraft, type Surroundings } from './facts.js'
import type { Written } from './limit-fact.js'
import { maskTemplates } from './templates.js'

/** One line of a `postgresql.conf`: its name in lower case, and what is written for it. */
interface Line {
  readonly name: string
  readonly value: Written
}

const MAX_LINES = 50_000
/** PostgreSQL itself follows no more includes than this. */
const MAX_DEPTH = 10
/** Files that include each other a few times would be millions. */
const MAX_INCLUDED = 1000

/** The lines of one file: `name = value`, `name value`, quotes with `''` inside, comments behind. */
function linesOf(source: Source): readonly Line[] {
  const lines: Line[] = []
  let start = 0
  for (const text of maskTemplates(source.text).split('\n', MAX_LINES)) {
    const line = lineOf(source, text, start)
    if (line) lines.push(line)
    start += text.length + 1
  }
  return lines
}

function lineOf(source: Source, text: string, start: number): Line | null {
  const found = /^[ \t]*([A-Za-z_][\w.$]*)(?:[ \t]*=[ \t]*|[ \t]+)(?:'((?:[^'\\]|''|\\.)*)'|([^\s#']+))/.exec(text)
  if (!found) return null
  const [whole, name = '', quoted, plain = ''] = found
  const value = quoted === undefined ? plain : quoted.replaceAll("''", "'").replace(/\\(.)/g, '$1')
  const end = start + whole.length - (quoted === undefined ? 0 : 1)
  const length = (quoted ?? plain).length
  return { name: name.toLowerCase(), value: { text: value, spot: { source, start: end - length, end: Math.max(end, end - length + 1) } } }
}

/** The settings of `postgresql.conf` with what it includes; the last of several holds. */
export function readPostgresConf(source: Source, surroundings: Surroundings, draft: FactsDraft): ReadonlyMap<string, Written> {
  const settings = new Map<string, Written>()
  read(source, { surroundings, draft, settings, left: MAX_INCLUDED }, 0)
  return settings
}

/** The files that a `postgresql.conf` includes, so that they are not read by themselves. */
export function includedByPostgres(source: Source, surroundings: Surroundings): readonly Source[] {
  return linesOf(source).flatMap((line) => filesOf(line, source, surroundings) ?? [])
}

interface Reading {
  readonly surroundings: Surroundings
  readonly draft: FactsDraft
  readonly settings: Map<string, Written>
  /** So many more files may be included. */
  left: number
}

function read(source: Source, reading: Reading, depth: number): void {
  for (const line of linesOf(source)) {
    const files = filesOf(line, source, reading.surroundings)
    if (files === null) takeSetting(line, reading)
    else if (depth < MAX_DEPTH) readIncluded(line, files, reading, depth + 1)
  }
}

function takeSetting({ name, value }: Line, { settings, draft }: Reading): void {
  const { text, spot } = value
  const isQuoted = spot.source.text.charAt(spot.start - 1) === "'"
  if (isQuoted || !/^[+-]?\d*\.\d*[A-Za-z]/.test(text)) settings.set(name, value)
  else
    addDead(draft, {
      setting: name,
      written: text,
      spot,
      because: 'a fraction with a unit needs quotes, and PostgreSQL does not start without them',
      effective: settings.get(name)?.text ?? 'the default',
    })
}

function readIncluded({ name, value }: Line, files: readonly Source[], reading: Reading, depth: number): void {
  if (files.length === 0 && name !== 'include_if_exists')
    addNote(reading.draft, 'unknown', value.spot, `${name} ${value.text}: no such file among those that are read; what it sets is unknown`)
  for (const file of files) if (reading.left-- > 0) read(file, reading, depth)
}

/** What an include names; null where the line is a setting. */
function filesOf({ name, value }: Line, from: Source, { filesLike }: Surroundings): readonly Source[] | null {
  if (name === 'include' || name === 'include_if_exists') return filesLike(value.text, from.file)
  if (name !== 'include_dir') return null
  return filesLike(`${value.text.replace(/\/$/, '')}/*.conf`, from.file).toSorted((a, b) => (a.file < b.file ? -1 : 1))
}
