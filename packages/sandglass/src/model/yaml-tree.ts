import { COLLECTION_STYLE, EVENT_ID, type Event, getScalarValue, parseEvents, SCALAR_STYLE, type ScalarEvent, YAMLException } from 'js-yaml'
import type { Problem } from './diagnostic.js'
import type { Source, Spot } from './sourced.js'

/** A node of a YAML document; each is its own spot (no second object per value), and aliases share the node they name. */
export type YamlNode = YamlMap | YamlList | YamlScalar

export interface YamlMap extends Spot {
  readonly kind: 'map'
  readonly source: Source
  readonly start: number
  end: number
  entries: YamlEntry[]
  /** Nodes below, aliases expanded. */
  size: number
}

export interface YamlEntry {
  readonly key: YamlScalar
  readonly value: YamlNode
}

export interface YamlList extends Spot {
  readonly kind: 'list'
  readonly source: Source
  readonly start: number
  end: number
  items: YamlNode[]
  size: number
}

export interface YamlScalar extends Spot {
  readonly kind: 'scalar'
  readonly source: Source
  readonly start: number
  readonly end: number
  readonly text: string
  /** Written without quotes: may be a number, a boolean or nothing at all. */
  readonly plain: boolean
}

export type YamlResult = { readonly ok: true; readonly root: YamlNode | null } | { readonly ok: false; readonly problem: Problem }

/** Nesting beyond this is refused: a chain file needs nine levels. */
const MAX_DEPTH = 64
/** A document whose aliases expand to more nodes than this is refused (an alias bomb). */
const MAX_EXPANDED_NODES = 20_000_000
const MAX_EXPANSION = 50
/** Up to so many keys are compared one by one. */
const FEW_KEYS = 12
const MAX_KEPT_KEYS = 1000

/**
 * Hears of each entry of the mapping under one key of the root as soon as it is complete, and gives back the node that is kept in its place:
 * what a large file says about one service need not be held until the last one is read.
 */
export interface Early {
  readonly section: string
  readonly take: (key: YamlScalar, value: YamlNode) => YamlNode
}

/** Reads one YAML document into nodes that know where they stand; js-yaml's event stream, no second parser. */
export function readYaml(source: Source, early: Early | null = null): YamlResult {
  const read = readWith(source, new Builder(source, source.text, false, early))
  return read.ok ? { ok: true, root: read.roots[0] ?? null } : read
}

export type YamlDocuments = { readonly ok: true; readonly roots: readonly YamlNode[] } | { readonly ok: false; readonly problem: Problem }

/** Reads all documents of a file. `text` may differ from the source's in characters, not in positions: templates are masked in it. */
export function readYamlDocuments(source: Source, text: string = source.text): YamlDocuments {
  return readWith(source, new Builder(source, text, true, null))
}

function readWith(source: Source, build: Builder): YamlDocuments {
  try {
    const events = parseEvents(build.text, { filename: source.file, maxDepth: MAX_DEPTH })
    for (const event of events) build.take(event)
    return { ok: true, roots: build.roots }
  } catch (error) {
    if (error instanceof Refusal) return refused(source, error.at, error.message)
    if (error instanceof YAMLException) return refused(source, positionOf(error), whyInvalid(source, error.reason))
    if (error instanceof RangeError) return refused(source, 0, whyInvalid(source, 'nested too deeply'))
    throw error
  }
}

function positionOf(error: YAMLException): number {
  const mark = error.mark as { position?: number } | undefined
  return mark?.position ?? 0
}

/** In the words of what the file is: JSON is read as the YAML that it also is, but nobody wrote flow collections. */
function whyInvalid({ file, text }: Source, reason: string): string {
  const plain = /depth/i.test(reason) ? `nested too deeply (at most ${MAX_DEPTH} levels)` : reason
  const isJson = /\.json$/i.test(file) || (!/\.ya?ml$/i.test(file) && /^\s*(\{|\[)/.test(text))
  if (!isJson) return `not valid YAML: ${plain}`
  return `not valid JSON: ${JSON_REASONS.find(([words]) => words.test(plain))?.[1] ?? plain}`
}

const JSON_REASONS: readonly (readonly [yaml: RegExp, json: string])[] = [
  [/missed comma/, 'a comma or a colon is missing'],
  [/end of the stream within a flow collection/, 'it ends inside an object or a list'],
  [/end of the stream within a .* scalar/, 'it ends inside a string'],
  [/end of the stream or a document separator/, 'something stands behind its end'],
]

function refused(source: Source, at: number, message: string): YamlDocuments & { readonly ok: false } {
  return { ok: false, problem: { file: source.file, spot: { source, start: at, end: at + 1 }, message } }
}

class Refusal extends Error {
  constructor(
    readonly at: number,
    message: string,
  ) {
    super(message)
  }
}

/** A collection whose end has not come yet; `seen` and `merged` are the keys of a mapping, own and copied. */
interface Open {
  readonly node: YamlMap | YamlList
  key: YamlScalar | null
  readonly anchor: string | null
  readonly flow: boolean
  /** Made when the mapping has grown beyond {@link FEW_KEYS}: most never do. */
  seen: Set<string> | null
  /** Where in the entries the copies stand that `<<` brought. */
  merged: Map<string, number> | null
}

/** Turns the flat event stream into a tree, one event at a time. */
class Builder {
  readonly roots: YamlNode[] = []
  private documents = 0
  private nodes = 0
  private copied = 0
  private readonly stack: (Open | null)[] = []
  private readonly keys = new Map<string, string>()
  private readonly anchors = new Map<string, YamlNode | null>()

  constructor(
    private readonly source: Source,
    readonly text: string,
    private readonly many: boolean,
    private readonly early: Early | null,
  ) {}

  take(event: Event): void {
    switch (event.type) {
      case EVENT_ID.DOCUMENT:
        if (++this.documents > 1 && !this.many)
          throw new Refusal(this.lastEnd(), 'more than one YAML document in a file; one was expected (split it, and name both files)')
        this.anchors.clear()
        this.stack.push(null)
        return
      case EVENT_ID.SCALAR:
        this.add(this.scalar(event), this.anchorOf(event))
        return
      case EVENT_ID.ALIAS:
        this.add(this.aliased(event.anchorStart, event.anchorEnd), null)
        return
      case EVENT_ID.MAPPING:
      case EVENT_ID.SEQUENCE:
        this.open(event)
        return
      case EVENT_ID.POP:
        this.close()
    }
  }

  private lastEnd(): number {
    return this.roots[this.roots.length - 1]?.end ?? 0
  }

  private anchorOf(event: { anchorStart: number; anchorEnd: number }): string | null {
    return event.anchorStart < 0 ? null : this.text.slice(event.anchorStart, event.anchorEnd)
  }

  private scalar(event: ScalarEvent): YamlScalar {
    const { text } = this
    const read = event.fast ? text.slice(event.valueStart, event.valueEnd) : getScalarValue(text, event)
    const open = this.stack[this.stack.length - 1]
    const value = open?.node.kind === 'map' && open.key === null ? this.keyText(read) : read
    const start = event.valueStart < 0 ? this.emptyAt() : event.valueStart
    return {
      kind: 'scalar',
      source: this.source,
      start,
      end: Math.max(start, event.valueEnd),
      text: value,
      plain: event.style === SCALAR_STYLE.PLAIN,
    }
  }

  /** One string for all keys that read the same: it is kept once, and looked up without being hashed again. */
  private keyText(text: string): string {
    const known = this.keys.get(text)
    if (known !== undefined) return known
    if (this.keys.size < MAX_KEPT_KEYS) this.keys.set(text, text)
    return text
  }

  /** Where nothing stands: behind its key, or at the end of what was read of the collection. */
  private emptyAt(): number {
    const parent = this.stack[this.stack.length - 1]
    return parent ? (parent.key ?? parent.node).end : 0
  }

  private aliased(start: number, end: number): YamlNode {
    const name = this.text.slice(start, end)
    const node = this.anchors.get(name)
    if (node === null) throw new Refusal(start, `alias *${name} stands inside what it names`)
    if (!node) throw new Refusal(start, `alias *${name} names no anchor`)
    return node
  }

  private open(event: { type: number; start: number; anchorStart: number; anchorEnd: number; style: number }): void {
    const start = Math.max(0, event.start)
    const node: YamlMap | YamlList =
      event.type === EVENT_ID.MAPPING
        ? { kind: 'map', source: this.source, start, end: start, entries: [], size: 1 }
        : { kind: 'list', source: this.source, start, end: start, items: [], size: 1 }
    const anchor = this.anchorOf(event)
    if (anchor !== null) this.anchors.set(anchor, null)
    const flow = event.style === COLLECTION_STYLE.FLOW
    this.stack.push({ node, key: null, anchor, flow, seen: null, merged: null })
    if (flow) node.end = start + 1
  }

  private close(): void {
    const open = this.stack.pop()
    if (!open) return
    if (open.flow) open.node.end = closedAt(this.text, open.node)
    if (open.node.size > this.mostNodes()) {
      throw new Refusal(open.node.start, `aliases expand to ${open.node.size} nodes (an alias bomb?)`)
    }
    trim(open.node)
    this.add(open.node, open.anchor)
  }

  private add(node: YamlNode, anchor: string | null): void {
    this.nodes++
    if (anchor !== null) this.anchors.set(anchor, node)
    const parent = this.stack[this.stack.length - 1]
    if (!parent) {
      this.roots.push(node)
      return
    }
    if (parent.node.kind === 'list') {
      parent.node.items.push(node)
      parent.node.size += sizeOf(node)
      parent.node.end = Math.max(parent.node.end, node.end)
      return
    }
    if (parent.key === null) {
      if (node.kind !== 'scalar') throw new Refusal(node.start, 'a key must be a word, not a list or a mapping')
      parent.key = node
      return
    }
    this.addEntry(parent, parent.node, parent.key, node)
    parent.key = null
  }

  private addEntry(open: Open, map: YamlMap, key: YamlScalar, value: YamlNode): void {
    map.size += sizeOf(value) + 1
    map.end = Math.max(map.end, key.end, value.end)
    if (key.plain && key.text === '<<') {
      this.merge(open, map, key, value)
      return
    }
    if (isWritten(open, map, key.text)) throw new Refusal(key.start, `duplicate key "${key.text}" in the same mapping`)
    const copy = open.merged?.get(key.text)
    open.merged?.delete(key.text)
    open.seen?.add(key.text)
    const kept = this.isEarly(open) ? (this.early?.take(key, value) ?? value) : value
    if (copy === undefined) map.entries.push({ key, value: kept })
    else map.entries[copy] = { key, value: kept }
  }

  /** A mapping with an anchor may be read again where its alias stands: it is kept whole. */
  private isEarly(open: Open): boolean {
    // The stack is: the document, the root, and the section that is open.
    if (this.early === null || this.stack.length !== 3 || open.anchor !== null) return false
    const root = this.stack[1]
    return root?.key?.text === this.early.section && root.anchor === null
  }

  /** `<<: *base` copies the entries of another mapping that are not there yet; a key written later replaces its copy. */
  private merge(open: Open, map: YamlMap, key: YamlScalar, value: YamlNode): void {
    open.merged ??= new Map()
    for (const base of value.kind === 'list' ? value.items : [value]) {
      if (base.kind !== 'map') throw new Refusal(key.start, '"<<" takes a mapping or a list of mappings')
      this.copied += base.entries.length
      if (this.copied > this.mostNodes()) throw new Refusal(key.start, `"<<" copies ${this.copied} entries (a merge bomb?)`)
      for (const entry of base.entries) {
        if (open.merged.has(entry.key.text) || isWritten(open, map, entry.key.text)) continue
        open.merged.set(entry.key.text, map.entries.length)
        open.seen?.add(entry.key.text)
        map.entries.push(entry)
      }
    }
  }

  /** What aliases and merges may make of what is written. */
  private mostNodes(): number {
    return Math.min(MAX_EXPANDED_NODES, this.nodes * MAX_EXPANSION + 10_000)
  }
}

/** A list that grew keeps room for 17; most collections stay far below, and there are a hundred thousand of them in a large file. */
function trim(node: YamlMap | YamlList): void {
  if (node.kind === 'map') node.entries = node.entries.slice()
  else node.items = node.items.slice()
}

function sizeOf(node: YamlNode): number {
  return node.kind === 'scalar' ? 1 : node.size
}

/** True where a mapping has an entry of its own with this key; a merged copy does not count. */
function isWritten(open: Open, map: YamlMap, text: string): boolean {
  if (open.merged?.has(text)) return false
  if (map.entries.length < FEW_KEYS) return map.entries.some((entry) => entry.key.text === text)
  open.seen ??= new Set(map.entries.map((entry) => entry.key.text))
  return open.seen.has(text)
}

/** Where a collection in brackets ends, its bracket included: the parser tells only where its last item does. */
function closedAt(text: string, node: YamlMap | YamlList): number {
  const bracket = node.kind === 'map' ? '}' : ']'
  for (let at = node.end; at < text.length; at++) {
    const character = text[at]
    if (character === bracket) return at + 1
    if (character !== '#' || !/\s/.test(text[at - 1] ?? '')) continue
    const lineEnd = text.indexOf('\n', at)
    if (lineEnd < 0) break
    at = lineEnd
  }
  return node.end
}

/** True for `null`, `~` and nothing at all. */
export function isNothing(node: YamlNode): boolean {
  return (
    node.kind === 'scalar' &&
    node.plain &&
    (node.text === '' || node.text === 'null' || node.text === '~' || node.text === 'Null' || node.text === 'NULL')
  )
}
