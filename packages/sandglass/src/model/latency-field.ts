import type { Latency } from './chain.js'
import { asMap, asScalar, type Field, type JsonSchema, type Reading, refuse, spotOf } from './field.js'
import { didYouMean } from './nearest.js'
import { durationSchema as duration } from './schema-defs.js'
import { declared, type Sourced } from './sourced.js'
import { readMs } from './value-fields.js'
import type { YamlEntry, YamlMap } from './yaml-tree.js'

const KEYS = ['p50', 'p90', 'p99', 'p999', 'max', 'histogram', 'exponential', 'shift', 'constant', 'lognormal'] as const

function variant(properties: Record<string, JsonSchema>, required: readonly string[]): JsonSchema {
  return { type: 'object', additionalProperties: false, properties, required }
}

const schema: JsonSchema = {
  anyOf: [
    variant({ p50: duration, p90: duration, p99: duration, p999: duration, max: duration }, ['p50', 'p99']),
    variant({ histogram: { type: 'string' } }, ['histogram']),
    variant({ exponential: duration, shift: duration }, ['exponential']),
    variant({ constant: duration }, ['constant']),
    variant({ lognormal: variant({ p50: duration, p99: duration }, ['p50', 'p99']) }, ['lognormal']),
  ],
}

/** A distribution of times. */
export function latencyField(doc: string): Field<Sourced<Latency>> {
  return {
    doc,
    schema,
    read(node, reading) {
      const map = asMap(node, reading, 'a latency, such as { p50: 5ms, p99: 60ms },')
      if (!map) return undefined
      const entries = known(map, reading)
      if (!entries) return undefined
      const latency = readLaw(map, entries, reading)
      return latency === undefined ? undefined : declared(latency, spotOf(map))
    },
  }
}

function known(map: YamlMap, reading: Reading): ReadonlyMap<string, YamlEntry> | undefined {
  const entries = new Map<string, YamlEntry>()
  for (const entry of map.entries) {
    if (!(KEYS as readonly string[]).includes(entry.key.text)) {
      return refuse(
        reading,
        entry.key,
        `a latency has no field "${entry.key.text.slice(0, 60)}"${didYouMean(entry.key.text, KEYS)}; it has p50, p90, p99, p999, max, or histogram, exponential (shift), constant, lognormal`,
      )
    }
    entries.set(entry.key.text, entry)
  }
  return entries
}

type Entries = ReadonlyMap<string, YamlEntry>

function readLaw(map: YamlMap, entries: Entries, reading: Reading): Latency | undefined {
  const laws = ['histogram', 'exponential', 'constant', 'lognormal'].filter((law) => entries.has(law))
  if (laws.length === 0) return percentiles(map, entries, reading)
  const law = laws[0] ?? ''
  const allowed = law === 'exponential' ? ['exponential', 'shift'] : [law]
  const extra = [...entries.keys()].find((key) => !allowed.includes(key))
  if (extra !== undefined) return refuse(reading, map, `a latency is one law; "${extra}" does not go with "${law}"`)
  switch (law) {
    case 'histogram':
      return histogram(entries, reading)
    case 'exponential':
      return exponential(entries, reading)
    case 'constant': {
      const valueMs = ms(entries, 'constant', reading)
      return valueMs === undefined ? undefined : { kind: 'constant', valueMs }
    }
    default:
      return lognormal(entries, reading)
  }
}

function ms(entries: Entries, key: string, reading: Reading): number | undefined {
  const entry = entries.get(key)
  return entry ? readMs(entry.value, reading) : undefined
}

function exponential(entries: Entries, reading: Reading): Latency | undefined {
  const meanMs = ms(entries, 'exponential', reading)
  if (meanMs === undefined) return undefined
  const shiftMs = entries.has('shift') ? ms(entries, 'shift', reading) : 0
  return shiftMs === undefined ? undefined : { kind: 'exponential', meanMs, shiftMs }
}

function histogram(entries: Entries, reading: Reading): Latency | undefined {
  const entry = entries.get('histogram')
  const file = entry && asScalar(entry.value, reading, 'the name of a JSON file')
  return file ? { kind: 'histogram', file: file.text, boundsMs: [], counts: [] } : undefined
}

function lognormal(entries: Entries, reading: Reading): Latency | undefined {
  const entry = entries.get('lognormal')
  const map = entry && asMap(entry.value, reading, 'lognormal')
  if (!map) return undefined
  const inner = known(map, reading)
  if (!inner) return undefined
  const p50Ms = ms(inner, 'p50', reading)
  const p99Ms = ms(inner, 'p99', reading)
  if (p50Ms === undefined || p99Ms === undefined || inner.size !== 2) return refuse(reading, map, 'lognormal is { p50, p99 }')
  if (p50Ms === 0 || p99Ms < p50Ms) return refuse(reading, map, 'lognormal needs a p50 above 0 and a p99 of at least the p50')
  return { kind: 'lognormal', p50Ms, p99Ms }
}

function percentiles(map: YamlMap, entries: Entries, reading: Reading): Latency | undefined {
  const missing = ['p50', 'p99'].filter((key) => !entries.has(key))
  if (missing.length > 0) return refuse(reading, map, `a latency needs at least p50 and p99; ${missing.join(' and ')} is missing`)
  const out: Record<string, number> = {}
  let before = 0
  for (const key of ['p50', 'p90', 'p99', 'p999', 'max']) {
    const entry = entries.get(key)
    if (!entry) continue
    const value = readMs(entry.value, reading)
    if (value === undefined) return undefined
    if (value < before) return refuse(reading, entry.value, `percentiles must not fall: ${key} is less than the one before it`)
    before = value
    out[`${key}Ms`] = value
  }
  return { kind: 'percentiles', ...out } as unknown as Latency
}
