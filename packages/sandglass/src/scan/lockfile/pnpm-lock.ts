import type { Problem } from '../../model/diagnostic.js'
import type { Source } from '../../model/sourced.js'
import { readYamlDocuments, type YamlNode, type YamlScalar } from '../../model/yaml-tree.js'
import { tidyFolder } from './folder-path.js'
import { exactVersion, type Locked, type LockedPackages } from './lockfile.js'
import { addPackage, namedPackages } from './named-packages.js'
import { pnpmFault } from './pnpm-fault.js'
import { yamlEntries, yamlMember, yamlScalar } from './yaml-entries.js'

/** Names of packages are read up to here. */
const MAX_KEY = 1000
const LISTS = ['dependencies', 'devDependencies', 'optionalDependencies']

/** `pnpm-lock.yaml` of versions 5 (5.1 to 5.4, with workspaces or without), 6 and 9; also with pnpm's own document before the project's. */
export function pnpmLock(source: Source): LockedPackages | Problem {
  const read = readYamlDocuments(source, withoutSnapshots(source.text))
  if (!read.ok) return read.problem
  const root = read.roots.findLast((each) => each.kind === 'map') ?? null
  const fault = pnpmFault(root)
  if (fault) return fault
  const packages = yamlMember(root, 'packages')
  const known = new Map(yamlEntries(packages).map(([key, value]) => [key, value]))
  const importers = new Map<string, ReadonlyMap<string, Locked>>()
  const listed = yamlEntries(yamlMember(root, 'importers'))
  for (const [folder, importer] of listed) importers.set(tidyFolder(folder).replace(FROM_RUSH, ''), namedBy(importer, known))
  if (listed.length === 0) importers.set('', namedBy(root, known))
  return namedPackages({ manager: 'pnpm', importers, packages: everyPackage(packages) })
}

/** Rush installs in `common/temp` what its lockfile says for the folders of the repository. */
const FROM_RUSH = /^\.\.\/\.\.(\/|$)/

/** The names an importer depends on; from version 6 on each has a `specifier` beside its `version`. */
function namedBy(importer: YamlNode | null, known: ReadonlyMap<string, YamlNode>): ReadonlyMap<string, Locked> {
  const named = new Map<string, Locked>()
  for (const list of LISTS) {
    for (const [name, value] of yamlEntries(yamlMember(importer, list))) {
      const written = value.kind === 'scalar' ? value : yamlScalar(value, 'version')
      if (written) named.set(name, referred(name, written, known))
    }
  }
  return named
}

/** `1.2.3`, `1.2.3(peer@1.0.0)`, `1.2.3_peer@1.0.0`, `/other/1.2.3`, `/other@1.2.3`, `other@1.2.3`, `link:../b`, a URL. */
function referred(name: string, written: YamlScalar, known: ReadonlyMap<string, YamlNode>): Locked {
  const { text } = written
  const version = exactVersion(withoutPeers(text))
  if (version !== null) return { name, version, spot: written }
  const elsewhere = packageOf(text)
  if (elsewhere) return { ...elsewhere, spot: written }
  const entry = known.get(text) ?? known.get(`${name}@${text}`)
  const ownName = yamlScalar(entry, 'name')?.text
  return { name: ownName ?? name, version: exactVersion(yamlScalar(entry, 'version')?.text), spot: written }
}

/** Name and version of a key of `packages`: `/a/1.2.3_peer@1.0.0`, `/@s/a@1.2.3(peer@1.0.0)`, `a@1.2.3`, `registry.example/a/1.2.3`. */
function packageOf(key: string): Omit<Locked, 'spot'> | null {
  if (key.length > MAX_KEY) return null
  const found = /^\/?(?:[\w.-]+\.[\w.:-]+\/)?((?:@[^/@]+\/)?[^/@]+)[/@]([^/@]+)$/.exec(withoutPeers(key))
  const version = exactVersion(found?.[2])
  return found?.[1] !== undefined && version !== null ? { name: found[1], version } : null
}

/** Without what pnpm adds for the peers a package was installed with. */
function withoutPeers(text: string): string {
  const bracket = text.indexOf('(')
  const bare = text.slice(0, bracket < 0 ? MAX_KEY : Math.min(bracket, MAX_KEY))
  return bare.replace(/(\d\.\d+\.\d[^_/]*)_.*$/, '$1')
}

function everyPackage(packages: YamlNode | undefined): ReadonlyMap<string, readonly Locked[]> {
  const found = new Map<string, Locked[]>()
  for (const [key, value, at] of yamlEntries(packages)) {
    const named = packageOf(key)
    const name = named?.name ?? yamlScalar(value, 'name')?.text
    const version = named?.version ?? exactVersion(yamlScalar(value, 'version')?.text)
    if (name !== undefined && version !== null) addPackage(found, name, { name, version, spot: at })
  }
  return found
}

/** Blanks the sections `snapshots:`, which repeat each package with its own dependencies: half of the file, and nothing that is asked here. */
function withoutSnapshots(text: string): string {
  const parts: string[] = []
  let kept = 0
  for (let at = sectionAt(text, 0); at >= 0; at = sectionAt(text, kept)) {
    const end = sectionEnd(text, at)
    parts.push(
      text.slice(kept, at),
      text.slice(at, end).replace(/[^\r\n]+/g, (line) => ' '.repeat(line.length)),
    )
    kept = end
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(kept)
}

function sectionAt(text: string, from: number): number {
  const at = text.indexOf('\nsnapshots:', from)
  return at < 0 ? -1 : at + 1
}

/** Where the next line begins that is not indented and not empty. */
function sectionEnd(text: string, at: number): number {
  const next = /\n(?=[^\s#])/g
  next.lastIndex = at
  const found = next.exec(text)
  return found ? found.index + 1 : text.length
}
