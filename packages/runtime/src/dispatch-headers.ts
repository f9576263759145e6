import type { HeaderValue } from './core/wire-value.js'
import { headersToSet } from './headers-to-set.js'
import type { Outbound } from './outbound.js'

/** Request headers in the forms undici takes: names and values in turn, an object, pairs, or nothing. */
export type DispatchHeaders =
  | readonly string[]
  | Readonly<Record<string, HeaderValue>>
  | Iterable<readonly [string, HeaderValue]>
  | null
  | undefined

/** The headers of a request that is about to be dispatched, with an outbound's set over them; the forms stay what they are, pairs become names and values in turn. */
export function dispatchHeaders(given: DispatchHeaders, out: Outbound): string[] | Record<string, HeaderValue> {
  const pairs = pairsOf(given)
  const toSet = headersToSet(out, (name) => valuesOf(pairs, name))
  const kept = pairs.filter(([name]) => toSet[name.toLowerCase()] === undefined)
  const all = [...kept, ...Object.entries(toSet)]
  if (!isList(given)) return Object.fromEntries(all)
  return all.flatMap(([name, value]) => (typeof value === 'string' ? [name, value] : (value ?? []).flatMap((one) => [name, one])))
}

type Pair = readonly [string, HeaderValue]

function isList(given: DispatchHeaders): given is readonly string[] | Iterable<Pair> {
  return given !== null && given !== undefined && typeof (given as { [Symbol.iterator]?: unknown })[Symbol.iterator] === 'function'
}

function pairsOf(given: DispatchHeaders): readonly Pair[] {
  if (given === null || given === undefined) return []
  if (!isList(given)) return Object.entries(given)
  const items: readonly (string | Pair)[] = [...given]
  if (items.every((item) => typeof item !== 'string')) return items as readonly Pair[]
  const flat = items as readonly string[]
  return Array.from({ length: Math.floor(flat.length / 2) }, (_, i): Pair => [String(flat[i * 2]), String(flat[i * 2 + 1])])
}

function valuesOf(pairs: readonly Pair[], name: string): HeaderValue {
  const values = pairs.filter(([other]) => other.toLowerCase() === name).flatMap(([, value]) => value ?? [])
  return values.length === 0 ? undefined : values
}
