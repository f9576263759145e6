import type { Problem } from '../../model/diagnostic.js'
import type { Source } from '../../model/sourced.js'
import { bunFault } from './bun-fault.js'
import { bunLock } from './bun-lock.js'
import { folderOf, pathBelow, tidyFolder } from './folder-path.js'
import { parsedJson } from './json-error.js'
import { entriesOf, memberOf, strictJson } from './json-text.js'
import type { Locked, LockedPackages, Lockfile } from './lockfile.js'
import { npmFault } from './npm-fault.js'
import { npmLock } from './npm-lock.js'
import { pnpmLock } from './pnpm-lock.js'
import { yarnBerryLock } from './yarn-berry-lock.js'
import { yarnClassicLock } from './yarn-classic-lock.js'
import { yarnClassicFault } from './yarn-fault.js'

/** What a lockfile may be read with. */
export interface LockfileSurroundings {
  /** The folder whose packages it locks; the lockfile's own by default. */
  readonly folder?: string
  /** The `package.json` files of the project: only Yarn 1 asks for them, to tell which of several versions a workspace gets. */
  readonly manifests?: () => readonly Source[]
}

/**
 * Reads a lockfile of npm, pnpm, Yarn or Bun; which it is is told by its text, so that a copy under another name is read too.
 * 20 MB take 0.3 s (Yarn 1) to 1.6 s (YAML) on a laptop, and a heap of 60 MB is kept.
 */
export function readLockfile(source: Source, { folder, manifests = () => [] }: LockfileSurroundings = {}): Lockfile | Problem {
  const home = tidyFolder(folder ?? folderOf(source.file))
  const packages = packagesOf(source, home, manifests)
  return 'message' in packages ? packages : lockfileOf(source, home, packages)
}

function lockfileOf(source: Source, folder: string, { manager, importers, find, all }: LockedPackages): Lockfile {
  // A file outside the lockfile's folder can only be meant to belong to its root.
  const findFrom = (name: string, from: string): Locked | null => find(name, pathBelow(tidyFolder(from), folder) ?? '')
  return {
    source,
    manager,
    folder,
    importers,
    find: findFrom,
    versionOf: (name, from) => findFrom(name, from)?.version ?? null,
    versions: () => byVersion(all()),
  }
}

function byVersion(all: Iterable<Locked>): ReadonlyMap<string, ReadonlyMap<string, Locked>> {
  const found = new Map<string, Map<string, Locked>>()
  for (const locked of all) {
    const versions = found.get(locked.name) ?? new Map<string, Locked>()
    found.set(locked.name, versions)
    if (locked.version !== null && !versions.has(locked.version)) versions.set(locked.version, locked)
  }
  return found
}

function packagesOf(source: Source, folder: string, manifests: () => readonly Source[]): LockedPackages | Problem {
  const { text } = source
  const marks = /^(?:<<<<<<<|>>>>>>>) /m.exec(text)
  if (marks)
    return problem(
      source,
      marks.index,
      'holds the marks of a merge that is not finished; merge it, then let the package manager write it anew',
    )
  if (/^\s*(?:\{|\/\/|\/\*)/.test(text)) return fromJson(source)
  if (/^__metadata:/m.test(text)) return yarnBerryLock(source)
  if (/^# yarn lockfile v1|^ {2}version "/m.test(text)) return yarnClassicFault(source) ?? yarnClassicLock(source, folder, manifests())
  if (/^(?:lockfileVersion|shrinkwrapVersion):/m.test(text))
    return unknownVersion(source, PNPM_VERSION, [5, 6, 7, 8, 9]) ?? pnpmLock(source)
  return problem(
    source,
    0,
    `${text.trim() === '' ? 'is empty' : 'is no lockfile'}; one of npm, pnpm, Yarn or Bun was expected (package-lock.json, pnpm-lock.yaml, yarn.lock, bun.lock)`,
  )
}

function fromJson(source: Source): LockedPackages | Problem {
  const text = strictJson(source.text)
  const parsed = parsedJson(text)
  if (!parsed.ok) return problem(source, parsed.at, `not valid JSON: ${parsed.reason}`)
  const { value } = parsed
  const isBun = memberOf(memberOf(value, 'workspaces'), '') !== undefined
  if (isBun) return bunFault(source, text, value) ?? bunLock(source, text, value)
  if (!isNpmLock(value))
    return problem(source, 0, 'is no lockfile: it has no "lockfileVersion", no "packages" and no "dependencies" with versions')
  return unknownVersion(source, NPM_VERSION, [1, 2, 3]) ?? npmFault(source, text, value) ?? npmLock(source, text, value)
}

const NPM_VERSION = /^\s*\{[^{}]*?"lockfileVersion"\s*:\s*"?(\d+)/
const PNPM_VERSION = /^lockfileVersion:\s*['"]?(\d+)/m

/** A format that came later says other things in the same words: nothing is read of it. */
function unknownVersion(source: Source, written: RegExp, known: readonly number[]): Problem | null {
  const found = written.exec(source.text)
  const version = Number(found?.[1])
  if (!found || known.includes(version)) return null
  const at = found.index + found[0].length - String(found[1]).length
  return problem(source, at, `lockfileVersion ${version} is not known; ${known[0]} to ${known.at(-1)} are`)
}

/** The first lockfiles of npm have no version of their own; a manifest's dependencies are ranges, a lockfile's are objects. */
function isNpmLock(value: unknown): boolean {
  if (memberOf(value, 'lockfileVersion') !== undefined || memberOf(value, 'packages') !== undefined) return true
  return entriesOf(memberOf(value, 'dependencies')).some(([, entry]) => memberOf(entry, 'version') !== undefined)
}

function problem(source: Source, at: number, message: string): Problem {
  return { file: source.file, spot: { source, start: at, end: at + 1 }, message }
}
