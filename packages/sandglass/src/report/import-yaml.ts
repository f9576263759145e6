import type { ImportNote } from '../importers/facts.js'
import type { Imported } from '../importers/import-sources.js'
import { placeOf } from '../model/sourced.js'
import { type Branch, chainTree, type Twig } from './chain-tree.js'
import { printable } from './printable.js'

/**
 * An imported chain as a chain file that people read and edit: each value with its origin, and a list of what was not understood. `by` is the
 * command that wrote it.
 */
export function importYaml(imported: Imported, schema: string, by = 'sandglass import'): string {
  const { journeys, services } = chainTree(imported.file)
  return `${[
    `# yaml-language-server: $schema=${schema}`,
    'sandglass: 1',
    '',
    ...head(imported, by),
    ...sectionLines('journeys', journeys),
    '',
    ...sectionLines('services', services),
  ].join('\n')}\n`
}

/** The lines of the journeys and services alone, to be put into a file that has some already. */
export function importParts(
  imported: Imported,
  knownJourneys: ReadonlySet<string>,
  knownServices: ReadonlySet<string>,
): { readonly journeys: readonly string[]; readonly services: readonly string[] } {
  const { journeys, services } = chainTree(imported.file)
  const without = (branch: Branch, known: ReadonlySet<string>): Branch =>
    branch.kind === 'map' ? { ...branch, entries: branch.entries.filter(({ key }) => !known.has(key)) } : branch
  return { journeys: blockLines(without(journeys, knownJourneys), 1), services: blockLines(without(services, knownServices), 1) }
}

function head({ read, notes }: Imported, by: string): readonly string[] {
  const files = read.map(({ file, format }) => `${file} (${format})`)
  const shown = files.slice(0, 20).join(', ') + (files.length > 20 ? ` and ${files.length - 20} more` : '')
  return [
    `# Imported by "${by}" from ${printable(shown)}.`,
    '# "unknown" could not be found out: put in what holds. Where nothing limits a call, nothing is written.',
    ...(notes.length === 0 ? [] : ['#', '# Not in the chain as it stands there:', ...notes.slice(0, 200).map(noteLine)]),
    ...(notes.length > 200 ? [`#   … and ${notes.length - 200} more`] : []),
    '',
  ]
}

function noteLine({ spot, text, kind }: ImportNote): string {
  const { file, line } = placeOf(spot)
  return `#   ${printable(`${file}:${line} ${kind}: ${text}`)}`
}

/** A section without entries is an empty mapping: without one, it would be nothing. */
function sectionLines(name: string, branch: Branch): readonly string[] {
  const lines = blockLines(branch, 1)
  return lines.length > 0 ? [`${name}:`, ...lines] : [`${name}: {}`]
}

/** A branch as block lines, two blanks for each level from `depth` on. */
export function blockLines(branch: Branch, depth: number): readonly string[] {
  const pad = '  '.repeat(depth)
  if (branch.kind === 'text') return [`${pad}${branch.text}`]
  if (branch.kind === 'map') return branch.entries.flatMap((twig) => entryLines(twig, depth))
  return branch.items.flatMap((twig) => itemLines(twig, depth))
}

function entryLines(twig: Twig, depth: number): readonly string[] {
  const pad = '  '.repeat(depth)
  const comment = twig.comment === undefined ? '' : ` # ${printable(twig.comment)}`
  const above = (twig.above ?? []).map((line) => `${pad}# ${printable(line)}`)
  const { value } = twig
  if (value.kind === 'text') return [...above, `${pad}${keyText(twig.key)}: ${valueText(value.text)}${comment}`]
  const isEmpty = value.kind === 'map' ? value.entries.length === 0 : value.items.length === 0
  if (isEmpty) return [...above, `${pad}${keyText(twig.key)}: ${value.kind === 'map' ? '{}' : '[]'}${comment}`]
  return [...above, `${pad}${keyText(twig.key)}:${comment}`, ...blockLines(value, depth + 1)]
}

/** An item's first line has the dash; the rest of it stands below its first key. */
function itemLines(twig: Twig, depth: number): readonly string[] {
  const pad = '  '.repeat(depth)
  const above = (twig.above ?? []).map((line) => `${pad}# ${printable(line)}`)
  const [first = '', ...rest] = blockLines(twig.value, depth + 1)
  return [...above, `${pad}- ${first.trimStart()}`, ...rest]
}

const PLAIN = /^[A-Za-z_/][A-Za-z0-9_/-]*$/
const WORDS = /^(true|false|yes|no|on|off|null|y|n)$/i

function keyText(key: string): string {
  return PLAIN.test(key) && !WORDS.test(key) ? key : JSON.stringify(key)
}

function valueText(text: string): string {
  if (/^\[[\w, .-]*\]$/.test(text) || /^\d/.test(text)) return text
  if (/^(true|false)$/.test(text)) return text
  return /^[A-Za-z_][A-Za-z0-9_./-]*$/.test(text) && !WORDS.test(text) ? text : JSON.stringify(text)
}

/** A branch on one line, in brackets and braces, without its comments. */
export function flowText(branch: Branch): string {
  if (branch.kind === 'text') return valueText(branch.text)
  if (branch.kind === 'list') return `[${branch.items.map(({ value }) => flowText(value)).join(', ')}]`
  if (branch.entries.length === 0) return '{}'
  return `{ ${branch.entries.map(({ key, value }) => `${keyText(key)}: ${flowText(value)}`).join(', ')} }`
}
