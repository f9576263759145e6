import { type Manifest, manifestOf } from '../scan/files/manifest.js'
import { packageJsonOf } from './json-at.js'
import type { System } from './system.js'

/** Tells what the `package.json` of a file's package says; null where there is none that can be read. */
export function manifests({ folders }: System, packageOf: (file: string) => string): (file: string) => Manifest | null {
  const known = new Map<string, Manifest | null>()
  return (file) => {
    const folder = packageOf(file)
    const before = known.get(folder)
    if (before !== undefined) return before
    const json = packageJsonOf(folder, folders)
    const manifest = json && manifestOf(json)
    known.set(folder, manifest)
    return manifest
  }
}
