import type { Source } from '../model/sourced.js'
import { lookAt } from './look-at.js'
import { readText } from './read-text.js'
import type { System } from './system.js'

/** Code and configs are smaller. */
const MAX_ORIGIN_BYTES = 2 * 1024 * 1024

/** Files that a chain file says it was made of, read when a finding is about them. */
export function originSources(system: System): (file: string) => Source | null {
  const known = new Map<string, Source | null>()
  return (file) => {
    const before = known.get(file)
    if (before !== undefined) return before
    const read = isFile(file, system) ? readText(file, system.folders) : null
    const source = read?.ok ? read.source : null
    known.set(file, source)
    return source
  }
}

function isFile(file: string, { folders }: System): boolean {
  const entry = lookAt(file, folders)
  return entry?.kind === 'file' && !entry.isPipe && entry.size <= MAX_ORIGIN_BYTES
}
