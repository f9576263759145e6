import type { Diagnostic } from '../model/diagnostic.js'
import { lineText, placeOf, type Source, type Spot } from '../model/sourced.js'
import { saysAt } from './says-at.js'

/** What a place that a comment names is called in a finding. */
export const ORIGIN_LABEL = 'this is where it comes from'

const ORIGIN = /# origin: (\S.*?):(\d{1,7}) (.+)$/

/**
 * Findings in a chain file that was made of code or configs, with the place there besides: `# origin: src/place.ts:8 …` beside a value names
 * it. Where the file is not there (`sourceOf` gives null) or the line says something else by now, nothing is added.
 */
export function withOrigins(diagnostics: readonly Diagnostic[], sourceOf: (file: string) => Source | null): readonly Diagnostic[] {
  return diagnostics.map((one) => {
    const spot = originOf(one.spot, sourceOf)
    return spot ? { ...one, related: [...one.related, { spot, label: ORIGIN_LABEL }] } : one
  })
}

function originOf({ source, start, end }: Spot, sourceOf: (file: string) => Source | null): Spot | null {
  if (!source.text.includes('# origin: ')) return null
  const [, file = '', number = '', text = ''] = ORIGIN.exec(lineText(source, placeOf({ source, start, end }).line)) ?? []
  const there = file === '' ? null : sourceOf(file)
  const line = Number(number)
  if (!there || text.trimEnd() !== saysAt(there, line)) return null
  const at = startOfLine(there.text, line)
  const own = lineText(there, line)
  const from = at + (own.length - own.trimStart().length)
  return { source: there, start: from, end: at + own.trimEnd().length }
}

function startOfLine(text: string, line: number): number {
  let at = 0
  for (let k = 1; k < line; k++) at = text.indexOf('\n', at) + 1
  return at
}
