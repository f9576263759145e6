import type { Problem } from '../../model/diagnostic.js'
import type { Source } from '../../model/sourced.js'
import type { YamlNode } from '../../model/yaml-tree.js'
import { yamlEntries, yamlMember, yamlScalar } from './yaml-entries.js'

/** Versions of the format of Yarn 2 and later whose words are known. */
const BERRY_VERSIONS = [4, 10] as const

/** What Yarn 1 never writes: an entry without its version, as where a file was cut off; null where there is nothing of it. */
export function yarnClassicFault(source: Source): Problem | null {
  const { text } = source
  let open: { readonly start: number; readonly end: number } | null = null
  const unfinished = (spot: { readonly start: number; readonly end: number }) =>
    problem({ source, ...spot }, 'this entry has no version; a line such as version "1.2.3" was expected below it')
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const first = text[start] ?? '\n'
    if (!/[\s#]/.test(first)) {
      if (open) return unfinished(open)
      open = { start, end }
    } else if (text.startsWith('  version ', start)) open = null
    start = end + 1
  }
  return open && unfinished(open)
}

/** What Yarn 2 and later never write; null where there is nothing of it. */
export function yarnBerryFault(root: YamlNode | null): Problem | null {
  const version = yamlScalar(yamlMember(root, '__metadata'), 'version')
  if (version && !(Number(version.text) >= BERRY_VERSIONS[0] && Number(version.text) <= BERRY_VERSIONS[1]))
    return problem(
      version,
      `version ${version.text.slice(0, 50)} of the format is not known; ${BERRY_VERSIONS[0]} to ${BERRY_VERSIONS[1]} are`,
    )
  for (const [key, entry, at] of yamlEntries(root)) {
    if (key === '__metadata') continue
    if (!yamlScalar(entry, 'version') || !yamlScalar(entry, 'resolution'))
      return problem(at, `this entry has no version or no resolution; both were expected below it`)
  }
  return null
}

function problem(spot: NonNullable<Problem['spot']>, message: string): Problem {
  return { file: spot.source.file, spot, message }
}
