import type { Source } from '../model/sourced.js'
import type { NotRead } from '../report/check-report.js'
import { wildcardMatches } from '../report/wildcard.js'
import { isMinified } from '../scan/files/is-minified.js'
import { isTestPath } from '../scan/files/is-test-path.js'
import { isWasmGlue } from '../scan/files/is-wasm-glue.js'
import { findFiles, isPattern, tidyPath } from './find-files.js'
import { lookAt } from './look-at.js'
import { problemLine } from './problem-line.js'
import type { Progress } from './progress.js'
import { readStanding } from './read-text.js'
import type { System } from './system.js'
import { Unusable } from './unusable.js'

/** The languages that are scanned, by the ends of their files' names; the schema of Prisma tells which database it is. */
const SOURCE = /\.([cm]?[jt]sx?|vue|go|java|py|prisma)$/
/** Folders of what is built, downloaded or generated. */
const BUILT = /(^|\/)(dist|build|out|coverage|vendor|third_party|target|bower_components|__generated__|generated|\.next|\.nuxt|\.output)\//
/** Source files are smaller; what is larger was generated. */
const MAX_SOURCE_BYTES = 1024 * 1024
const MAX_FILES = 50_000

/** True for what is built, downloaded or generated. */
export function isBuilt(file: string): boolean {
  return BUILT.test(file)
}

/** What was found to scan. */
export interface SourceFiles {
  readonly sources: readonly Source[]
  readonly notRead: readonly NotRead[]
  /** Patterns that no source file is meant by. */
  readonly unmatched: readonly string[]
}

/** Which files a user wants. */
export interface Wanted {
  /** Patterns of what is left out besides what is built and tests. */
  readonly exclude: readonly string[]
  readonly includeTests: boolean
}

/** Reads source files and folders of them; throws `Unusable` where a named path is not there. */
export function sourceFiles(args: readonly string[], { exclude, includeTests }: Wanted, system: System, progress: Progress): SourceFiles {
  const sources: Source[] = []
  const notRead: NotRead[] = []
  const seen = new Map<string, Source | null>()
  const unmatched = new Set(exclude)
  for (const arg of args.length === 0 ? ['.'] : args) {
    const path = tidyPath(arg)
    const isNamed = !isPattern(path) && lookAt(path, system.folders)?.kind !== 'folder'
    const found = isNamed ? { files: [path], notRead: [] } : filesBelow(path, system)
    notRead.push(...found.notRead)
    for (const pattern of unmatched)
      if (found.files.some((file) => SOURCE.test(file) && wildcardMatches(pattern, file))) unmatched.delete(pattern)
    const wanted = found.files.filter((file) => isNamed || isWanted(file, exclude, includeTests))
    if (wanted.length > MAX_FILES) notRead.push({ file: path, why: `more than ${MAX_FILES} source files; name a smaller folder` })
    for (const file of wanted.slice(0, MAX_FILES)) take(file, isNamed, { sources, notRead, seen }, system, progress)
  }
  return { sources, notRead, unmatched: [...unmatched] }
}

function filesBelow(path: string, system: System) {
  return findFiles(isPattern(path) ? path : `${path === '.' ? '' : `${path}/`}**/*`, system.folders)
}

function isWanted(file: string, exclude: readonly string[], includeTests: boolean): boolean {
  if (!SOURCE.test(file) || BUILT.test(file)) return false
  return (includeTests || !isTestPath(file)) && !exclude.some((pattern) => wildcardMatches(pattern, file))
}

/** Why a file that was only found is not read; `folder` where it is a link to one. What cannot be looked at is told when it is read. */
function leftOut(file: string, system: System): string | null {
  const entry = lookAt(file, system.folders)
  if (entry?.kind === 'folder') return 'folder'
  if (entry?.kind !== 'file') return null
  if (entry.isPipe) return 'a pipe, no file'
  return entry.size > MAX_SOURCE_BYTES ? `larger than ${MAX_SOURCE_BYTES / 1024 / 1024} MB: generated, by its size` : null
}

/** Why a named file is not read: it may have any name of a source file. */
function otherKind(file: string, system: System): string | null {
  if (SOURCE.test(file) || lookAt(file, system.folders)?.kind !== 'file') return null
  return 'not a source file (expected .ts, .tsx, .mts, .cts, .js, .jsx, .mjs, .cjs, .vue, .go, .java, .py or .prisma)'
}

interface Taken {
  readonly sources: Source[]
  readonly notRead: NotRead[]
  /** What was read under each identity, where a link to it may have given it its name; else null. */
  readonly seen: Map<string, Source | null>
}

function take(file: string, isNamed: boolean, { sources, notRead, seen }: Taken, system: System, progress: Progress): void {
  const identity = system.folders.identity(file)
  if (seen.has(identity)) return nameAsReal(file, identity, { sources, notRead, seen })
  seen.set(identity, null)
  progress.say(`reading ${file}`)
  const why = isNamed ? otherKind(file, system) : leftOut(file, system)
  if (why === 'folder') return
  if (why !== null) {
    notRead.push({ file, why })
    return
  }
  const read = readStanding(file, system.folders)
  if (read.ok) {
    const source: Source = { ...read.source, isCode: true }
    if (!isNamed) seen.set(identity, source)
    const written = isNamed ? null : writtenBy(read.source)
    if (written === null) sources.push(source)
    else notRead.push({ file, why: `${written}; name it to read it` })
    return
  }
  if (isNamed) throw new Unusable([problemLine(read.problem)])
  notRead.push({ file: read.problem.file, why: read.problem.message })
}

/** What shows that no person wrote a text. */
function writtenBy(source: Source): string | null {
  if (isMinified(source)) return 'a bundle, by the length of its lines'
  return isWasmGlue(source) ? 'what a compiler wrote to load WebAssembly' : null
}

/** A file that was found under a link's name has its own where that is found as well. */
function nameAsReal(file: string, identity: string, { sources, seen }: Taken): void {
  const source = seen.get(identity)
  const at = source && identity.endsWith(`/${file}`) ? sources.indexOf(source) : -1
  if (!source || at < 0) return
  seen.set(identity, null)
  sources[at] = { ...source, file }
}
