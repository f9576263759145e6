import { folderOf, foldersUp, pathBelow } from '../scan/lockfile/folder-path.js'
import type { Folders } from './folders.js'
import { jsonAt } from './json-at.js'

/** A pattern with more stars than these takes too long to match, and nobody writes it. */
const MAX_STARS = 8

interface Written {
  readonly pattern: RegExp
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
      const all = path === null ? [] : written.filter(({ pattern }) => pattern.test(path))
      return all.length > 0 ? Math.max(...all.map(({ ms }) => ms)) : null
    }
    return null
  }
}

function writtenFor(functions: unknown): readonly Written[] {
  return Object.entries(Object(functions) as object).flatMap(([glob, each]: [string, unknown]) => {
    const { maxDuration } = Object(each) as { readonly maxDuration?: unknown }
    const isPlain = glob.split('*').length <= MAX_STARS
    return typeof maxDuration === 'number' && isPlain ? [{ pattern: patternOf(glob), ms: maxDuration * 1000 }] : []
  })
}

/** `api/**`, `pages/api/*.ts`: brackets are those of a path of Next.js. */
function patternOf(glob: string): RegExp {
  const source = glob
    .replace(/^\.?\//, '')
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => GLOBS.get(part) ?? part.replace(/[.+^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${source.join('')}$`)
}

const GLOBS: ReadonlyMap<string, string> = new Map([
  ['**/', '(?:.*/)?'],
  ['**', '.*'],
  ['*', '[^/]*'],
  ['?', '[^/]'],
])
