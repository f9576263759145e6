import type { Source, Spot } from '../model/sourced.js'
import type { Entry } from './spring-settings.js'

/** The documents of a `.properties` file: `key = value`, `key: value`, continued lines, `\uXXXX`; `#---` parts documents. */
export function propertiesDocuments(source: Source): readonly (readonly Entry[])[] {
  const documents: Entry[][] = [[]]
  const line = /[^\n]*\n?/gy
  for (let found = line.exec(source.text); found && found[0] !== ''; found = line.exec(source.text)) {
    const start = found.index
    let text = found[0]
    if (/^[#!]---\s*$/.test(text)) {
      documents.push([])
      continue
    }
    if (/^\s*([#!]|$)/.test(text)) continue
    while (/(?:^|[^\\])(?:\\\\)*\\\r?\n$/.test(text)) {
      const next = line.exec(source.text)
      if (!next || next[0] === '') break
      text += next[0]
    }
    const entry = propertyOf(source, text, start)
    if (entry) documents[documents.length - 1]?.push(entry)
  }
  return documents
}

function propertyOf(source: Source, text: string, start: number): Entry | null {
  const found = /^(\s*)((?:\\.|[^\s:=\\])+)(\s*[:=]?\s*)/.exec(text)
  if (!found) return null
  const [whole, , key = ''] = found
  const raw = text.slice(whole.length).trimEnd()
  const spot: Spot = { source, start: start + whole.length, end: start + whole.length + Math.max(1, raw.length) }
  return { key: unescaped(key), written: { text: unescaped(raw.replace(/\\\r?\n\s*/g, '')), spot } }
}

function unescaped(text: string): string {
  return text.replace(/\\u([0-9a-fA-F]{4})|\\(.)/g, (_, code?: string, char?: string) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
    return char === 'n' ? '\n' : char === 't' ? '\t' : char === 'r' ? '\r' : (char ?? '')
  })
}
