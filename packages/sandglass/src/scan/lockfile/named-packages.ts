import { foldersUp } from './folder-path.js'
import type { Locked, LockedPackages, PackageManager } from './lockfile.js'

/** What a lockfile says that lists importers and packages, not places in `node_modules`. */
export interface NamedPackages {
  readonly manager: PackageManager
  /** Of each importer (its folder; empty for the root) what it depends on, by the name it is imported by. */
  readonly importers: ReadonlyMap<string, ReadonlyMap<string, Locked>>
  /** Every package, by the name under which it can be imported. */
  readonly packages: ReadonlyMap<string, readonly Locked[]>
}

/** Finds packages by importer: the nearest one that names it, the root last; else the package's only version. */
export function namedPackages({ manager, importers, packages }: NamedPackages): LockedPackages {
  return {
    manager,
    importers: new Map([...importers].map(([folder, named]) => [folder, [...named.keys()]])),
    find(packageName, from) {
      for (const folder of foldersUp(from)) {
        const named = importers.get(folder)?.get(packageName)
        if (named) return named
      }
      return onlyVersion(packages.get(packageName) ?? [])
    },
    *all() {
      for (const list of packages.values()) yield* list
    },
  }
}

/** The package where all copies have one version; null where they differ or there is none. */
export function onlyVersion(copies: readonly Locked[]): Locked | null {
  const [first, ...rest] = copies
  return first && rest.every(({ name, version }) => name === first.name && version === first.version) ? first : null
}

/** Adds a package to a list by name. */
export function addPackage(packages: Map<string, Locked[]>, importedAs: string, locked: Locked): void {
  const list = packages.get(importedAs)
  if (list) list.push(locked)
  else packages.set(importedAs, [locked])
}
