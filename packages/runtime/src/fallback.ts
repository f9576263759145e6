import { epochNow } from './clock.js'
import type { ErrorCode } from './core/outcome.js'
import type { FallbackTier } from './core/safety.js'
import { ConfigError } from './errors.js'

/** Where the last good answers are kept; Redis, Memcached or a map fit behind it in two lines. Both may be asynchronous. */
export interface SnapshotStore {
  /** The text stored under `key`, or null or undefined for none. */
  get(key: string): PromiseLike<string | null | undefined> | string | null | undefined
  /** Stores a text for at least `maxAgeMs`. */
  set(key: string, text: string, maxAgeMs: number): unknown
}

/** What a fallback is asked with. */
export interface FallbackRequest {
  readonly call: string
  readonly args: readonly unknown[]
  /** Why the call itself gave no answer. */
  readonly why: ErrorCode | 'ERROR'
  /** What ended it; `explain(error)` tells a write that may have happened from one that did not. */
  readonly error: unknown
  readonly signal: AbortSignal
}

/** What a tier answers with, and how old it is where that means something. */
export interface FallbackAnswer<F> {
  readonly value: F
  readonly ageMs: number | null
}

interface Tier<Name extends FallbackTier> {
  readonly tier: Name
}

/** The last good answer of the same call with the same arguments. */
export interface SnapshotFallback extends Tier<'snapshot'> {
  /** Remembers a good answer. */
  keep(call: string, args: readonly unknown[], value: unknown): void
  /** Undefined when there is none that is young enough. */
  ask(request: FallbackRequest): PromiseLike<FallbackAnswer<unknown> | undefined>
}

/** A value that is at hand. */
export interface ValueFallback<F> extends Tier<'default' | 'empty'> {
  ask(request: FallbackRequest): FallbackAnswer<F>
}

/** Accepts now, does later. */
export interface DeferFallback<F> extends Tier<'defer'> {
  ask(request: FallbackRequest): PromiseLike<FallbackAnswer<F>>
}

/** One way to answer when the call itself could not. */
export type Fallback<F> = SnapshotFallback | ValueFallback<F> | DeferFallback<F>

/** How a snapshot is kept. */
export interface SnapshotOptions {
  /** The oldest answer that is still given (ms), above 0. */
  readonly maxAgeMs: number
  /** The key of an answer; default the call's name and its arguments as JSON, and none where JSON could not tell them apart (a map, NaN, a function) or they are longer than 1024 characters. Return undefined to keep none. */
  readonly key?: (call: string, args: readonly unknown[]) => string | undefined
}

/** A key longer than this is not used: what cannot be told apart must not be mixed up. */
const LONGEST_KEY = 1024

/**
 * The last good answer, at most `maxAgeMs` old. Answers must survive JSON. Storing never delays or fails the call.
 * Throws `ConfigError` for an age that is not above 0.
 */
export function snapshot(store: SnapshotStore, options: SnapshotOptions): SnapshotFallback {
  const { maxAgeMs, key = defaultKey } = options
  if (!(typeof maxAgeMs === 'number' && maxAgeMs > 0))
    throw new ConfigError(`snapshot: maxAgeMs must be above 0 ms, not ${String(maxAgeMs)}`)
  return {
    tier: 'snapshot',
    keep(call, args, value) {
      void (async () => {
        const name = key(call, args)
        const text = name === undefined || name.length > LONGEST_KEY ? undefined : JSON.stringify({ at: epochNow(), value })
        if (name !== undefined && text !== undefined) await store.set(name, text, maxAgeMs)
      })().catch(() => undefined)
    },
    async ask({ call, args }) {
      const name = key(call, args)
      if (name === undefined || name.length > LONGEST_KEY) return undefined
      const text = await store.get(name)
      if (typeof text !== 'string') return undefined
      const { at, value } = JSON.parse(text) as { at: number; value: unknown }
      const ageMs = Math.max(0, epochNow() - at)
      return ageMs <= maxAgeMs ? { value, ageMs } : undefined
    },
  }
}

/** A conservative constant, such as a stock of 0. Its tier is `default`. */
export function constant<const F>(value: F): ValueFallback<F> {
  return { tier: 'default', ask: () => ({ value, ageMs: null }) }
}

/** Leaves it out: the answer is `value`, null unless given. Its tier is `empty`. */
export function empty(): ValueFallback<null>
export function empty<const F>(value: F): ValueFallback<F>
export function empty<F>(value?: F): ValueFallback<F | null> {
  return { tier: 'empty', ask: () => ({ value: value ?? null, ageMs: null }) }
}

/** Accepts now and does it later: `accept` writes the wish down where it cannot be lost, and what it returns is the answer. The only fallback a write may have. */
export function defer<F>(accept: (request: FallbackRequest) => F | PromiseLike<F>): DeferFallback<F> {
  return { tier: 'defer', ask: async (request) => ({ value: await accept(request), ageMs: null }) }
}

/** A store in this process for the last `mostEntries` answers (default 1000), the oldest forgotten first. */
export function memoryStore(mostEntries = 1000): SnapshotStore {
  const texts = new Map<string, string>()
  return {
    get: (key) => texts.get(key),
    set(key, text) {
      texts.delete(key)
      texts.set(key, text)
      if (texts.size > mostEntries) texts.delete(texts.keys().next().value as string)
    },
  }
}

// JSON makes one text of a map and an empty object, of NaN and null. Arguments that it could not tell apart have no key.
function exactJson(args: readonly unknown[]): string | undefined {
  let isExact = true
  const text = JSON.stringify(
    args.slice(0, args.findLastIndex((arg) => arg !== undefined) + 1),
    function (this: unknown, _, value: unknown) {
      isExact &&= isExactInJson(value) || (value === undefined && !Array.isArray(this))
      return isExact ? value : null
    },
  )
  return isExact ? text : undefined
}

function isExactInJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return value === null || typeof value === 'string' || typeof value === 'boolean'
  const isPlain = Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null)
  return isPlain || Object.keys(value).length > 0
}

function defaultKey(call: string, args: readonly unknown[]): string | undefined {
  const text = exactJson(args)
  return text === undefined ? undefined : `sandglass:${call}:${text}`
}
