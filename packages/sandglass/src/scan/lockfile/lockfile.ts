import type { Source, Spot } from '../../model/sourced.js'

/** A package as a lockfile has it. */
export interface Locked {
  /** What it is called in the registry: another name than the imported one where the lockfile has an alias (`npm:axios@1`). */
  readonly name: string
  /** The exact version; null where the lockfile has none: a link, a folder, a workspace, a git commit. */
  readonly version: string | null
  /** Where the lockfile says so. */
  readonly spot: Spot
}

/** The program that wrote a lockfile. */
export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun'

/** What a lockfile says about which version an import gets. Folders are written as the lockfile's own path is: from the same place, or absolute. */
export interface Lockfile {
  readonly source: Source
  readonly manager: PackageManager
  /** The folder whose packages it locks; empty for the current one. */
  readonly folder: string
  /** The packages of each importer (a workspace; empty for the root) by the names they are imported by: what its manifest names. */
  readonly importers: ReadonlyMap<string, readonly string[]>
  /**
   * What `packageName` is for a file in `fromFolder`; null where it is not locked, or has several versions and nothing decides between them.
   * npm: as Node resolves it, nested copies and workspaces honoured. Others: what the nearest importer names, else the only version.
   */
  readonly find: (packageName: string, fromFolder: string) => Locked | null
  /** The version of {@link Lockfile.find}. */
  readonly versionOf: (packageName: string, fromFolder: string) => string | null
  /** Every version of every package, by its name in the registry, also those that only other packages need. */
  readonly versions: () => ReadonlyMap<string, ReadonlyMap<string, Locked>>
}

/** What a reader of one format gives; {@link Lockfile} is made of it. Importers and `from` are relative to the lockfile's folder. */
export interface LockedPackages {
  readonly manager: PackageManager
  readonly importers: ReadonlyMap<string, readonly string[]>
  readonly find: (packageName: string, from: string) => Locked | null
  readonly all: () => Iterable<Locked>
}

/** A version as registries have it (`1.2.3`, `9.0.0-rc.1+build`); null for a URL, a path, a placeholder of a workspace. */
export function exactVersion(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > 100) return null
  return /^\d+\.\d+\.\d+(?:[-+][\w.+-]*)?$/.test(text) && text !== '0.0.0-use.local' ? text : null
}
