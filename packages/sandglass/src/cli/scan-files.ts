import type { Diagnostic } from '../model/diagnostic.js'
import { placeOf, type Source } from '../model/sourced.js'
import type { NotRead } from '../report/check-report.js'
import type { ScannedCall } from '../scan/calls/scanned-call.js'
import { configFiles } from '../scan/files/config-files.js'
import type { Unparsed } from '../scan/files/project.js'
import { shallowLanguageOf } from '../scan/shallow/shallow-language.js'
import { areWhole } from './are-whole.js'
import { awsFunctions } from './aws-functions.js'
import { azureFunctions } from './azure-functions.js'
import { brokenManifests } from './broken-manifests.js'
import { tidyPath } from './find-files.js'
import { functionEnds } from './function-ends.js'
import { installedVersions } from './installed-versions.js'
import { manifests } from './manifests.js'
import { namedOutside } from './named-outside.js'
import { notFollowed } from './not-followed.js'
import { packageFolders } from './package-folders.js'
import type { Progress } from './progress.js'
import { scanShallowFiles } from './scan-shallow-files.js'
import { scriptFiles } from './script-files.js'
import { sourceFiles, type Wanted } from './source-files.js'
import type { System } from './system.js'
import { textAt } from './text-at.js'

/** What a scan of files is told. */
export interface ScanFilesOptions extends Wanted {
  readonly budgetMs: number | null
  /** How long what stands before the servers keeps an idle connection. Default: null, nobody says. */
  readonly proxyIdleMs?: number | null
  /** The lockfile that decides; null: those that are found. */
  readonly lockfile: string | null
  /** The version of Node; null: what `.nvmrc` or `.node-version` say. */
  readonly nodeVersion: string | null
}

/** What a scan of files found, with the texts and what was left out. */
export interface ScannedFiles {
  readonly calls: readonly ScannedCall[]
  readonly diagnostics: readonly Diagnostic[]
  readonly sources: readonly Source[]
  /** How many of them were scanned: all that could be parsed. */
  readonly files: number
  readonly notRead: readonly NotRead[]
  readonly notes: readonly string[]
}

/** Scans files and folders of source code; throws `Unusable` where a named path or lockfile cannot be used. */
export async function scanFiles(
  args: readonly string[],
  options: ScanFilesOptions,
  system: System,
  progress: Progress,
): Promise<ScannedFiles> {
  const { sources, notRead, unmatched } = sourceFiles(args, options, system, progress)
  const deep = sources.filter(({ file }) => shallowLanguageOf(file) === null)
  const [{ sourceParser }, { importResolver }, { scanSources }] = await Promise.all([
    import('./parse-source.js'),
    import('./resolve-import.js'),
    import('../scan/scan-sources.js'),
  ])
  const { versionOf, notes } = installedVersions(deep, options.lockfile, options.nodeVersion, system)
  const packageOf = packageFolders(system.folders)
  const { resolve, outside } = await importResolver(deep, system)
  const manifestOf = manifests(system, packageOf)
  const ofVercel = functionEnds(system.folders)
  const ofAws = awsFunctions(system.folders)
  const ofAzure = azureFunctions(system.folders)
  const input = {
    sources: deep,
    parse: await sourceParser(),
    resolve,
    versionOf,
    packageOf,
    manifestOf,
    functionEndMsOf: (file: string) => ofVercel(file) ?? ofAws.endMsOf(file) ?? ofAzure.endMsOf(file),
    longestFunctionMsOf: ofAws.longestMsOf,
    azureMostMsOf: ofAzure.mostMsOf,
    configOf: configFiles((file) => textAt(file, system.folders)),
  }
  const runByScript = scriptFiles(deep, system)
  const named = new Set(args.map(tidyPath))
  const isJudgedAnyway = (file: string) => options.includeTests || named.has(file)
  const scanned = scanSources(input, {
    budgetMs: options.budgetMs,
    proxyIdleMs: options.proxyIdleMs ?? null,
    isLeftOut: () => false,
    isJudgedAnyway,
    seesAllUsers: options.exclude.length === 0 && areWhole(args, system.folders),
    isNamedOutside: namedOutside(system.folders),
    isRunByScript: (file) => runByScript.has(file),
    onStep: (what) => progress.say(what),
  })
  const shallow = await scanShallowFiles(sources, isJudgedAnyway, system.folders, progress)
  return {
    calls: [...scanned.calls, ...shallow.calls],
    diagnostics: [...scanned.diagnostics, ...shallow.diagnostics],
    sources,
    files: sources.length - scanned.unparsed.length,
    notRead: [...notRead, ...scanned.unparsed.map(asNotRead), ...shallow.notRead, ...notFollowed(outside, deep, packageOf)],
    notes: [
      ...notes,
      ...brokenManifests(deep, system),
      ...unmatched.map((pattern) => `--exclude ${pattern}: no source file is meant by it`),
    ],
  }
}

function asNotRead({ source, message, offset }: Unparsed): NotRead {
  const { file, line, column } = placeOf({ source, start: offset, end: offset + 1 })
  return { file: `${file}:${line}:${column}`, why: message }
}
