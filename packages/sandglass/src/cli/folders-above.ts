import { folderOf, foldersUp } from '../scan/lockfile/folder-path.js'

/** The folders that some files are in and those above them, each once: a file's own before those above it. */
export function foldersAbove(files: readonly { readonly file: string }[]): ReadonlySet<string> {
  const homes = new Set(files.map(({ file }) => folderOf(file)))
  return new Set([...homes].flatMap((folder) => foldersUp(folder)))
}
