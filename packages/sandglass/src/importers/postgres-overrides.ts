import type { Source } from '../model/sourced.js'
import type { Written } from './limit-fact.js'

/** What SQL sets for one role, one database, one role in one database, or (`ALTER SYSTEM`) for all. */
export interface PostgresOverride {
  readonly role: string | null
  readonly database: string | null
  /** In lower case. */
  readonly name: string
  readonly value: Written
}

const WORD = '(?:"([^"]{1,100})"|([A-Za-z_][\\w$]{0,100}))'
const ALTER = new RegExp(
  `\\bALTER\\s+(?:(ROLE|USER|DATABASE)\\s+${WORD}(?:\\s+IN\\s+DATABASE\\s+${WORD})?|SYSTEM)\\s+SET\\s+([A-Za-z_][\\w.]{0,100})\\s*(?:=|\\bTO\\b)\\s*('(?:[^']|''){0,200}'|[^\\s;']{1,100})`,
  'gi',
)

const MAX_OVERRIDES = 10_000

/** The `ALTER ROLE … SET`, `ALTER DATABASE … SET` and `ALTER SYSTEM SET` of a script; a session's own `SET`, as every dump begins with, is none. */
export function readOverrides(source: Source): readonly PostgresOverride[] {
  const overrides: PostgresOverride[] = []
  const text = withoutComments(source.text)
  for (const found of text.matchAll(ALTER)) {
    if (overrides.length >= MAX_OVERRIDES) break
    const [whole, kind, quoted, plain, quotedIn, plainIn, name = '', raw = ''] = found
    const subject = quoted ?? plain?.toLowerCase() ?? null
    const inside = quotedIn ?? plainIn?.toLowerCase() ?? null
    const isQuoted = raw.startsWith("'")
    const end = found.index + whole.length - (isQuoted ? 1 : 0)
    const length = raw.length - (isQuoted ? 2 : 0)
    const value = { text: isQuoted ? raw.slice(1, -1) : raw, spot: { source, start: end - length, end: Math.max(end, end - length + 1) } }
    if (/^default$/i.test(raw)) continue
    const isDatabase = kind?.toUpperCase() === 'DATABASE'
    const role = isDatabase || subject?.toUpperCase() === 'ALL' ? null : subject
    overrides.push({ role, database: isDatabase ? subject : inside, name: name.toLowerCase(), value })
  }
  return overrides
}

/** Comments as spaces, so that places stay; what looks like one inside quotes is none. */
function withoutComments(text: string): string {
  const parts: string[] = []
  const openers = /'|--|\/\*/g
  let at = 0
  for (let found = openers.exec(text); found; found = openers.exec(text)) {
    const [opener] = found
    const start = found.index
    const closer = opener === "'" ? "'" : opener === '--' ? '\n' : '*/'
    const close = text.indexOf(closer, start + opener.length)
    const end = close < 0 ? text.length : close + (opener === '--' ? 0 : closer.length)
    const inside = text.slice(start, end)
    parts.push(text.slice(at, start), opener === "'" ? inside : inside.replace(/[^\n]/g, ' '))
    at = end
    openers.lastIndex = end
  }
  return parts.join('') + text.slice(at)
}
