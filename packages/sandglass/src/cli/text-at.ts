import type { Folders } from './folders.js'
import { isFoundFile } from './look-at.js'

const MAX_BYTES = 1_000_000

/** The text of a file; null where there is none that can be read. */
export function textAt(file: string, folders: Folders): string | null {
  try {
    return isFoundFile(file, folders) ? new TextDecoder().decode(folders.read(file, MAX_BYTES)) : null
  } catch {
    return null
  }
}
