import type { Backoff, Breaker, Fallback, FallbackTier, QueueWait, RetryBudget, RetryOn } from './chain.js'
import {
  asMap,
  asScalar,
  described,
  type Field,
  type Fields,
  fieldsSchema,
  type JsonSchema,
  type Reading,
  readFields,
  refuse,
  spotOf,
} from './field.js'
import { didYouMean } from './nearest.js'
import { durationSchema, shareSchema } from './schema-defs.js'
import { byDefault, declared, type Sourced, type Spot } from './sourced.js'
import { JITTERS, limit, positiveNumber, readMs, readNumber, readShare, share, wholeNumber, word } from './value-fields.js'
import type { YamlMap, YamlNode } from './yaml-tree.js'

interface BackoffParts {
  baseMs: Extract<Backoff, { kind: 'law' }>['baseMs']
  maxMs: Extract<Backoff, { kind: 'law' }>['baseMs']
  factor: Sourced<number>
  jitter: Sourced<'full' | 'none'>
}

const backoffFields: Fields<BackoffParts> = {
  baseMs: { key: 'base', field: limit('The largest wait before the first retry.') },
  maxMs: { key: 'max', field: limit('No wait is longer; absent = no limit.') },
  factor: { key: 'factor', field: positiveNumber('Each further wait is so many times longer; default 2.') },
  jitter: { key: 'jitter', field: word('`full` draws each wait between 0 and its largest value; default `full`.', JITTERS) },
}

/** Waits between tries: `{ base, max, factor, jitter }`, or the largest waits as a list. */
export const backoffField: Field<Backoff> = {
  doc: 'The wait between tries: { base, max, factor, jitter } or a list of the largest waits; absent = at once.',
  schema: { anyOf: [fieldsSchema(backoffFields, ['base']), { type: 'array', items: durationSchema, minItems: 1, maxItems: 100 }] },
  read(node, reading) {
    if (node.kind === 'list') return backoffList(node, reading)
    const map = asMap(node, reading, 'backoff')
    if (!map) return undefined
    const parts = readFields(map, backoffFields, reading, 'backoff')
    const spot = spotOf(map)
    if (!parts.baseMs) return refuse(reading, map, 'backoff needs "base", the largest wait before the first retry')
    return {
      kind: 'law',
      baseMs: parts.baseMs,
      ...(parts.maxMs ? { maxMs: parts.maxMs } : {}),
      factor: parts.factor ?? byDefault(2, spot),
      jitter: parts.jitter ?? byDefault('full' as const, spot),
    }
  },
}

function backoffList(node: YamlNode & { kind: 'list' }, reading: Reading): Backoff | undefined {
  if (node.items.length === 0 || node.items.length > 100) return refuse(reading, node, 'a list of waits has 1 to 100 durations')
  const waits: number[] = []
  for (const item of node.items) {
    const ms = readMs(item, reading)
    if (ms === undefined) return undefined
    waits.push(ms)
  }
  return { kind: 'list', largestMs: declared(waits, spotOf(node)) }
}

const RETRY_WORDS = ['timeout', 'connect', 'reset', '5xx', '429'] as const
const causeSchema: JsonSchema = {
  anyOf: [{ enum: RETRY_WORDS }, { type: 'integer', minimum: 100, maximum: 599 }, { type: 'string', pattern: '^[1-5][0-9][0-9]$' }],
}

/** What is retried. */
export const retryOnField: Field<Sourced<readonly RetryOn[]>> = {
  doc: 'What is retried: timeout, connect, reset, 5xx, 429 or an HTTP status; default all. 5xx does not include timeout.',
  schema: { anyOf: [causeSchema, { type: 'array', items: causeSchema }] },
  read(node, reading) {
    const items = node.kind === 'list' ? node.items : [node]
    const out: string[] = []
    for (const item of items) {
      const scalar = asScalar(item, reading, `one of ${RETRY_WORDS.join(', ')} or a status`)
      if (!scalar) return undefined
      const known = (RETRY_WORDS as readonly string[]).includes(scalar.text) || /^[1-5]\d\d$/.test(scalar.text)
      if (!known)
        return refuse(
          reading,
          item,
          `expected one of ${RETRY_WORDS.join(', ')} or a status such as 503; found ${described(item)}${didYouMean(scalar.text, RETRY_WORDS)}`,
        )
      out.push(scalar.text)
    }
    return declared(out, spotOf(node))
  },
}

interface BudgetParts {
  share: Sourced<number>
  cap: Sourced<number | 'none'>
}

const budgetFields: Fields<BudgetParts> = {
  share: { key: 'share', field: share('Each success earns this share of a retry.') },
  cap: {
    key: 'cap',
    field: {
      doc: 'At most so many retries are held; `none` = no cap; default 10.',
      schema: { anyOf: [{ type: 'number', exclusiveMinimum: 0 }, { const: 'none' }] },
      read(node, reading) {
        if (node.kind === 'scalar' && node.text === 'none') return declared('none' as const, spotOf(node))
        const value = readNumber(node, reading, 'a number of retries, or none')
        return value === undefined ? undefined : declared(value, spotOf(node))
      },
    },
  },
}

/** Retries held at most where only a share is written. */
const DEFAULT_BUDGET_CAP = 10

/** A retry budget. */
export const retryBudgetField: Field<Sourced<RetryBudget>> = {
  doc: 'A retry budget: a share such as 10%, { share, cap }, or `default`, the token bucket of the runtime.',
  schema: { anyOf: [{ const: 'default' }, shareSchema, fieldsSchema(budgetFields, ['share'])] },
  read(node, reading) {
    const spot = spotOf(node)
    if (node.kind === 'scalar' && node.text === 'default') return declared({ kind: 'default' } as const, spot)
    if (node.kind !== 'map') {
      const value = readShare(node, reading)
      return value === undefined ? undefined : declared({ kind: 'share', share: value, cap: DEFAULT_BUDGET_CAP } as const, spot)
    }
    const parts = readFields(node, budgetFields, reading, 'retryBudget')
    if (!parts.share) return refuse(reading, node, 'retryBudget needs "share", as in { share: 10%, cap: 10 }')
    return declared({ kind: 'share', share: parts.share.value, cap: parts.cap?.value ?? DEFAULT_BUDGET_CAP } as const, spot)
  },
}

const windowField: Field<NonNullable<Breaker['window']>> = {
  doc: 'What is judged: a duration or a number of calls.',
  schema: { anyOf: [{ type: 'integer', minimum: 1 }, durationSchema] },
  read(node, reading) {
    const spot = spotOf(node)
    if (node.kind === 'scalar' && /^\d{1,9}$/.test(node.text)) {
      return Number(node.text) < 1 ? refuse(reading, node, 'a window has at least 1 call') : declared({ calls: Number(node.text) }, spot)
    }
    const ms = readMs(node, reading)
    return ms === undefined ? undefined : declared({ ms }, spot)
  },
}

const openField: Field<NonNullable<Breaker['open']>> = {
  doc: 'How long it stays open: a duration, or { base, max } that doubles.',
  schema: {
    anyOf: [
      durationSchema,
      { type: 'object', additionalProperties: false, required: ['base', 'max'], properties: { base: durationSchema, max: durationSchema } },
    ],
  },
  read(node, reading) {
    const spot = spotOf(node)
    if (node.kind !== 'map') {
      const ms = readMs(node, reading)
      return ms === undefined ? undefined : declared({ baseMs: ms, maxMs: ms }, spot)
    }
    const base = mapMs(node, 'base', reading)
    const max = mapMs(node, 'max', reading)
    const extra = node.entries.find((entry) => entry.key.text !== 'base' && entry.key.text !== 'max')
    if (extra) return refuse(reading, extra.key, `open has no field "${extra.key.text}"; it is a duration or { base, max }`)
    if (base === undefined || max === undefined) return undefined
    if (max < base) return refuse(reading, node, 'open.max is at least open.base')
    return declared({ baseMs: base, maxMs: max }, spot)
  },
}

function mapMs(map: YamlMap, key: string, reading: Reading): number | undefined {
  const entry = map.entries.find((candidate) => candidate.key.text === key)
  return entry ? readMs(entry.value, reading) : refuse(reading, map, `expected "${key}", as in { base: 1s, max: 60s }`)
}

const breakerFields: Fields<Omit<Breaker, 'spot'>> = {
  window: { key: 'window', field: windowField },
  failureRate: { key: 'failureRate', field: share('Opens when this share of the window failed.') },
  minCalls: { key: 'minCalls', field: wholeNumber('Fewer calls than this are not judged.', 1) },
  consecutive: { key: 'consecutive', field: wholeNumber('Opens after so many failures in a row.', 1) },
  open: { key: 'open', field: openField },
  probes: { key: 'probes', field: wholeNumber('Calls let through at once while half-open.', 1) },
  slowMs: { key: 'slow', field: limit('A call that takes longer counts as slow.') },
  slowRate: { key: 'slowRate', field: share('Opens when this share of the window was slow.') },
}

/** A mapping with a spot of its own. */
export function record<T extends { readonly spot: Spot }>(doc: string, what: string, fields: Fields<Omit<T, 'spot'>>): Field<T> {
  return {
    doc,
    schema: fieldsSchema(fields),
    read(node, reading) {
      const map = asMap(node, reading, what)
      if (!map) return undefined
      return { spot: spotOf(map), ...readFields(map, fields, reading, what) } as unknown as T
    },
  }
}

/** A circuit breaker. */
export const breakerField: Field<Breaker> = record<Breaker>('A circuit breaker on this call.', 'breaker', breakerFields)

interface WaitParts {
  perAttemptMs: NonNullable<QueueWait['perAttemptMs']>
}

const waitFields: Fields<WaitParts> = { perAttemptMs: { key: 'perAttempt', field: limit('The wait of each attempt.') } }
const totalField = limit('The wait for a slot or connection.')

/** The wait for a slot or connection. */
export const queueWaitField: Field<QueueWait> = {
  doc: 'The longest wait for a slot or connection: a total over all attempts, or { perAttempt: 50ms }.',
  schema: { anyOf: [totalField.schema, fieldsSchema(waitFields, ['perAttempt'])] },
  read(node, reading) {
    const spot = spotOf(node)
    if (node.kind === 'map' && node.entries.some((entry) => entry.key.text !== 'value' && entry.key.text !== 'fixed')) {
      const parts = readFields(node, waitFields, reading, 'queue')
      return { spot, ...parts }
    }
    const totalMs = totalField.read(node, reading)
    return totalMs ? { spot, totalMs } : undefined
  },
}

const TIERS: readonly FallbackTier[] = ['snapshot', 'default', 'empty', 'defer']

const fallbackFields: Fields<Fallback> = {
  tier: {
    key: 'tier',
    field: word('`snapshot` (last good answer), `default` (a constant), `empty` (leave it out), `defer` (accept now, do later).', TIERS),
  },
  maxAgeMs: { key: 'maxAge', field: limit('The oldest snapshot that may be shown.') },
}

/** Fallback tiers in the order they are tried. */
export const fallbackField: Field<readonly Fallback[]> = {
  doc: 'What is answered instead, marked as degraded: { tier, maxAge }, or a list in the order they are tried.',
  schema: {
    anyOf: [fieldsSchema(fallbackFields, ['tier']), { type: 'array', minItems: 1, items: fieldsSchema(fallbackFields, ['tier']) }],
  },
  read(node, reading) {
    const items = node.kind === 'list' ? node.items : [node]
    const out: Fallback[] = []
    for (const item of items) {
      const map = asMap(item, reading, 'a fallback')
      if (!map) return undefined
      const parts = readFields(map, fallbackFields, reading, 'a fallback')
      if (!parts.tier) return refuse(reading, map, `a fallback needs "tier": one of ${TIERS.join(', ')}`)
      out.push(parts as Fallback)
    }
    return out.length > 0 ? out : refuse(reading, node, 'a list of fallbacks has at least one')
  },
}
