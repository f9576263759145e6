import type { Source, Spot } from '../model/sourced.js'
import type { Written } from './limit-fact.js'
import { maskTemplates } from './templates.js'

/** A section of an HAProxy configuration: its first line, and the lines below it. */
export interface Section {
  readonly kind: string
  readonly name: string
  readonly spot: Spot
  readonly words: readonly Written[]
  readonly lines: readonly (readonly Written[])[]
}

const STARTS = new Set([
  'global',
  'defaults',
  'frontend',
  'backend',
  'listen',
  'userlist',
  'peers',
  'resolvers',
  'mailers',
  'program',
  'cache',
  'http-errors',
  'ring',
  'log-forward',
  'fcgi-app',
])

/** Splits a configuration into sections and words: quotes, backslashes, comments. */
export function readSections(source: Source): readonly Section[] {
  const sections: { kind: string; name: string; spot: Spot; words: readonly Written[]; lines: (readonly Written[])[] }[] = []
  const text = maskTemplates(source.text)
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const words = wordsOf(source, text, start, end)
    const [first, second] = words
    if (first && STARTS.has(first.text)) sections.push({ kind: first.text, name: second?.text ?? '', spot: first.spot, words, lines: [] })
    else if (first) sections[sections.length - 1]?.lines.push(words)
    start = end + 1
  }
  return sections
}

/** One word: quoted parts, escaped characters, and what is neither. */
const WORD = /(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s#"'\\])+|#/gy

function wordsOf(source: Source, text: string, start: number, end: number): readonly Written[] {
  const words: Written[] = []
  const line = text.slice(start, end)
  for (let at = 0; at < line.length; ) {
    const blank = /\s+/y
    blank.lastIndex = at
    if (blank.test(line)) {
      at = blank.lastIndex
      continue
    }
    WORD.lastIndex = at
    const found = WORD.exec(line)
    if (!found || found[0] === '#') break
    at = WORD.lastIndex
    words.push({
      text: found[0].replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
      spot: { source, start: start + found.index, end: start + at },
    })
  }
  return words
}
