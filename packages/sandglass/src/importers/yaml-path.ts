import type { Source } from '../model/sourced.js'
import { isNothing, readYamlDocuments, type YamlMap, type YamlNode } from '../model/yaml-tree.js'
import { addBroken, type FactsDraft } from './facts.js'
import type { Written } from './limit-fact.js'
import { maskTemplates } from './templates.js'

/** The documents of a YAML (or JSON) file that are mappings; templates are masked. A file that cannot be parsed becomes a note. */
export function yamlMaps(source: Source, draft: FactsDraft): readonly YamlMap[] {
  const read = readYamlDocuments(source, maskTemplates(source.text))
  if (read.ok) return read.roots.filter((root) => root.kind === 'map')
  addBroken(draft, read.problem.spot ?? { source, start: 0, end: 1 }, read.problem.message)
  return []
}

/** The node below a mapping by keys; undefined where one is missing, is no mapping, or is empty. */
export function at(node: YamlNode | undefined, ...keys: readonly string[]): YamlNode | undefined {
  let found: YamlNode | undefined = node
  for (const key of keys) found = found?.kind === 'map' ? found.entries.find((entry) => entry.key.text === key)?.value : undefined
  return found && isNothing(found) ? undefined : found
}

/** The items of a list; nothing where there is none. */
export function itemsAt(node: YamlNode | undefined, ...keys: readonly string[]): readonly YamlNode[] {
  const found = at(node, ...keys)
  return found?.kind === 'list' ? found.items : []
}

/** The text of a scalar, and where it stands. */
export function writtenAt(node: YamlNode | undefined, ...keys: readonly string[]): Written | undefined {
  const found = at(node, ...keys)
  return found?.kind === 'scalar' ? { text: found.text, spot: found } : undefined
}

/** The text of a scalar; empty where there is none. */
export function textAt(node: YamlNode | undefined, ...keys: readonly string[]): string {
  return writtenAt(node, ...keys)?.text ?? ''
}
