import { minVersion, satisfies, subset, validRange } from 'semver'
import { foldersUp } from '../scan/lockfile/folder-path.js'
import type { Folders } from './folders.js'
import { packageJsonOf } from './json-at.js'

const LISTS = ['dependencies', 'optionalDependencies', 'devDependencies', 'peerDependencies']

/** Nobody writes a longer range, and thousands of alternatives take long to compare. */
const MAX_RANGE = 1000

/** The versions of a package that a `package.json` asks for. */
export interface AskedRange {
  /** As npm compares it. */
  readonly range: string
  /** The folder of the `package.json` that asks. */
  readonly folder: string
}

/** Tells what the nearest `package.json` that names a package asks for; null where none does, or not by versions: a tag, a folder, a workspace. */
export function askedRanges(folders: Folders): (packageName: string, fromFolder: string) => AskedRange | null {
  const known = new Map<string, ReadonlyMap<string, unknown>>()
  const asked = (folder: string) => {
    const before = known.get(folder)
    if (before) return before
    const json = packageJsonOf(folder, folders)
    const all = new Map(LISTS.flatMap((list) => Object.entries(Object(json?.[list]) as Readonly<Record<string, unknown>>)).reverse())
    known.set(folder, all)
    return all
  }
  return (packageName, fromFolder) => {
    const folder = foldersUp(fromFolder).find((each) => each !== '' && asked(each).has(packageName))
    const text = folder === undefined ? undefined : asked(folder).get(packageName)
    if (folder === undefined || typeof text !== 'string' || text.length > MAX_RANGE) return null
    const range = validRange(text.replace(/^npm:(?:@[^/]+\/)?[^@/]+@/, ''))
    return range === null || range === '*' ? null : { range, folder }
  }
}

/** True where a version is one that is asked for. */
export function isAskedFor(version: string, { range }: AskedRange): boolean {
  return satisfies(version, range, { includePrerelease: true })
}

/** What is known of a version that nothing says more of than its range: `^4.4.0` for the newest 4; null where it may be of several lines. */
export function lineOf({ range }: AskedRange): string | null {
  const least = minVersion(range)?.version
  if (least === undefined) return null
  return [least, `~${least}`, `^${least}`].find((line) => subset(range, line)) ?? null
}
