import { folderOf, foldersUp } from '../scan/lockfile/folder-path.js'
import type { Folders } from './folders.js'
import { lookAt } from './look-at.js'

/** Tells the folder of the nearest `package.json` above a file; the empty one where there is none. */
export function packageFolders(folders: Folders): (file: string) => string {
  const known = new Map<string, string>()
  return (file) => {
    const home = folderOf(file)
    const before = known.get(home)
    if (before !== undefined) return before
    const found = foldersUp(home).find((folder) => isPackage(folder, folders)) ?? ''
    known.set(home, found)
    return found
  }
}

function isPackage(folder: string, folders: Folders): boolean {
  try {
    return lookAt(folder === '' ? 'package.json' : `${folder}/package.json`, folders)?.kind === 'file'
  } catch {
    return false
  }
}
