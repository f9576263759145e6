import type { Entry, Folders } from './folders.js'

/** What stands at a path that was found; null also where that cannot be told (links that go in a circle): reading it says why. */
export function lookAt(path: string, folders: Folders): Entry | null {
  try {
    return folders.look(path)
  } catch {
    return null
  }
}

/** True for a file that may be read because it was found: a pipe of that name could keep one waiting for ever. */
export function isFoundFile(path: string, folders: Folders): boolean {
  const entry = lookAt(path, folders)
  return entry?.kind === 'file' && entry.isPipe !== true
}
