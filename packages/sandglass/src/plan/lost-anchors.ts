import { parseEvents } from 'js-yaml'
import type { Splice } from './yaml-edit.js'

/** An anchor or an alias in a text. */
interface Mark {
  readonly kind: 'anchor' | 'alias'
  readonly name: string
  /** Of `&` or `*`. */
  readonly start: number
  readonly end: number
}

/** Where a value with an anchor is rewritten, aliases elsewhere keep its old value: it is written out for them. */
export function resolvedAliases(text: string, splices: readonly Splice[]): Splice[] {
  if (!text.includes('*') || splices.length === 0) return []
  const marks = marksOf(text)
  const isLost = ({ start, end }: Mark): boolean =>
    splices.some((splice) => splice.start <= start && end <= splice.end && splice.end > splice.start)
  const values = new Map<string, string | null>()
  const out: Splice[] = []
  for (const mark of marks) {
    if (mark.kind === 'anchor') values.set(mark.name, isLost(mark) ? oldValue(text, mark) : null)
    else {
      const value = values.get(mark.name)
      if (value !== null && value !== undefined && !isLost(mark)) out.push({ start: mark.start, end: mark.end, text: value })
    }
  }
  return out
}

function marksOf(text: string): Mark[] {
  const marks = new Map<number, Mark>()
  for (const event of parseEvents(text, {})) {
    if (!('anchorStart' in event) || event.anchorStart < 0) continue
    const start = event.anchorStart - 1
    marks.set(start, {
      kind: text[start] === '*' ? 'alias' : 'anchor',
      name: text.slice(event.anchorStart, event.anchorEnd),
      start,
      end: event.anchorEnd,
    })
  }
  return [...marks.values()].sort((one, other) => one.start - other.start)
}

/** What an anchor names, as it stands: to the end of its line or of its braces. */
function oldValue(text: string, { end }: Mark): string {
  let at = end
  while (/[ \t]/.test(text[at] ?? '')) at++
  const from = at
  let depth = 0
  for (; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '{' || character === '[') depth++
    else if ((character === '}' || character === ']') && depth-- === 0) break
    else if (depth === 0 && (character === ',' || character === '\n' || (character === '#' && /\s/.test(text[at - 1] ?? '')))) break
  }
  return text.slice(from, at).trim()
}
