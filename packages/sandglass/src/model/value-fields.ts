import { parseDuration } from '@sandglass/runtime/core'
import type { Count, Jitter, LimitMs } from './chain.js'
import { asMap, asScalar, described, type Field, type Reading, refuse, spotOf } from './field.js'
import { didYouMean } from './nearest.js'
import { durationSchema, limitSchema, rateSchema, shareSchema, targetSchema } from './schema-defs.js'
import { declared, type Sourced } from './sourced.js'
import type { YamlNode, YamlScalar } from './yaml-tree.js'

const durationsSeen = new Map<string, ReturnType<typeof parseDuration>>()

/** Parses a duration once per spelling: large files repeat a few values. */
function duration(text: string): ReturnType<typeof parseDuration> {
  const known = durationsSeen.get(text)
  if (known) return known
  const parsed = parseDuration(text)
  if (durationsSeen.size < 10_000) durationsSeen.set(text, parsed)
  return parsed
}

/** The ms of a duration node, or a problem. */
export function readMs(node: YamlNode, reading: Reading): number | undefined {
  const scalar = asScalar(node, reading, 'a duration with a unit such as 250ms or 1.5s')
  if (!scalar) return undefined
  const parsed = duration(scalar.text)
  return parsed.ok ? parsed.ms : refuse(reading, node, parsed.message)
}

function wordOrMs(node: YamlNode, reading: Reading): LimitMs | undefined {
  if (node.kind === 'scalar' && (node.text === 'none' || node.text === 'unknown')) return node.text
  return readMs(node, reading)
}

/** A limit: a duration, `none`, `unknown`, or `{ value, fixed: true }` where a platform sets it. */
export function limit(doc: string): Field<Sourced<LimitMs>> {
  return {
    doc,
    schema: limitSchema,
    read(node, reading) {
      if (node.kind === 'map') return fixedLimit(node, reading)
      const value = wordOrMs(node, reading)
      return value === undefined ? undefined : declared(value, spotOf(node))
    },
  }
}

function fixedLimit(node: YamlNode & { kind: 'map' }, reading: Reading): Sourced<LimitMs> | undefined {
  let value: Sourced<LimitMs> | undefined
  let fixed = false
  for (const entry of node.entries) {
    if (entry.key.text === 'value') {
      const ms = wordOrMs(entry.value, reading)
      if (ms === undefined) return undefined
      value = declared(ms, spotOf(entry.value))
    } else if (entry.key.text === 'fixed') fixed = readBoolean(entry.value, reading) ?? false
    else return refuse(reading, entry.key, `a limit has no field "${entry.key.text}"; it is a duration, or { value: 29s, fixed: true }`)
  }
  if (!value) return refuse(reading, node, 'a limit written as a mapping needs "value", as in { value: 29s, fixed: true }')
  return fixed ? { ...value, fixed: true } : value
}

/** A duration that is always a number: no `none`, no `unknown`. */
export function exactMs(doc: string): Field<Sourced<number>> {
  return { doc, schema: durationSchema, read: (node, reading) => sourced(readMs(node, reading), node) }
}

function sourced<T>(value: T | undefined, node: YamlNode): Sourced<T> | undefined {
  return value === undefined ? undefined : declared(value, spotOf(node))
}

/** A plain, finite, non-negative number, or a problem. */
export function readNumber(node: YamlNode, reading: Reading, expected: string): number | undefined {
  const scalar = asScalar(node, reading, expected)
  if (!scalar) return undefined
  if (!/^\d{1,15}(\.\d{1,12})?$/.test(scalar.text)) return refuse(reading, node, `expected ${expected}; found ${described(node)}`)
  return Number(scalar.text)
}

function readCount(node: YamlNode, reading: Reading, least: number, words: boolean): Count | undefined {
  if (words && node.kind === 'scalar' && (node.text === 'none' || node.text === 'unknown')) return node.text
  const expected = `a whole number of at least ${least}${words ? ', none or unknown' : ''}`
  const value = readNumber(node, reading, expected)
  if (value === undefined) return undefined
  if (!Number.isInteger(value) || value < least) return refuse(reading, node, `expected ${expected}; found ${described(node)}`)
  return value
}

/** A whole number of slots, tries or calls, `none` (unlimited) or `unknown`. */
export function count(doc: string, least = 0): Field<Sourced<Count>> {
  return {
    doc,
    schema: { anyOf: [{ type: 'integer', minimum: least }, { enum: ['none', 'unknown'] }] },
    read: (node, reading) => sourced(readCount(node, reading, least, true), node),
  }
}

/** A whole number, always known. */
export function wholeNumber(doc: string, least = 0): Field<Sourced<number>> {
  return {
    doc,
    schema: { type: 'integer', minimum: least },
    read: (node, reading) => sourced(readCount(node, reading, least, false) as number | undefined, node),
  }
}

/** A number above zero. */
export function positiveNumber(doc: string): Field<Sourced<number>> {
  return {
    doc,
    schema: { type: 'number', exclusiveMinimum: 0 },
    read(node, reading) {
      const value = readNumber(node, reading, 'a number above 0')
      if (value === 0) return refuse(reading, node, 'expected a number above 0; found "0"')
      return sourced(value, node)
    },
  }
}

/** A share as a fraction of 1: `50%` or `0.5`. */
export function readShare(node: YamlNode, reading: Reading): number | undefined {
  const scalar = asScalar(node, reading, 'a share such as 50% or 0.5')
  if (!scalar) return undefined
  const percent = /^(\d{1,9}(?:\.\d{1,12})?)\s*%$/.exec(scalar.text)
  const plain = /^\d{1,9}(\.\d{1,12})?$/.test(scalar.text)
  if (!percent && !plain) return refuse(reading, node, `expected a share such as 50% or 0.5; found ${described(node)}`)
  const value = percent ? Number(percent[1]) / 100 : Number(scalar.text)
  if (value > 1) {
    return refuse(
      reading,
      node,
      `a share is at most 100% (1); found ${described(node)}${plain && value <= 100 ? ` (did you mean ${scalar.text}%?)` : ''}`,
    )
  }
  return value
}

/** A share as a fraction of 1, from `50%` or `0.5`. */
export function share(doc: string): Field<Sourced<number>> {
  return { doc, schema: shareSchema, read: (node, reading) => sourced(readShare(node, reading), node) }
}

const PER_SECOND: Readonly<Record<string, number>> = { s: 1, sec: 1, m: 1 / 60, min: 1 / 60, h: 1 / 3600 }

/** A rate per second from `3000/s` or `20/m`. */
export function readRate(node: YamlNode, reading: Reading): number | undefined {
  const scalar = asScalar(node, reading, 'a rate such as 3000/s or 20/m')
  if (!scalar) return undefined
  const found = /^(\d{1,15}(?:\.\d{1,12})?)\s*\/\s*(s|sec|m|min|h)$/.exec(scalar.text)
  const unit = found ? PER_SECOND[found[2] ?? ''] : undefined
  if (!found || unit === undefined) {
    const likely = /^\d+(\.\d+)?$/.test(scalar.text) ? ` (did you mean ${scalar.text}/s?)` : ''
    return refuse(reading, node, `expected a rate such as 3000/s or 20/m; found ${described(node)}${likely}`)
  }
  return Number(found[1]) * unit
}

export function rate(doc: string): Field<Sourced<number | 'unknown'>> {
  return {
    doc,
    schema: { anyOf: [rateSchema, { const: 'unknown' }] },
    read(node, reading) {
      if (node.kind === 'scalar' && node.text === 'unknown') return declared('unknown' as const, spotOf(node))
      return sourced<number | 'unknown'>(readRate(node, reading), node)
    },
  }
}

/** A boolean, or a problem. */
export function readBoolean(node: YamlNode, reading: Reading): boolean | undefined {
  const scalar = asScalar(node, reading, 'true or false')
  if (!scalar) return undefined
  if (scalar.plain && scalar.text === 'true') return true
  if (scalar.plain && scalar.text === 'false') return false
  return refuse(reading, node, `expected true or false; found ${described(node)}`)
}

export function boolean(doc: string): Field<Sourced<boolean>> {
  return { doc, schema: { type: 'boolean' }, read: (node, reading) => sourced(readBoolean(node, reading), node) }
}

/** One word of a closed set. */
export function word<const W extends string>(doc: string, words: readonly W[]): Field<Sourced<W>> {
  return { doc, schema: { enum: words }, read: (node, reading) => sourced(readWord(node, reading, words), node) }
}

export function readWord<const W extends string>(node: YamlNode, reading: Reading, words: readonly W[]): W | undefined {
  const expected = `one of ${words.join(', ')}`
  const scalar = asScalar(node, reading, expected)
  if (!scalar) return undefined
  const found = words.find((candidate) => candidate === scalar.text)
  return found ?? refuse(reading, node, `expected ${expected}; found ${described(node)}${didYouMean(scalar.text, words)}`)
}

/** Any text of at most 2000 characters. */
export function text(doc: string): Field<Sourced<string>> {
  return {
    doc,
    schema: { type: ['string', 'number', 'boolean'] },
    read: (node, reading) => sourced(readText(node, reading)?.text, node),
  }
}

export function readText(node: YamlNode, reading: Reading): YamlScalar | undefined {
  const scalar = asScalar(node, reading, 'text')
  if (scalar && scalar.text.length > 2000) return refuse(reading, node, 'text of at most 2000 characters was expected')
  return scalar
}

/** `service.operation`, in letters, digits, `-`, `_` and `/`. */
export function target(doc: string): Field<Sourced<string>> {
  return {
    doc,
    schema: targetSchema,
    read(node, reading) {
      const scalar = asScalar(node, reading, 'an operation written service.operation')
      if (!scalar) return undefined
      if (scalar.text === 'unknown') return declared('unknown', spotOf(node))
      if (/\s/.test(scalar.text) || scalar.text.length > 300) {
        return refuse(reading, node, `expected an operation written service.operation; found ${described(node)}`)
      }
      return declared(scalar.text, spotOf(node))
    },
  }
}

export const JITTERS: readonly Jitter[] = ['full', 'none']

/** A mapping from names to values of one kind. */
export function mapOf<T>(doc: string, what: string, value: Field<T>): Field<ReadonlyMap<string, T>> {
  return {
    doc,
    schema: { type: 'object', additionalProperties: value.schema },
    read(node, reading) {
      const map = asMap(node, reading, what)
      if (!map) return undefined
      const out = new Map<string, T>()
      for (const entry of map.entries) {
        const read = value.read(entry.value, reading)
        if (read !== undefined) out.set(entry.key.text, read)
      }
      return out
    },
  }
}
