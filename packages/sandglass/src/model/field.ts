import type { Note, Problem } from './diagnostic.js'
import { didYouMean } from './nearest.js'
import type { Source, Spot } from './sourced.js'
import { isNothing, type YamlMap, type YamlNode, type YamlScalar } from './yaml-tree.js'

/** A JSON Schema fragment. */
export type JsonSchema = { readonly [key: string]: unknown }

/** What a reading collects besides values. */
export interface Reading {
  readonly source: Source
  readonly problems: Problem[]
  readonly notes: Note[]
}

/** How one value of the file is read, described and published. */
export interface Field<T> {
  /** One sentence for the schema and the docs. */
  readonly doc: string
  readonly schema: JsonSchema
  /** Returns undefined after adding a problem. */
  read(node: YamlNode, reading: Reading): T | undefined
}

/** The fields of a mapping: file key, and how it is read. `prop` is its name in the model (`timeout` -> `timeoutMs`). */
export type Fields<T> = { readonly [P in keyof T]-?: { readonly key: string; readonly field: Field<NonNullable<T[P]>> } }

/** A list of problems never grows beyond this: the first ones are what a person mends. */
const MAX_PROBLEMS = 200

/** Adds a problem at a node. */
export function refuse(reading: Reading, node: { start: number; end: number }, message: string): undefined {
  if (reading.problems.length < MAX_PROBLEMS) {
    reading.problems.push({ file: reading.source.file, spot: { source: reading.source, start: node.start, end: node.end }, message })
  }
  return undefined
}

/** The spot of a node in the text being read: a scalar itself; of a collection only where it stands, so that nobody keeps what is in it. */
export function spotOf(node: YamlNode): Spot {
  return node.kind === 'scalar' ? node : { source: node.source, start: node.start, end: node.end }
}

/** What a node is, in words, for "expected …, found …". */
export function described(node: YamlNode): string {
  if (node.kind === 'map') return 'a mapping'
  if (node.kind === 'list') return 'a list'
  if (isNothing(node)) return 'nothing'
  const text = node.text.length > 40 ? `${node.text.slice(0, 40)}…` : node.text
  return `"${text.replace(/\s+/g, ' ')}"`
}

/** A mapping node, or a problem. */
export function asMap(node: YamlNode, reading: Reading, what: string): YamlMap | undefined {
  if (node.kind === 'map') return node
  return refuse(reading, node, `${what} is a mapping; found ${described(node)}`)
}

/** A scalar with text, or a problem. */
export function asScalar(node: YamlNode, reading: Reading, expected: string): YamlScalar | undefined {
  if (node.kind === 'scalar' && !isNothing(node)) return node
  return refuse(reading, node, `expected ${expected}; found ${described(node)}`)
}

const keysOf = new WeakMap<object, ReadonlyMap<string, unknown>>()

/** A property of a table of fields, and how it is read. */
export interface KeyedField<T> {
  readonly prop: keyof T & string
  readonly field: Field<unknown>
}

/** The properties of a table of fields by their key in the file. */
export function propsByKey<T>(fields: Fields<T>): ReadonlyMap<string, KeyedField<T>> {
  const known = keysOf.get(fields)
  if (known) return known as ReadonlyMap<string, KeyedField<T>>
  const map = new Map<string, KeyedField<T>>()
  for (const prop in fields) map.set(fields[prop].key, { prop, field: fields[prop].field })
  keysOf.set(fields, map)
  return map
}

/** Reads a mapping by its table of fields; unknown keys are problems with the nearest known one. */
export function readFields<T>(map: YamlMap, fields: Fields<T>, reading: Reading, what: string): { -readonly [P in keyof T]?: T[P] } {
  const props = propsByKey(fields)
  const out: { -readonly [P in keyof T]?: T[P] } = {}
  for (const { key, value } of map.entries) {
    const known = props.get(key.text)
    if (known === undefined) {
      if (key.text.startsWith('x-')) continue
      refuse(
        reading,
        key,
        `${what} has no field "${key.text.slice(0, 60)}"${didYouMean(key.text, props.keys())}; it has ${[...props.keys()].join(', ')}`,
      )
      continue
    }
    const { prop, field } = known
    const result = field.read(value, reading)
    if (result !== undefined) out[prop] = result as T[typeof prop]
  }
  return out
}

/** The JSON Schema of a table of fields. */
export function fieldsSchema<T>(fields: Fields<T>, required: readonly string[] = []): JsonSchema {
  const properties: Record<string, unknown> = {}
  for (const prop in fields) {
    const { key, field } = fields[prop]
    properties[key] = { description: field.doc, ...field.schema }
  }
  return {
    type: 'object',
    additionalProperties: false,
    patternProperties: { '^x-': {} },
    properties,
    ...(required.length > 0 ? { required } : {}),
  }
}
