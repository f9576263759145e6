import type { Source } from '../../model/sourced.js'
import { foldersUp, tidyFolder } from './folder-path.js'
import { entriesOf, jsonSpot, memberOf } from './json-text.js'
import { exactVersion, type Locked, type LockedPackages } from './lockfile.js'
import { nameIn } from './yarn-descriptor.js'

const LISTS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']

/** `bun.lock`, parsed from `text` (the source's, comments blanked): a package under its name, a nested copy under `parent/name`. */
export function bunLock(source: Source, text: string, parsed: unknown): LockedPackages {
  const packages = new Map(entriesOf(memberOf(parsed, 'packages')))
  const workspaces = new Map(entriesOf(memberOf(parsed, 'workspaces')).map(([folder, entry]) => [tidyFolder(folder), entry]))
  const lockedAt = (key: string): Locked | null => locked(source, text, key, packages.get(key))
  return {
    manager: 'bun',
    importers: new Map([...workspaces].map(([folder, entry]) => [folder, namesIn(entry)])),
    find(packageName, from) {
      for (const folder of foldersUp(from)) {
        const owner = memberOf(workspaces.get(folder), 'name')
        const nested = typeof owner === 'string' ? lockedAt(`${owner}/${packageName}`) : null
        if (nested) return nested
      }
      return lockedAt(packageName)
    },
    *all() {
      for (const key of packages.keys()) {
        const each = lockedAt(key)
        if (each && each.version !== null) yield each
      }
    },
  }
}

function namesIn(workspace: unknown): readonly string[] {
  return [...new Set(LISTS.flatMap((list) => entriesOf(memberOf(workspace, list)).map(([name]) => name)))]
}

/** `["axios@1.2.3", …]`; behind the name may also stand a URL, a folder or a workspace. */
function locked(source: Source, text: string, key: string, entry: unknown): Locked | null {
  const resolved: unknown = Array.isArray(entry) ? entry[0] : undefined
  if (typeof resolved !== 'string') return null
  const name = nameIn(resolved)
  return {
    name,
    version: exactVersion(resolved.slice(name.length + 1)),
    get spot() {
      return jsonSpot(source, text, ['packages', key, '0'])
    },
  }
}
