import { placeOf, type Spot } from '../model/sourced.js'
import type { NotRead } from '../report/check-report.js'
import type { LockfileDiff } from '../report/diff-report.js'
import type { ScannedCall } from '../scan/calls/scanned-call.js'
import type { Parsed, Unparsed } from '../scan/files/project.js'
import type { Lockfile } from '../scan/lockfile/lockfile.js'
import type { LibraryModel } from '../scan/models/library-model.js'
import { installedVersions } from './installed-versions.js'
import { realFolder, versionsFrom } from './lockfile-at.js'
import { packageFolders } from './package-folders.js'
import type { Progress } from './progress.js'
import { sourceFiles, type Wanted } from './source-files.js'
import type { System } from './system.js'
import { Unusable } from './unusable.js'

/** Two lockfiles of one project, as the user named them. */
export interface LockfilePair {
  readonly names: readonly [before: string, after: string]
  readonly before: Lockfile
  readonly after: Lockfile
}

/** Only what is read with its imports knows of versions. */
const DEEP = /\.([cm]?[jt]sx?|vue)$/

/** Scans source code twice, with the versions of each lockfile, and says whose bound changed. */
export async function diffLockfiles(
  pair: LockfilePair,
  paths: readonly string[],
  wanted: Wanted,
  system: System,
  progress: Progress,
): Promise<LockfileDiff> {
  const found = sourceFiles(paths, wanted, system, progress)
  const sources = found.sources.filter(({ file }) => DEEP.test(file))
  if (sources.length === 0)
    throw new Unusable([`${paths.join(', ')}: no TypeScript or JavaScript to scan (tests and what is built are left out)`])
  const [{ sourceParser }, { importResolver }, { scanSources }, { compareScans }, { changedVersions }, { allModels }] = await Promise.all([
    import('./parse-source.js'),
    import('./resolve-import.js'),
    import('../scan/scan-sources.js'),
    import('../scan/calls/compare-scans.js'),
    import('../scan/lockfile/changed-versions.js'),
    import('../scan/models/all-models.js'),
  ])
  const parse = remembered(await sourceParser())
  const { resolve } = await importResolver(sources, system)
  const node = installedVersions([], null, null, system).versionOf
  const packageOf = packageFolders(system.folders)
  const scan = (lockfile: Lockfile) => {
    const packaged = versionsFrom([lockfile], system.folders)
    const versionOf = (name: string, file: string) => (name === 'node' ? node(name, file) : packaged(name, file))
    return scanSources(
      { sources, parse, resolve, versionOf, packageOf },
      { isLeftOut: () => false, isJudgedAnyway: () => wanted.includeTests, rules: [], onStep: (what) => progress.say(what) },
    )
  }
  const [before, after] = [scan(pair.before), scan(pair.after)]
  return {
    before: pair.names[0],
    after: pair.names[1],
    ...compareScans(before.calls, after.calls),
    versions: changedVersions(pair.before, pair.after),
    lockedAt: (call) => lockedAt(call, pair.after, allModels, system),
    notRead: [...found.notRead, ...after.unparsed.map(asNotRead)],
    notes: [],
  }
}

/** Each text is parsed once for both scans. */
function remembered<K extends object>(parse: (source: K) => Parsed): (source: K) => Parsed {
  const known = new WeakMap<K, Parsed>()
  return (source) => {
    const parsed = known.get(source) ?? parse(source)
    known.set(source, parsed)
    return parsed
  }
}

/** Where the lockfile has the package of a call's library. */
function lockedAt(
  { library, version, spot }: ScannedCall,
  lockfile: Lockfile,
  models: readonly LibraryModel[],
  system: System,
): Spot | null {
  const folder = realFolder(spot.source.file, system.folders)
  const packages = models.filter(({ id }) => id === library).flatMap(({ packages: names }) => names)
  const locked = packages.map((name) => lockfile.find(name, folder)).find((each) => each !== null && each.version === version)
  return locked?.spot ?? null
}

function asNotRead({ source, message, offset }: Unparsed): NotRead {
  const { file, line, column } = placeOf({ source, start: offset, end: offset + 1 })
  return { file: `${file}:${line}:${column}`, why: message }
}
