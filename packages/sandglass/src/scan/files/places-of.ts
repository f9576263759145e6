import { append } from '../../model/append.js'
import type { Source } from '../../model/sourced.js'

/** So many names are looked for one by one; for more it pays to find all words of the text once. */
const FEW_NAMES = 32
const WORD = /[\w$]+/g

/** What was looked for in a text, and where its words stand once there were many. */
interface Asked {
  names: number
  words: ReadonlyMap<string, readonly number[]> | null
}

const askedOf = new WeakMap<Source, Asked>()

/** True where a text has a name, perhaps as a part of another one. */
export function isNamedIn(name: string, source: Source): boolean {
  const { words } = asked(source)
  return words && isWord(name) ? words.has(name) : source.text.includes(name)
}

/** Where a text names it, but for comments. */
export function placesOf(name: string, source: Source): readonly number[] {
  const { words } = asked(source)
  const places = words && isWord(name) ? (words.get(name) ?? []) : found(name, source.text)
  return places.filter((place) => !isInComment(place, source.text))
}

function asked(source: Source): Asked {
  const known = askedOf.get(source) ?? { names: 0, words: null }
  askedOf.set(source, known)
  known.names++
  if (known.names > FEW_NAMES) known.words ??= wordsOf(source.text)
  return known
}

/** Names of other letters are no words for regular expressions. */
function isWord(name: string): boolean {
  return /^[\w$]+$/.test(name)
}

function wordsOf(text: string): ReadonlyMap<string, readonly number[]> {
  const words = new Map<string, number[]>()
  for (const { 0: word, index } of text.matchAll(WORD)) append(words, word, index)
  return words
}

function found(name: string, text: string): number[] {
  const word = new RegExp(`(?<![\\w$])${name.replace(/\$/g, '\\$&')}(?![\\w$])`, 'g')
  return [...text.matchAll(word)].map(({ index }) => index)
}

function isInComment(at: number, text: string): boolean {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  return /^\s*(\/\/|\/?\*)|(?<!:)\/\/\s/.test(line)
}
