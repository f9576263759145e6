import { relative } from 'node:path'
import type { Diagnostic } from '../model/diagnostic.js'
import type { Source } from '../model/sourced.js'
import { type BaselineEntry, baselineText, compareBaseline, readBaseline } from '../report/baseline.js'
import { counted } from '../report/text.js'
import { realFolder } from './lockfile-at.js'
import { problemLine } from './problem-line.js'
import { readStanding } from './read-text.js'
import type { System } from './system.js'
import { Unusable } from './unusable.js'
import { writeReport } from './write-report.js'

/** Where the findings of an old system are listed unless a path is given. */
export const DEFAULT_BASELINE = '.sandglass-baseline.json'

/** Lists the findings in a baseline file and gives its name. */
export function writeBaseline(path: string | true, diagnostics: readonly Diagnostic[], system: System): string {
  const file = path === true ? DEFAULT_BASELINE : path
  writeReport(baselineText(seenFrom(file, diagnostics, system)), file, system)
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
  const read = readStanding(file, system.folders)
  if (!read.ok) throw new Unusable([problemLine(read.problem)])
  const baseline = readBaseline(read.source.text, verb)
  if ('message' in baseline) throw new Unusable([`${file}: ${baseline.message}`])
  const seen = seenFrom(file, diagnostics, system)
  const here = compareBaseline(seen, baseline, ran)
  // Baselines of before name files as they were spelt.
  const spelt = compareBaseline(diagnostics, baseline, ran)
  const [isFreshHere, isFreshSpelt, isStaleSpelt] = [new Set(here.diagnostics), new Set(spelt.diagnostics), new Set(spelt.stale)]
  const fresh = diagnostics.filter((one, k) => isFreshSpelt.has(one) && isFreshHere.has(seen[k] ?? one))
  const known = diagnostics.length - fresh.length
  const stale = here.stale.filter((entry) => isStaleSpelt.has(entry))
  const notes = known > 0 ? [`note: ${counted(known, 'finding')} left out: listed in ${file}`] : []
  const gone = goneNotes(stale).map((text) => `note: ${file}: ${text}`)
  const advice = stale.length > 0 ? [`note: "sandglass ${verb} --write-baseline" takes what is no longer found out of ${file}`] : []
  return { diagnostics: fresh, notes: [...notes, ...gone, ...advice] }
}

/** The findings with their files named from where the baseline stands, so that it holds from whatever folder they are looked for. */
function seenFrom(baseline: string, diagnostics: readonly Diagnostic[], { folders }: System): readonly Diagnostic[] {
  const home = realFolder(baseline, folders)
  const named = new Map<Source, Source>()
  return diagnostics.map((one) => {
    const { source } = one.spot
    const there = named.get(source) ?? { ...source, file: relative(home, folders.identity(source.file)).replaceAll('\\', '/') }
    named.set(source, there)
    return { ...one, spot: { ...one.spot, source: there } }
  })
}

const MAX_GONE = 5

/** What is no longer found, those of one rule at one place together; code has no place in a baseline unless its path names it. */
function goneNotes(stale: readonly BaselineEntry[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { rule, path } of stale) {
    const text = `${rule}${path.length > 0 ? ` at ${path.join(' > ')}` : ''}`
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const all = [...counts].map(([text, count]) => (count === 1 ? `${text} is no longer found` : `${count} of ${text} are no longer found`))
  const rest = [...counts.values()].slice(MAX_GONE).reduce((sum, count) => sum + count, 0)
  return rest > 0 ? [...all.slice(0, MAX_GONE), `and ${rest} more are no longer found`] : all
}
