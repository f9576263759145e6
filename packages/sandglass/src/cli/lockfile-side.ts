import { folderOf } from '../scan/lockfile/folder-path.js'
import type { Lockfile } from '../scan/lockfile/lockfile.js'
import { tidyPath } from './find-files.js'
import { isRelated, lockfileAt, realFolder } from './lockfile-at.js'
import { lockfileNames } from './lockfile-names.js'
import { isFoundFile, lookAt } from './look-at.js'
import { problemLine } from './problem-line.js'
import { decoded, MAX_FILE_BYTES, type ReadText, readStanding, readText } from './read-text.js'
import type { System } from './system.js'
import { Unusable } from './unusable.js'

/** A lockfile as a user names it: a file, a folder that holds one, `revision:path` as git has it, or `-`. */
export interface NamedText {
  readonly read: ReadText & { readonly ok: true }
  /** The folder it lies in here; null where it comes from elsewhere. */
  readonly folder: string | null
  /** Null where it is not from git. */
  readonly revision: string | null
}

/** Finds the text of a lockfile; throws `Unusable` where there is none. */
export async function namedLockfile(name: string, system: System): Promise<NamedText> {
  if (name === '-') return found(decoded('stdin', await system.readStdin(MAX_FILE_BYTES)), null, null)
  const path = tidyPath(name)
  const entry = lookAt(path, system.folders)
  if (entry?.kind === 'folder') return inFolder(path, system)
  const atRevision = entry ? null : /^([^:]+):(.*)$/s.exec(name)
  if (!atRevision) return found(readStanding(path, system.folders), folderOf(path), null)
  return fromGit(atRevision[1] ?? '', atRevision[2] ?? '', system)
}

function inFolder(folder: string, system: System): NamedText {
  const file = lockfileNames.map((name) => tidyPath(`${folder}/${name}`)).find((each) => isFoundFile(each, system.folders))
  if (file === undefined) throw new Unusable([`${folder}: a folder without a lockfile; expected one of ${lockfileNames.join(', ')}`])
  return found(readText(file, system.folders), folder, null)
}

/** git counts a path from the top of the repository; one that is not there is looked for from here. */
function fromGit(revision: string, path: string, system: System): NamedText {
  const inside = lockfileNames.map((name) => `${path === '' || path.endsWith('/') ? path : `${path}/`}${name}`)
  const tries = path === '' || path.endsWith('/') ? inside : [path, ...inside]
  const all = tries.flatMap((each) => (each.startsWith('./') ? [each] : [each, `./${each}`]))
  let reason = ''
  for (const each of all) {
    const shown = system.gitShow(revision, each, MAX_FILE_BYTES)
    if (shown.ok) return found(decoded(`${revision}:${each}`, shown.bytes), folderOf(each), revision)
    reason = reason === '' ? shown.reason : reason
  }
  throw new Unusable([`${revision}:${path}: there is no such file, and ${reason}`])
}

function found(read: ReadText, folder: string | null, revision: string | null): NamedText {
  if (!read.ok) throw new Unusable([problemLine(read.problem)])
  return { read, folder, revision }
}

/**
 * The folder whose packages a lockfile locks, as far as its place tells: one with a project, above or below the code. A copy that lies
 * elsewhere is of the same project as the lockfile it is compared with.
 */
export function ownFolder({ folder }: NamedText, code: string, { folders }: System): string | null {
  if (folder === null || lookAt(folder === '' ? '.' : folder, folders)?.kind !== 'folder') return null
  const isProject = lookAt(tidyPath(`${folder === '' ? '.' : folder}/package.json`), folders) !== null
  return isProject && isRelated(realFolder(`${folder}/x`, folders), folders.identity(code)) ? folder : null
}

/** Reads a lockfile for the packages of a folder; throws `Unusable` where it is none. */
export function lockfileOf({ read, revision }: NamedText, folder: string, system: System): Lockfile {
  const manifest = (file: string): ReadText => {
    const shown = revision === null ? null : system.gitShow(revision, `./${file}`, MAX_FILE_BYTES)
    return shown?.ok ? decoded(file, shown.bytes) : readText(file, system.folders)
  }
  const lockfile = lockfileAt(read, folder, system.folders, manifest)
  if ('message' in lockfile) throw new Unusable([problemLine(lockfile)])
  return lockfile
}
