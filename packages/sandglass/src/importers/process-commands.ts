import type { Source, Spot } from '../model/sourced.js'
import type { Written } from './limit-fact.js'

/** A command that a file starts, as words with their places, and the environment the file gives it. */
export interface ProcessCommand {
  /** The process type of a Procfile; `web` for an image. */
  readonly name: string
  readonly spot: Spot
  readonly words: readonly Written[]
  readonly environment: ReadonlyMap<string, Written>
}

const MAX_LINES = 5000

/** The processes of a Procfile: `web: gunicorn app:app`. */
export function procfileCommands(source: Source): readonly ProcessCommand[] {
  const commands: ProcessCommand[] = []
  let start = 0
  for (const line of source.text.split('\n', MAX_LINES)) {
    const found = /^([A-Za-z][\w-]{0,60}):[ \t]*(\S.*)$/.exec(line)
    if (found) {
      const [whole, name = '', command = ''] = found
      const from = start + whole.length - command.length
      const { words, environment } = shellWords(command, source, from)
      commands.push({ name, spot: { source, start: from, end: from + command.length }, words, environment })
    }
    start += line.length + 1
  }
  return commands
}

/** What a Dockerfile starts: its last ENTRYPOINT and CMD, with the variables of ENV in the last stage. */
export function dockerfileCommand(source: Source): ProcessCommand | null {
  const all = instructionsOf(source)
  const stage = all.slice(all.findLastIndex(({ keyword }) => keyword === 'FROM') + 1)
  const [entrypoint, command] = ['ENTRYPOINT', 'CMD'].map((keyword) => stage.findLast((each) => each.keyword === keyword))
  const first = entrypoint ?? command
  if (!first) return null
  const words = [entrypoint, command].flatMap((each) => (each ? commandWords(each, source) : []))
  const environment = new Map(stage.filter(({ keyword }) => keyword === 'ENV').flatMap((each) => variablesOf(each, source)))
  return { name: 'web', spot: { source, start: first.from, end: first.from + first.text.length }, words, environment }
}

function commandWords({ text, from }: Instruction, source: Source): readonly Written[] {
  return text.startsWith('[') ? listWords(text, source, from) : shellWords(text, source, from).words
}

function variablesOf({ text, from }: Instruction, source: Source): readonly (readonly [string, Written])[] {
  return [...text.matchAll(/([A-Za-z_]\w{0,60})[= ]("[^"\n]*"|[^\s"]+)/g)].map(
    (found) => [found[1] ?? '', valueOf(found, source, from)] as const,
  )
}

interface Instruction {
  readonly keyword: string
  readonly text: string
  readonly from: number
}

/** Instructions with their continued lines; `\` and the line break become spaces, so that places stay. */
function instructionsOf(source: Source): readonly Instruction[] {
  const text = source.text.slice(0, MAX_CHARACTERS).replace(/\\[ \t]*\r?\n/g, (end) => ' '.repeat(end.length))
  return [...text.matchAll(/^[ \t]*(FROM|ENV|CMD|ENTRYPOINT)[ \t]+(\S.*)$/gim)].map((found) => {
    const [whole, keyword = '', rest = ''] = found
    return { keyword: keyword.toUpperCase(), text: rest.trimEnd(), from: found.index + whole.length - rest.length }
  })
}

const MAX_CHARACTERS = 200_000

function valueOf(found: RegExpExecArray, source: Source, from: number): Written {
  const [whole, , raw = ''] = found
  const text = raw.replace(/^"|"$/g, '')
  const start = from + found.index + whole.length - raw.length + (raw.startsWith('"') ? 1 : 0)
  return { text, spot: { source, start, end: start + Math.max(1, text.length) } }
}

function listWords(text: string, source: Source, from: number): readonly Written[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].flatMap((found) => {
    const item = found[1] ?? ''
    return shellWords(item, source, from + found.index + 1).words
  })
}

/** Words between spaces; `NAME=value` before the first one are variables. */
function shellWords(text: string, source: Source, from: number): Pick<ProcessCommand, 'words' | 'environment'> {
  const environment = new Map<string, Written>()
  const words: Written[] = []
  for (const found of text.matchAll(/"[^"]*"|'[^']*'|[^\s"']+(?:"[^"]*"|'[^']*')?/g)) {
    const [raw] = found
    const spot = { source, start: from + found.index, end: from + found.index + raw.length }
    const variable = words.length === 0 ? /^([A-Za-z_]\w{0,60})=(.*)$/.exec(raw) : null
    if (variable) environment.set(variable[1] ?? '', { text: (variable[2] ?? '').replace(/^["']|["']$/g, ''), spot })
    else words.push({ text: raw.replace(/^["']|["']$/g, ''), spot })
  }
  return { words, environment }
}
