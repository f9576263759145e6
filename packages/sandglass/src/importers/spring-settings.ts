import type { Written } from './limit-fact.js'

/** One setting: its key as it is written, and its value. */
export interface Entry {
  readonly key: string
  readonly written: Written
}

/** Variables of the environment by name; those that bind to a setting win over files. */
export type Environment = ReadonlyMap<string, Written>

/** The settings of one application, looked up as Spring binds them: `read-timeout`, `readTimeout` and `READ_TIMEOUT` are one key. */
export interface Settings {
  readonly entries: readonly Entry[]
  readonly get: (key: string) => Written | undefined
  /** The entry of a key, so that its spelling can be seen. */
  readonly find: (key: string) => Entry | undefined
  /** The names one level below a key, as they are written. */
  readonly below: (key: string) => readonly string[]
  /** True where a key or anything below it is set. */
  readonly has: (key: string) => boolean
  /** The items of a list: `key[0]`, `key[1]` …, or one text with commas. */
  readonly list: (key: string) => readonly Written[]
}

/** A key as relaxed binding compares it. */
export function relaxed(key: string): string {
  return key.toLowerCase().replace(/[-_]/g, '')
}

/** Archaius, below Ribbon and Hystrix, reads keys letter by letter: two spellings are two settings. */
function identityOf(key: string): string {
  return /(^|\.)(ribbon|hystrix)\./.test(key) ? `=${key}` : relaxed(key)
}

/** A list as a key has it: `routes` of `routes[0].id`; null where the key has no numbered part. */
function listOf(key: string): string | null {
  const found = /^(.*?)\[\d+\]/.exec(key)
  return found ? relaxed(found[1] ?? '') : null
}

/** Layers of settings, the lowest first: merged key by key, while a list replaces a lower layer's list as a whole. */
export function mergedEntries(layers: readonly (readonly Entry[])[]): readonly Entry[] {
  const merged = new Map<string, Entry>()
  for (const layer of layers) {
    const lists = new Set(layer.flatMap(({ key }) => listOf(key) ?? []))
    if (lists.size > 0) dropLists(merged, lists)
    for (const entry of layer) {
      const identity = identityOf(entry.key)
      merged.delete(identity)
      merged.set(identity, entry)
    }
  }
  return [...merged.values()]
}

function dropLists(merged: Map<string, Entry>, lists: ReadonlySet<string>): void {
  for (const [identity, { key }] of [...merged]) if (lists.has(listOf(key) ?? relaxed(key))) merged.delete(identity)
}

/** A key and a variable's name as they are compared: `server.max-threads` is `SERVER_MAXTHREADS`, and `SERVER_MAX_THREADS` too. */
function flat(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** Settings to look things up in; later entries replace earlier ones, and the environment replaces all. */
export function settingsOf(entries: readonly Entry[], environment: Environment = new Map()): Settings {
  const byKey = new Map(entries.map((entry) => [relaxed(entry.key), entry]))
  const keys = [...byKey.keys()]
  const variables = new Map([...environment].map(([name, written]) => [flat(name), written]))
  const find = (key: string): Entry | undefined => {
    const variable = variables.size === 0 ? undefined : variables.get(flat(key))
    return variable ? { key, written: variable } : byKey.get(relaxed(key))
  }
  const get = (key: string) => find(key)?.written
  return {
    entries,
    find,
    get,
    has: (key) =>
      find(key) !== undefined || keys.some((each) => each.startsWith(`${relaxed(key)}.`) || each.startsWith(`${relaxed(key)}[`)),
    below(key) {
      const names = new Map<string, string>()
      for (const { key: whole } of byKey.values()) {
        const name = nameBelow(whole, key)
        if (name !== null && !names.has(relaxed(name))) names.set(relaxed(name), name)
      }
      return [...names.values()]
    },
    list(key) {
      const one = get(key)
      const several = one ? one.text.split(',').map((text) => ({ text: text.trim(), spot: one.spot })) : itemsOf(key, get)
      return several.filter(({ text }) => text !== '')
    },
  }
}

const MAX_ITEMS = 2_000

function itemsOf(key: string, get: (key: string) => Written | undefined): readonly Written[] {
  const items: Written[] = []
  for (let item = get(`${key}[0]`); item && items.length < MAX_ITEMS; item = get(`${key}[${items.length}]`)) items.push(item)
  return items
}

/** `[a.b]` is one name; elsewhere a dot ends it. */
function nameBelow(whole: string, key: string): string | null {
  const parts = key.split('.').length
  const names = partsOf(whole)
  if (names.length <= parts || relaxed(names.slice(0, parts).join('.')) !== relaxed(key)) return null
  return names[parts] ?? null
}

function partsOf(key: string): readonly string[] {
  return (key.match(/\[[^\]]*\]|[^.[\]]+/g) ?? []).map((part) => part.replace(/^\[|\]$/g, ''))
}
