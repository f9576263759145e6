import type { Source } from '../../model/sourced.js'
import { foldersUp, tidyFolder } from './folder-path.js'
import { entriesOf, jsonSpot, memberOf } from './json-text.js'
import { exactVersion, type Locked, type LockedPackages } from './lockfile.js'

/** A package at a place below the lockfile's folder (`node_modules/a/node_modules/b`, `packages/web`; empty for the root). */
interface Installed {
  readonly entry: unknown
  /** The keys that lead to it in the file. */
  readonly keys: readonly string[]
}

/** What lies where, by place. */
type Tree = ReadonlyMap<string, Installed>

/** Copies nested deeper than this (lockfiles of version 1) are left out; npm itself ends far below. */
const MAX_NESTING = 32
const LISTS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']

/** `package-lock.json` and `npm-shrinkwrap.json` of versions 1, 2 and 3, parsed from `text` (the source's, comments blanked). */
export function npmLock(source: Source, text: string, parsed: unknown): LockedPackages {
  const packages = memberOf(parsed, 'packages')
  const tree: Tree = packages === undefined ? nestedTree(parsed) : flatTree(packages)
  const lockedAt = (name: string, installed: Installed): Locked => locked({ source, text, tree }, name, installed)
  return {
    manager: 'npm',
    importers:
      packages === undefined ? new Map([['', entriesOf(memberOf(parsed, 'dependencies')).map(([name]) => name)]]) : workspaces(tree),
    find(packageName, from) {
      const installed = resolve(tree, packageName, from)
      return installed ? lockedAt(packageName, installed) : null
    },
    *all() {
      for (const [place, installed] of tree) {
        const name = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(place)?.[1]
        if (name !== undefined && memberOf(installed.entry, 'link') !== true) yield lockedAt(name, installed)
      }
    },
  }
}

/** Versions 2 and 3: every package under the path at which it is installed. */
function flatTree(packages: unknown): Tree {
  return new Map(entriesOf(packages).map(([place, entry]) => [place, { entry, keys: ['packages', place] }]))
}

/** Version 1: packages nested in each other as they are on the disk; made flat. */
function nestedTree(parsed: unknown): Tree {
  const tree = new Map<string, Installed>()
  const open = [{ place: '', holder: parsed, keys: [] as readonly string[], depth: 0 }]
  for (let holder = open.pop(); holder; holder = open.pop()) {
    for (const [name, entry] of entriesOf(memberOf(holder.holder, 'dependencies'))) {
      const place = below(holder.place, name)
      const keys = [...holder.keys, 'dependencies', name]
      tree.set(place, { entry, keys })
      if (holder.depth < MAX_NESTING && memberOf(entry, 'dependencies') !== undefined)
        open.push({ place: linkedFolder(entry) ?? place, holder: entry, keys, depth: holder.depth + 1 })
    }
  }
  return tree
}

/** Where a package really lies that is a folder of the project (`file:packages/a`): its copies are found from there. */
function linkedFolder(entry: unknown): string | null {
  const version = memberOf(entry, 'version')
  return typeof version === 'string' && version.startsWith('file:') ? tidyFolder(version.slice('file:'.length)) : null
}

function below(place: string, name: string): string {
  return place === '' ? `node_modules/${name}` : `${place}/node_modules/${name}`
}

/** The root and what is no copy in a `node_modules`, with what their manifests name. */
function workspaces(tree: Tree): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const [place, { entry }] of tree) {
    if (/(^|\/)node_modules\//.test(place)) continue
    const names = LISTS.flatMap((list) => entriesOf(memberOf(entry, list)).map(([name]) => name))
    found.set(place, [...new Set(names)])
  }
  return found
}

/** As Node looks for it: in the `node_modules` of the folder itself, then of each above it. */
function resolve(tree: Tree, name: string, from: string): Installed | null {
  for (const folder of foldersUp(from)) {
    const installed = /(^|\/)node_modules$/.test(folder) ? undefined : tree.get(below(folder, name))
    if (installed) return installed
  }
  return null
}

interface Holder {
  readonly source: Source
  readonly text: string
  readonly tree: Tree
}

function locked({ source, text, tree }: Holder, name: string, installed: Installed): Locked {
  const { entry } = installed
  const target = memberOf(entry, 'link') === true ? tree.get(tidyFolder(String(memberOf(entry, 'resolved')))) : undefined
  const holder = target ?? installed
  const version = memberOf(holder.entry, 'version')
  const alias = typeof version === 'string' ? aliasIn(version) : null
  const named = memberOf(holder.entry, 'name')
  return {
    name: alias?.name ?? (typeof named === 'string' ? named : name),
    version: exactVersion(alias?.version ?? version),
    get spot() {
      return jsonSpot(source, text, [...holder.keys, 'version'])
    },
  }
}

/** Version 1 has an alias as its version: `npm:axios@1.2.3`. */
function aliasIn(version: string): { readonly name: string; readonly version: string } | null {
  const bare = version.startsWith('npm:') ? version.slice('npm:'.length) : ''
  const at = bare.indexOf('@', 1)
  return at < 0 ? null : { name: bare.slice(0, at), version: bare.slice(at + 1) }
}
