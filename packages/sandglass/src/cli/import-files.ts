import type { ImportNote } from '../importers/facts.js'
import type { Imported } from '../importers/import-sources.js'
import { maskTemplates } from '../importers/templates.js'
import { placeOf, type Source, type Spot } from '../model/sourced.js'
import { readYamlDocuments } from '../model/yaml-tree.js'
import type { NotRead } from '../report/check-report.js'
import { findFiles, isPattern, tidyPath } from './find-files.js'
import { nacosTexts, textsByContent } from './found-by-content.js'
import { isFoundFile, lookAt } from './look-at.js'
import { problemLine } from './problem-line.js'
import type { Progress } from './progress.js'
import { decoded, MAX_FILE_BYTES, type ReadText, readText } from './read-text.js'
import type { System } from './system.js'
import { Unusable } from './unusable.js'

/** Configs of a folder that are looked at. */
const MAX_FILES = 5000
const MAX_TOTAL_CHARACTERS = 64 * 1024 * 1024
/** A config is smaller; what is larger is data. */
const MAX_CONFIG_BYTES = 2 * 1024 * 1024

const CONFIG =
  /\.(conf|cfg|cnf|ini|toml|sql|ya?ml|properties|json|template|tmpl|tpl|j2|jinja2?|inc)$|(^|\/)(\.env(\.[\w-]+)?|Procfile|Dockerfile|gunicorn[\w.-]*\.py|pom\.xml|build\.gradle(\.kts)?|nginx[^/]*)$/
/** The folders that Nacos exports are named after its groups; a data ID in them may have any name. */
const DATA_ID = /(^|\/)[A-Z][A-Z0-9_]*_GROUP\/[^/]+$/
const NEVER =
  /(^|\/)(package(-lock)?|tsconfig[^/]*|composer|\.[^/]*)\.json$|(^|\/)(pnpm-lock|sandglass)\.ya?ml$|\.sandglass\.ya?ml$|(^|\/)(target|dist|vendor|\.git)\/|(^|\/)src\/test\//

/** What was read of configs, with the texts and what was left out. */
export interface ImportedFiles {
  readonly imported: Imported
  readonly sources: readonly Source[]
  readonly notRead: readonly NotRead[]
}

/** Reads files and folders of configs as one chain; throws `Unusable` where a named file cannot be read or nothing was understood. */
export async function importFiles(
  args: readonly string[],
  system: System,
  progress: Progress,
  profiles: readonly string[] = [],
): Promise<ImportedFiles> {
  const { sources, notRead } = await textsOf(args, system, progress)
  const { importSources } = await import('../importers/import-sources.js')
  progress.say(`understanding ${sources.length} files`)
  const imported = importSources(sources, { profiles, onStep: (what) => progress.say(what) })
  // In a folder there is much that is no config: only what was named is told to be not understood.
  const named = new Set(args.map(tidyPath))
  const left = imported.notRead.filter(({ file }) => named.has(file))
  const notes = [...imported.notes, ...left.flatMap(({ file }) => sources.find((source) => source.file === file) ?? []).flatMap(brokenNote)]
  const broken = notes.filter(({ isBroken }) => isBroken)
  const files = new Set(broken.map(({ spot }) => spot.source.file))
  return {
    imported: { ...imported, notes },
    sources: imported.sources,
    notRead: [...notRead, ...broken.map(({ spot, text }) => notReadOf(spot, text)), ...left.filter(({ file }) => !files.has(file))],
  }
}

/** Why a file is of no format: it cannot be read as what its name says it is. */
function brokenNote(source: Source): readonly ImportNote[] {
  const read = /\.(ya?ml|json)$/.test(source.file) ? readYamlDocuments(source, maskTemplates(source.text)) : null
  if (!read || read.ok) return []
  const { spot, message } = read.problem
  return [{ kind: 'unknown', spot: spot ?? { source, start: 0, end: 1 }, text: `not read: ${message}`, isBroken: true }]
}

function notReadOf(spot: Spot, text: string): NotRead {
  const { file, line, column } = placeOf(spot)
  return { file, why: `${line}:${column}: ${text.replace(/^not read: /, '')}` }
}

interface Texts {
  readonly sources: Source[]
  readonly notRead: NotRead[]
  /** Of all sources together. */
  characters: number
}

async function textsOf(args: readonly string[], system: System, progress: Progress): Promise<Texts> {
  const texts: Texts = { sources: [], notRead: [], characters: 0 }
  const seen = new Set<string>()
  for (const arg of args) {
    if (arg === '-') await takeStdin(system, texts)
    else takePath(tidyPath(arg), { system, progress, texts, seen })
  }
  return texts
}

/** Standard input has no name that would tell its format. */
async function takeStdin(system: System, texts: Texts): Promise<void> {
  const read = decoded('stdin', await system.readStdin(MAX_FILE_BYTES))
  if (!read.ok) throw new Unusable([problemLine(read.problem)])
  const { namedByContent } = await import('../importers/named-by-content.js')
  const source = namedByContent(read.source)
  if (!source)
    throw new Unusable([
      'standard input: its content does not tell which format it is; save it under its usual name (redis.conf, postgresql.conf, application.yml, gunicorn.conf.py …) and name that file',
    ])
  take({ ok: true, source }, texts)
}

interface Taking {
  readonly system: System
  readonly progress: Progress
  readonly texts: Texts
  readonly seen: Set<string>
}

function takePath(path: string, taking: Taking): void {
  const { system, texts, seen, progress } = taking
  const isFolder = !isPattern(path) && lookAt(path, system.folders)?.kind === 'folder'
  if (isFolder || isPattern(path)) {
    takeFound(isFolder ? `${path === '.' ? '' : `${path}/`}**/*` : path, path, taking)
    return
  }
  if (seen.has(system.folders.identity(path))) return
  seen.add(system.folders.identity(path))
  progress.say(`reading ${path}`)
  if (/\.zip$/i.test(path)) takeArchive(path, taking)
  else take(readText(path, system.folders), texts)
}

/** An archive that is named must be one of Nacos. */
function takeArchive(path: string, { system, texts }: Taking): void {
  const entry = lookAt(path, system.folders)
  const inside =
    entry?.kind === 'file'
      ? nacosTexts(path, system.folders.read(path, MAX_FILE_BYTES), (why) => texts.notRead.push({ file: path, why }))
      : null
  if (!inside)
    throw new Unusable([`${path}: ${entry ? 'no archive that Nacos exported; unpack it and name the folder' : 'there is no such file'}`])
  for (const source of inside) take({ ok: true, source }, texts)
}

/** What a folder holds: only names that configs have, small ones, and what cannot be read is told. */
function takeFound(pattern: string, folder: string, { system, texts, seen, progress }: Taking): void {
  const found = findFiles(pattern, system.folders)
  texts.notRead.push(...found.notRead)
  const configs = [...found.files, ...environmentFiles(found.files, system)].filter(
    (file) => (CONFIG.test(file) || DATA_ID.test(file)) && !NEVER.test(file),
  )
  if (configs.length > MAX_FILES) texts.notRead.push({ file: folder, why: `more than ${MAX_FILES} configs; name a smaller folder` })
  for (const file of configs.slice(0, MAX_FILES)) {
    const identity = system.folders.identity(file)
    if (seen.has(identity)) continue
    seen.add(identity)
    progress.say(`reading ${file}`)
    const entry = lookAt(file, system.folders)
    if (entry?.kind === 'file' && entry.isPipe) texts.notRead.push({ file, why: 'a pipe, no file' })
    else if (entry?.kind === 'file' && entry.size > MAX_CONFIG_BYTES)
      texts.notRead.push({ file, why: `larger than ${MAX_CONFIG_BYTES / 1024 / 1024} MB` })
    else takeQuietly(readText(file, system.folders), texts)
  }
  progress.say('looking for code and exports')
  const others = found.files.filter((file) => !NEVER.test(file))
  const { sources, left, cuts } = textsByContent(others, (file) => seen.has(system.folders.identity(file)), system)
  for (const source of sources) take({ ok: true, source }, texts)
  texts.notRead.push(...cuts)
  if (left !== null) texts.notRead.push({ file: folder, why: left })
}

/** `.env` beside a compose file; other hidden files are nobody's business. */
function environmentFiles(files: readonly string[], system: System): readonly string[] {
  const folders = new Set(files.filter((file) => /compose[^/]*\.ya?ml$/.test(file)).map((file) => file.slice(0, file.lastIndexOf('/') + 1)))
  return [...folders].map((folder) => `${folder}.env`).filter((file) => isFoundFile(file, system.folders))
}

function takeQuietly(read: ReadText, texts: Texts): void {
  if (read.ok) take(read, texts)
  else texts.notRead.push({ file: read.problem.file, why: read.problem.message })
}

function take(read: ReadText, texts: Texts): void {
  if (!read.ok) throw new Unusable([problemLine(read.problem)])
  texts.sources.push({ ...read.source, isConfig: true })
  texts.characters += read.source.text.length
  if (texts.characters > MAX_TOTAL_CHARACTERS)
    throw new Unusable([
      `${read.source.file}: all files together have more than ${MAX_TOTAL_CHARACTERS / 1024 / 1024} million characters; name fewer`,
    ])
}
