import type { Problem } from '../../model/diagnostic.js'
import { isNothing, type YamlNode } from '../../model/yaml-tree.js'
import { yamlEntries, yamlMember, yamlScalar } from './yaml-entries.js'

/** From this version of the format on there are importers, also where there is one project. */
const ALWAYS_IMPORTERS = 9

/** What pnpm never writes in its lockfile; null where there is nothing of it. */
export function pnpmFault(root: YamlNode | null): Problem | null {
  for (const name of ['importers', 'packages']) {
    const node = yamlMember(root, name)
    if (node && node.kind !== 'map') return problem(node, `"${name}" is no mapping; one was expected`)
    const broken = yamlEntries(node).find(([, entry]) => entry.kind !== 'map' && !isNothing(entry))
    if (broken) return problem(broken[2], `"${broken[0].slice(0, 100)}" is no mapping; one was expected`)
  }
  const version = yamlScalar(root, 'lockfileVersion')
  if (!version || Number.parseInt(version.text, 10) < ALWAYS_IMPORTERS || yamlMember(root, 'importers')) return null
  return problem(version, `version ${version.text} has a mapping "importers"; there is none`)
}

function problem(spot: YamlNode, message: string): Problem {
  return { file: spot.source.file, spot, message }
}
