import type { Locked, Lockfile } from './lockfile.js'

/** A package that is not locked as it was. */
export interface VersionChange {
  /** The name it is imported by. */
  readonly packageName: string
  /** The workspace that names it, relative to the lockfile's folder (empty for the root); null where only other packages need it. */
  readonly importer: string | null
  /** Null where it was, or is, not there (or several versions leave it open). */
  readonly before: Locked | null
  readonly after: Locked | null
}

/** The packages whose version differs between two lockfiles: of each importer what it names, then what only other packages need. */
export function changedVersions(before: Lockfile, after: Lockfile): readonly VersionChange[] {
  const direct = directChanges(before, after)
  const told = new Set(direct.flatMap((change) => [nameOf(change), change.packageName]))
  return [...direct, ...elsewhere(before, after).filter((change) => !told.has(nameOf(change)))]
}

function directChanges(before: Lockfile, after: Lockfile): readonly VersionChange[] {
  const changes: VersionChange[] = []
  for (const importer of union(before.importers.keys(), after.importers.keys())) {
    for (const packageName of union(before.importers.get(importer) ?? [], after.importers.get(importer) ?? [])) {
      const change = {
        packageName,
        importer,
        before: before.find(packageName, inside(before, importer)),
        after: after.find(packageName, inside(after, importer)),
      }
      if (!isSame(change.before, change.after)) changes.push(change)
    }
  }
  return changes
}

/** Where a package has one version on each side they are compared; where it has several, those that came and those that went. */
function elsewhere(before: Lockfile, after: Lockfile): readonly VersionChange[] {
  const [old, now] = [before.versions(), after.versions()]
  const changes: VersionChange[] = []
  for (const packageName of union(old.keys(), now.keys())) {
    const gone = onlyIn(old.get(packageName), now.get(packageName))
    const come = onlyIn(now.get(packageName), old.get(packageName))
    for (let index = 0; index < Math.max(gone.length, come.length); index++)
      changes.push({ packageName, importer: null, before: gone[index] ?? null, after: come[index] ?? null })
  }
  return changes
}

function onlyIn(here: ReadonlyMap<string, Locked> = new Map(), there: ReadonlyMap<string, Locked> = new Map()): readonly Locked[] {
  return [...here].filter(([version]) => !there.has(version)).map(([, locked]) => locked)
}

function isSame(a: Locked | null, b: Locked | null): boolean {
  return a?.version === b?.version && a?.name === b?.name
}

function nameOf({ before, after, packageName }: VersionChange): string {
  return after?.name ?? before?.name ?? packageName
}

function inside({ folder }: Lockfile, importer: string): string {
  return folder === '' || importer === '' ? folder + importer : `${folder}/${importer}`
}

function union(a: Iterable<string>, b: Iterable<string>): readonly string[] {
  return [...new Set([...a, ...b])].sort()
}
