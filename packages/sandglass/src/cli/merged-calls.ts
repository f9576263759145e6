import type { JoinedFile } from '../importers/join.js'
import type { CallPart } from '../model/chain-file.js'
import { placeOf, type Source } from '../model/sourced.js'
import { readYaml, type YamlEntry, type YamlList, type YamlMap } from '../model/yaml-tree.js'
import { eolOf, isFlow, valueRange } from '../plan/yaml-edit.js'
import { type Branch, callsBranch, type Twig } from '../report/chain-tree.js'
import { blockLines, flowText } from '../report/import-yaml.js'
import { printable } from '../report/printable.js'

/** Where calls go in a chain file. */
export interface CallsPlace {
  readonly service: string
  readonly operation: string
}

/**
 * A chain file with more calls of an operation; all that is there stays as it is, comments included. Null where the place is written in a form
 * that nothing can be added to, such as an alias.
 */
export function mergedCalls(source: Source, place: CallsPlace, calls: readonly CallPart[], file: JoinedFile): string | null {
  const yaml = readYaml(source)
  const root = yaml.ok && yaml.root?.kind === 'map' ? yaml.root : null
  const services = root?.entries.find(({ key }) => key.text === 'services')
  if (!root || !services || calls.length === 0) return null
  const adding: Adding = { text: source.text, list: callsBranch(calls, file), comments: calls.map(commentOf) }
  const path = [place.service, 'operations', place.operation, 'calls']
  return addedBelow({ map: root, entry: services }, path, adding)
}

interface Adding {
  readonly text: string
  readonly list: Branch
  /** What the lines of a block say beside each value, in short, for where no line is free. */
  readonly comments: readonly string[]
}

/** An entry and the mapping it stands in. */
interface Found {
  readonly map: YamlMap
  readonly entry: YamlEntry
}

function commentOf({ to, spot }: CallPart): string {
  const { file, line } = placeOf(spot)
  return `# ${printable(`${to?.value ?? 'unknown'}: origin: ${file}:${line}`)}`
}

function addedBelow({ map, entry }: Found, path: readonly string[], adding: Adding): string | null {
  const { value } = entry
  // What stands before its key is an alias: its text belongs to others too.
  if (value.start < entry.key.start) return null
  if (value.kind === 'list') return path.length === 0 ? inList(value, entry, adding) : null
  if (value.kind === 'scalar') return value.text.trim() === '' ? inNothing({ map, entry }, path, adding) : null
  const [name = ''] = path
  const inner = value.entries.find(({ key }) => key.text === name)
  if (inner) return addedBelow({ map: value, entry: inner }, path.slice(1), adding)
  return inMap({ map, entry }, value, path, adding)
}

/** The rest of a way as a tree, down to the calls. */
function treeOf(path: readonly string[], list: Branch): Twig {
  const [key = '', ...rest] = path
  return { key, value: rest.length === 0 ? list : { kind: 'map', entries: [treeOf(rest, list)] } }
}

function inMap(outer: Found, map: YamlMap, path: readonly string[], { text, list, comments }: Adding): string | null {
  const twig = treeOf(path, list)
  const last = map.entries.findLast(({ key }) => key.start >= map.start)
  if (isFlow(text, map)) {
    const pair = flowText({ kind: 'map', entries: [twig] }).slice(2, -2)
    const at = last ? valueRange(text, last).end : map.start + 1
    return commented(spliced(text, at, last ? `, ${pair}` : ` ${pair} `), outer.entry, comments)
  }
  if (!last) return null
  const indent = columnOf(text, last.key.start)
  const lines = indented(blockLines({ kind: 'map', entries: [twig] }, 0), indent)
  return spliced(text, lineEnd(text, contentEnd(text, map.end)), `${eolOf(text)}${lines.join(eolOf(text))}`)
}

/** A key with nothing behind it gets its lines below. */
function inNothing({ map, entry }: Found, path: readonly string[], { text, list }: Adding): string | null {
  if (isFlow(text, map)) return null
  const indent = columnOf(text, entry.key.start) + 2
  const branch: Branch = path.length === 0 ? list : { kind: 'map', entries: [treeOf(path, list)] }
  const at = lineEnd(text, entry.key.end)
  return spliced(text, at, `${eolOf(text)}${indented(blockLines(branch, 0), indent).join(eolOf(text))}`)
}

function inList(list: YamlList, entry: YamlEntry, adding: Adding): string | null {
  const { text } = adding
  if (text[list.start] === '[') {
    const items = flowText(adding.list).slice(1, -1)
    const last = list.items.at(-1)
    return commented(spliced(text, last?.end ?? list.start + 1, last ? `, ${items}` : items), entry, adding.comments)
  }
  const [first] = list.items
  const dash = first ? text.lastIndexOf('-', first.start) : -1
  if (dash < 0) return null
  const lines = indented(blockLines(adding.list, 0), columnOf(text, dash))
  return spliced(text, lineEnd(text, contentEnd(text, list.end)), `${eolOf(text)}${lines.join(eolOf(text))}`)
}

/** Comments on lines of their own, above the line an entry begins on. */
function commented(text: string, { key }: YamlEntry, comments: readonly string[]): string {
  const at = text.lastIndexOf('\n', key.start - 1) + 1
  const indent = /^ */.exec(text.slice(at))?.[0] ?? ''
  return spliced(text, at, comments.map((comment) => `${indent}${comment}${eolOf(text)}`).join(''))
}

function indented(lines: readonly string[], columns: number): readonly string[] {
  return lines.map((line) => `${' '.repeat(columns)}${line}`)
}

function spliced(text: string, at: number, added: string): string {
  return `${text.slice(0, at)}${added}${text.slice(at)}`
}

function columnOf(text: string, at: number): number {
  return at - (text.lastIndexOf('\n', at - 1) + 1)
}

/** The end of what is written before an offset: no blanks, no ends of lines. */
function contentEnd(text: string, before: number): number {
  let end = before
  while (end > 0 && /\s/.test(text[end - 1] ?? '')) end--
  return end
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  if (at < 0) return text.length
  return text[at - 1] === '\r' ? at - 1 : at
}
