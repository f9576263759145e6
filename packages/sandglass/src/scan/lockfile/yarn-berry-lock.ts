import type { Problem } from '../../model/diagnostic.js'
import type { Source } from '../../model/sourced.js'
import { readYaml, type YamlNode } from '../../model/yaml-tree.js'
import { tidyFolder } from './folder-path.js'
import { exactVersion, type Locked, type LockedPackages } from './lockfile.js'
import { addPackage, namedPackages, onlyVersion } from './named-packages.js'
import { yamlEntries, yamlMember, yamlScalar } from './yaml-entries.js'
import { nameIn } from './yarn-descriptor.js'
import { yarnBerryFault } from './yarn-fault.js'

const LISTS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']

interface Entry {
  readonly descriptors: readonly string[]
  readonly node: YamlNode
  readonly resolution: string
  readonly locked: Locked
}

/** `yarn.lock` of Yarn 2 and later: YAML, with an entry for each workspace. */
export function yarnBerryLock(source: Source): LockedPackages | Problem {
  const read = readYaml(source)
  if (!read.ok) return read.problem
  const fault = yarnBerryFault(read.root)
  if (fault) return fault
  const entries = yamlEntries(read.root).flatMap(([key, node, at]) =>
    key === '__metadata' || node.kind !== 'map' ? [] : [entryOf(key, node, at)],
  )
  const byDescriptor = new Map(entries.flatMap(({ descriptors, locked }) => descriptors.map((descriptor) => [descriptor, locked])))
  const packages = new Map<string, Locked[]>()
  for (const { descriptors, locked } of entries) for (const name of new Set(descriptors.map(nameIn))) addPackage(packages, name, locked)
  const importers = new Map<string, ReadonlyMap<string, Locked>>()
  for (const { node, resolution } of entries) {
    const workspace = /^[^#]{0,300}@workspace:(.{0,1000})$/.exec(resolution)?.[1]
    if (workspace !== undefined) importers.set(tidyFolder(workspace), namedBy(node, byDescriptor, packages))
  }
  return namedPackages({ manager: 'yarn', importers, packages })
}

function entryOf(key: string, node: YamlNode, at: Locked['spot']): Entry {
  const descriptors = key.split(/ *, */)
  const resolution = yamlScalar(node, 'resolution')?.text ?? ''
  const version = yamlScalar(node, 'version')
  const isOwn = resolution.includes('@workspace:')
  const name = nameIn(resolution === '' ? (descriptors[0] ?? key) : resolution)
  return { descriptors, node, resolution, locked: { name, version: isOwn ? null : exactVersion(version?.text), spot: version ?? at } }
}

/**
 * What a workspace depends on: `axios: "npm:^1.0.0"` is locked by the entry `axios@npm:^1.0.0`. Patches, catalogs and resolutions are
 * locked under another text; then the package counts where it has one version only.
 */
function namedBy(
  workspace: YamlNode,
  byDescriptor: ReadonlyMap<string, Locked>,
  packages: ReadonlyMap<string, readonly Locked[]>,
): ReadonlyMap<string, Locked> {
  const named = new Map<string, Locked>()
  for (const list of LISTS) {
    for (const [name, range] of yamlEntries(yamlMember(workspace, list))) {
      const text = range.kind === 'scalar' ? range.text : ''
      const locked = byDescriptor.get(`${name}@${text}`) ?? byDescriptor.get(`${name}@npm:${text}`) ?? onlyVersion(packages.get(name) ?? [])
      if (locked && !named.has(name)) named.set(name, locked)
    }
  }
  return named
}
