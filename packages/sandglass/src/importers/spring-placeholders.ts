import { addNote, type FactsDraft } from './facts.js'
import type { Written } from './limit-fact.js'
import { type Entry, type Environment, type Settings, settingsOf } from './spring-settings.js'

const MAX_DEPTH = 10
const MAX_LENGTH = 20_000
/** Placeholders of one value, those of its values included: ten settings that name each other often would be millions. */
const MAX_EXPANDED = 1000
/** Settings whose value matters enough to say that it is somebody's default. */
const NOTABLE = /time-?out|retries|attempts|max|wait|duration|ttl|url|uri|host|profiles/i

/** Settings with `${name}` replaced by the setting or the variable of that name, and `${name:default}` by its default where there is none. */
export function withPlaceholders(entries: readonly Entry[], environment: Environment, draft: FactsDraft): readonly Entry[] {
  const settings = settingsOf(entries, environment)
  return entries.map((entry) => {
    if (!entry.written.text.includes('${')) return entry
    const expanding: Expanding = { settings, environment, defaults: [], left: MAX_EXPANDED }
    const text = expanded(entry.written.text, expanding, 0)
    noteDefault(entry.key, text, entry.written, expanding, draft)
    return { key: entry.key, written: { text, spot: entry.written.spot } }
  })
}

function noteDefault(key: string, text: string, { spot }: Written, { defaults }: Expanding, draft: FactsDraft): void {
  const [name] = defaults
  if (name === undefined || !NOTABLE.test(key)) return
  addNote(draft, 'unknown', spot, `${key}: taken as ${text.slice(0, 80)}, the default of \${${name}}; who starts it may set another`)
}

/** A value with its placeholders replaced by settings; that a default was taken is said. */
export function resolvedWritten(written: Written, key: string, settings: Settings, draft: FactsDraft): Written {
  if (!written.text.includes('${')) return written
  const expanding: Expanding = { settings, environment: new Map(), defaults: [], left: MAX_EXPANDED }
  const text = expanded(written.text, expanding, 0)
  noteDefault(key, text, written, expanding, draft)
  return { text, spot: written.spot }
}

/** A text of code with its placeholders replaced by settings. */
export function resolvedText(text: string, settings: Settings): string {
  return text.includes('${') ? expanded(text, { settings, environment: new Map(), defaults: [], left: MAX_EXPANDED }, 0) : text
}

interface Expanding {
  readonly settings: Settings
  readonly environment: Environment
  /** Names whose default was taken. */
  readonly defaults: string[]
  /** So many more placeholders are replaced. */
  left: number
}

function expanded(text: string, expanding: Expanding, depth: number): string {
  if (depth > MAX_DEPTH || text.length > MAX_LENGTH) return text
  let out = ''
  let at = 0
  for (let open = text.indexOf('${'); open >= 0; open = text.indexOf('${', at)) {
    const close = closingOf(text, open + 2)
    if (close < 0) break
    out += text.slice(at, open) + valueOf(text.slice(open + 2, close), expanding, depth)
    if (out.length > MAX_LENGTH) return text
    at = close + 1
  }
  return out + text.slice(at)
}

/** The brace that closes a placeholder which begins before `from`; placeholders may stand in placeholders. */
function closingOf(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text.startsWith('${', at)) depth++
    if (text[at] === '}') {
      if (depth === 0) return at
      depth--
    }
  }
  return -1
}

function valueOf(inner: string, expanding: Expanding, depth: number): string {
  if (expanding.left-- <= 0) return `\${${inner}}`
  const { settings, environment, defaults } = expanding
  const colon = inner.indexOf(':')
  const name = colon < 0 ? inner : inner.slice(0, colon)
  const found = environment.get(name) ?? settings.get(name)
  // A setting that names itself (`timeout: ${timeout:5s}`) means the variable.
  if (found && !found.text.includes(`\${${name}`)) return expanded(found.text, expanding, depth + 1)
  if (colon < 0) return `\${${inner}}`
  defaults.push(name)
  return expanded(inner.slice(colon + 1), expanding, depth + 1)
}
