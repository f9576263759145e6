import type { NotRead } from '../report/check-report.js'
import { folderOf } from '../scan/lockfile/folder-path.js'
import type { Lockfile } from '../scan/lockfile/lockfile.js'
import { lockfileFor } from '../scan/lockfile/lockfile-for.js'
import { readLockfile } from '../scan/lockfile/read-lockfile.js'
import { findFiles, tidyPath } from './find-files.js'
import type { Folders } from './folders.js'
import { isLockfileName, lockfileNames } from './lockfile-names.js'
import { type ReadText, readText } from './read-text.js'

/** The lockfiles of a project, and those that could not be read. */
export interface ProjectLockfiles {
  readonly lockfiles: readonly Lockfile[]
  readonly notRead: readonly NotRead[]
}

const MAX_CHARACTERS = 256 * 1024 * 1024
const MOST_FOLDERS_UP = 64

/** The lockfiles in a folder and below it, and the nearest above it: that is where Node looks on. */
export function projectLockfiles(folder: string, folders: Folders): ProjectLockfiles {
  const lockfiles: Lockfile[] = []
  const notRead: NotRead[] = []
  let characters = 0
  for (const file of [...nearestAbove(folder, folders), ...below(folder, folders)]) {
    const read = characters < MAX_CHARACTERS ? lockfileAt(readText(file, folders), folderOf(file), folders) : null
    if (read === null) notRead.push({ file, why: 'the lockfiles before it hold too much text' })
    else if ('message' in read) notRead.push({ file, why: read.message })
    else {
      characters += read.source.text.length
      lockfiles.push(read)
    }
  }
  return { lockfiles, notRead }
}

/** A lockfile from a text that was read, for the packages of a folder; or what stands against it. */
export function lockfileAt(read: ReadText, folder: string, folders: Folders): ReturnType<typeof readLockfile> {
  if (!read.ok) return read.problem
  const manifests = () =>
    findFiles(`${folder === '' ? '' : `${folder}/`}**/package.json`, folders).files.flatMap((file) => {
      const manifest = readText(file, folders)
      return manifest.ok ? [{ ...manifest.source, file: `${folders.identity(folderOf(file) || '.')}/package.json` }] : []
    })
  return readLockfile(read.source, { folder: folders.identity(folder === '' ? '.' : folder), manifests })
}

/** The installed version of a package as a file gets it, from the nearest lockfile; for many questions about the same files. */
export function versionsFrom(lockfiles: readonly Lockfile[], folders: Folders): (packageName: string, fromFile: string) => string | null {
  const places = new Map<string, { readonly folder: string; readonly lockfile: Lockfile | null }>()
  const placeOf = (fromFile: string) => {
    const near = folderOf(fromFile)
    const known = places.get(near)
    if (known) return known
    const folder = folders.identity(near === '' ? '.' : near)
    const place = { folder, lockfile: lockfileFor(`${folder}/x`, lockfiles) }
    places.set(near, place)
    return place
  }
  return (packageName, fromFile) => {
    const { folder, lockfile } = placeOf(fromFile)
    return lockfile?.versionOf(packageName, folder) ?? null
  }
}

function below(folder: string, folders: Folders): readonly string[] {
  const base = tidyPath(folder)
  const prefix = base === '.' ? '' : base === '/' ? '/' : `${base}/`
  const files = ['*lock*', 'npm-shrinkwrap.json'].flatMap((name) => findFiles(`${prefix}**/${name}`, folders).files)
  return files.filter(isLockfileName)
}

function nearestAbove(folder: string, folders: Folders): readonly string[] {
  let here = tidyPath(folder)
  for (let step = 0; step < MOST_FOLDERS_UP; step++) {
    const above = tidyPath(`${here}/..`)
    if (folders.identity(above) === folders.identity(here) || folders.look(above)?.kind !== 'folder') return []
    const found = lockfileNames.map((name) => tidyPath(`${above}/${name}`)).filter((file) => folders.look(file)?.kind === 'file')
    if (found.length > 0) return found
    here = above
  }
  return []
}
