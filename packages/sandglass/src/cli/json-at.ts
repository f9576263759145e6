import type { Folders } from './folders.js'
import { isFoundFile } from './look-at.js'

type JsonObject = Readonly<Record<string, unknown>>

const MAX_BYTES = 1_000_000

/** The object that a JSON file holds; null where there is none that can be read. `strict` makes JSON of what its text may have besides. */
export function jsonAt(file: string, folders: Folders, strict: (text: string) => string = asItIs): JsonObject | null {
  try {
    if (!isFoundFile(file, folders)) return null
    const value: unknown = JSON.parse(strict(new TextDecoder().decode(folders.read(file, MAX_BYTES))))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
  } catch {
    return null
  }
}

/** What the `package.json` of a folder holds; the empty folder is the current one. */
export function packageJsonOf(folder: string, folders: Folders): JsonObject | null {
  return jsonAt(folder === '' ? 'package.json' : `${folder}/package.json`, folders)
}

function asItIs(text: string): string {
  return text
}
