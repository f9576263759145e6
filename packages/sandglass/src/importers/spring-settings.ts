import type { Source, Spot } from '../model/sourced.js'
import type { YamlNode } from '../model/yaml-tree.js'
import { addNote, type FactsDraft } from './facts.js'
import type { Written } from './limit-fact.js'
import { yamlMaps } from './yaml-path.js'

/** One setting: its key as it is written, and its value. */
export interface Entry {
  readonly key: string
  readonly written: Written
}

/** The settings of one application, looked up as Spring binds them: `read-timeout`, `readTimeout` and `READ_TIMEOUT` are one key. */
export interface Settings {
  readonly entries: readonly Entry[]
  readonly get: (key: string) => Written | undefined
  /** The names one level below a key, as they are written. */
  readonly below: (key: string) => readonly string[]
  /** True where a key or anything below it is set. */
  readonly has: (key: string) => boolean
}

/** A key as relaxed binding compares it. */
export function relaxed(key: string): string {
  return key.toLowerCase().replace(/[-_]/g, '')
}

/** Later entries replace earlier ones, key by key. */
export function settingsOf(entries: readonly Entry[]): Settings {
  const byKey = new Map(entries.map((entry) => [relaxed(entry.key), entry]))
  const keys = [...byKey.keys()]
  return {
    entries: [...byKey.values()],
    get: (key) => byKey.get(relaxed(key))?.written,
    has: (key) =>
      byKey.has(relaxed(key)) || keys.some((each) => each.startsWith(`${relaxed(key)}.`) || each.startsWith(`${relaxed(key)}[`)),
    below(key) {
      const names = new Map<string, string>()
      for (const { key: whole } of byKey.values()) {
        const name = nameBelow(whole, key)
        if (name !== null && !names.has(relaxed(name))) names.set(relaxed(name), name)
      }
      return [...names.values()]
    },
  }
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

/** The documents of a file, each with the profile it is for (null: for all). */
export interface SettingsDocument {
  readonly profile: string | null
  readonly entries: readonly Entry[]
}

/** Reads `application.yml` or `.properties`, with several documents and profiles. */
export function readSettings(source: Source, draft: FactsDraft): readonly SettingsDocument[] {
  const documents = source.file.endsWith('.properties')
    ? propertiesDocuments(source)
    : yamlMaps(source, draft).map((root) => flattened(root))
  const named = /(?:application|bootstrap)-([\w-]+)\.(?:ya?ml|properties)$/.exec(source.file)?.[1] ?? null
  return documents.map((entries) => ({ profile: named ?? profileOf(entries), entries }))
}

function profileOf(entries: readonly Entry[]): string | null {
  const found = entries.find(({ key }) => /^spring\.(config\.activate\.on-?profile|profiles)(\[0\])?$/i.test(key))
  return found ? found.written.text : null
}

const MAX_ENTRIES = 50_000

function flattened(root: YamlNode): readonly Entry[] {
  const entries: Entry[] = []
  const walk = (node: YamlNode, key: string): void => {
    if (entries.length >= MAX_ENTRIES) return
    if (node.kind === 'scalar') entries.push({ key, written: { text: node.text, spot: node } })
    else if (node.kind === 'list') for (const [index, item] of node.items.entries()) walk(item, `${key}[${index}]`)
    else for (const { key: name, value } of node.entries) walk(value, key === '' ? name.text : `${key}.${name.text}`)
  }
  walk(root, '')
  return entries
}

/** `key = value`, `key: value`, continued lines, `\uXXXX`; `#---` parts documents. */
function propertiesDocuments(source: Source): readonly (readonly Entry[])[] {
  const documents: Entry[][] = [[]]
  const line = /[^\n]*\n?/gy
  for (let found = line.exec(source.text); found && found[0] !== ''; found = line.exec(source.text)) {
    const start = found.index
    let text = found[0]
    if (/^[#!]---\s*$/.test(text)) {
      documents.push([])
      continue
    }
    if (/^\s*([#!]|$)/.test(text)) continue
    while (/(?:^|[^\\])(?:\\\\)*\\\r?\n$/.test(text)) {
      const next = line.exec(source.text)
      if (!next || next[0] === '') break
      text += next[0]
    }
    const entry = propertyOf(source, text, start)
    if (entry) documents[documents.length - 1]?.push(entry)
  }
  return documents
}

function propertyOf(source: Source, text: string, start: number): Entry | null {
  const found = /^(\s*)((?:\\.|[^\s:=\\])+)(\s*[:=]?\s*)/.exec(text)
  if (!found) return null
  const [whole, , key = ''] = found
  const raw = text.slice(whole.length).trimEnd()
  const spot: Spot = { source, start: start + whole.length, end: start + whole.length + Math.max(1, raw.length) }
  return { key: unescaped(key), written: { text: unescaped(raw.replace(/\\\r?\n\s*/g, '')), spot } }
}

function unescaped(text: string): string {
  return text.replace(/\\u([0-9a-fA-F]{4})|\\(.)/g, (_, code?: string, char?: string) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
    return char === 'n' ? '\n' : char === 't' ? '\t' : char === 'r' ? '\r' : (char ?? '')
  })
}

/** `${NAME:default}` as its default, which is what holds unless somebody sets the variable; nested ones stay as they are. */
export function withPlaceholderDefaults(entries: readonly Entry[], draft: FactsDraft): readonly Entry[] {
  return entries.map(({ key, written }) => {
    const found = /^\$\{([^:{}]+):([^{}]*)\}$/.exec(written.text)
    if (!found) return { key, written }
    if (/timeout|retries|attempts|max|url|uri|host/i.test(key))
      addNote(
        draft,
        'unknown',
        written.spot,
        `${key}: taken as ${found[2] ?? ''}, the default of \${${found[1] ?? ''}}; who starts it may set another`,
      )
    return { key, written: { text: found[2] ?? '', spot: written.spot } }
  })
}
