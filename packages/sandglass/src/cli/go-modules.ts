import { folderOf, foldersUp } from '../scan/lockfile/folder-path.js'
import { hasOnlyLocalDatabases } from '../scan/shallow/go/local-database.js'
import type { Folders } from './folders.js'
import { isFoundFile } from './look-at.js'

const MAX_GO_MOD_BYTES = 1_000_000

/** Tells whether the module of Go that a file belongs to has no database but those in its own process; false where nothing says so. */
export function localDatabases(folders: Folders): (file: string) => boolean {
  const known = new Map<string, boolean>()
  return (file) => {
    const home = folderOf(file)
    const before = known.get(home)
    if (before !== undefined) return before
    const isLocal = nearest(home, folders)
    known.set(home, isLocal)
    return isLocal
  }
}

function nearest(home: string, folders: Folders): boolean {
  for (const folder of foldersUp(home)) {
    const path = folder === '' ? 'go.mod' : `${folder}/go.mod`
    try {
      if (isFoundFile(path, folders)) return hasOnlyLocalDatabases(new TextDecoder().decode(folders.read(path, MAX_GO_MOD_BYTES)))
    } catch {
      return false
    }
  }
  return false
}
