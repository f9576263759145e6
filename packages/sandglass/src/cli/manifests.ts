import { type Manifest, readManifest } from '../scan/files/manifest.js'
import { isFoundFile } from './look-at.js'
import type { System } from './system.js'

const MAX_MANIFEST_BYTES = 1_000_000

/** Tells what the `package.json` of a file's package says; null where there is none that can be read. */
export function manifests({ folders }: System, packageOf: (file: string) => string): (file: string) => Manifest | null {
  const known = new Map<string, Manifest | null>()
  return (file) => {
    const folder = packageOf(file)
    const before = known.get(folder)
    if (before !== undefined) return before
    const read = manifestIn(folder === '' ? 'package.json' : `${folder}/package.json`, folders)
    known.set(folder, read)
    return read
  }
}

function manifestIn(file: string, folders: System['folders']): Manifest | null {
  try {
    if (!isFoundFile(file, folders)) return null
    return readManifest(new TextDecoder().decode(folders.read(file, MAX_MANIFEST_BYTES)))
  } catch {
    return null
  }
}
