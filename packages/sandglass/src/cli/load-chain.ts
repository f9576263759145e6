import type { Chain } from '../model/chain.js'
import { type ChainFile, readChainFile } from '../model/chain-file.js'
import type { Note, Problem } from '../model/diagnostic.js'
import { linkChain } from '../model/link.js'
import type { Source, Sourced } from '../model/sourced.js'
import type { NotRead } from '../report/check-report.js'
import { besideFile, chainFilesIn, type Found, findFiles, isPattern, tidyPath } from './find-files.js'
import { importFiles } from './import-files.js'
import { problemLine } from './problem-line.js'
import type { Progress } from './progress.js'
import { decoded, MAX_FILE_BYTES, type ReadText, readText } from './read-text.js'
import type { System } from './system.js'
import { Unusable } from './unusable.js'

/** A chain with the texts it was read from. */
export interface LoadedChain {
  readonly chain: Chain
  readonly sources: readonly Source[]
  readonly notes: readonly Note[]
  readonly notRead: readonly NotRead[]
}

const DEFAULT_FILE = 'sandglass.yaml'
const MAX_FILES = 10_000
const MAX_TOTAL_CHARACTERS = 256 * 1024 * 1024
const MAX_PROBLEM_LINES = 50

/** Reads what the arguments name as one chain; throws `Unusable` with a line for each problem. */
export async function loadChain(
  args: readonly string[],
  system: System,
  progress: Progress,
  profiles: readonly string[] = [],
): Promise<LoadedChain> {
  const loading = new Loading(system, progress, profiles)
  await loading.takeArguments(args)
  const { files, problems, notRead, imported } = loading
  if (problems.length > 0) throw unusable(problems)
  progress.say(`linking ${files.length} files`)
  const linked = linkChain(files, (file, from) => histogramText(besideFile(from, file), system))
  if (linked.problems.length > 0) throw unusable(linked.problems)
  return { chain: linked.chain, sources: [...new Set([...files.map((file) => file.source), ...imported])], notes: linked.notes, notRead }
}

function unusable(problems: readonly Problem[]): Unusable {
  const lines = [...new Set(problems.map(problemLine))]
  const rest = lines.length - MAX_PROBLEM_LINES
  return new Unusable(rest > 0 ? [...lines.slice(0, MAX_PROBLEM_LINES), `… and ${rest} more problems`] : lines)
}

function histogramText(file: string, system: System): string | null {
  const read = readText(file, system.folders)
  return read.ok ? read.source.text : null
}

/** What has been read so far; a file that is named twice is read once. */
class Loading {
  readonly files: ChainFile[] = []
  readonly problems: Problem[] = []
  readonly notRead: NotRead[] = []
  /** Texts of imported configs. */
  readonly imported: Source[] = []
  private readonly seen = new Set<string>()
  private readonly pending: string[] = []
  /** Folders without a chain file: their configs are imported. */
  private readonly configs: { readonly path: string; readonly found: Found }[] = []
  private characters = 0

  constructor(
    private readonly system: System,
    private readonly progress: Progress,
    private readonly profiles: readonly string[],
  ) {}

  async takeArguments(args: readonly string[]): Promise<void> {
    if (args.length === 0) this.takeDefault()
    for (const arg of args) {
      if (arg === '-') this.take(decoded('stdin', await this.system.readStdin(MAX_FILE_BYTES)))
      else this.takePath(tidyPath(arg))
    }
    this.readPending()
    if (this.configs.length > 0) await this.importFolders()
  }

  /** All folders of configs are one import, as where `sandglass import` is given them. */
  private async importFolders(): Promise<void> {
    const paths = this.configs.map(({ path }) => path)
    const { imported, notRead, sources } = await importFiles(paths, this.system, this.progress, this.profiles)
    const isIn = (path: string) => path === '.' || sources.some(({ file }) => file.startsWith(path === '/' ? path : `${path}/`))
    for (const { path, found } of this.configs) {
      if (imported.file.services.length === 0 || !isIn(path))
        this.refuse(path, `a folder with no ${DEFAULT_FILE} in it or below it, and no configs that are imported${unreadable(found)}`)
    }
    this.notRead.push(...notRead)
    this.files.push(imported.file)
    this.imported.push(...sources)
  }

  /** Files include files: a list, because a chain of includes may be deeper than the stack. */
  private readPending(): void {
    for (let path = this.pending.shift(); path !== undefined; path = this.pending.shift()) {
      this.progress.say(`reading ${path}`)
      this.take(readText(path, this.system.folders))
    }
  }

  private takeDefault(): void {
    if (this.look(DEFAULT_FILE) !== null) return this.takePath(DEFAULT_FILE)
    this.refuse(DEFAULT_FILE, 'there is no such file here; name a file or a folder, or write a first one with "sandglass init"')
  }

  private takePath(path: string): void {
    if (this.look(path) === 'folder') return this.takeFolder(path)
    this.takeFile(path)
  }

  private takeFolder(path: string): void {
    const found = chainFilesIn(path, this.system.folders)
    this.notRead.push(...found.notRead)
    if (found.files.length === 0) this.configs.push({ path, found })
    for (const file of found.files) this.takeFile(file)
  }

  private takeFile(path: string): void {
    const identity = this.system.folders.identity(path)
    if (this.seen.has(identity)) return
    this.seen.add(identity)
    if (this.seen.size > MAX_FILES) {
      if (this.seen.size === MAX_FILES + 1) this.refuse(path, `more than ${MAX_FILES} files; name fewer`)
      return
    }
    this.pending.push(path)
  }

  private take(read: ReadText): void {
    if (!read.ok) {
      this.problems.push(read.problem)
      return
    }
    this.characters += read.source.text.length
    if (this.characters > MAX_TOTAL_CHARACTERS) {
      this.refuse(
        read.source.file,
        `all files together have more than ${MAX_TOTAL_CHARACTERS / 1024 / 1024} million characters; name fewer`,
      )
      return
    }
    const file = readChainFile(read.source)
    this.files.push(file)
    for (const pattern of file.include) this.takeInclude(pattern, read.source)
  }

  private takeInclude(include: Sourced<string>, source: Source): void {
    const path = besideFile(source.file, include.value)
    const self = this.system.folders.identity(source.file)
    const isSelf = (file: string) => this.system.folders.identity(file) === self
    const complain = (message: string) => this.problems.push({ file: source.file, spot: include.origin.spot, message })
    if (!isPattern(path)) {
      if (isSelf(path)) complain(`include "${include.value}" is this file itself; another file was expected`)
      else if (this.look(path) === null) complain(`include "${include.value}" matches nothing: there is no ${path}`)
      else this.takePath(path)
      return
    }
    const found = findFiles(path, this.system.folders)
    const others = found.files.filter((file) => !isSelf(file))
    if (others.length === 0) {
      complain(
        `include "${include.value}" matches ${found.files.length > 0 ? 'only this file itself' : 'nothing'}: no other file has a name like ${path}${unreadable(found)}`,
      )
    }
    this.notRead.push(...found.notRead)
    for (const file of others) this.takeFile(file)
  }

  private look(path: string): 'file' | 'folder' | 'other' | null {
    try {
      return this.system.folders.look(path)?.kind ?? null
    } catch {
      return 'other'
    }
  }

  private refuse(file: string, message: string): void {
    this.problems.push({ file, spot: null, message })
  }
}

function unreadable({ notRead }: Found): string {
  return notRead.length > 0 ? ` (${notRead.length} ${notRead.length === 1 ? 'folder' : 'folders'} could not be read)` : ''
}
