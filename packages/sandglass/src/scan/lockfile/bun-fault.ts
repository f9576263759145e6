import type { Problem } from '../../model/diagnostic.js'
import type { Source } from '../../model/sourced.js'
import { entriesOf, isRecord, jsonSpot, memberOf } from './json-text.js'

/** What Bun never writes in its lockfile; null where there is nothing of it. */
export function bunFault(source: Source, text: string, parsed: unknown): Problem | null {
  const at = (keys: readonly string[], message: string): Problem => ({ file: source.file, spot: jsonSpot(source, text, keys), message })
  const packages = memberOf(parsed, 'packages')
  if (packages !== undefined && !isRecord(packages)) return at(['packages'], '"packages" is no object; one was expected')
  const broken = entriesOf(packages).find(([, entry]) => !Array.isArray(entry) || typeof entry[0] !== 'string')
  return broken
    ? at(['packages', broken[0]], `"${broken[0]}" is no list that begins with a package; one such as ["a@1.2.3"] was expected`)
    : null
}
