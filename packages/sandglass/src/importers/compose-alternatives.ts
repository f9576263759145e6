import type { Source } from '../model/sourced.js'
import { compose } from './compose.js'
import { newFacts } from './facts.js'
import { fileName, folderOf } from './folders.js'
import { kindOfName } from './target.js'
import { at, textAt, yamlMaps } from './yaml-path.js'

/** What a compose file starts: the names of its services, and whether each of them says by itself what it runs. */
export interface ComposeServices {
  readonly source: Source
  /** Services with an image or a build of their own; true: a program of these people, no database, cache or queue. */
  readonly programs: ReadonlyMap<string, boolean>
  /** False for a file that only adds to what another one starts. */
  readonly isWhole: boolean
}

/** The services of each compose file among these texts. */
export function composeServices(sources: readonly Source[]): readonly ComposeServices[] {
  return sources
    .filter((source) => !/(^|\/)\.env[^/]*$/.test(source.file) && compose.accepts(source))
    .map((source) => {
      const entries = yamlMaps(source, newFacts()).flatMap((root) => {
        const services = at(root, 'services')
        return services?.kind === 'map' ? services.entries : []
      })
      const started = entries.filter(({ value }) => at(value, 'image') ?? at(value, 'build'))
      const programs = new Map(started.map(({ key, value }) => [key.text, isProgram(textAt(value, 'image'))]))
      return { source, programs, isWhole: started.length === entries.length }
    })
}

function isProgram(image: string): boolean {
  const kind = kindOfName(image)
  return kind === null || kind === 'proxy'
}

/** A compose file that is started instead of another one, not beside it. */
export interface Alternative {
  readonly source: Source
  readonly insteadOf: Source
}

/** Compose files that start again what one beside or above them starts: nobody runs both. The one that docker takes by itself stays. */
export function composeAlternatives(sources: readonly Source[]): readonly Alternative[] {
  const kept: ComposeServices[] = []
  const alternatives: Alternative[] = []
  for (const file of composeServices(sources).toSorted(byPrecedence)) {
    const instead = file.isWhole && !isOverride(file.source.file) && kept.find((other) => startsAgain(file, other))
    if (instead) alternatives.push({ source: file.source, insteadOf: instead.source })
    else kept.push(file)
  }
  return alternatives
}

function startsAgain(file: ComposeServices, other: ComposeServices): boolean {
  const [folder, above] = [folderOf(file.source.file), folderOf(other.source.file)]
  if (folder === above) return [...file.programs.keys()].some((name) => other.programs.has(name))
  return folder.startsWith(above) && [...file.programs].some(([name, isProgram]) => isProgram && other.programs.get(name) === true)
}

/** Upper folders first; in a folder what docker reads without being told. */
function byPrecedence(a: ComposeServices, b: ComposeServices): number {
  const [x, y] = [a.source.file, b.source.file]
  return x.split('/').length - y.split('/').length || rankOf(x) - rankOf(y)
}

function rankOf(file: string): number {
  if (/^(docker-)?compose\.ya?ml$/.test(fileName(file))) return 0
  return isOverride(file) ? 1 : 2
}

/** Docker lays it over the file beside it without being told. */
function isOverride(file: string): boolean {
  return /compose\.override\.ya?ml$/.test(fileName(file))
}
