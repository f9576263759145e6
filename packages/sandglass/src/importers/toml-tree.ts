import { type AST, ParseError, parseTOML } from 'toml-eslint-parser'
import type { Source } from '../model/sourced.js'
import type { YamlMap, YamlNode, YamlScalar } from '../model/yaml-tree.js'
import { addBroken, type FactsDraft } from './facts.js'
import { maskTemplates } from './templates.js'

/** A config is smaller; the parser's time grows faster than the text. */
const MAX_CHARACTERS = 400_000

/** A TOML file as the same tree that YAML makes, so that one reader serves both; null, with a note, where it cannot be parsed. */
export function readToml(source: Source, draft: FactsDraft): YamlMap | null {
  if (source.text.length > MAX_CHARACTERS) {
    addBroken(draft, { source, start: 0, end: 1 }, `longer than ${MAX_CHARACTERS / 1000} thousand characters`)
    return null
  }
  try {
    const [top] = parseTOML(maskTemplates(source.text)).body
    const root = newMap(source, 0, source.text.length)
    const reading: Reading = { source, known: new Map() }
    for (const part of top.body) addPart(root, part, reading)
    return root
  } catch (error) {
    if (!(error instanceof ParseError) && !(error instanceof RangeError)) throw error
    const start = error instanceof ParseError ? error.index : 0
    const reason = error instanceof ParseError ? error.message : 'nested too deeply'
    addBroken(draft, { source, start, end: start + 1 }, `not valid TOML: ${reason}`)
    return null
  }
}

interface Reading {
  readonly source: Source
  /** What stands below each mapping, by key: a list of its entries would be searched for every table. */
  readonly known: Map<YamlMap, Map<string, YamlNode>>
}

function put(map: YamlMap, key: YamlScalar, value: YamlNode, { known }: Reading): void {
  map.entries.push({ key, value })
  const table = known.get(map) ?? new Map<string, YamlNode>()
  known.set(map, table.set(key.text, value))
}

function addPart(root: YamlMap, part: AST.TOMLKeyValue | AST.TOMLTable, reading: Reading): void {
  if (part.type === 'TOMLKeyValue') {
    addPair(root, part, reading)
    return
  }
  const table = tableAt(root, part, reading)
  table.end = Math.max(table.end, part.range[1])
  for (const pair of part.body) addPair(table, pair, reading)
}

/** The mapping of a `[table]`, or a new item of the list of an `[[array]]`. */
function tableAt(root: YamlMap, { key, kind, range }: AST.TOMLTable, reading: Reading): YamlMap {
  const { source, known } = reading
  const keys = key.keys.map((each) => keyNode(each, source))
  const last = keys.at(-1)
  const parent = below(root, keys.slice(0, -1), reading)
  if (!last) return parent
  if (kind === 'standard') return below(parent, [last], reading)
  const item = newMap(source, range[0], range[1])
  const list = known.get(parent)?.get(last.text)
  if (list?.kind === 'list') list.items.push(item)
  else put(parent, last, { kind: 'list', source, start: range[0], end: range[1], items: [item], size: 1 }, reading)
  return item
}

/** The mapping below by keys, made where it is missing; of a list the last item is meant. */
function below(from: YamlMap, keys: readonly YamlScalar[], reading: Reading): YamlMap {
  let at = from
  for (const key of keys) {
    const found = reading.known.get(at)?.get(key.text)
    const inside = found?.kind === 'list' ? found.items.at(-1) : found
    if (inside?.kind === 'map') at = inside
    else {
      const made = newMap(key.source, key.start, key.end)
      put(at, key, made, reading)
      at = made
    }
  }
  return at
}

function addPair(map: YamlMap, { key, value }: AST.TOMLKeyValue, reading: Reading): void {
  const keys = key.keys.map((each) => keyNode(each, reading.source))
  const last = keys.at(-1)
  if (last) put(below(map, keys.slice(0, -1), reading), last, valueNode(value, reading), reading)
}

function keyNode(key: AST.TOMLBare | AST.TOMLQuoted, source: Source): YamlScalar {
  const text = key.type === 'TOMLBare' ? key.name : key.value
  return { kind: 'scalar', source, start: key.range[0], end: key.range[1], text, plain: key.type === 'TOMLBare' }
}

function valueNode(value: AST.TOMLContentNode, reading: Reading): YamlNode {
  const { source } = reading
  const [start, end] = value.range
  if (value.type === 'TOMLArray')
    return { kind: 'list', source, start, end, items: value.elements.map((each) => valueNode(each, reading)), size: value.elements.length }
  if (value.type === 'TOMLInlineTable') {
    const map = newMap(source, start, end)
    for (const pair of value.body) addPair(map, pair, reading)
    return map
  }
  if (value.kind !== 'string')
    return { kind: 'scalar', source, start, end, text: source.text.slice(start, end).replaceAll('_', ''), plain: true }
  const inset = value.multiline ? 3 : 1
  return { kind: 'scalar', source, start: start + inset, end: Math.max(start + inset + 1, end - inset), text: value.value, plain: false }
}

function newMap(source: Source, start: number, end: number): YamlMap {
  return { kind: 'map', source, start, end, entries: [], size: 1 }
}
