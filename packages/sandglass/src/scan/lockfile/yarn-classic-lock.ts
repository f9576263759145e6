import type { Source } from '../../model/sourced.js'
import { folderOf, pathBelow } from './folder-path.js'
import { entriesOf, memberOf } from './json-text.js'
import { exactVersion, type Locked, type LockedPackages } from './lockfile.js'
import { addPackage, namedPackages, onlyVersion } from './named-packages.js'
import { nameIn, realNameIn } from './yarn-descriptor.js'

const LISTS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']

/**
 * `yarn.lock` of Yarn 1, which has a syntax of its own: `axios@^1.0.0, axios@^1.1.0:`, and below it, indented, `version "1.2.3"`.
 * It does not say who depends on what: the manifests (`package.json`) below `folder` do, where they are given.
 */
export function yarnClassicLock(source: Source, folder: string, manifests: readonly Source[]): LockedPackages {
  const byDescriptor = new Map<string, Locked>()
  const packages = new Map<string, Locked[]>()
  for (const { descriptors, locked } of blocks(source)) {
    for (const descriptor of descriptors) {
      const own = { ...locked, name: realNameIn(descriptor) }
      byDescriptor.set(descriptor, own)
    }
    for (const descriptor of oncePerName(descriptors)) addPackage(packages, nameIn(descriptor), { ...locked, name: realNameIn(descriptor) })
  }
  const importers = new Map<string, ReadonlyMap<string, Locked>>()
  for (const manifest of manifests) {
    const place = pathBelow(folderOf(manifest.file), folder)
    if (place !== null) importers.set(place, namedBy(manifest, byDescriptor, packages))
  }
  return namedPackages({ manager: 'yarn', importers, packages })
}

interface Block {
  readonly descriptors: readonly string[]
  readonly locked: Locked
}

/** The entries of the file, line by line; a line that is of no use is passed over. */
function* blocks(source: Source): Iterable<Block> {
  const { text } = source
  let descriptors: readonly string[] = []
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const line = text.slice(start, end).trimEnd()
    if (/^[^\s#]/.test(line)) descriptors = descriptorsIn(line)
    const version = line.startsWith('  version') ? /^ {2}version +"?([^"]*)"?$/.exec(line)?.[1] : undefined
    if (version !== undefined && descriptors.length > 0) {
      const at = start + line.indexOf(version, '  version'.length)
      yield { descriptors, locked: { name: '', version: exactVersion(version), spot: { source, start: at, end: at + version.length } } }
      descriptors = []
    }
    start = end + 1
  }
}

function descriptorsIn(line: string): readonly string[] {
  if (!line.endsWith(':')) return []
  return line
    .slice(0, -1)
    .split(/, */)
    .map((each) => each.replace(/^"|"$/g, ''))
}

function oncePerName(descriptors: readonly string[]): readonly string[] {
  return [...new Map(descriptors.map((descriptor) => [nameIn(descriptor), descriptor])).values()]
}

function namedBy(
  manifest: Source,
  byDescriptor: ReadonlyMap<string, Locked>,
  packages: ReadonlyMap<string, readonly Locked[]>,
): ReadonlyMap<string, Locked> {
  const named = new Map<string, Locked>()
  const parsed = parsedManifest(manifest.text)
  for (const list of LISTS) {
    for (const [name, range] of entriesOf(memberOf(parsed, list))) {
      const locked = byDescriptor.get(`${name}@${String(range)}`) ?? onlyVersion(packages.get(name) ?? [])
      if (locked && !named.has(name)) named.set(name, locked)
    }
  }
  return named
}

function parsedManifest(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // a manifest that npm could not read either decides nothing
  }
}
