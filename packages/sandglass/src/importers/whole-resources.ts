import type { YamlNode } from '../model/yaml-tree.js'
import { addNote, type FactsDraft } from './facts.js'
import { templateIn } from './templates.js'
import { at, itemsAt, textAt } from './yaml-path.js'

const WORKLOAD = /^(Deployment|StatefulSet|DaemonSet)$/
const ROUTING = /^(Ingress|Gateway|HTTPRoute|GRPCRoute|VirtualService|DestinationRule)$/

/**
 * The resources without those that are written in whole a second time: a cluster has one of a kind, a namespace and a name, so copies (a
 * release beside its sources) and variants are not deployed together. The first is taken, and each file with others is said once.
 */
export function wholeResources(roots: readonly YamlNode[], draft: FactsDraft): readonly YamlNode[] {
  const first = new Map<string, YamlNode>()
  const said = new Set<string>()
  return roots.filter((root) => {
    const key = identityOf(root)
    if (key === null) return true
    const other = first.get(key)
    if (!other) first.set(key, root)
    // Documents of one file are deployed together, whatever their names.
    if (!other || other.source === root.source) return true
    const { file } = root.source
    if (!said.has(file))
      addNote(
        draft,
        'unknown',
        root,
        `${textAt(root, 'kind')} ${textAt(root, 'metadata', 'name')} is also in ${other.source.file}: that one is read, and this file's others that are there twice are not`,
      )
    said.add(file)
    return false
  })
}

/** Kind, namespace and name of what stands there in whole; null for what may be laid over another, or is named by a template. */
function identityOf(root: YamlNode): string | null {
  const kind = textAt(root, 'kind')
  const isWhole = WORKLOAD.test(kind)
    ? itemsAt(root, 'spec', 'template', 'spec', 'containers').some((container) => textAt(container, 'image') !== '')
    : ROUTING.test(kind) && at(root, 'spec') !== undefined
  const name = textAt(root, 'metadata', 'name')
  if (!isWhole || name === '' || templateIn(name) !== null || name.includes('{')) return null
  return JSON.stringify([kind, textAt(root, 'metadata', 'namespace'), name])
}
