import { folderOf, foldersUp, pathBelow } from '../scan/lockfile/folder-path.js'
import type { Folders } from './folders.js'
import { jsonAt } from './json-at.js'

/** Longer patterns and paths nobody writes. */
const MAX_LENGTH = 500

interface Written {
  readonly finds: (path: string) => boolean
  readonly ms: number
}

/** Tells after how many ms the platform ends the function that a file is, as the nearest `vercel.json` above it has it; null where it says nothing. */
export function functionEnds(folders: Folders): (file: string) => number | null {
  const known = new Map<string, readonly Written[] | null>()
  const writtenIn = (folder: string): readonly Written[] | null => {
    const before = known.get(folder)
    if (before !== undefined) return before
    const json = jsonAt(folder === '' ? 'vercel.json' : `${folder}/vercel.json`, folders)
    const written = json && writtenFor(json['functions'])
    known.set(folder, written)
    return written
  }
  return (file) => {
    for (const folder of foldersUp(folderOf(file))) {
      const written = writtenIn(folder)
      if (written === null) continue
      const path = pathBelow(file, folder)
      const all = path === null ? [] : written.filter(({ finds }) => finds(path))
      return all.length > 0 ? Math.max(...all.map(({ ms }) => ms)) : null
    }
    return null
  }
}

function writtenFor(functions: unknown): readonly Written[] {
  return Object.entries(Object(functions) as object).flatMap(([glob, each]: [string, unknown]) => {
    const { maxDuration } = Object(each) as { readonly maxDuration?: unknown }
    return typeof maxDuration === 'number' && glob.length <= MAX_LENGTH ? [{ finds: finderOf(glob), ms: maxDuration * 1000 }] : []
  })
}

/** `api/**`, `pages/api/*.ts`: brackets are those of a path of Next.js. Each letter is looked at once for each part of the pattern. */
function finderOf(glob: string): (path: string) => boolean {
  const parts = (glob.replace(/^\.?\//, '').match(/\*\*\/|\*\*|[\s\S]/g) ?? []).flatMap((part) =>
    part === FOLDERS ? [FOLDERS, IN_FOLDERS] : [part],
  )
  return (path) => {
    if (path.length > MAX_LENGTH) return false
    let at = skipped(new Set([0]), parts)
    for (let k = 0; k < path.length; k++) at = skipped(new Set([...at].flatMap((place) => after(place, path.charAt(k), parts))), parts)
    return at.has(parts.length)
  }
}

/** Any folders or none, and what is left of them once one has begun. */
const FOLDERS = '**/'
const IN_FOLDERS = '…/'

/** A star may stand for nothing. */
function skipped(places: ReadonlySet<number>, parts: readonly string[]): ReadonlySet<number> {
  const all = new Set(places)
  for (const place of all) {
    if (parts[place]?.startsWith('*')) all.add(place + 1)
    if (parts[place] === FOLDERS) all.add(place + 2)
  }
  return all
}

/** Where in a pattern a letter may lead to from a place in it. */
function after(place: number, letter: string, parts: readonly string[]): readonly number[] {
  switch (parts[place]) {
    case undefined:
      return []
    case FOLDERS:
      return []
    case IN_FOLDERS:
      return letter === '/' ? [place, place + 1] : [place]
    case '**':
      return [place]
    case '*':
      return letter === '/' ? [] : [place]
    case '?':
      return letter === '/' ? [] : [place + 1]
    default:
      return parts[place] === letter ? [place + 1] : []
  }
}
