import type { Problem } from '../../model/diagnostic.js'
import type { Source } from '../../model/sourced.js'
import { entriesOf, isRecord, jsonSpot, memberOf } from './json-text.js'

/** Deeper copies (lockfiles of version 1) are not looked at. */
const MAX_NESTING = 32

/** What npm never writes in its lockfile; null where there is nothing of it. */
export function npmFault(source: Source, text: string, parsed: unknown): Problem | null {
  const at = (keys: readonly string[], message: string): Problem => ({ file: source.file, spot: jsonSpot(source, text, keys), message })
  const packages = memberOf(parsed, 'packages')
  const version = Number(memberOf(parsed, 'lockfileVersion'))
  if (packages !== undefined && !isRecord(packages)) return at(['packages'], `"packages" is ${kindOf(packages)}; an object was expected`)
  if (packages === undefined && version > 1) return at(['lockfileVersion'], `version ${version} has an object "packages"; there is none`)
  for (const [place, entry] of entriesOf(packages)) {
    const fault = faultOf(entry, /(^|\/)node_modules\//.test(place))
    if (fault) return at(['packages', place, ...fault.keys], `"${place}" ${fault.message}`)
  }
  return packages === undefined ? nestedFault(parsed, at) : null
}

function nestedFault(parsed: unknown, at: (keys: readonly string[], message: string) => Problem): Problem | null {
  const open = [{ holder: parsed, keys: [] as readonly string[] }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { holder, keys } = next
    const dependencies = memberOf(holder, 'dependencies')
    if (dependencies !== undefined && !isRecord(dependencies))
      return at([...keys, 'dependencies'], `"dependencies" is ${kindOf(dependencies)}; an object was expected`)
    for (const [name, entry] of entriesOf(dependencies)) {
      const there = [...keys, 'dependencies', name]
      const fault = faultOf(entry, true)
      if (fault) return at([...there, ...fault.keys], `"${name}" ${fault.message}`)
      if (there.length < 2 * MAX_NESTING) open.push({ holder: entry, keys: there })
    }
  }
  return null
}

interface Fault {
  readonly keys: readonly string[]
  readonly message: string
}

/** The version of a copy is one of a registry, or says where it is from: a URL, a folder, another name. */
function faultOf(entry: unknown, isCopy: boolean): Fault | null {
  if (!isRecord(entry)) return { keys: [], message: `is ${kindOf(entry)}; an object was expected` }
  const version = entry['version']
  if (version === undefined || !isCopy) return null
  if (typeof version === 'string' && (version === '' || /^v?\d|[:/#]/.test(version))) return null
  return { keys: ['version'], message: `has ${JSON.stringify(version).slice(0, 50)} as its version; one such as "1.2.3" was expected` }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}
