import { isFoundFile } from './look-at.js'
import { nodeOfImage } from './node-of-image.js'
import { readText } from './read-text.js'
import type { System } from './system.js'
import { Unusable } from './unusable.js'

/** How far above the current folder the files are looked for. */
const MAX_ABOVE = 6
/** The lines of Node that are kept long, by the names that `.nvmrc` may have for them; nodejs/Release. */
const LONG_LIVED: ReadonlyMap<string, string> = new Map(
  ['argon', 'boron', 'carbon', 'dubnium', 'erbium', 'fermium', 'gallium', 'hydrogen', 'iron', 'jod', 'krypton'].map((name, k) => [
    name,
    String(4 + 2 * k),
  ]),
)

const NEWEST_LONG_LIVED = Math.max(...[...LONG_LIVED.values()].map(Number))
/** Two lines come each year: one that is newer than this program is no mistake. */
const LINES_AHEAD = 12

/** The version of Node that a text names, as `.nvmrc` writes it: `20`, `v20.11.1`, `lts/iron`; null where it names none. */
export function nodeVersionIn(text: string): string | null {
  const number = /^v?(\d+(?:\.\d+){0,2})$/.exec(text.trim())?.[1]
  const name = /^lts\/(\w+)$/i.exec(text.trim())?.[1]
  return number ?? (name === undefined ? null : (LONG_LIVED.get(name.toLowerCase()) ?? null))
}

/** No Node has another line than these. */
function mayBe(version: string): boolean {
  const major = Number(version.split('.')[0])
  return major >= 1 && major <= NEWEST_LONG_LIVED + LINES_AHEAD
}

/** The version that a user names; throws `Unusable` where it is none. */
export function namedNodeVersion(text: string): string {
  const version = nodeVersionIn(text)
  if (version === null) throw new Unusable([`--node: "${text}" is no version of Node; expected one such as 20, 22.11.0 or lts/iron`])
  if (!mayBe(version)) throw new Unusable([`--node: there is no Node ${version}; expected one such as 20, 22.11.0 or lts/iron`])
  return version
}

/** The Node that code of a folder runs in: `Dockerfile`, `.nvmrc` or `.node-version` there or above say it; a range in `engines` does not. */
export function nodeVersions(system: System): (folder: string, base: string) => string | null {
  const known = new Map<string, string | null>()
  const inFolder = (folder: string): string | null => {
    const before = known.get(folder)
    if (before !== undefined) return before
    const version = readIn(folder, system)
    known.set(folder, version)
    return version
  }
  return (folder, base) => {
    const parts = folder.split('/')
    const least = Math.max(1, base.split('/').length - MAX_ABOVE)
    for (let length = parts.length; length >= least; length--) {
      const version = inFolder(parts.slice(0, length).join('/'))
      if (version !== null) return version
    }
    return null
  }
}

function readIn(folder: string, system: System): string | null {
  for (const name of ['Dockerfile', '.nvmrc', '.node-version']) {
    const file = `${folder}/${name}`
    if (!isFoundFile(file, system.folders)) continue
    const read = readText(file, system.folders)
    const text = read.ok ? read.source.text : ''
    const version = nodeVersionIn((name === 'Dockerfile' ? nodeOfImage(text) : text) ?? '')
    if (version !== null && mayBe(version)) return version
  }
  return null
}
