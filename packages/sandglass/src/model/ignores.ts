import type { Diagnostic, Note, Problem } from './diagnostic.js'
import { didYouMean } from './nearest.js'
import { placeOf, type Source, type Spot } from './sourced.js'

/** A `# sandglass-ignore rule-id: reason` comment. */
interface Ignore {
  readonly rules: readonly string[]
  readonly spot: Spot
  /** The line it silences: its own, or the next one that is no comment. */
  readonly line: number
}

/** What is left of the findings, and what the comments themselves say. */
export interface Silenced {
  readonly diagnostics: readonly Diagnostic[]
  /** Comments that silence nothing because they are not well formed. */
  readonly problems: readonly Problem[]
  /** Comments that silenced nothing because there is nothing to silence. */
  readonly notes: readonly Note[]
  readonly silenced: number
}

const COMMENT = /(?:^|[\s{])(?:#|\/\/|\/\*|--)\s*sandglass-ignore\b([^\n\r]*)/g
/** Lines of comments that describe code, and such comments of one line: what stands there is no comment for this. */
const IN_DESCRIPTION = /(?:^|\n)[^\S\n]*(?:\/\*)?\*\s*sandglass-ignore\b[^\n\r]*/g

/**
 * Drops the findings that a comment above or beside one of their places silences; a reason is required. `ran` are the rules that were run,
 * where they are not all: a comment for another one is not unused.
 */
export function applyIgnores(
  diagnostics: readonly Diagnostic[],
  sources: readonly Source[],
  knownRules: readonly string[],
  ran: readonly string[] = knownRules,
): Silenced {
  const problems: Problem[] = []
  const ignores = sources.flatMap((source) => ignoresOf(source, knownRules, problems))
  const described = sources.flatMap(inDescriptions)
  if (ignores.length === 0) return { diagnostics, problems, notes: described, silenced: 0 }
  const byPlace = new Map<string, Ignore>()
  for (const ignore of ignores) {
    for (const rule of ignore.rules) byPlace.set(JSON.stringify([ignore.spot.source.file, ignore.line, rule]), ignore)
  }
  const used = new Set<Ignore>()
  const left = diagnostics.filter((one) => {
    const hits = [one.spot, ...one.related.map(({ spot }) => spot)].flatMap((spot) => {
      const { file, line } = placeOf(spot)
      const found = byPlace.get(JSON.stringify([file, line, one.rule]))
      return found ? [found] : []
    })
    for (const hit of hits) used.add(hit)
    return hits.length === 0
  })
  const unused = ignores
    .filter((ignore) => !used.has(ignore) && ignore.rules.every((rule) => ran.includes(rule)))
    .map(({ rules, spot }) => ({ message: `this comment silences nothing: there is no ${rules.join(' or ')} here`, spot }))
  return { diagnostics: left, problems, notes: [...described, ...unused], silenced: diagnostics.length - left.length }
}

/** What of the comments in a text silences nothing because of how it is written, or where. */
export function commentFaults(source: Source, knownRules: readonly string[]): readonly { readonly message: string; readonly spot: Spot }[] {
  const problems: Problem[] = []
  ignoresOf(source, knownRules, problems)
  return [...problems, ...inDescriptions(source)].flatMap(({ message, spot }) => (spot ? [{ message, spot }] : []))
}

function ignoresOf(source: Source, knownRules: readonly string[], problems: Problem[]): Ignore[] {
  if (!source.text.includes('sandglass-ignore')) return []
  const found: Ignore[] = []
  for (const match of source.text.matchAll(COMMENT)) {
    const start = match.index + match[0].search(/#|\/\/|\/\*|--/)
    const spot = { source, start, end: match.index + match[0].length }
    const read = readComment((match[1] ?? '').replace(/\*\/.*$/, ''), source.text.slice(start, start + 2), knownRules)
    if (typeof read === 'string') problems.push({ file: source.file, spot, message: read })
    else found.push({ rules: read, spot, line: lineSilenced(spot) })
  }
  return found
}

/** What stands in a comment that describes code, `/** … *\/`, silences nothing. */
function inDescriptions(source: Source): readonly Note[] {
  if (source.isCode !== true || !source.text.includes('sandglass-ignore')) return []
  return [...source.text.matchAll(IN_DESCRIPTION)].map((match) => {
    const start = match.index + match[0].search(/\S/)
    const message = `this comment silences nothing: it describes code; ${expected('//')}`
    return { message, spot: { source, start, end: match.index + match[0].length } }
  })
}

/** A comment as it should be, by the sign that one begins with. */
function expected(sign: string): string {
  const [open, close] = sign === '/*' ? ['/*', ' */'] : [sign.startsWith('#') ? '#' : sign, '']
  return `expected "${open} sandglass-ignore rule-id: reason${close}"`
}

/** The rules a comment names, or what is wrong with it; `sign` is what it begins with. */
function readComment(text: string, sign: string, knownRules: readonly string[]): readonly string[] | string {
  const parts = /^\s+([a-z0-9-]+(?:\s*,\s*[a-z0-9-]+)*)\s*(?::\s*(.*))?$/.exec(text.trimEnd())
  if (!parts) return `sandglass-ignore names no rule; ${expected(sign)}`
  const rules = (parts[1] ?? '').split(',').map((rule) => rule.trim())
  const unknown = rules.find((rule) => !knownRules.includes(rule))
  if (unknown !== undefined) return `sandglass-ignore: there is no rule "${unknown}"${didYouMean(unknown, knownRules)}`
  if (!parts[2]) return `sandglass-ignore ${rules.join(', ')} gives no reason and silences nothing; ${expected(sign)}`
  return rules
}

function lineSilenced({ source, start, end }: Spot): number {
  const { text } = source
  const own = placeOf({ source, start, end }).line
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  if (before.trim() !== '') return own
  let line = own
  for (let at = text.indexOf('\n', start); at >= 0; at = text.indexOf('\n', at + 1)) {
    line++
    const next = text.indexOf('\n', at + 1)
    const content = text.slice(at + 1, next < 0 ? undefined : next).trim()
    if (content !== '' && !/^(#|\/\/|\/\*|--)/.test(content)) return line
  }
  return own
}
