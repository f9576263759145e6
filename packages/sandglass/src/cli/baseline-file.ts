import type { Diagnostic } from '../model/diagnostic.js'
import { baselineText, compareBaseline, readBaseline } from '../report/baseline.js'
import { counted } from '../report/text.js'
import { problemLine } from './problem-line.js'
import { readText } from './read-text.js'
import type { System } from './system.js'
import { Unusable } from './unusable.js'
import { writeOutput } from './write-output.js'

/** Where the findings of an old system are listed unless a path is given. */
export const DEFAULT_BASELINE = '.sandglass-baseline.json'

/** Lists the findings in a baseline file and gives its name. */
export function writeBaseline(path: string | true, diagnostics: readonly Diagnostic[], system: System): string {
  const file = path === true ? DEFAULT_BASELINE : path
  writeOutput(baselineText(diagnostics), file, system)
  return file
}

/** The findings that a baseline file does not list, and what to say about those it does; `verb` is the command that wrote it. */
export function withoutKnown(
  path: string | true,
  diagnostics: readonly Diagnostic[],
  ran: readonly string[],
  system: System,
  verb = 'check',
): { readonly diagnostics: readonly Diagnostic[]; readonly notes: readonly string[] } {
  const file = path === true ? DEFAULT_BASELINE : path
  const read = readText(file, system.folders)
  if (!read.ok) throw new Unusable([problemLine(read.problem)])
  const baseline = readBaseline(read.source.text)
  if ('message' in baseline) throw new Unusable([`${file}: ${baseline.message}`])
  const { diagnostics: fresh, known, stale } = compareBaseline(diagnostics, baseline, ran)
  const notes = known > 0 ? [`note: ${counted(known, 'finding')} left out: listed in ${file}`] : []
  const gone = stale
    .slice(0, 5)
    .map(({ rule, path: at }) => `note: ${file}: ${rule}${at.length > 0 ? ` at ${at.join(' > ')}` : ''} is no longer found`)
  const more = stale.length > 5 ? [`note: ${file}: and ${stale.length - 5} more are no longer found`] : []
  const advice = stale.length > 0 ? [`note: "sandglass ${verb} --write-baseline" takes what is no longer found out of ${file}`] : []
  return { diagnostics: fresh, notes: [...notes, ...gone, ...more, ...advice] }
}
