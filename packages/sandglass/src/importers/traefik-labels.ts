import type { YamlMap, YamlNode } from '../model/yaml-tree.js'
import { type DottedSetting, dottedTree } from './dotted-tree.js'
import type { Written } from './limit-fact.js'
import type { LabelledHost } from './traefik-parts.js'
import { at, itemsAt, textAt } from './yaml-path.js'

/** The dynamic configuration in the labels of a container. */
export interface LabelTree {
  readonly labelled: LabelledHost
  /** What stands below `traefik.`. */
  readonly root: YamlMap
  readonly isEnabled: boolean
}

/** The labels of each service of a compose file that speak of Traefik. */
export function labelTrees(root: YamlNode): readonly LabelTree[] {
  const services = at(root, 'services')
  if (services?.kind !== 'map') return []
  return services.entries.flatMap(({ key, value }) => {
    const labels = [...labelsOf(at(value, 'labels')), ...labelsOf(at(value, 'deploy', 'labels'))]
    const own = labels
      .filter(({ key: name }) => /^traefik\./i.test(name))
      .map((label) => ({ ...label, key: label.key.slice('traefik.'.length) }))
    if (own.length === 0) return []
    const enabled = own.find((label) => label.key.toLowerCase() === 'enable')?.value.text
    return [{ labelled: { host: key.text, spot: key }, root: dottedTree(own, key), isEnabled: enabled !== 'false' }]
  })
}

/** A list of `name=value`, or a mapping. */
function labelsOf(node: YamlNode | undefined): readonly DottedSetting[] {
  if (node?.kind === 'map') return node.entries.map(({ key, value }) => ({ key: key.text, value: { text: textAt(value), spot: value } }))
  return itemsAt(node).flatMap((item) => {
    if (item.kind !== 'scalar') return []
    const equals = item.text.indexOf('=')
    return equals < 0 ? [] : [{ key: item.text.slice(0, equals), value: { text: item.text.slice(equals + 1), spot: item } }]
  })
}

/** The container that runs Traefik itself, with the flags of its command as a tree. */
export interface TraefikContainer {
  readonly name: string
  readonly spot: YamlNode
  readonly image: string
  readonly flags: YamlMap | null
}

/** The service of a compose file whose image is Traefik. */
export function traefikContainer(root: YamlNode): TraefikContainer | null {
  const services = at(root, 'services')
  for (const { key, value } of services?.kind === 'map' ? services.entries : []) {
    const image = textAt(value, 'image')
    if (/(^|\/)traefik(:|@|$)/.test(image)) return { name: key.text, spot: key, image, flags: flagTree(value) }
  }
  return null
}

/** `--entrypoints.web.address=:80` and its like, of a compose service or of a container of Kubernetes. */
export function flagTree(container: YamlNode): YamlMap | null {
  const words: readonly Written[] = ['command', 'args', 'entrypoint'].flatMap((name) => {
    const node = at(container, name)
    const items = node?.kind === 'scalar' ? [node] : itemsAt(node)
    return items.flatMap((item) => (item.kind === 'scalar' ? item.text.split(/\s+/).map((text) => ({ text, spot: item })) : []))
  })
  const flags = words.flatMap(({ text, spot }) => {
    const found = /^--([A-Za-z][\w.[\]-]{0,200})(?:=(.*))?$/.exec(text)
    return found ? [{ key: found[1] ?? '', value: { text: (found[2] ?? 'true').replace(/^["']|["']$/g, ''), spot } }] : []
  })
  return flags.length > 0 ? dottedTree(flags, container) : null
}
