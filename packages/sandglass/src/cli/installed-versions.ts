import type { Source } from '../model/sourced.js'
import { folderOf, pathBelow } from '../scan/lockfile/folder-path.js'
import type { Lockfile } from '../scan/lockfile/lockfile.js'
import { lockfileFor, lockfilesFor } from '../scan/lockfile/lockfile-for.js'
import { type AskedRange, askedRanges, isAskedFor, lineOf } from './asked-range.js'
import { tidyPath } from './find-files.js'
import { packageJsonOf } from './json-at.js'
import { lockfileAt } from './lockfile-at.js'
import { lockfileNames } from './lockfile-names.js'
import { isFoundFile, lookAt } from './look-at.js'
import { nodeVersions } from './node-versions.js'
import { problemLine } from './problem-line.js'
import { readStanding, readText } from './read-text.js'
import type { System } from './system.js'
import { Unusable } from './unusable.js'

/** How far above the current folder a repository's lockfile is looked for. */
const MAX_ABOVE = 6

/** Where Rush keeps the lockfile of a repository. */
const OF_RUSH = 'common/config/rush/pnpm-lock.yaml'

/** Which versions are installed, and what stood against finding out. */
export interface InstalledVersions {
  readonly versionOf: (packageName: string, fromFile: string) => string | null
  readonly notes: readonly string[]
}

/** The versions that the lockfiles of some sources give; `given` is one that a user names, `nodeVersion` Node's own where one is told. */
export function installedVersions(
  sources: readonly Source[],
  given: string | null,
  nodeVersion: string | null,
  system: System,
): InstalledVersions {
  const notes: string[] = []
  const base = system.folders.identity('.')
  const lockfiles = given === null ? foundLockfiles(sources, base, system, notes) : [namedLockfile(given, base, system)]
  const nodeOf = nodeVersions(system)
  const known = new Map<string, string | null>()
  const askedIn = askedRanges(system.folders)
  /** A lockfile that somebody forgot, or of a project further up, says nothing of a package that asks for another version. */
  const foundVersion = (packageName: string, file: string) => {
    const folder = folderOf(file)
    const above = lockfilesFor(file, lockfiles).map((lockfile) => ({ lockfile, version: lockfile.versionOf(packageName, folder) }))
    const nearest = above[0]?.version ?? installedIn(folder, packageName, system)
    const asked = askedBelow(above[0]?.lockfile ?? null, askedIn(packageName, folder))
    if (asked === null || (nearest !== null && isAskedFor(nearest, asked))) return nearest
    const fitting = above.find(({ version }) => version !== null && isAskedFor(version, asked))
    const overriding = above.find(({ lockfile, version }) => version !== null && locksPackageIn(lockfile, asked.folder))
    return fitting?.version ?? overriding?.version ?? lineOf(asked)
  }
  return {
    notes,
    versionOf: (packageName, fromFile) => {
      const file = absolute(fromFile, base)
      const folder = file.slice(0, file.lastIndexOf('/'))
      if (packageName === 'node') return nodeVersion ?? nodeOf(folder, base)
      const key = `${folder}\0${packageName}`
      const before = known.get(key)
      if (before !== undefined) return before
      const version =
        given === null ? foundVersion(packageName, file) : (lockfileFor(file, lockfiles)?.versionOf(packageName, folder) ?? null)
      known.set(key, version)
      return version
    },
  }
}

/** What is asked for where a lockfile counts: a `package.json` further up asks for a package that others bring here. */
function askedBelow(nearest: Lockfile | null, asked: AskedRange | null): AskedRange | null {
  return nearest === null || asked === null || pathBelow(asked.folder, nearest.folder) !== null ? asked : null
}

/** True where a lockfile locks what a folder's `package.json` asks for: its versions are those, whatever was asked. */
function locksPackageIn({ folder, importers }: Lockfile, manifest: string): boolean {
  const below = pathBelow(manifest, folder)
  return below !== null && importers.has(below)
}

function absolute(file: string, base: string): string {
  return file.startsWith('/') ? file : `${base}/${file}`
}

function namedLockfile(file: string, base: string, system: System): Lockfile {
  const read = readStanding(file, system.folders)
  if (!read.ok) throw new Unusable([problemLine(read.problem)])
  const folder = folderOf(tidyPath(file))
  const isProject = lookAt(`${folder === '' ? '.' : folder}/package.json`, system.folders) !== null
  const lockfile = lockfileAt(read, isProject ? folder : base, system.folders)
  if ('message' in lockfile) throw new Unusable([problemLine(lockfile)])
  return lockfile
}

function foundLockfiles(sources: readonly Source[], base: string, system: System, notes: string[]): Lockfile[] {
  const folders = new Set<string>()
  for (const { file } of sources) {
    const parts = absolute(file, base).split('/').slice(0, -1)
    for (let length = parts.length; length > 0; length--) {
      const folder = parts.slice(0, length).join('/')
      if (folders.has(folder) || base.split('/').length - length > MAX_ABOVE) break
      folders.add(folder)
    }
  }
  return [...folders].flatMap((folder) => lockfilesIn(folder, system, notes))
}

function lockfilesIn(folder: string, system: System, notes: string[]): Lockfile[] {
  return [...lockfileNames, OF_RUSH].flatMap((name) => {
    const file = `${folder}/${name}`
    if (folder === '' || !isFoundFile(file, system.folders)) return []
    const lockfile = lockfileAt(readText(file, system.folders), folder, system.folders)
    if (!('message' in lockfile)) return [lockfile]
    notes.push(`versions are not known: ${problemLine(lockfile)}`)
    return []
  })
}

/** Where no lockfile tells: what is installed beside the code. */
function installedIn(folder: string, packageName: string, system: System): string | null {
  const parts = folder.split('/')
  for (let length = parts.length; length > 1; length--) {
    const version = packageJsonOf(`${parts.slice(0, length).join('/')}/node_modules/${packageName}`, system.folders)?.['version']
    if (typeof version === 'string') return version
  }
  return null
}
