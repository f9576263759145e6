import { folderOf, pathBelow } from '../scan/lockfile/folder-path.js'
import type { Lockfile } from '../scan/lockfile/lockfile.js'
import { lockfileFor } from '../scan/lockfile/lockfile-for.js'
import { readLockfile } from '../scan/lockfile/read-lockfile.js'
import { findFiles, tidyPath } from './find-files.js'
import type { Folders } from './folders.js'
import { isFoundFile } from './look-at.js'
import { type ReadText, readText } from './read-text.js'

/**
 * A lockfile for the packages of a folder, from a text that was read; or what stands against it. Its folders are real paths
 * ({@link Folders.identity}), so that `..` and links do not matter. `readManifest` gives a `package.json`, which only Yarn 1 needs.
 */
export function lockfileAt(
  read: ReadText,
  folder: string,
  folders: Folders,
  readManifest: (file: string) => ReadText = (file) => readText(file, folders),
): ReturnType<typeof readLockfile> {
  if (!read.ok) return read.problem
  const home = tidyPath(folder === '' ? '.' : folder)
  const manifests = () =>
    findFiles(`${home === '.' ? '' : `${home}/`}**/package.json`, folders)
      .files.filter((file) => isFoundFile(file, folders))
      .flatMap((file) => {
        const manifest = readManifest(file)
        return manifest.ok ? [{ ...manifest.source, file: `${realFolder(file, folders)}/package.json` }] : []
      })
  return readLockfile(read.source, { folder: folders.identity(home), manifests })
}

/** The real path of the folder that a file is in. */
export function realFolder(file: string, folders: Folders): string {
  const folder = folderOf(file)
  return folders.identity(folder === '' ? '.' : folder)
}

/** The installed version of a package as a file gets it from the nearest of some lockfiles; null where none is above the file. */
export function versionsFrom(lockfiles: readonly Lockfile[], folders: Folders): (packageName: string, fromFile: string) => string | null {
  const places = new Map<string, { readonly folder: string; readonly lockfile: Lockfile | null }>()
  const placeOf = (fromFile: string) => {
    const near = folderOf(fromFile)
    const known = places.get(near)
    if (known) return known
    const folder = realFolder(fromFile, folders)
    const place = { folder, lockfile: lockfileFor(`${folder}/x`, lockfiles) }
    places.set(near, place)
    return place
  }
  return (packageName, fromFile) => {
    const { folder, lockfile } = placeOf(fromFile)
    return lockfile?.versionOf(packageName, folder) ?? null
  }
}

/** True where one real path lies below the other or is the same. */
export function isRelated(one: string, other: string): boolean {
  return pathBelow(one, other) !== null || pathBelow(other, one) !== null
}
