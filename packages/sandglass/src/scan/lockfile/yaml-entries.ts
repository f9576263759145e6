import { isNothing, type YamlNode, type YamlScalar } from '../../model/yaml-tree.js'

/** The entries of a node that is a mapping, each with its key's text; nothing for any other. */
export function yamlEntries(node: YamlNode | null | undefined): readonly (readonly [key: string, value: YamlNode, at: YamlScalar])[] {
  return node?.kind === 'map' ? node.entries.map(({ key, value }) => [key.text, value, key]) : []
}

/** What stands under a key of a mapping; undefined where there is nothing. */
export function yamlMember(node: YamlNode | null | undefined, key: string): YamlNode | undefined {
  const found = node?.kind === 'map' ? node.entries.find((entry) => entry.key.text === key)?.value : undefined
  return found && !isNothing(found) ? found : undefined
}

/** The scalar under a key of a mapping. */
export function yamlScalar(node: YamlNode | null | undefined, key: string): YamlScalar | undefined {
  const found = yamlMember(node, key)
  return found?.kind === 'scalar' ? found : undefined
}
