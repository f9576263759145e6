import type { Spot } from '../model/sourced.js'
import type { YamlEntry, YamlNode } from '../model/yaml-tree.js'
import { isNothing } from '../model/yaml-tree.js'
import type { Written } from './limit-fact.js'

/** The node below by keys in any case, as Traefik compares them in files and labels alike. */
export function under(node: YamlNode | undefined, ...keys: readonly string[]): YamlNode | undefined {
  let found: YamlNode | undefined = node
  for (const key of keys) {
    const wanted = key.toLowerCase()
    found = found?.kind === 'map' ? found.entries.find((entry) => entry.key.text.toLowerCase() === wanted)?.value : undefined
  }
  return found && isNothing(found) ? undefined : found
}

/** The text of a scalar, and where it stands. */
export function writtenUnder(node: YamlNode | undefined, ...keys: readonly string[]): Written | undefined {
  const found = under(node, ...keys)
  return found?.kind === 'scalar' ? { text: found.text, spot: found } : undefined
}

/** The entries of a mapping; nothing where there is none. */
export function entriesUnder(node: YamlNode | undefined, ...keys: readonly string[]): readonly YamlEntry[] {
  const found = under(node, ...keys)
  return found?.kind === 'map' ? found.entries : []
}

/** The items of a list, also where labels write it as `servers[0]`. */
export function itemsUnder(node: YamlNode | undefined, ...keys: readonly string[]): readonly YamlNode[] {
  const found = under(node, ...keys)
  if (found?.kind === 'list') return found.items
  return found?.kind === 'map' ? found.entries.map(({ value }) => value) : []
}

/** Words of a list, or of a text with commas between. */
export function wordsUnder(node: YamlNode | undefined, ...keys: readonly string[]): readonly Written[] {
  const found = under(node, ...keys)
  const words = (text: string, spot: Spot) => text.split(',').flatMap((word) => (word.trim() === '' ? [] : [{ text: word.trim(), spot }]))
  if (found?.kind === 'scalar') return words(found.text, found)
  return itemsUnder(found).flatMap((item) => (item.kind === 'scalar' ? [{ text: item.text, spot: item as Spot }] : []))
}
