import type { Source, Spot } from '../model/sourced.js'
import type { Written } from './limit-fact.js'

/** An element of an XML text, with the place of each of its attributes. */
export interface XmlElement extends Spot {
  /** With its prefix, as it is written. */
  readonly name: string
  readonly attributes: ReadonlyMap<string, Written>
  readonly children: readonly XmlElement[]
  /** The text directly in it, where there is some. */
  readonly text: Written | null
}

interface OpenElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, Written>
  readonly children: XmlElement[]
  readonly source: Source
  readonly start: number
  end: number
  text: Written | null
}

const MAX_DEPTH = 200
const MAX_ELEMENTS = 200_000

/** Reads XML as far as it can be read: comments, CDATA, declarations and what is not closed are passed over, entities of its own are not resolved. */
export function readXml(source: Source): readonly XmlElement[] {
  const { text } = source
  const roots: XmlElement[] = []
  const open: OpenElement[] = []
  let count = 0
  let at = 0
  for (let tag = text.indexOf('<'); tag >= 0 && count < MAX_ELEMENTS; tag = text.indexOf('<', at)) {
    keepText(open[open.length - 1], source, at, tag)
    const skipped = skippedTo(text, tag)
    if (skipped !== null) {
      at = skipped
      continue
    }
    const end = tagEnd(text, tag)
    at = end + 1
    if (text[tag + 1] === '/') close(open, text.slice(tag + 2, end).trim())
    else if (open.length < MAX_DEPTH) {
      count++
      begin(elementAt(source, tag, end), text[end - 1] === '/', open, roots)
    }
  }
  return roots
}

/** Where a comment, CDATA, a declaration or an instruction ends; null where a tag begins. */
function skippedTo(text: string, at: number): number | null {
  const ends: readonly (readonly [string, string])[] = [
    ['<!--', '-->'],
    ['<![CDATA[', ']]>'],
    ['<?', '?>'],
  ]
  const found = ends.find(([start]) => text.startsWith(start, at))
  if (found) {
    const end = text.indexOf(found[1], at + found[0].length)
    return end < 0 ? text.length : end + found[1].length
  }
  if (text.startsWith('<!', at)) return declarationEnd(text, at)
  return /[A-Za-z_/]/.test(text[at + 1] ?? '') ? null : at + 1
}

/** `<!DOCTYPE x [ … ]>` has declarations of its own in it. */
function declarationEnd(text: string, at: number): number {
  let depth = 0
  for (let index = at; index < text.length; index++) {
    if (text[index] === '[') depth++
    if (text[index] === ']') depth--
    if (text[index] === '>' && depth <= 0) return index + 1
  }
  return text.length
}

/** The `>` of a tag; one in quotes is none. */
function tagEnd(text: string, at: number): number {
  for (let index = at; index < text.length; index++) {
    const char = text[index]
    if (char === '>') return index
    if (char === '"' || char === "'") {
      const end = text.indexOf(char, index + 1)
      if (end < 0) return text.length
      index = end
    }
  }
  return text.length
}

function elementAt(source: Source, start: number, end: number): OpenElement {
  const name = /[^\s/>]*/y
  name.lastIndex = start + 1
  const found = name.exec(source.text)?.[0] ?? ''
  return { name: found, attributes: attributesOf(source, name.lastIndex, end), children: [], source, start, end: end + 1, text: null }
}

function attributesOf(source: Source, from: number, to: number): ReadonlyMap<string, Written> {
  const attributes = new Map<string, Written>()
  // In the tag alone, and from where a name begins: else what has no attribute is looked through for each tag, and for each letter of a word.
  const tag = source.text.slice(from, to)
  const pattern = /(?<![^\s=/"'<>])([^\s=/"'<>]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
  for (let found = pattern.exec(tag); found; found = pattern.exec(tag)) {
    const [whole, name = '', double, single] = found
    const raw = double ?? single ?? ''
    const end = from + found.index + whole.length - 1
    attributes.set(name, { text: decoded(raw), spot: { source, start: end - raw.length, end: Math.max(end, end - raw.length + 1) } })
  }
  return attributes
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
])

function decoded(text: string): string {
  return text.replace(/&(#?\w{1,10});/g, (whole, name: string) => {
    const code = /^#x[\da-f]+$/i.test(name) ? Number.parseInt(name.slice(2), 16) : /^#\d+$/.test(name) ? Number(name.slice(1)) : null
    if (code !== null) return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    return ENTITIES.get(name) ?? whole
  })
}

function begin(element: OpenElement, isClosed: boolean, open: OpenElement[], roots: XmlElement[]): void {
  const parent = open[open.length - 1]
  if (parent) parent.children.push(element)
  else roots.push(element)
  if (!isClosed) open.push(element)
}

/** Closes the innermost element of that name, and what was left open in it. */
function close(open: OpenElement[], name: string): void {
  const index = open.findLastIndex((element) => element.name === name)
  if (index >= 0) open.length = index
}

function keepText(element: OpenElement | undefined, source: Source, from: number, to: number): void {
  if (!element || element.text) return
  const raw = source.text.slice(from, to)
  const plain = raw.trim()
  if (plain === '') return
  const start = from + raw.indexOf(plain)
  element.text = { text: decoded(plain), spot: { source, start, end: start + plain.length } }
}
